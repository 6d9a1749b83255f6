"""Quotas: how large a tournament may be, and how many one player may organise.

Limits of single fields are in tournaments.models.limits.
"""

from __future__ import annotations

from typing import Protocol

from accounts.models import Player
from tournaments.models import League, Tournament
from tournaments.models.limits import MAX_PLACES_PER_TOURNAMENT
from tournaments.pairing.seating import plan_table_sizes

MAX_GAMES_AT_ONCE_PER_TOURNAMENT = 500  # that begin together: more would delay other tournaments
MAX_RUNNING_TOURNAMENTS_PER_ORGANISER = 10  # open for entries or running, without those of leagues
MAX_DRAFT_TOURNAMENTS_PER_ORGANISER = 10
MAX_LEAGUES_PER_ORGANISER = 10  # that are not closed


class FormatSettings(Protocol):
    """The settings that determine how many games begin at once: a tournament or a league."""

    format: str
    table_size: int
    round_count: int | None
    cycles: int
    all_rounds_at_once: bool


def count_games_at_once(format_settings: FormatSettings, entrant_count: int) -> int:
    """Return how many games begin at once with this many entrants."""
    if entrant_count < 2:
        return 0
    if format_settings.format != Tournament.Format.ROUND_ROBIN or not format_settings.all_rounds_at_once:
        return (
            entrant_count // 2
            if format_settings.table_size == 2
            else len(plan_table_sizes(entrant_count, format_settings.table_size))
        )
    if format_settings.table_size == 2:
        return entrant_count * (entrant_count - 1) // 2 * format_settings.cycles
    round_count = format_settings.round_count or max(
        -(-(entrant_count - 1) // (format_settings.table_size - 1)), 1
    )
    return round_count * len(plan_table_sizes(entrant_count, format_settings.table_size))


def exceeds_games_at_once(format_settings: FormatSettings, entrant_count: int) -> bool:
    """Tell whether this many entrants exceed the games that may begin at once in a tournament."""
    return count_games_at_once(format_settings, entrant_count) > MAX_GAMES_AT_ONCE_PER_TOURNAMENT


def count_places(tournament: Tournament) -> int:
    """Return how many may take part: the organiser's capacity, limited by the games at once."""
    least, most = 2, tournament.capacity or MAX_PLACES_PER_TOURNAMENT
    while least < most:  # binary search: games grow with entrants
        middle = (least + most + 1) // 2
        least, most = (least, middle - 1) if exceeds_games_at_once(tournament, middle) else (middle, most)
    return least


def count_active_tournaments(organiser: Player) -> int:
    """Count an organiser's tournaments that are open for entries or running, without those of leagues."""
    return Tournament.objects.active().filter(organiser=organiser, division=None).count()


def count_drafts(organiser: Player) -> int:
    """Count an organiser's tournaments in preparation."""
    return Tournament.objects.drafts().filter(organiser=organiser).count()


def count_open_leagues(organiser: Player) -> int:
    """Count an organiser's leagues that are not closed."""
    return League.objects.unclosed().filter(organiser=organiser).count()
