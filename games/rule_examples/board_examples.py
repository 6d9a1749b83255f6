"""Examples of the board, the tiles, figures and markers."""

from __future__ import annotations

from functools import partial

from games.engine import DEFAULT_EDITION, Setup, State, start_game
from games.engine.board import CELL_NAMES
from games.positions import build_position, play_placements, set_up_turn

from .example import Outcome, RuleExample

# An E on c4 closes two circles: to its left b3+b4+c3+c4, to its right c3+c4+d3+d4.
TWO_CIRCLES = {"b3": "C", "b4": "B", "d3": "C90", "d4": "B"}
LEFT, RIGHT = "b3+b4+c3+c4", "c3+c4+d3+d4"
SQUARE_TILES = {1: "A", 2: "A", 3: "A", 4: "A"}  # table tiles that close nothing in these positions


def read_board(text: str) -> dict[str, str]:
    """A board of tiles such as "E90", column by column from the left, each from below; - is a free cell."""
    return {name: tile for name, tile in zip(CELL_NAMES, text.split(), strict=True) if tile != "-"}


# Boards with one free cell, e1. On one only the circle of a1 is closed, on the other nothing.
ONE_CIRCLE_BOARD = read_board("E F F270 G180 G90 D D90 C D B B270 E E E D B180 A I A I - H C C I")
QUIET_BOARD = read_board("F F90 G180 C90 B G270 A D90 D I C90 C E E I H B B C E - A I E H")


def begin_game(**terms: object) -> State:
    """A game that has just begun."""
    return start_game(Setup(**terms))[0]  # type: ignore[arg-type]  # the terms of a setup


def draw_after(tile: str, *placements: str, edition: str = DEFAULT_EDITION) -> State:
    """The position after placements, with this tile drawn."""
    return set_up_turn(play_placements(*placements, edition=edition), drawn_tile=tile)


def build_two_circles(**fields: object) -> State:
    """Anna has drawn an E that can close two circles."""
    arguments: dict[str, object] = {"drawn": "E", "table": SQUARE_TILES} | fields
    return build_position(TWO_CIRCLES, **arguments)  # type: ignore[arg-type]


