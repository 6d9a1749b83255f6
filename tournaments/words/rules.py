"""Sentences with numbers in them about tournaments and leagues, made from the rules that they describe."""

from __future__ import annotations

from datetime import timedelta

from django.utils.functional import lazy
from django.utils.translation import gettext as _

from games.rule_words import name_share
from games.spans import lasting
from tournaments.services import knocks, seasons
from tournaments.services.terms import SHORT


def say_rematch_allowance_default() -> str:
    """How long a turn of a rematch may take where the organiser chose nothing."""
    return _("In a knock-out a draw is played again, with less time. Empty: %(share)s of the usual time.") % {
        "share": name_share(SHORT)
    }


def say_rematch_bank_default() -> str:
    """What there is in reserve for a rematch where the organiser chose nothing."""
    return _("Empty: %(share)s of the usual reserve.") % {"share": name_share(SHORT)}


def say_round_length(seconds: int) -> str:
    """How long a round lasts, and what happens then."""
    span = lasting(timedelta(seconds=seconds))
    return _("A round lasts %(span)s; what is still played then is decided by points") % {"span": span}


def say_join_link() -> str:
    """How long the mailed link to join a league lasts."""
    return _("The link works once, and for %(span)s.") % {"span": lasting(knocks.LASTS)}


def say_retry() -> str:
    """When a league that could not go on is tried again."""
    return _("Something went wrong; it is tried again in %(span)s.") % {"span": lasting(seasons.AHEAD)}


lazy_rematch_allowance_default = lazy(say_rematch_allowance_default, str)
lazy_rematch_bank_default = lazy(say_rematch_bank_default, str)
