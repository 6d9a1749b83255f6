"""Player commands: what a player sends from the pages of a tournament, one view and one URL each.

A command is a function of request, player, tournament code and time. `build_command_view` makes a view of it:
POST only, errors as messages, then back to the page of the command. Leaving asks for confirmation on GET.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import Player
from accounts.selectors.profiles import find_player_by_name
from accounts.web.request_utils import parse_int, viewer_of
from common.service_errors import Invalid, NotFound, ServiceError
from games.web.seed_forms import read_client_seed
from tournaments import permissions
from tournaments.services import appeals, client_seeds, entries
from tournaments.text.entries import describe_leaving_question

from .presenters import get_viewer_context, render_tournament_page

PlayerCommand = Callable[[HttpRequest, Player, str, datetime], None]


def build_command_view(command: PlayerCommand) -> Callable[..., HttpResponse]:
    """Make a view of a command. Viewers without an account sign up first."""

    @require_POST
    @wraps(command)
    def view(request: HttpRequest, code: str) -> HttpResponse:
        viewer, tournament_url = viewer_of(request), reverse("tournament", args=[code])
        if viewer is None or viewer.is_guest:
            return redirect(f"{reverse('account_signup')}?{urlencode({'next': tournament_url})}")
        pairing_id = parse_int(request.POST.get("pairing", "")) if command is appeal_pairing else None
        try:
            command(request, viewer, code, timezone.now())
        except NotFound as not_found:
            raise Http404(str(not_found)) from None
        except ServiceError as error:
            messages.error(request, str(error))
        if pairing_id is not None:
            return redirect("tournament-table", code=code, pk=pairing_id)
        return redirect(tournament_url)

    return view


def build_exit_view(command: PlayerCommand, action: str) -> Callable[..., HttpResponse]:
    """Make a view of a command that ends an entry: it asks on GET, as the place or games are lost."""
    command_view = build_command_view(command)

    @require_http_methods(["GET", "HEAD", "POST"])
    @wraps(command)
    def view(request: HttpRequest, code: str) -> HttpResponse:
        return (
            command_view(request, code)
            if request.method == "POST"
            else show_confirmation(request, code, action)
        )

    return view


def show_confirmation(request: HttpRequest, code: str, action: str) -> HttpResponse:
    """Show the confirmation page; viewers who may not do it are redirected to the tournament."""
    viewer_context = get_viewer_context(request, code)
    tournament, entrant_player = viewer_context.tournament, viewer_context.entrant_player
    if entrant_player is None or action not in permissions.list_entrant_actions(tournament, entrant_player):
        return redirect("tournament", code=code)
    return render_tournament_page(
        request,
        viewer_context,
        "confirm_leaving",
        action_name=action,
        is_waiting=entrant_player.entrant.is_waiting,
        question=describe_leaving_question(action, is_waiting=entrant_player.entrant.is_waiting),
    )


def enter_tournament(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Enter the tournament; in pairs, ask the named partner. Raises Invalid if the partner is unknown."""
    partner_name = request.POST.get("partner", "").strip()
    partner = find_player_by_name(partner_name) if partner_name else None
    if partner_name and partner is None:
        raise Invalid(_("No player has this name. Check the spelling."))
    client_seed = read_client_seed(request)
    if partner:
        entries.ask_partner(player=player, partner=partner, code=code, client_seed=client_seed, now=now)
        message = _("We have asked %(name)s. You take part as soon as they accept.") % {"name": partner.name}
        messages.success(request, message)
        return
    entrant = entries.enter_tournament(player=player, code=code, client_seed=client_seed, now=now)
    if entrant.is_waiting:
        messages.success(request, _("All places are taken. You are on the waiting list."))
    else:
        messages.success(request, _("You have entered."))


def change_client_seed(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Replace the client seed."""
    client_seeds.set_client_seed(player=player, code=code, client_seed=read_client_seed(request), now=now)
    messages.success(request, _("Saved."))


def leave_tournament(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Leave before the start, or leave the waitlist."""
    entries.leave_tournament(player=player, code=code, now=now)
    messages.success(request, _("You no longer take part."))


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
        raise Invalid(_("Choose a round."))
    entries.sit_out_round(player=player, code=code, round=round_no, now=now)
    messages.success(request, _("You sit out round %(n)s.") % {"n": round_no})


def appeal_pairing(request: HttpRequest, player: Player, code: str, now: datetime) -> None:
    """Appeal against a pairing. Raises NotFound if none is given."""
    pairing_id = parse_int(request.POST.get("pairing", ""))
    if pairing_id is None:
        raise NotFound(_("Table not found."))
    text = request.POST.get("text", "").replace("\0", "")
    appeals.file_appeal(player=player, code=code, pairing_id=pairing_id, text=text, now=now)
    messages.success(request, _("We have sent your appeal to the organiser. You get an answer here."))


# By the last part of the URL; the URL name is the same with `tournament-` before it.
PLAYER_COMMANDS: dict[str, PlayerCommand] = {
    "enter": enter_tournament,
    "client-seed": change_client_seed,
    "confirm": confirm_entry,
    "sit-out": sit_out_round,
    "appeal": appeal_pairing,
}
EXIT_COMMANDS: dict[str, PlayerCommand] = {
    "leave": leave_tournament,
    "withdraw": withdraw_from_tournament,
}
urlpatterns = [
    *(
        path(f"<slug:code>/{name}/", build_exit_view(command, name), name=f"tournament-{name}")
        for name, command in EXIT_COMMANDS.items()
    ),
    *(
        path(f"<slug:code>/{name}/", build_command_view(command), name=f"tournament-{name}")
        for name, command in PLAYER_COMMANDS.items()
    ),
]