BOARD_EXAMPLES = {
    "first-cells": RuleExample(
        start=partial(build_position, drawn="A", table={1: "B", 2: "C"}),
        outcome=Outcome(cells=frozenset({"b3", "c2", "c4", "d3"})),
    ),
    "centre": RuleExample(
        start=partial(build_position, {"c4": "I"}, phase="start", hands={1: ["QL"]}),
        refused={"QL-c3-a1-0": "centre"},
    ),
    "touching": RuleExample(
        start=partial(draw_after, "E", "B-c4-180", "H-d4-0", "A-c2-0"),
        refused={"E-e5-0": "not-beside", "E-c4-0": "cell-taken"},
        outcome=Outcome(
            cells=frozenset({"b2", "b3", "b4", "c1", "c5", "d2", "d3", "d5", "e4"}),
        ),
    ),
    "turning": RuleExample(
        start=partial(build_position, drawn="B", table=SQUARE_TILES),
        actions=("B-c4-90",),
        outcome=Outcome(events=("placed",), cell_tiles={"c4": "B90"}),
    ),
    "tower": RuleExample(
        start=begin_game,
        outcome=Outcome(tower=34, cards={1: 1, 2: 1}),
    ),
    "close": RuleExample(
        start=partial(draw_after, "C", "E-c4-0", "B-d3-180"),
        actions=("C-d4-0",),
        outcome=Outcome(events=("placed", "closed"), owners={RIGHT: 1}, points={1: 2, 2: 0}),
    ),
    "several": RuleExample(
        start=build_two_circles,
        actions=("E-c4-0",),
        outcome=Outcome(owners={LEFT: 1, RIGHT: 1}, points={1: 4, 2: 0}),
    ),
    "border": RuleExample(
        start=partial(draw_after, "E", "B-d3-0", "A-d2-0", "I-e2-0"),
        actions=("E-e1-0",),
        outcome=Outcome(owners={"frame+e1": 2}),
    ),
    "frame-kind": RuleExample(
        start=partial(
            build_position,
            {"a1": "E", "b1": "I", "c1": "I", "c2": "I"},
            marked={("frame+a1", 2): 2},
            drawn="E",
            table=SQUARE_TILES,
        ),
        actions=("E-a2-0",),
        outcome=Outcome(events=("placed",), owners={"frame+a1": 2}, points={1: 0, 2: 2}),
    ),
    "mixed": RuleExample(
        start=partial(draw_after, "A", "E-c4-0", "B-d3-180"),
        actions=("A-d4-0",),
        outcome=Outcome(events=("placed",), owners={}),
    ),
    "marker-set": RuleExample(
        start=begin_game,
        outcome=Outcome(markers={1: {1: 4, 2: 4, 4: 3}, 2: {1: 4, 2: 4, 4: 3}}),
    ),
    "markers-back": RuleExample(
        start=partial(
            build_position,
            TWO_CIRCLES | {"c4": "E", "b2": "H", "d2": "H"},
            marked={(LEFT, 2): 1, (RIGHT, 2): 2},
            drawn="D",
            table=SQUARE_TILES,
        ),
        actions=("D-c2-0",),
        outcome=Outcome(
            events=("infinity", "match ended", "match began"),
            owners={},
            markers={1: {1: 4, 2: 4, 4: 3}, 2: {1: 4, 2: 4, 4: 3}},
        ),
    ),
    "unmarked": RuleExample(
        start=partial(build_two_circles, markers={1: (4, 1, 3)}, hands={2: ["TT"]}),
        actions=("E-c4-0",),
        outcome=Outcome(events=("closed", "closed", "claimed"), owners={LEFT: 1, RIGHT: 2}),
        editions=("arcastudio-2.2",),
    ),
    "unmarked-waits": RuleExample(
        start=partial(
            build_two_circles,
            seats=3,
            markers={1: (4, 1, 3), 2: (4, 0, 3)},
            hands={2: ["TT"], 3: ["TT"]},
            tower="ABCB",
        ),
        actions=("E-c4-0", "2:draw", "2:A-e3-0"),
        outcome=Outcome(events=("closed", "placed", "claimed"), owners={LEFT: 1, RIGHT: 3}, turn=3),
        editions=("arcastudio-2.2",),
    ),
    "unmarked-at-once": RuleExample(
        start=partial(
            build_two_circles,
            seats=3,
            markers={1: (4, 1, 3), 2: (4, 0, 3)},
            hands={2: ["TT"]},
        ),
        actions=("E-c4-0",),
        outcome=Outcome(events=("closed", "claimed"), owners={LEFT: 1, RIGHT: 3}, turn=2),
        editions=("bannan-nl",),
    ),
    "unmarked-next-side": RuleExample(
        start=partial(build_two_circles, markers={1: (4, 1, 3)}),
        actions=("E-c4-0",),
        outcome=Outcome(events=("closed", "claimed"), owners={LEFT: 1, RIGHT: 2}),
        editions=("pergioco-72",),
    ),
    "unmarked-lost": RuleExample(
        start=partial(
            build_two_circles,
            seats=3,
            markers={1: (4, 1, 3), 2: (4, 0, 3)},
            tower="ABCB",
        ),
        actions=("E-c4-0", "2:A-e3-0"),
        outcome=Outcome(events=("closed", "lost figure", "placed"), owners={LEFT: 1, RIGHT: None}, turn=3),
        editions=("pergioco-72",),
    ),
    "unmarked-travel": RuleExample(
        start=partial(build_two_circles, markers={1: (4, 1, 3)}, extra=1, tower="ABCB"),
        actions=("E-c4-0", "A-e3-0"),
        outcome=Outcome(
            events=("closed", "second turn", "placed", "claimed"), owners={LEFT: 1, RIGHT: 2}, turn=2
        ),
        editions=("pergioco-72",),
    ),
    "last-markers": RuleExample(
        start=partial(build_two_circles, markers={1: (4, 1, 3), 2: (0, 0, 0)}),
        actions=("E-c4-0",),
        outcome=Outcome(owners={LEFT: 1, RIGHT: None}),
    ),
    "last-small-markers": RuleExample(
        start=partial(
            build_position,
            {"b3": "I", "b4": "H", "b5": "I", "c5": "H", "d3": "I", "d4": "H"},
            drawn="H",
            table=SQUARE_TILES,
            markers={1: (2, 4, 3), 2: (0, 0, 0)},
        ),
        actions=("H-c4-0",),
        outcome=Outcome(owners={"b4+c4": 1, "c4+c5": 1, "c4+d4": None}),
    ),
    "no-return": RuleExample(
        start=partial(
            build_two_circles,
            markers={1: (4, 2, 3), 2: (4, 4, 3)},
            hands={2: ["TT"]},
        ),
        actions=("E-c4-0", "draw"),
        outcome=Outcome(owners={LEFT: 1, RIGHT: 1}, markers={1: {1: 4, 2: 0, 4: 3}, 2: {1: 4, 2: 4, 4: 3}}),
    ),
    "unmarked-at-end": RuleExample(
        start=partial(
            build_position,
            ONE_CIRCLE_BOARD,
            drawn="I",
            table={1: "J", 2: "J"},
            unmarked={"frame+a1": 2},
            markers={1: (0, 0, 0), 2: (0, 0, 0)},
        ),
        actions=("I-e1-0",),
        outcome=Outcome(events=("match ended",), ended="full", scores={1: 0, 2: 0}),
    ),
}
