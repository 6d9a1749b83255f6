"""How games ended, in the terms of ranks: who came before whom, with what, and who walked out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q, TextField
from django.db.models.functions import Cast

from games.engine.state import State, sides_of
from games.models import Action, Event, Game


@dataclass
class Ended:
    """What the log of a game says beyond its result."""

    out: set[int] = field(default_factory=set)  # sides that resigned
    eights: Counter[int] = field(default_factory=Counter)  # by side
    late: set[int] = field(default_factory=set)  # sides that resigned because their time was up


def ended(games: Collection[Game]) -> dict[int, Ended]:
    """The same of many games at once, in two queries."""
    found: dict[int, Ended] = defaultdict(Ended)
    sides = {game.pk: sides_of(game.mode, game.seats) for game in games}
    telling = Action.objects.filter(game__in=sides).alias(told=Cast("events", TextField()))
    telling = telling.filter(Q(action="resign") | Q(told__contains='"infinity"'))
    for game_id, seat, action, events in telling.values_list("game_id", "seat", "action", "events"):
        if action == "resign":
            found[game_id].out.add(sides[game_id][seat])
        for event in events:
            if event["event"] == "infinity":
                found[game_id].eights[event["side"]] += 1
    # The log says that the clock resigned; why, say the notices that were written with it.
    late = Event.objects.filter(game__in=sides, kind="timeout", data__what="resigned").order_by()
    for game_id, seat in late.values_list("game_id", "data__seat").distinct():
        if game_id:
            found[game_id].late.add(sides[game_id][seat])
    return {game.pk: found[game.pk] for game in games}


def ranks(totals: Mapping[int, int], winner: int | None, out: Collection[int] = ()) -> list[int]:
    """By side: the winner first, then by totals, level ones together; who resigned is behind all others."""

    def merit(side: int) -> tuple[bool, bool, int]:
        return side in out, side != winner, -totals[side]

    return [1 + sum(merit(other) < merit(side) for other in totals) for side in sorted(totals)]


def result(game: Game, more: Ended, seats: Iterable[int]) -> dict[str, Any]:
    """The result of a table from its game that is over; `seats` are the entrants in order."""
    assert game.result is not None
    totals = {int(side): total for side, total in game.result["totals"].items()}
    return written(totals, game.result["winner"], more.out, more, list(seats), "game")


def adjudicated(state: State, more: Ended, seats: Iterable[int]) -> dict[str, Any]:
    """The result of a table whose time is up: totals, and what is marked on the board; all public."""
    totals = {side: state.totals[side] for side in state.setup.side_numbers}
    for _place, value, side in state.marked:
        totals[side] += value
    return written(totals, None, state.out, more, list(seats), "adjudication")


def written(
    totals: Mapping[int, int],
    winner: int | None,
    out: Collection[int],
    more: Ended,
    seats: list[int],
    how: str,
) -> dict[str, Any]:
    """A result as it is stored."""
    sides = range(1, len(seats) + 1)
    return {
        "ranks": ranks(totals, winner, out),
        "points": [totals[side] for side in sides],
        "eights": [more.eights.get(side, 0) for side in sides],
        "forfeits": [seats[side - 1] for side in sides if side in out],
        "timeouts": [seats[side - 1] for side in sides if side in out and side in more.late],
        "by": how,
    }
