"""Actions of players and organisers in a league, one button each."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import selectors
from games.models import Player
from games.name_validation import MAX_NAME_LENGTH
from games.services.errors import Conflict, Denied, Invalid, ServiceError
from games.web.request_utils import read_client_seed
from tournaments.models import League, LeagueMember
from tournaments.models.limits import MAX_REASON_LENGTH
from tournaments.selectors import league_read_models
from tournaments.services import client_seeds, co_organisers, entries, leagues, removals
from tournaments.services.conflicts_of_interest import OWN_PAIRING_CODE

from .league_presenters import current_account, get_league_or_404, render_forbidden

LeagueAction = Callable[[HttpRequest, Player, League, datetime], str]
MemberStatus = LeagueMember.Status


def read_named_player(request: HttpRequest, field_name: str) -> Player | None:
    """Return the player named by a field, None if it is empty. Raises Invalid."""
    name = request.POST.get(field_name, "").replace("\0", "").strip()
    if not name:
        return None
    player = selectors.find_player_by_name(name) if len(name) <= MAX_NAME_LENGTH else None
    if player is None or player.guest:
        raise Invalid(_("Nobody here is called %(name)s.") % {"name": name[:MAX_NAME_LENGTH]})
    return player


def join_league(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Join from the next season on; in pairs, ask the named partner."""
    partner, client_seed = read_named_player(request, "partner"), read_client_seed(request) or None
    if partner:
        leagues.ask_partner(
            player=player, partner=partner, code=league.code, client_seed=client_seed, now=now
        )
        return _("%(name)s is asked. You are in as soon as they agree.") % {"name": partner.name}
    leagues.set_member_status(
        player=player, code=league.code, now=now, status=MemberStatus.MEMBER, client_seed=client_seed
    )
    return _("You are in. You stay in, season after season, until you say otherwise.")


def change_client_seed(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Replace the client seed for coming seasons."""
    client_seeds.set_league_client_seed(
        player=player, code=league.code, client_seed=read_client_seed(request), now=now
    )
    return _("Saved. It counts from the next season on.")


def leave_league(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Leave after the current season."""
    leagues.set_member_status(player=player, code=league.code, now=now, status=MemberStatus.OUT)
    return _("You are out from the next season on. Games that run go on.")


def drop_out_of_season(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Leave in the middle of a season. Raises Invalid unless the box is checked, as the place is lost."""
    if request.POST.get("sure") != "1":
        raise Invalid(_("Check the box if you really mean it."))
    tournament_code = league_read_models.find_tournament_code(league, player)
    if tournament_code is None:
        raise Conflict(_("You do not play in this season."))
    entries.withdraw_from_tournament(player=player, code=tournament_code, now=now)
    leagues.set_member_status(player=player, code=league.code, now=now, status=MemberStatus.OUT)
    return _("You have left the season. A substitute plays on for you, if one stands by.")


def become_substitute(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Become a substitute."""
    leagues.set_member_status(
        player=player,
        code=league.code,
        now=now,
        status=MemberStatus.SUBSTITUTE,
        client_seed=read_client_seed(request) or None,
    )
    return _("You stand by: when somebody drops out, their place and their games may become yours.")


def start_league(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Start the first season."""
    leagues.start_league(by=player, code=league.code, now=now)
    return _("The first season begins in a moment.")


def close_league(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Close the league after the season. Raises Invalid unless the box is checked, as it is final."""
    if request.POST.get("sure") != "1":
        raise Invalid(_("Check the box if you really mean it."))
    leagues.close_league(by=player, code=league.code, now=now)
    return _("The league closes; a season that runs is played to its end.")


def substitute_player(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Let a substitute take over a player's place."""
    replaced_player = read_named_player(request, "out")
    if replaced_player is None:
        raise Invalid(_("Say who drops out."))
    leagues.replace_with_substitute(
        by=player,
        code=league.code,
        leaver=replaced_player,
        player=read_named_player(request, "player"),
        now=now,
        **{
            field_name: request.POST.get(field_name, "").replace("\0", "")[:MAX_REASON_LENGTH]
            for field_name in ("why", "public_note")
        },
    )
    return _("The place of %(name)s is taken over, with its games.") % {"name": replaced_player.name}


def ask_co_organiser(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Ask a player to become a co-organiser."""
    co_organiser = read_named_player(request, "name")
    if co_organiser is None:
        raise Invalid(_("Say who."))
    co_organisers.ask_league_co_organiser(by=player, code=league.code, player=co_organiser, now=now)
    return _("%(name)s is asked to organise this league with you.") % {"name": co_organiser.name}


def remove_co_organiser(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Remove a co-organiser."""
    co_organiser = read_named_player(request, "name")
    if co_organiser is None:
        raise Invalid(_("Say who."))
    co_organisers.remove_league_co_organiser(by=player, code=league.code, player=co_organiser, now=now)
    return _("%(name)s organises this league no more.") % {"name": co_organiser.name}


def remove_member(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Remove a member. Raises Invalid unless the box is checked."""
    if request.POST.get("sure") != "1":
        raise Invalid(_("Check the box if you really mean it."))
    removed_player = read_named_player(request, "name")
    if removed_player is None:
        raise Invalid(_("Say who."))
    reason_arguments = {
        field_name: request.POST.get(field_name, "").replace("\0", "")
        for field_name in ("why", "public_note")
    }
    removals.remove_league_member(
        by=player, code=league.code, player=removed_player, now=now, **reason_arguments
    )
    return _("%(name)s does not play from the next season on.") % {"name": removed_player.name}


def readmit_member(request: HttpRequest, player: Player, league: League, now: datetime) -> str:
    """Let a removed player join again."""
    removed_player = read_named_player(request, "name")
    if removed_player is None:
        raise Invalid(_("Say who."))
    removals.readmit_league_member(by=player, code=league.code, player=removed_player, now=now)
    return _("%(name)s may join again.") % {"name": removed_player.name}


PLAYER_ACTIONS: dict[str, LeagueAction] = {
    "join": join_league,
    "leave": leave_league,
    "drop-out": drop_out_of_season,
    "stand-by": become_substitute,
    "client-seed": change_client_seed,
}
ORGANISER_ACTIONS: dict[str, LeagueAction] = {
    "start": start_league,
    "close": close_league,
    "substitute": substitute_player,
    "helper": ask_co_organiser,
    "no-helper": remove_co_organiser,
    "remove": remove_member,
    "readmit": readmit_member,
}


@require_http_methods(["GET", "HEAD", "POST"])
def run_league_action(request: HttpRequest, code: str, deed: str) -> HttpResponse:
    """Run one action on POST, with a message, and return to its page; GET only redirects there."""
    action = PLAYER_ACTIONS.get(deed) or ORGANISER_ACTIONS.get(deed)
    if action is None:
        raise Http404(_("There is no such thing to do here."))
    league, player = get_league_or_404(request, code), current_account(request)
    return_url_name = "league" if deed in PLAYER_ACTIONS else "league-organise"
    if request.method != "POST":
        return redirect(return_url_name, code=code)
    if player is None:
        return redirect("league-ask", code=code)
    try:
        messages.success(request, action(request, player, league, timezone.now()))
    except Denied as permission_error:
        if permission_error.code not in (OWN_PAIRING_CODE, "removed"):
            return render_forbidden(request, league)
        messages.error(request, str(permission_error))
    except ServiceError as error:
        messages.error(request, capfirst(str(error)))
    return redirect(return_url_name, code=code)
