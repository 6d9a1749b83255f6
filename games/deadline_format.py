"""Sentences about deadlines and the ends of tournament rounds."""

from __future__ import annotations

from datetime import datetime

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from common.datetime_format import format_datetime, format_datetime_html
from games.selectors.deadlines import Deadline, RoundEnd


def format_deadline_sentence(deadline: datetime, round_end: RoundEnd | None) -> str:
    """Until when a player can act: the deadline, or the end of the round if that comes first."""
    if round_end:
        return format_round_end(round_end, format_datetime(round_end.ends_at))
    return say_move_by(format_datetime(deadline))


def say_move_by(at: str) -> str:
    """Until when to move, as a sentence; `at` is that time as text."""
    return _("Move by %(at)s.") % {"at": at}


def format_deadline_name_html(deadline: Deadline) -> SafeString:
    """A deadline with its name, as HTML: the end of the turn or that of the round."""
    format_string = _("Round ends %(at)s") if deadline.round_end else _("Move by %(at)s")
    return mark_safe(format_string % {"at": format_datetime_html(deadline.at)})  # both are trusted


def format_round_end(round_end: RoundEnd, at: str) -> str:
    """Format the end of a tournament round and its consequence; `at` is that time as text."""
    return choose_round_end_sentence(round_end) % {
        "n": round_end.round_no,
        "name": round_end.tournament_name,
        "at": at,
    }


def format_round_end_html(round_end: RoundEnd) -> SafeString:
    """The sentence about the end of a round, as HTML."""
    details = {
        "n": round_end.round_no,
        "name": escape(round_end.tournament_name),
        "at": format_datetime_html(round_end.ends_at),
    }
    return mark_safe(
        choose_round_end_sentence(round_end) % details
    )  # the name is escaped, the rest is trusted


def choose_round_end_sentence(round_end: RoundEnd) -> str:
    """The translated format string about the end of a round."""
    if round_end.round_no:
        return _("Round %(n)s of %(name)s ends on %(at)s; then the points decide.")
    return _("This round of %(name)s ends on %(at)s; then the points decide.")
