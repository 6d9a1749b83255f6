"""Permissions in a league: who may do what as it stands, before any argument is checked.

As in permissions, each function returns None or the refusal.
"""

from __future__ import annotations

from collections.abc import Callable

from accounts.models import Player
from tournaments.actions import LeagueMemberAction, LeagueOrganiserAction
from tournaments.leagues.read_models import LeagueViewer
from tournaments.models import EntrantPlayer, League, LeagueMember
from tournaments.permissions import find_withdrawal_refusal
from tournaments.refusals import Refusal
from tournaments.selectors.removals import is_removed
from tournaments.selectors.tournaments import can_organise_league


def league_permissions_of(league: League, viewer: Player | None) -> LeagueViewer:
    """Return the viewer's role in a league and the actions open to them, by their API names."""
    if viewer is None:
        return LeagueViewer()
    is_organiser = can_organise_league(viewer, league)
    league_member = league.league_members.filter(player=viewer).first()
    return LeagueViewer(
        organiser=is_organiser,
        status=LeagueMember.Status(league_member.status) if league_member else None,
        client_seed=league_member.client_seed if league_member else None,
        permissions=[
            *list_member_actions(league, viewer, league_member.status if league_member else None),
            *(list_organiser_actions(league) if is_organiser else ()),
        ],
    )


def list_member_actions(
    league: League, player: Player, status: str | None, *, has_removed: bool | None = None
) -> list[LeagueMemberAction]:
    """List the actions open to a player by their status in the league; None: they never joined.

    Whether the player is removed is looked up unless `has_removed` says so.
    """
    is_out = status in (None, LeagueMember.Status.OUT)
    if is_out:
        can_join = not find_joining_refusal(league, player, has_removed=has_removed)
    else:
        can_join = not find_membership_refusal(league, player)  # who is in, is not removed
    is_open_by_action = {
        LeagueMemberAction.JOIN: can_join and status != LeagueMember.Status.MEMBER,
        LeagueMemberAction.LEAVE: not is_out and can_join,
        LeagueMemberAction.SUBSTITUTE: can_join and status != LeagueMember.Status.SUBSTITUTE,
        LeagueMemberAction.CLIENT_SEED: not player.is_guest and not find_client_seed_refusal(league, status),
    }
    return [action for action, is_open in is_open_by_action.items() if is_open]


def list_season_actions(season_entry: EntrantPlayer | None) -> list[LeagueMemberAction]:
    """List the actions open to a player of the running season; the API has them at its tournament."""
    return [] if find_season_withdrawal_refusal(season_entry) else [LeagueMemberAction.DROP_OUT]


def find_account_refusal(*players: Player) -> Refusal | None:
    """Find out why players may take part in no league: each needs an active account, of a person."""
    has_accounts = all(player.is_active and not player.is_guest for player in players)
    if not has_accounts:
        return Refusal.NO_ACCOUNT
    return Refusal.BOTS_NOT_ALLOWED if any(player.is_bot for player in players) else None


def find_closed_refusal(league: League) -> Refusal | None:
    """Find out why nothing may change in a league any more."""
    return Refusal.LEAGUE_CLOSED if league.is_closed else None


def find_membership_refusal(league: League, *players: Player) -> Refusal | None:
    """Find out why players may not change their membership, nor leave."""
    return find_account_refusal(*players) or find_closed_refusal(league)


def find_joining_refusal(league: League, *players: Player, has_removed: bool | None = None) -> Refusal | None:
    """Find out why players may not join, as members or substitutes.

    Whether one of them is removed is looked up unless `has_removed` says so.
    """
    if refusal := find_membership_refusal(league, *players):
        return refusal
    if has_removed is None:
        has_removed = any(is_removed(player, league) for player in players)
    return Refusal.REMOVED_FROM_LEAGUE if has_removed else None


def find_client_seed_refusal(league: League, status: str | None) -> Refusal | None:
    """Find out why a player may not change their client seed for the coming seasons."""
    if refusal := find_closed_refusal(league):
        return refusal
    return Refusal.NOT_IN_LEAGUE if status in (None, LeagueMember.Status.OUT) else None


def find_season_withdrawal_refusal(season_entry: EntrantPlayer | None) -> Refusal | None:
    """Find out why a player may not withdraw from the running season."""
    if season_entry is None:
        return Refusal.NOT_IN_SEASON
    return find_withdrawal_refusal(season_entry.entrant.tournament, season_entry.entrant)


def find_start_refusal(league: League) -> Refusal | None:
    """Find out why the first season may not begin."""
    return None if league.is_open else Refusal.LEAGUE_STARTED


def find_replacement_refusal(league: League) -> Refusal | None:
    """Find out why no player may be replaced by a substitute."""
    return None if league.is_running else Refusal.NO_SEASON


# By their API names.
ORGANISER_PERMISSIONS: dict[LeagueOrganiserAction, Callable[[League], Refusal | None]] = {
    LeagueOrganiserAction.CHANGE: find_closed_refusal,
    LeagueOrganiserAction.START: find_start_refusal,
    LeagueOrganiserAction.CLOSE: find_closed_refusal,
    LeagueOrganiserAction.REPLACE: find_replacement_refusal,
    LeagueOrganiserAction.REMOVE: find_closed_refusal,
    LeagueOrganiserAction.ADD_CO_ORGANISER: find_closed_refusal,
}


def list_organiser_actions(league: League) -> list[LeagueOrganiserAction]:
    """List the actions open to organisers."""
    return [action for action, find_refusal in ORGANISER_PERMISSIONS.items() if not find_refusal(league)]
