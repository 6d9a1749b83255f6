"""League commands: what players and organisers send from the pages of a league, one view and one URL each.

A command is a function of request, player, league and time that returns a message. `build_command_view` makes
a view of it: POST only, errors as messages, then back to the page of the command.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import wraps

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.models import Player
from accounts.name_validation import MAX_NAME_LENGTH
from common.service_errors import Denied, Invalid, ServiceError
from games import selectors
from games.web.seed_forms import read_client_seed
from tournaments.leagues.services import leagues
from tournaments.models import League, LeagueMember
from tournaments.models.limits import MAX_REASON_LENGTH
from tournaments.refusals import Refusal
from tournaments.services import co_organisers, removals

from .presenters import current_account, get_league_or_404, render_forbidden

LeagueCommand = Callable[[HttpRequest, Player, League, datetime], str]
MemberStatus = LeagueMember.Status
# Players are told these in a message, as the page itself is for them.
MESSAGE_REFUSALS = (Refusal.OWN_PAIRING, Refusal.REMOVED_FROM_LEAGUE)


def build_command_view(command: LeagueCommand, return_url_name: str) -> Callable[..., HttpResponse]:
    """Make a view of a command that returns to a page of the league."""

    @require_POST
    @wraps(command)
    def view(request: HttpRequest, code: str) -> HttpResponse:
        league, player = get_league_or_404(request, code), current_account(request)
        if player is None:
            return redirect("league-ask", code=code)
        try:
            messages.success(request, command(request, player, league, timezone.now()))
        except ServiceError as error:
            message_codes = [refusal.error_code for refusal in MESSAGE_REFUSALS]
            if isinstance(error, Denied) and error.code not in message_codes:
                return render_forbidden(request, league)
            messages.error(request, capfirst(str(error)))
        return redirect(return_url_name, code=code)

    return view


def read_named_player(request: HttpRequest, field_name: str) -> Player | None:
    """Return the player named by a field, None if it is empty. Raises Invalid."""
    name = request.POST.get(field_name, "").replace("\0", "").strip()
    if not name:
        return None
    player = selectors.find_player_by_name(name) if len(name) <= MAX_NAME_LENGTH else None
    if player is None or player.is_guest:
        raise Invalid(
            _("No player is called %(name)s. Check the spelling.") % {"name": name[:MAX_NAME_LENGTH]}
        )
    return player


def read_required_player(request: HttpRequest, field_name: str, question: str = "") -> Player:
    """Return the player named by a field. Raises Invalid with the `question` if it is empty."""
    player = read_named_player(request, field_name)
    if player is None:
        raise Invalid(question or _("Enter a name."))
    return player


def read_reasons(request: HttpRequest) -> dict[str, str]:
    """Return reason and public note as keyword arguments of a service."""
    return {
        field_name: request.POST.get(field_name, "").replace("\0", "")[:MAX_REASON_LENGTH]
        for field_name in ("reason", "public_note")
    }


def check_box_checked(request: HttpRequest) -> None:
    """Raise Invalid unless the box of a final step is checked."""
    if request.POST.get("sure") != "1":
        raise Invalid(_("Check the box to confirm."))


def join_league(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Join from the next season on; in pairs, ask the named partner."""
    partner, client_seed = read_named_player(request, "partner"), read_client_seed(request) or None
    if partner:
        leagues.ask_partner(
            player=player, partner=partner, code=league.code, client_seed=client_seed, now=now
        )
        return _("We have asked %(name)s. You join as soon as they accept.") % {"name": partner.name}
    leagues.set_member_status(
        player=player, code=league.code, now=now, status=MemberStatus.MEMBER, client_seed=client_seed
    )
    return _("You have joined. You play every season until you leave.")


def change_client_seed(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Replace the client seed for coming seasons."""
    leagues.set_league_client_seed(
        player=player, code=league.code, client_seed=read_client_seed(request), now=now
    )
    return _("Saved. It applies from the next season.")


def leave_league(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Leave after the current season."""
    leagues.set_member_status(player=player, code=league.code, now=now, status=MemberStatus.OUT)
    return _("You do not play from the next season. Running games continue.")


def drop_out_of_season(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Leave in the middle of a season. Raises Invalid unless the box is checked, as the place is lost."""
    check_box_checked(request)
    leagues.drop_out_of_season(player=player, code=league.code, now=now)
    return _("You have withdrawn from the season. If there is a substitute, they take over.")


def become_substitute(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Become a substitute."""
    leagues.set_member_status(
        player=player,
        code=league.code,
        now=now,
        status=MemberStatus.SUBSTITUTE,
        client_seed=read_client_seed(request) or None,
    )
    return _("You are a substitute. If a player withdraws, you may take over their place and games.")


def start_league(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Start the first season."""
    leagues.start_league(by=player, code=league.code, now=now)
    return _("Season 1 starts in a moment.")


def close_league(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Close the league after the season. Raises Invalid unless the box is checked, as it is final."""
    check_box_checked(request)
    leagues.close_league(by=player, code=league.code, now=now)
    return _("The league closes. A running season continues to its end.")


def substitute_player(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Let a substitute take over a player's place."""
    replaced_player = read_required_player(request, "out", _("Enter the player to replace."))
    leagues.replace_with_substitute(
        by=player,
        code=league.code,
        leaver=replaced_player,
        player=read_named_player(request, "player"),
        now=now,
        **read_reasons(request),
    )
    return _("A substitute takes over from %(name)s, with all games.") % {"name": replaced_player.name}


def ask_co_organiser(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Ask a player to become a co-organiser."""
    co_organiser = read_required_player(request, "name")
    co_organisers.ask_league_co_organiser(by=player, code=league.code, player=co_organiser, now=now)
    return _("We have asked %(name)s to organise this league with you.") % {"name": co_organiser.name}


def remove_co_organiser(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Remove a co-organiser."""
    co_organiser = read_required_player(request, "name")
    co_organisers.remove_league_co_organiser(by=player, code=league.code, player=co_organiser, now=now)
    return _("%(name)s no longer organises this league.") % {"name": co_organiser.name}


def remove_member(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Remove a member. Raises Invalid unless the box is checked."""
    check_box_checked(request)
    removed_player = read_required_player(request, "name")
    removals.remove_league_member(
        by=player, code=league.code, player=removed_player, now=now, **read_reasons(request)
    )
    return _("%(name)s does not play from the next season.") % {"name": removed_player.name}


def readmit_member(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Let a removed player join again."""
    removed_player = read_required_player(request, "name")
    removals.readmit_league_member(by=player, code=league.code, player=removed_player, now=now)
    return _("%(name)s can rejoin.") % {"name": removed_player.name}


# By the last part of the URL; the URL name is the same with `league-` before it.
PLAYER_COMMANDS: dict[str, LeagueCommand] = {
    "join": join_league,
    "leave": leave_league,
    "drop-out": drop_out_of_season,
    "stand-by": become_substitute,
    "client-seed": change_client_seed,
}
ORGANISER_COMMANDS: dict[str, LeagueCommand] = {
    "start": start_league,
    "close": close_league,
    "substitute": substitute_player,
    "co-organiser": ask_co_organiser,
    "no-co-organiser": remove_co_organiser,
    "remove": remove_member,
    "readmit": readmit_member,
}
urlpatterns = [
    path(f"<slug:code>/{name}/", build_command_view(command, return_url_name), name=f"league-{name}")
    for commands, return_url_name in ((PLAYER_COMMANDS, "league"), (ORGANISER_COMMANDS, "league-organise"))
    for name, command in commands.items()
]
