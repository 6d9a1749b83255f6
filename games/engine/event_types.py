"""Game events as types of their JSON: one for each `event` of the log."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from .choices import FigureKind, MatchEnd, MatchKind

SEAT_HELP_TEXT = "The seat that this happened to."


class SeatEventData(TypedDict):
    """The common fields of events about a seat."""

    seat: Annotated[int, SEAT_HELP_TEXT]


class MatchBeganEventData(SeatEventData):
    """A match began: tiles and cards were dealt. `seat` takes the first turn."""

    event: Annotated[Literal["match began"], "What happened."]
    match: Annotated[int, "The number of the match in its game; the first is 1."]
    kind: Annotated[MatchKind, "Whether it is a normal match, the blind match of a tie, or a solo match."]
    table: Annotated[dict[str, str | None], "The open table tile of each seat, by seat."]


class DrewEventData(SeatEventData):
    """A seat drew a tile from the tower."""

    event: Annotated[Literal["drew"], "What happened."]
    tile: Annotated[str, "The letter of the tile, A to J."]


class PlacedEventData(SeatEventData):
    """A seat placed a tile on the board."""

    event: Annotated[Literal["placed"], "What happened."]
    tile: Annotated[str, "The letter of the tile, A to J."]
    cell: Annotated[str, "The cell, `a1` to `e5`."]
    rotation: Annotated[int, "The rotation of the tile, in degrees clockwise: 0, 90, 180 or 270."]


class FigureEventData(SeatEventData):
    """A figure was closed (`closed`), an unmarked one marked later (`claimed`) or lost (`lost figure`)."""

    event: Annotated[Literal["closed", "claimed", "lost figure"], "What happened."]
    side: Annotated[int | None, "The side whose marker is on the figure; null if it stays unmarked."]
    kind: Annotated[FigureKind, "The kind of figure."]
    place: Annotated[str, "The cells that the figure lies on, as `b3+c3`; with `frame` at the border."]
    value: Annotated[int, "The points that the figure is worth."]


class InfinityEventData(SeatEventData):
    """A seat made an 8, which ends the match."""

    event: Annotated[Literal["infinity"], "What happened."]
    side: Annotated[int, "The side that made the 8."]
    cell: Annotated[str, "The cell of the crossing, `a1` to `e5`."]


class AskedEventData(TypedDict):
    """Seats were asked whether they protect their points against an 8."""

    event: Annotated[Literal["asked"], "What happened."]
    seats: Annotated[list[int], "The seats that can answer."]


class AnsweredEventData(SeatEventData):
    """A seat answered an 8."""

    event: Annotated[Literal["answered"], "What happened."]
    answer: Annotated[Literal["8", "CV=8", "pass"], "The card that protects the points, or `pass`."]


class PlayedEventData(SeatEventData):
    """A seat played a card."""

    event: Annotated[Literal["played"], "What happened."]
    card: Annotated[str, "The two letters of the card."]
    action: Annotated[str, "The action string, with what the card does."]


class KidnappedEventData(SeatEventData):
    """A seat took a card from another hand."""

    event: Annotated[Literal["kidnapped"], "What happened."]
    victim: Annotated[int, "The seat that lost the card."]
    card: Annotated[str, "The two letters of the card, which is played at once and therefore public."]


class LostCardEventData(SeatEventData):
    """A kidnapped card was discarded, because it can have no effect now."""

    event: Annotated[Literal["lost card"], "What happened."]
    card: Annotated[str, "The two letters of the card."]


class NewTilesEventData(SeatEventData):
    """A card gave seats new table tiles."""

    event: Annotated[Literal["new tiles"], "What happened."]
    table: Annotated[dict[str, str | None], "The new table tile of each seat, by seat; null for none."]


class DarkTilesLeftEventData(SeatEventData):
    """Two dark tiles of a seat left the match."""

    event: Annotated[Literal["dark tiles left"], "What happened."]
    table: Annotated[str | None, "The new table tile of the seat; null if the tower is empty."]
    card: Annotated[bool, "Whether the seat got a card for them."]


class TurnEventData(SeatEventData):
    """A seat lost its turn to a dark tile (`lost turn`), or takes a second one (`second turn`)."""

    event: Annotated[Literal["lost turn", "second turn"], "What happened."]


class MatchEndedEventData(TypedDict):
    """A match ended and was scored."""

    event: Annotated[Literal["match ended"], "What happened."]
    match: Annotated[int, "The number of the match in its game; the first is 1."]
    kind: Annotated[MatchKind, "Whether it was a normal match, the blind match of a tie, or a solo match."]
    ended: Annotated[
        MatchEnd,
        "What ended it: an 8, a full board, an empty tower, or a won solo game.",
    ]
    scores: Annotated[dict[str, int], "The points of this match, by side."]
    silly: Annotated[list[int], "The sides that had no marker and scored all the same, ascending."]
    totals: Annotated[dict[str, int], "The points of all matches so far, by side."]


class ShootOutEventData(TypedDict):
    """One round of a shoot-out: every tied side drew a tile."""

    event: Annotated[Literal["shoot-out"], "What happened."]
    round: Annotated[int, "The number of the round; the first is 1."]
    tiles: Annotated[dict[str, str], "The letter of the tile that each side drew, by side."]


class ResignedEventData(SeatEventData):
    """A side resigned."""

    event: Annotated[Literal["resigned"], "What happened."]
    side: Annotated[int, "The side that leaves the game."]


class GameOverEventData(TypedDict):
    """The game ended."""

    event: Annotated[Literal["game over"], "What happened."]
    winner: Annotated[int | None, "The side that won; null for a draw and for a lost solo game."]
    totals: Annotated[dict[str, int], "The points of all matches, by side."]


GameEventData = (
    MatchBeganEventData
    | DrewEventData
    | PlacedEventData
    | FigureEventData
    | InfinityEventData
    | AskedEventData
    | AnsweredEventData
    | PlayedEventData
    | KidnappedEventData
    | LostCardEventData
    | NewTilesEventData
    | DarkTilesLeftEventData
    | TurnEventData
    | MatchEndedEventData
    | ShootOutEventData
    | ResignedEventData
    | GameOverEventData
)
