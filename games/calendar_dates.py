"""Deadlines of turns in a player's calendar, and what calendar and Atom feed say about a turn."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from accounts.models import Player
from common.site_urls import build_absolute_url
from games.deadline_format import format_deadline_sentence
from games.selectors.waiting_turns import WaitingTurn, describe_other_players, list_waiting_turns
from notifications.web.feeds import CalendarEntry, CalendarSource


def list_turn_deadlines(player: Player) -> Iterator[CalendarEntry]:
    """Yield the deadlines of the turns that wait for a player."""
    for turn in list_waiting_turns(player):
        if turn.deadline:
            yield CalendarEntry(
                uid=turn.game.code,  # one per game: a new deadline replaces the old one
                created_at=turn.since,
                starts_at=turn.deadline,
                title=deadline_title(turn, player),
                text=describe_time_left(turn),
                url=build_absolute_url(f"/games/{turn.game.code}/"),
                version=turn.turn_seq,
            )


def turn_title(turn: WaitingTurn, player: Player) -> str:
    """Return the title of a turn."""
    return _("OTTO: your turn (%(who)s)") % {"who": describe_other_players(turn.game.seats.all(), player)}


def deadline_title(turn: WaitingTurn, player: Player) -> str:
    """Return the title of a deadline in the calendar, with its name: the end of the turn or of the round."""
    who = describe_other_players(turn.game.seats.all(), player)
    if turn.round_end:
        return _("OTTO: the round ends (%(who)s)") % {"who": who}
    return _("OTTO: your move is due (%(who)s)") % {"who": who}


def describe_time_left(turn: WaitingTurn) -> str:
    """Return how long a turn lasts, in words."""
    if turn.deadline is None:
        return _("Your clock has stopped.")
    return format_deadline_sentence(turn.deadline, turn.round_end)


CALENDAR_SOURCES = (CalendarSource(list_turn_deadlines),)
