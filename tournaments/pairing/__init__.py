"""Who meets whom, and who is ahead: an event and its results in, rounds, brackets and standings out.

Everything is worked out anew from what is given, so that a corrected result or a withdrawal changes all that
follows from it, and the same event and results give the same answer, in whatever order they come. A caller
gives back every published table as a result, without ranks while it is played, byes included.
"""

from __future__ import annotations

from collections.abc import Iterable

from tournaments.pairing import elimination, roundrobin, swiss
from tournaments.pairing.elimination import stale_notes
from tournaments.pairing.model import (
    Bracket,
    Criterion,
    Entrant,
    Event,
    Finished,
    Id,
    Match,
    Note,
    Pairing,
    Result,
    Round,
    Source,
    Standing,
    Waiting,
    check,
    note,
)
from tournaments.pairing.outcomes import outcomes
from tournaments.pairing.ranks import by_bracket, by_points

__all__ = [
    "Bracket",
    "Criterion",
    "Entrant",
    "Event",
    "Finished",
    "Id",
    "Match",
    "Note",
    "Pairing",
    "Result",
    "Round",
    "Source",
    "Standing",
    "Waiting",
    "bracket",
    "is_over",
    "next_round",
    "note",
    "stale_notes",
    "standings",
]


def next_round(event: Event, results: Iterable[Result] = ()) -> Round | Waiting | Finished:
    """What is to be played next. Raises ValueError on results that cannot be of this event."""
    known = check(event, results)
    if event.format == "swiss":
        return swiss.next_round(event, known)
    if event.format == "round-robin":
        return roundrobin.next_round(event, known)
    return elimination.next_round(event, known)


def is_over(event: Event, results: Iterable[Result] = ()) -> bool:
    """Whether nothing more is played; pairs no Swiss round. Raises ValueError as next_round does."""
    known = check(event, results)
    if event.format == "swiss":
        return isinstance(swiss.find_stop(event, known), Finished)
    return isinstance(next_round(event, known), Finished)


def standings(event: Event, results: Iterable[Result] = ()) -> list[Standing]:
    """Who is ahead, and by what. Raises ValueError on results that cannot be of this event."""
    known = check(event, results)
    if event.format == "swiss":
        return by_points(event, outcomes(event, known))
    if event.format == "round-robin":
        return by_points(event, roundrobin.counted(event, known))
    drawn = elimination.bracket(event, known)
    return by_bracket(event, drawn, outcomes(event, [one for one in known if one not in drawn.stale]))


def bracket(event: Event, results: Iterable[Result] = ()) -> Bracket:
    """Everything there is to draw. Raises ValueError on results that cannot be of this event."""
    known = check(event, results)
    if event.format == "swiss":
        return swiss.bracket(event, known)
    if event.format == "round-robin":
        return roundrobin.bracket(event, known)
    return elimination.bracket(event, known)
