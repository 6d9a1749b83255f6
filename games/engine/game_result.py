"""The result of a game that is over: ranks of the sides, and what decided it. Built from the public view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from .choices import Mode
from .read_models import GameResultData


class EndReason(StrEnum):
    """The decision of a game."""

    TARGET = "target"  # the highest total once the target was reached
    BLIND_MATCH = "blind match"
    BLIND_EIGHT = "blind eight"  # an 8 in the blind match
    SHOOT_OUT = "shoot-out"
    LEVEL = "level"  # level after the shoot-out: a draw
    RESIGNED = "resigned"  # one side is left
    SOLO_WON = "solo won"
    SOLO_LOST = "solo lost"


@dataclass(frozen=True)
class RankedSide:
    """A side with its rank and total; equal ranks are shared."""

    rank: int
    side: int
    total: int
    has_resigned: bool


@dataclass(frozen=True)
class GameResult:
    """The winner of a game and the reason."""

    winner: int | None
    reason: EndReason
    ranking: tuple[RankedSide, ...]  # the best first
    last_resigned_side: int | None  # whose leaving ended the game
    had_blind_match: bool
    shootout_rounds: tuple[dict[int, str], ...]  # tile by side
    target: int

    def total_of(self, side: int) -> int:
        """The total of a side."""
        return next(line.total for line in self.ranking if line.side == side)

    def rank_of(self, side: int) -> int:
        """The rank of a side."""
        return next(line.rank for line in self.ranking if line.side == side)

    @property
    def is_decided_by_totals(self) -> bool:
        """True if the winner alone has the highest total, so that the score shows who won."""
        if self.winner is None or self.reason == EndReason.RESIGNED:
            return False
        winner_total = self.total_of(self.winner)
        return all(line.total < winner_total for line in self.ranking if line.side != self.winner)


def build_game_result(view: Mapping[str, Any], last_events: Sequence[Mapping[str, Any]]) -> GameResult:
    """The result of a game from its view and the events of its last action."""
    resigned_sides = {seat["side"] for seat in view["seats"] if not seat["in_play"]}
    totals = {int(side): total for side, total in view["totals"].items()}
    event_names = [event["event"] for event in last_events]
    ends_by_resignation = "resigned" in event_names and "match ended" not in event_names
    last_resigned_side = (
        next(event["side"] for event in last_events if event["event"] == "resigned")
        if ends_by_resignation
        else None
    )
    return GameResult(
        winner=view["winner"],
        reason=_find_reason(view, ends_by_resignation=ends_by_resignation),
        ranking=tuple(rank_sides(totals, view["winner"], resigned_sides)),
        last_resigned_side=last_resigned_side,
        had_blind_match=any(match["kind"] == "blind" for match in view["matches"]) or view["kind"] == "blind",
        shootout_rounds=tuple(
            {int(side): tile for side, tile in tiles.items()} for tiles in view["shootout"]
        ),
        target=view["options"]["target"],
    )


def _find_reason(view: Mapping[str, Any], *, ends_by_resignation: bool) -> EndReason:
    """Find the decision of the game."""
    if view["mode"] == Mode.SOLO:
        return EndReason.SOLO_WON if view["winner"] else EndReason.SOLO_LOST
    if ends_by_resignation or not view["matches"]:
        return EndReason.RESIGNED
    if not view["winner"]:
        return EndReason.LEVEL
    if view["shootout"]:
        return EndReason.SHOOT_OUT
    last_match = view["matches"][-1]
    if last_match["kind"] != "blind":
        return EndReason.TARGET
    return EndReason.BLIND_EIGHT if last_match["ended"] == "infinity" else EndReason.BLIND_MATCH


def find_end_reason(result: GameResultData, *, mode: str, target: int) -> EndReason:
    """Find the decision of a game from its result alone.

    A winner at the target who is level with another side was left alone by it in the blind match that was to
    decide between them. That a side of the same total had resigned before, in a game of three or four, cannot
    be told from this.
    """
    winner, matches = result["winner"], result["matches"]
    if mode == Mode.SOLO:
        return EndReason.SOLO_WON if winner else EndReason.SOLO_LOST
    if not matches:
        return EndReason.RESIGNED
    if not winner:
        return EndReason.LEVEL
    if result["shootout"]:
        return EndReason.SHOOT_OUT
    if matches[-1]["kind"] == "blind":
        return EndReason.BLIND_EIGHT if matches[-1]["ended"] == "infinity" else EndReason.BLIND_MATCH
    totals = {int(side): total for side, total in result["totals"].items()}
    is_level = totals[winner] in [total for side, total in totals.items() if side != winner]
    return EndReason.RESIGNED if is_level or totals[winner] < target else EndReason.TARGET


def rank_sides(totals: Mapping[int, int], winner: int | None, resigned_sides: set[int]) -> list[RankedSide]:
    """The sides by rank: the winner, then by total; sides that resigned come last."""
    merits = {
        side: (side in resigned_sides and side != winner, side != winner, -total)
        for side, total in totals.items()
    }
    return [
        RankedSide(
            rank=1 + sum(merit < merits[side] for merit in merits.values()),
            side=side,
            total=totals[side],
            has_resigned=side in resigned_sides,
        )
        for side in sorted(totals, key=lambda side: (merits[side], side))
    ]
