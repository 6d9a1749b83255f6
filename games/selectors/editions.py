"""Editions as the API shows them: all that somebody needs to draw a board or to write an engine."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Annotated, Literal

from games.engine import MODES, OBLIGATIONS, RULES_VERSIONS
from games.engine.board import CELL_NAMES, CENTRE_CELL, FIGURE_KIND_OF_VALUE, list_frame_marks
from games.engine.choices import FigureKind, MatchEnd, Obligation, TiedStartRule, UnmarkedRule
from games.engine.edition import FEATURE_POINTS, Edition, Tile, list_edition_names, load_edition

SHAPE_OF_MARK = {
    "c": FIGURE_KIND_OF_VALUE[FEATURE_POINTS["c"]],
    "s": FIGURE_KIND_OF_VALUE[FEATURE_POINTS["s"]],
}
HALF_OF_MARK = {"u": FIGURE_KIND_OF_VALUE[FEATURE_POINTS["u"]]}

CornerShape = Literal["circle", "square"]
SideShape = Literal["small circle"]


@dataclass(frozen=True)
class TileCornersData:
    """The corners of a tile: of which figure each has a quarter."""

    nw: Annotated[CornerShape | None, "Top left."]
    ne: Annotated[CornerShape | None, "Top right."]
    se: Annotated[CornerShape | None, "Bottom right."]
    sw: Annotated[CornerShape | None, "Bottom left."]


@dataclass(frozen=True)
class TileSidesData:
    """The sides of a tile: of which figure each has a half."""

    n: Annotated[SideShape | None, "Top."]
    e: Annotated[SideShape | None, "Right."]
    s: Annotated[SideShape | None, "Bottom."]
    w: Annotated[SideShape | None, "Left."]


@dataclass(frozen=True)
class TileData:
    """A kind of tile, as it looks at rotation 0."""

    id: Annotated[str, "Its letter."]
    count: Annotated[int, "How many there are."]
    value: Annotated[int, "Points, where tiles are compared: 4 a square, 2 a circle, 1 a half, 8 a crossing."]
    corners: Annotated[TileCornersData, "Quarters of figures that four corners close, the frame's included."]
    sides: Annotated[TileSidesData, "Halves of figures that two tiles close."]
    crossing: Annotated[
        Literal["WE", "NS"] | None,
        "The sides whose small circles it joins to an 8; turned by 90 or 270 degrees the other two.",
    ]
    special: Annotated[
        Literal["zero", "dark"] | None, "Zero: has no lines and must be placed; dark: is never placed."
    ]
    rotations: Annotated[
        list[int], "The rotations that look different, in degrees clockwise. No other rotation is legal."
    ]
    in_solo: Annotated[bool, "Whether solo games are played with it."]


@dataclass(frozen=True)
class CardData:
    """A kind of secret card."""

    id: Annotated[str, "Its code, with which the actions that play it begin; the card `OO` is played as `8`."]
    count: Annotated[int, "How many there are."]


@dataclass(frozen=True)
class FrameMarkData:
    """The mark of the frame at a vertex of the border."""

    place: Annotated[str, "As in the figures of a board: frame and its cells."]
    cells: Annotated[list[str], "The cells that meet there; one at a corner of the board, else two."]
    shape: Annotated[
        CornerShape, "The figure that these cells close with the frame if all have a quarter of it."
    ]


@dataclass(frozen=True)
class EditionBoardData:
    """The board at the start of a match."""

    cells: Annotated[
        list[str],
        "The cells, column by column from the left, each column from below: the order in place names.",
    ]
    centre_cell: Annotated[str, "The cell that has a tile from the start, which never moves."]
    centre_tile: Annotated[
        str, "The letter of that tile, at rotation 0; it is not one of those in the tower."
    ]
    frame: Annotated[list[FrameMarkData], "The vertices of the border that have a shape."]


@dataclass(frozen=True)
class FigureValueData:
    """A kind of figure."""

    kind: Annotated[FigureKind, "As in the figures of a board."]
    value: Annotated[int, "Points."]


@dataclass(frozen=True)
class RuleVariantsData:
    """The rulings of this edition where the rulebooks differ."""

    unmarked: Annotated[
        UnmarkedRule,
        "When unmarked figures get a marker. `turn`: as a seat's turn starts. `at-once`: also at once,"
        " clockwise. `next-side`: only as the turn of the next seat of another side starts.",
    ]
    silly: Annotated[
        list[MatchEnd],
        "Ends of a match after which a side without a marker scores its table tile: full, tower.",
    ]
    level: Annotated[
        TiedStartRule,
        "The starter of a later match between sides level in front: tile, the highest table tile; oldest.",
    ]
    default_seniority: Annotated[
        Literal["account", "lot"], "The default of the option `seniority`: which player is the oldest."
    ]
    default_cards: Annotated[bool, "Whether a new game that does not say is played with cards."]


@dataclass(frozen=True)
class EditionData:
    """An edition of the game."""

    id: Annotated[str, "Names the edition in URLs and in games."]
    title: Annotated[str, "The title for people."]
    is_default: Annotated[bool, "Whether it is the default of new games."]
    languages: Annotated[list[str], "Readers of these languages get its rules first."]
    rules_versions: Annotated[list[int], "The rules versions that the site supports for it."]
    modes: Annotated[dict[str, list[int]], "The number of players, by mode."]
    obligations: Annotated[list[Obligation], "The choices of `obligation`."]
    board: Annotated[EditionBoardData, "Cells and frame."]
    tiles: Annotated[list[TileData], "The tiles, in the order that the shuffle starts from."]
    deck: Annotated[list[CardData], "The cards, in the order that the shuffle starts from."]
    markers: Annotated[dict[str, int], "How many markers of each value a side has in a match."]
    figures: Annotated[list[FigureValueData], "The figures that can be closed, by value."]
    rules: Annotated[RuleVariantsData, "The rules in which editions differ."]


def list_editions() -> list[EditionData]:
    """All editions, the default first."""
    return [build_edition_data(load_edition(name)) for name in list_edition_names()]


def find_edition(name: str) -> EditionData | None:
    """The edition of a name, or None."""
    return build_edition_data(load_edition(name)) if name in list_edition_names() else None


def build_edition_data(edition: Edition) -> EditionData:
    """An edition as the API shows it."""
    card_counts = Counter(edition.deck)
    return EditionData(
        id=edition.name,
        title=edition.title,
        is_default=edition.name == list_edition_names()[0],
        languages=list(edition.languages),
        rules_versions=[version for version in RULES_VERSIONS if version >= edition.first_rules_version],
        modes={mode: list(seat_counts) for mode, seat_counts in MODES.items()},
        obligations=list(OBLIGATIONS),
        board=EditionBoardData(
            cells=list(CELL_NAMES),
            centre_cell=CELL_NAMES[CENTRE_CELL],
            centre_tile=edition.centre,
            frame=[
                FrameMarkData(place, cells, SHAPE_OF_MARK[mark])  # type: ignore[arg-type]
                for place, cells, mark in list_frame_marks(edition)
            ],
        ),
        tiles=[build_tile_data(tile, edition) for tile in edition.tiles.values()],
        deck=[CardData(card, card_counts[card]) for card in edition.cards],
        markers={str(value): count for value, count in edition.markers},
        figures=[FigureValueData(kind, value) for value, kind in sorted(FIGURE_KIND_OF_VALUE.items())],
        rules=RuleVariantsData(
            unmarked=edition.unmarked_rule,
            silly=list(edition.silly_endings),
            level=edition.tied_start_rule,
            default_seniority=edition.default_seniority,  # type: ignore[arg-type]
            default_cards=edition.default_cards,
        ),
    )


def build_tile_data(tile: Tile, edition: Edition) -> TileData:
    """A kind of tile as the API shows it."""
    return TileData(
        id=tile.kind,
        count=tile.copies,
        value=tile.value,
        corners=TileCornersData(*(SHAPE_OF_MARK.get(mark) for mark in tile.corners)),  # type: ignore[arg-type]
        sides=TileSidesData(*(HALF_OF_MARK.get(mark) for mark in tile.sides)),  # type: ignore[arg-type]
        crossing=tile.crossing or None,  # type: ignore[arg-type]
        special=tile.special or None,  # type: ignore[arg-type]
        rotations=list(tile.rotations),
        in_solo=tile.kind in edition.solo_tiles,
    )
