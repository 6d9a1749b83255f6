"""Checks against the quotas of `tournaments.selectors.quotas`; every error states the limit."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.services.players import lock_player
from common.service_errors import Conflict, Invalid
from games.services import limits
from tournaments.models import League, Tournament
from tournaments.models.limits import MAX_CYCLES
from tournaments.selectors import quotas

SIZE_FIELDS = frozenset(
    {
        *("format", "table_size", "round_count", "cycles", "all_rounds_at_once", "capacity"),
        *("division_size", "groups_per_division"),
    }
)


def check_tournament_size(tournament: Tournament, *, entrant_count: int = 0) -> None:
    """Raise Invalid if the tournament is too large; `entrant_count` are those who have entered already."""
    check_cycles(tournament.cycles)
    place_count = max(tournament.capacity or 2, entrant_count)
    if quotas.exceeds_games_at_once(tournament, place_count):
        raise_too_many_games(quotas.count_games_at_once(tournament, place_count))


def check_league_size(league: League) -> None:
    """Raise Invalid if the groups of the league are too large."""
    check_cycles(league.cycles)
    group_size = -(-league.division_size // max(league.groups_per_division, 1))
    if quotas.exceeds_games_at_once(league, group_size):
        raise_too_many_games(quotas.count_games_at_once(league, group_size))


def check_cycles(cycles: int) -> None:
    """Raise Invalid if two players would meet more than `MAX_CYCLES` times."""
    if cycles > MAX_CYCLES:
        raise Invalid(
            _("Two players can meet %(limit)d times at most.") % {"limit": MAX_CYCLES},
            code="too-many-cycles",
            field="cycles",
            limit=MAX_CYCLES,
        )


def raise_too_many_games(game_count: int) -> None:
    """Raise Invalid because too many games would start together."""
    limit = quotas.MAX_GAMES_AT_ONCE_PER_TOURNAMENT
    raise Invalid(
        _(
            "%(count)d games would start at once, and the limit is %(limit)d. Reduce places or rounds, "
            "or start rounds one by one."
        )
        % {"count": game_count, "limit": limit},
        code="too-many-games-at-once",
        limit=limit,
    )


def check_organiser_quota(
    organiser: Player, count_subjects: Callable[[Player], int], limit: int, text: str
) -> None:
    """Lock the organiser; raise Conflict if they have as many tournaments or leagues as allowed."""
    lock_player(organiser)
    if count_subjects(organiser) >= limit:
        raise Conflict(text % {"limit": limit}, code="too-many-tournaments", limit=limit)


def check_draft_quota(organiser: Player) -> None:
    """Lock the organiser; raise Conflict if they have as many drafts as allowed."""
    text = _("You have %(limit)d tournaments in preparation, the maximum. Publish or delete one first.")
    check_organiser_quota(organiser, quotas.count_drafts, quotas.MAX_DRAFT_TOURNAMENTS_PER_ORGANISER, text)


def check_active_tournament_quota(organiser: Player) -> None:
    """Lock the organiser; raise Conflict if as many of their tournaments are open or running as allowed."""
    text = _("You have %(limit)d tournaments open or running, the maximum. Wait until one is over.")
    check_organiser_quota(
        organiser, quotas.count_active_tournaments, quotas.MAX_RUNNING_TOURNAMENTS_PER_ORGANISER, text
    )


def check_league_quota(organiser: Player) -> None:
    """Lock the organiser; raise Conflict if they have as many leagues as allowed."""
    text = _("You organise %(limit)d leagues, the maximum. Close one first.")
    check_organiser_quota(organiser, quotas.count_open_leagues, quotas.MAX_LEAGUES_PER_ORGANISER, text)


def check_running_game_quota(*players: Player) -> None:
    """Lock the players; raise Conflict if one of them has as many running games as allowed.

    Checked on entry only: games that a tournament starts later are not counted against the quota.
    """
    for player in sorted(players, key=lambda player: player.pk):  # the common lock order, against deadlocks
        limits.check_running_games(player)
