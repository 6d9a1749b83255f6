"""What a player does in a tournament: enter, leave, confirm, withdraw, sit out a round, appeal."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.models import Player
from games.selectors import player_named
from games.services.errors import Invalid, NotFound, Refusal
from games.web.asking import client_seed_in, viewer_of, whole
from tournaments.models import Entrant, Event
from tournaments.services import appeals, client_seeds, entries

from .showing import look, show

Deed = Callable[[HttpRequest, Player, str, datetime], None]


def enter(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Take part; in pairs with the partner whose name is given."""
    name = request.POST.get("partner", "").strip()
    partner = player_named(name) if name else None
    if name and partner is None:
        raise Invalid(_("Nobody here has this name."))
    seed = client_seed_in(request)
    if partner:
        entries.ask_partner(player=player, partner=partner, code=code, client_seed=seed, now=now)
        said = _("%(name)s is asked. You take part as soon as they agree.") % {"name": partner.name}
        messages.success(request, said)
        return
    entrant = entries.enter(player=player, code=code, client_seed=seed, now=now)
    if entrant.status == Entrant.Status.WAITING:
        messages.success(request, _("All places are taken: you are on the waiting list."))
    else:
        messages.success(request, _("You take part."))


def change_seed(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Bring another part of the shuffle."""
    client_seeds.set_client_seed(player=player, code=code, client_seed=client_seed_in(request), now=now)
    messages.success(request, _("Saved."))


def leave_it(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    entries.leave(player=player, code=code, now=now)
    messages.success(request, _("You do not take part any more."))


def confirm(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    entries.confirm(player=player, code=code, now=now)
    messages.success(request, _("Confirmed: you will play."))


def withdraw_from_it(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    entries.withdraw(player=player, code=code, now=now)
    messages.success(request, _("You have withdrawn."))


def sit_out(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    number = whole(request.POST.get("round", ""))
    if number is None:
        raise Invalid(_("Say which round."))
    entries.sit_out(player=player, code=code, round=number, now=now)
    messages.success(request, _("You are free in round %(n)s.") % {"n": number})


def appeal(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    table = whole(request.POST.get("table", ""))
    if table is None:
        raise NotFound(_("There is no such table."))
    text = request.POST.get("text", "").replace("\0", "")
    appeals.appeal(player=player, code=code, table=table, text=text, now=now)
    messages.success(request, _("The organiser has your appeal, and will answer it."))


DEEDS: dict[str, Deed] = {
    "enter": enter,
    "client-seed": change_seed,
    "leave": leave_it,
    "confirm": confirm,
    "withdraw": withdraw_from_it,
    "sit-out": sit_out,
    "appeal": appeal,
}


@require_POST
def act(request: HttpRequest, code: str, deed: str) -> HttpResponse:
    """One thing that a player does; then the page it was done on. Who has no account yet gets one first."""
    if deed not in DEEDS:
        raise Http404(_("There is no such tournament."))
    viewer = viewer_of(request)
    back = reverse("tournament", args=[code])
    if viewer is None or viewer.guest:
        return redirect(f"{reverse('account_signup')}?{urlencode({'next': back})}")
    table = whole(request.POST.get("table", ""))
    if deed == "appeal" and table is not None:
        back = reverse("tournament-table", args=[code, table])
    try:
        DEEDS[deed](request, viewer, code, timezone.now())
    except NotFound as missing:
        raise Http404(str(missing)) from None
    except Refusal as refusal:
        messages.error(request, str(refusal))
    return redirect(back)


# ---------------------------------------------------------------------------------- what is asked twice about


@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, code: str) -> HttpResponse:
    """Leave before the start: who does cannot be sure to get the place back."""
    if request.method == "POST":
        return act(request, code, "leave")
    return ask(request, code, "leave")


@require_http_methods(["GET", "HEAD", "POST"])
def withdraw(request: HttpRequest, code: str) -> HttpResponse:
    """Leave in the middle: games that run are resigned."""
    if request.method == "POST":
        return act(request, code, "withdraw")
    return ask(request, code, "withdraw")


def ask(request: HttpRequest, code: str, deed: str) -> HttpResponse:
    """Ask whether it is meant; who has nothing to leave goes back to the tournament."""
    seen = look(request, code)
    mine = seen.mine
    if mine is None or deed not in as_player(seen.event, mine):
        return redirect("tournament", code=code)
    return show(request, seen, "sure", deed=deed, waits=mine.status == Entrant.Status.WAITING)


def as_player(event: Event, mine: Entrant) -> list[str]:
    """The ways out that are open: before the start, from the waiting list, or in the middle."""
    waits = mine.status == Entrant.Status.WAITING
    if waits or event.status == Event.Status.PUBLISHED:
        return ["leave"]
    return ["withdraw"] if event.status == Event.Status.RUNNING and mine.left is None else []
