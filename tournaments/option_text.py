"""The options of tournaments and leagues as forms and pages describe them, with numbers from constants."""

from __future__ import annotations

from datetime import timedelta

from django.utils.functional import lazy
from django.utils.translation import gettext as _

from common.duration_format import format_duration
from games.option_text import format_fraction
from tournaments import rating_scale
from tournaments.models import limits

DEFAULT_DIVISION_SIZE = 8  # that a form starts with


def describe_unfinished_games() -> str:
    """Describe what happens to running games when a round ends."""
    return _("Points then decide the games still in progress.")


def describe_round_length(seconds: int) -> str:
    """Describe how long a round lasts, and what happens at its end."""
    length = _("A round lasts %(span)s at most.") % {"span": format_duration(timedelta(seconds=seconds))}
    return f"{length} {describe_unfinished_games()}"


def describe_round_length_help() -> str:
    """Describe the end of a round to an organiser who sets it."""
    return " ".join([describe_unfinished_games(), _("Leave empty to play all games to the end.")])


def describe_rematch_allowance_default() -> str:
    """Describe the default time for a turn of a rematch."""
    return _(
        "After a draw in a knock-out, the players play a rematch. Leave empty for %(share)s of the usual"
        " time."
    ) % {"share": format_fraction(limits.REMATCH_TIME_DIVISOR)}


def describe_rematch_bank_default() -> str:
    """Describe the default reserve of a rematch."""
    return _("Leave empty for %(share)s of the usual reserve.") % {
        "share": format_fraction(limits.REMATCH_TIME_DIVISOR)
    }


def describe_bot_games() -> str:
    """Describe how games between bots and people are rated."""
    return _("Games between a bot and a person are not rated.")


def describe_bots_help() -> str:
    """Describe bots to an organiser who may allow them."""
    return " ".join([_("Programs that players here run."), describe_bot_games()])


def describe_bots_allowed() -> str:
    """Describe a tournament that bots may enter."""
    return " ".join([_("Bots may enter."), describe_bot_games()])


def describe_rating_limit_help() -> str:
    """Describe the limits of ratings, with the rating that a new player has."""
    return _("New players have %(rating)s. Leave empty for all.") % {
        "rating": rating_scale.display_rating(rating_scale.INITIAL_MU)
    }


def describe_division_size_help() -> str:
    """Describe how many games a division means, for the size that a form starts with."""
    return _("With %(places)s places, everybody plays %(games)s games a season.") % {
        "places": DEFAULT_DIVISION_SIZE,
        "games": DEFAULT_DIVISION_SIZE - 1,
    }


lazy_round_length_help = lazy(describe_round_length_help, str)
lazy_rematch_allowance_default = lazy(describe_rematch_allowance_default, str)
lazy_rematch_bank_default = lazy(describe_rematch_bank_default, str)
lazy_bots_help = lazy(describe_bots_help, str)
lazy_rating_limit_help = lazy(describe_rating_limit_help, str)
lazy_division_size_help = lazy(describe_division_size_help, str)
