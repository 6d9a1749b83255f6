"""Sentences with numbers, computed from the constants that they describe."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from django.utils.translation import gettext as _

from common.duration_format import format_duration
from tournaments.leagues.services import join_requests
from tournaments.option_text import describe_unfinished_games as describe_unfinished_games
from tournaments.pairing import outcomes
from tournaments.services import sweep_steps

from .labels import format_number


def describe_join_link() -> str:
    """Describe how long the mailed link to join a league is valid."""
    return _("The link works once, and for %(span)s.") % {
        "span": format_duration(join_requests.JOIN_LINK_LIFETIME)
    }


def describe_retry() -> str:
    """Describe when a league that failed is retried."""
    return _("Something went wrong. We try again in %(span)s.") % {
        "span": format_duration(sweep_steps.RETRY_AFTER)
    }


def describe_level_matches(rematch_allowance: int) -> str:
    """Describe what follows when a match of a knock-out is level, with the time for a turn of its rematch."""
    return _(
        "After a draw you play again, with %(span)s for each turn. "
        "After a second draw the higher seed advances."
    ) % {"span": format_duration(timedelta(seconds=rematch_allowance))}


def describe_points(table_size: int) -> str:
    """Describe what a place at a table is worth in the standings."""
    if table_size == 2:
        win, loss = outcomes.POINTS_AT_TABLE_OF_TWO
        return _("A win is worth %(win)s, a draw %(draw)s.") % {
            "win": format_number(win),
            "draw": format_number((win + loss) / 2),
        }
    return _("From first place to last: %(points)s.") % {
        "points": " · ".join(map(format_number, outcomes.POINTS_BY_TABLE_SIZE[table_size]))
    }


def describe_bye() -> str:
    """Describe what a bye is worth."""
    return _("A bye: no opponent, and it counts as a win.")


def describe_free_round() -> str:
    """Describe a round in which the schedule leaves an entrant out."""
    return _("A bye: no opponent and no points.")


# By the name that a template uses: {% tournament_rule "unfinished-games" %}.
RULE_SENTENCES: dict[str, Callable[[], str]] = {"unfinished-games": describe_unfinished_games}
