"""Points in time as people read them: in the active zone, which is always named beside them."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.selectors.deadlines import RoundEnd


def say_moment(at: datetime) -> str:
    """A time with its zone: DATETIME_FORMAT of every language ends with that."""
    return date_format(timezone.localtime(at), "DATETIME_FORMAT")


def mark_moment(at: datetime | None) -> SafeString:
    """The same for a page, in an element that programs can read; empty for no time."""
    if at is None:
        return SafeString()
    return format_html('<time datetime="{}">{}</time>', timezone.localtime(at).isoformat(), say_moment(at))


def say_until(deadline: datetime, end: RoundEnd | None) -> str:
    """Until when somebody can act: `end` is the round's, if that is what comes first."""
    if end:
        return say_round_end(end, say_moment(end.at))
    return _("You have until %(when)s.") % {"when": say_moment(deadline)}


def say_round_end(end: RoundEnd, at: str) -> str:
    """What ends a game of a tournament, when, and what happens then; `at` is that time in words."""
    return sentence_about(end) % {"n": end.number, "name": end.tournament, "at": at}


def mark_round_end(end: RoundEnd) -> SafeString:
    """The same for a page."""
    facts = {"n": end.number, "name": escape(end.tournament), "at": mark_moment(end.at)}
    return mark_safe(sentence_about(end) % facts)  # the name is escaped, the rest is ours


def sentence_about(end: RoundEnd) -> str:
    """The sentence about the end of a round, to be filled in."""
    if end.number:
        return _("Round %(n)s of %(name)s ends on %(at)s; then the points decide.")
    return _("This round of %(name)s ends on %(at)s; then the points decide.")
