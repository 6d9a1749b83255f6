"""Player actions in a tournament: enter, leave, confirm, withdraw, sit out a round, appeal."""

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
from games.selectors import find_player_by_name
from games.services.errors import Invalid, NotFound, ServiceError
from games.web.request_utils import parse_int, read_client_seed, viewer_of
from tournaments.models import Entrant, Tournament
from tournaments.services import appeals, client_seeds, entries

from .presenters import get_viewer_context, render_tournament_page

PlayerAction = Callable[[HttpRequest, Player, str, datetime], None]


def enter_tournament(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Enter the tournament; in pairs, ask the named partner. Raises Invalid if the partner is unknown."""
    partner_name = request.POST.get("partner", "").strip()
    partner = find_player_by_name(partner_name) if partner_name else None
    if partner_name and partner is None:
        raise Invalid(_("Nobody here has this name."))
    client_seed = read_client_seed(request)
    if partner:
        entries.ask_partner(player=player, partner=partner, code=code, client_seed=client_seed, now=now)
        message = _("%(name)s is asked. You take part as soon as they agree.") % {"name": partner.name}
        messages.success(request, message)
        return
    entrant = entries.enter_tournament(player=player, code=code, client_seed=client_seed, now=now)
    if entrant.status == Entrant.Status.WAITING:
        messages.success(request, _("All places are taken: you are on the waiting list."))
    else:
        messages.success(request, _("You take part."))


def change_client_seed(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Replace the client seed."""
    client_seeds.set_client_seed(player=player, code=code, client_seed=read_client_seed(request), now=now)
    messages.success(request, _("Saved."))


def leave_tournament(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Leave before the start, or leave the waitlist."""
    entries.leave_tournament(player=player, code=code, now=now)
    messages.success(request, _("You do not take part any more."))


def confirm_entry(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Confirm the entry."""
    entries.confirm_entry(player=player, code=code, now=now)
    messages.success(request, _("Confirmed: you will play."))


def withdraw_from_tournament(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Withdraw from a running tournament."""
    entries.withdraw_from_tournament(player=player, code=code, now=now)
    messages.success(request, _("You have withdrawn."))


def sit_out_round(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Sit out a round. Raises Invalid if no round is given."""
    round_no = parse_int(request.POST.get("round", ""))
    if round_no is None:
        raise Invalid(_("Say which round."))
    entries.sit_out_round(player=player, code=code, round=round_no, now=now)
    messages.success(request, _("You are free in round %(n)s.") % {"n": round_no})


def appeal_pairing(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Appeal against a pairing. Raises NotFound if none is given."""
    pairing_id = parse_int(request.POST.get("table", ""))
    if pairing_id is None:
        raise NotFound(_("There is no such table."))
    text = request.POST.get("text", "").replace("\0", "")
    appeals.file_appeal(player=player, code=code, pairing_id=pairing_id, text=text, now=now)
    messages.success(request, _("The organiser has your appeal, and will answer it."))


PLAYER_ACTIONS: dict[str, PlayerAction] = {
    "enter": enter_tournament,
    "client-seed": change_client_seed,
    "leave": leave_tournament,
    "confirm": confirm_entry,
    "withdraw": withdraw_from_tournament,
    "sit-out": sit_out_round,
    "appeal": appeal_pairing,
}


@require_POST
def run_player_action(request: HttpRequest, code: str, deed: str) -> HttpResponse:
    """Run one player action and return to its page. Viewers without an account sign up first."""
    if deed not in PLAYER_ACTIONS:
        raise Http404(_("There is no such tournament."))
    viewer = viewer_of(request)
    return_url = reverse("tournament", args=[code])
    if viewer is None or viewer.guest:
        return redirect(f"{reverse('account_signup')}?{urlencode({'next': return_url})}")
    pairing_id = parse_int(request.POST.get("table", ""))
    if deed == "appeal" and pairing_id is not None:
        return_url = reverse("tournament-table", args=[code, pairing_id])
    try:
        PLAYER_ACTIONS[deed](request, viewer, code, timezone.now())
    except NotFound as not_found:
        raise Http404(str(not_found)) from None
    except ServiceError as error:
        messages.error(request, str(error))
    return redirect(return_url)


# ---------------------------------------------------------------------------------- actions with confirmation


@require_http_methods(["GET", "HEAD", "POST"])
def confirm_and_leave(request: HttpRequest, code: str) -> HttpResponse:
    """Ask for confirmation on GET, leave on POST: the place may be lost."""
    if request.method == "POST":
        return run_player_action(request, code, "leave")
    return show_confirmation(request, code, "leave")


@require_http_methods(["GET", "HEAD", "POST"])
def confirm_and_withdraw(request: HttpRequest, code: str) -> HttpResponse:
    """Ask for confirmation on GET, withdraw on POST: running games are resigned."""
    if request.method == "POST":
        return run_player_action(request, code, "withdraw")
    return show_confirmation(request, code, "withdraw")


def show_confirmation(request: HttpRequest, code: str, action: str) -> HttpResponse:
    """Show the confirmation page; viewers who cannot leave are redirected to the tournament."""
    viewer_context = get_viewer_context(request, code)
    entrant = viewer_context.entrant
    if entrant is None or action not in list_exit_actions(viewer_context.tournament, entrant):
        return redirect("tournament", code=code)
    return render_tournament_page(
        request, viewer_context, "sure", deed=action, waits=entrant.status == Entrant.Status.WAITING
    )


def list_exit_actions(tournament: Tournament, entrant: Entrant) -> list[str]:
    """List the available actions: leave (before the start or from the waitlist) or withdraw."""
    is_waiting = entrant.status == Entrant.Status.WAITING
    if is_waiting or tournament.status == Tournament.Status.PUBLISHED:
        return ["leave"]
    return ["withdraw"] if tournament.status == Tournament.Status.RUNNING and entrant.left is None else []
