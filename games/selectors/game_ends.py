"""The ends of the finished games of a list: read with the games themselves, in no query of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, IntegerField, OuterRef, QuerySet, Subquery, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Concat

from games.engine import ActionSource
from games.engine.game_result import GameResult, build_game_result
from games.engine.state import sides_of
from games.game_notice_kinds import GameNoticeKind
from games.models import Action, Game
from notifications.models import FeedEntry


@dataclass(frozen=True)
class ListedGameEnd:
    """The result of a finished game, and the side that ran out of time, if that ended it."""

    result: GameResult
    timed_out_side: int | None


def with_last_actions(games: QuerySet[Game]) -> QuerySet[Game]:
    """Read with each game what its last action did, and whether time was up for a side that left."""
    last_actions = Action.objects.filter(game=OuterRef("pk"), seq=OuterRef("seq"))
    timeouts = FeedEntry.objects.filter(
        topic=Concat(Value(f"{Game.TOPIC_FAMILY}:"), OuterRef("code")),
        kind=GameNoticeKind.TIMEOUT,
        data__outcome="resigned",
    ).alias(seat_no=Cast(KT("data__seat"), IntegerField()))
    return games.annotate(
        last_events=Subquery(last_actions.values("events")),
        last_by=Subquery(last_actions.values("by")),
        last_seat=Subquery(last_actions.values("seat")),
    ).annotate(has_timed_out=Exists(timeouts.filter(seat_no=OuterRef("last_seat"))))


def find_game_end(game: Game) -> ListedGameEnd | None:
    """Find the end of a finished game of `with_last_actions`; None for another one."""
    if not game.result or not hasattr(game, "last_events"):
        return None
    result = build_result(game, game.last_events or [])
    left_by_clock = game.last_by == ActionSource.CLOCK and game.has_timed_out  # type: ignore[attr-defined]
    return ListedGameEnd(result, result.last_resigned_side if left_by_clock else None)


def build_result(game: Game, events: list[dict[str, Any]]) -> GameResult:
    """The result of a finished game; of the sides that have left, only the last one is known here."""
    sides, stored_result = sides_of(game.mode, game.seat_count), game.result or {}
    resigned_sides = {event["side"] for event in events if event["event"] == "resigned"}
    return build_game_result(
        {
            "mode": game.mode,
            "kind": "",
            "winner": stored_result.get("winner"),
            "totals": stored_result.get("totals", {}),
            "matches": stored_result.get("matches", []),
            "shootout": stored_result.get("shootout", []),
            "seats": [{"side": side, "in_play": side not in resigned_sides} for side in sides[1:]],
            "options": {"target": game.target},
        },
        events,
    )
