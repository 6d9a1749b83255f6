"""Sentences with numbers, computed from the constants that they describe."""

from __future__ import annotations

from datetime import timedelta

from django.utils.functional import lazy
from django.utils.translation import gettext as _

from games.duration_format import format_duration
from games.rule_text import format_fraction
from tournaments.services import join_requests, seasons
from tournaments.services.game_settings import REMATCH_TIME_DIVISOR


def describe_rematch_allowance_default() -> str:
    """Describe the default time for a turn of a rematch."""
    return _("In a knock-out a draw is played again, with less time. Empty: %(share)s of the usual time.") % {
        "share": format_fraction(REMATCH_TIME_DIVISOR)
    }


def describe_rematch_bank_default() -> str:
    """Describe the default time bank of a rematch."""
    return _("Empty: %(share)s of the usual reserve.") % {"share": format_fraction(REMATCH_TIME_DIVISOR)}


def describe_round_length(seconds: int) -> str:
    """Describe how long a round lasts, and what happens at its end."""
    span = format_duration(timedelta(seconds=seconds))
    return _("A round lasts %(span)s; what is still played then is decided by points") % {"span": span}


def describe_join_link() -> str:
    """Describe how long the mailed link to join a league is valid."""
    return _("The link works once, and for %(span)s.") % {
        "span": format_duration(join_requests.JOIN_LINK_LIFETIME)
    }


def describe_retry() -> str:
    """Describe when a league that failed is retried."""
    return _("Something went wrong; it is tried again in %(span)s.") % {
        "span": format_duration(seasons.RETRY_AFTER)
    }


lazy_rematch_allowance_default = lazy(describe_rematch_allowance_default, str)
lazy_rematch_bank_default = lazy(describe_rematch_bank_default, str)
