"""Results of games as ranks: order, points, 8s, resignations and timeouts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q, TextField
from django.db.models.functions import Cast

from games.engine.state import State, sides_of
from games.models import Action, Game
from notifications.models import FeedEntry
from tournaments.models import ResultSource


@dataclass
class GameEnding:
    """The details of the end of a game that only its log has."""

    resigned_sides: set[int] = field(default_factory=set)  # sides that resigned
    eights: Counter[int] = field(default_factory=Counter)  # by side
    timed_out_sides: set[int] = field(default_factory=set)  # sides that resigned because their time was up


def load_game_endings(games: Collection[Game]) -> dict[int, GameEnding]:
    """Load the endings of many games in two queries."""
    endings: dict[int, GameEnding] = defaultdict(GameEnding)
    sides = {game.pk: sides_of(game.mode, game.seat_count) for game in games}
    actions = Action.objects.filter(game__in=sides).alias(events_text=Cast("events", TextField()))
    actions = actions.filter(Q(action="resign") | Q(events_text__contains='"infinity"'))
    for game_id, seat_no, action, game_events in actions.values_list("game_id", "seat", "action", "events"):
        if action == "resign":
            endings[game_id].resigned_sides.add(sides[game_id][seat_no])
        for game_event in game_events:
            if game_event["event"] == "infinity":
                endings[game_id].eights[game_event["side"]] += 1
    game_ids_by_topic = {game.topic: game.pk for game in games}
    # The log only says that the clock resigned; the feed entries written with it say that time was up.
    timeout_entries = FeedEntry.objects.filter(
        topic__in=game_ids_by_topic, kind="timeout", data__outcome="resigned"
    ).order_by()
    for topic, seat_no in timeout_entries.values_list("topic", "data__seat").distinct():
        game_id = game_ids_by_topic[topic]
        endings[game_id].timed_out_sides.add(sides[game_id][seat_no])
    return {game.pk: endings[game.pk] for game in games}


def rank_sides(
    totals: Mapping[int, int], winner: int | None, resigned_sides: Collection[int] = ()
) -> list[int]:
    """Rank the sides: the winner first, then by totals, ties together; who resigned ranks last."""

    def side_merit(side: int) -> tuple[bool, bool, int]:
        """Return the sort key of a side."""
        return side in resigned_sides, side != winner, -totals[side]

    return [1 + sum(side_merit(other) < side_merit(side) for other in totals) for side in sorted(totals)]


def build_game_result(game: Game, ending: GameEnding, entrant_ids: Iterable[int]) -> dict[str, Any]:
    """Build the result of a pairing from its finished game; `entrant_ids` are in seat order."""
    assert game.result is not None
    totals = {int(side): total for side, total in game.result["totals"].items()}
    return build_stored_result(
        totals, game.result["winner"], ending.resigned_sides, ending, list(entrant_ids), ResultSource.GAME
    )


def build_adjudicated_result(state: State, ending: GameEnding, entrant_ids: Iterable[int]) -> dict[str, Any]:
    """Build the result of a pairing whose round has ended: totals plus the marked figures on the board."""
    totals = {side: state.totals[side] for side in state.setup.side_numbers}
    for _place, value, side in state.marked_figures:
        totals[side] += value
    return build_stored_result(
        totals, None, state.resigned_sides, ending, list(entrant_ids), ResultSource.ADJUDICATION
    )


def build_stored_result(
    totals: Mapping[int, int],
    winner: int | None,
    resigned_sides: Collection[int],
    ending: GameEnding,
    entrant_ids: list[int],
    decided_by: ResultSource,
) -> dict[str, Any]:
    """Build a result as it is stored."""
    sides = range(1, len(entrant_ids) + 1)
    return {
        "ranks": rank_sides(totals, winner, resigned_sides),
        "points": [totals[side] for side in sides],
        "eights": [ending.eights.get(side, 0) for side in sides],
        "forfeits": [entrant_ids[side - 1] for side in sides if side in resigned_sides],
        "timeouts": [
            entrant_ids[side - 1]
            for side in sides
            if side in resigned_sides and side in ending.timed_out_sides
        ],
        "by": decided_by,
    }
