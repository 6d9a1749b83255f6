"""Examples of how a match begins, of a turn, its duties, and the zero and dark tiles."""

from __future__ import annotations

from functools import partial

from games.engine import State
from games.positions import build_position

from .board_examples import (
    LEFT,
    RIGHT,
    SQUARE_TILES,
    TWO_CIRCLES,
    begin_game,
    build_two_circles,
    draw_after,
)
from .example import Outcome, RuleExample

EIGHT_GAP = {"b3": "I", "b4": "H", "d3": "I", "d4": "H"}  # a D on c4 makes an 8
EIGHT_END = {"b4": "H", "c4": "D"}  # a half small circle on d4 makes an 8


def build_level_game(edition: str) -> State:
    """Bruno is about to make an 8 and draw level with Anna. In the next match his tile is the higher one."""
    return build_position(
        EIGHT_GAP,
        turn=2,
        drawn="D",
        table=SQUARE_TILES,
        totals={1: 8, 2: 0},
        edition=edition,
        cards=False,
        key=bytes([1]) * 32,
    )


BEGIN_EXAMPLES = {
    "deal": RuleExample(
        start=partial(begin_game, seats=3),
        outcome=Outcome(tower=33, cards={1: 1, 2: 1, 3: 1}),
    ),
    "cards-stay": RuleExample(
        start=partial(build_position, EIGHT_GAP, drawn="D", table=SQUARE_TILES, hands={1: ["MI"], 2: ["TT"]}),
        actions=("D-c4-0",),
        outcome=Outcome(events=("match ended", "match began"), cards={1: 1, 2: 1}),
    ),
    "first-start": RuleExample(
        start=partial(begin_game, key=bytes([3]) * 32),
        outcome=Outcome(table={1: "H", 2: "D"}, turn=2),
    ),
    "first-tie": RuleExample(
        start=partial(begin_game, key=bytes([6]) * 32, seniority=(2, 1)),
        outcome=Outcome(seniority=(2, 1), table={1: "C", 2: "B"}, turn=2),
    ),
    "later-start": RuleExample(
        start=partial(build_position, EIGHT_GAP, turn=2, drawn="D", table=SQUARE_TILES),
        actions=("D-c4-0",),
        outcome=Outcome(events=("match ended", "match began"), totals={1: 0, 2: 8}, turn=2),
    ),
    "level-tile": RuleExample(
        start=build_level_game,
        actions=("D-c4-0",),
        outcome=Outcome(totals={1: 8, 2: 8}, table={1: "H", 2: "G"}, turn=2),
        editions=("arcastudio-2.2", "pergioco-72"),
    ),
    "level-oldest": RuleExample(
        start=build_level_game,
        actions=("D-c4-0",),
        outcome=Outcome(totals={1: 8, 2: 8}, table={1: "H", 2: "G"}, turn=1),
        editions=("bannan-nl",),
    ),
    "pair-start": RuleExample(
        start=partial(
            build_position,
            EIGHT_GAP,
            turn=2,
            drawn="D",
            table=SQUARE_TILES,
            mode="pairs",
            seats=4,
            cards=False,
            key=bytes([1]) * 32,
        ),
        actions=("D-c4-0",),
        outcome=Outcome(totals={1: 0, 2: 8}, table={1: "H", 2: "G", 3: "E", 4: "A"}, turn=4),
    ),
    "seniority": RuleExample(
        start=partial(begin_game, seats=3, seniority=(3, 1, 2)),
        outcome=Outcome(seniority=(3, 1, 2)),
    ),
    "seniority-lot": RuleExample(
        start=partial(begin_game, seats=4, seniority_rule="lot", key=bytes([4]) * 32),
        outcome=Outcome(seniority=(4, 1, 2, 3)),
    ),
}

TURN_EXAMPLES = {
    "one-card": RuleExample(
        start=partial(build_position, phase="start", table=SQUARE_TILES, hands={1: ["TT", "MI"]}),
        actions=("TT",),
        refused={"MI-2": "must-place"},
        outcome=Outcome(events=("played", "drew"), cards={1: 1, 2: 0}),
    ),
    "no-card-needed": RuleExample(
        start=partial(build_position, phase="start", table=SQUARE_TILES, hands={1: ["TT"]}, tower="BE"),
        actions=("draw",),
        outcome=Outcome(events=("drew",), cards={1: 1, 2: 0}, drawn="B"),
    ),
    "say-draw": RuleExample(
        start=partial(build_position, phase="start", table=SQUARE_TILES, hands={1: ["OO"]}),
        outcome=Outcome(actions=frozenset({"draw"})),
    ),
    "auto-draw": RuleExample(
        start=partial(build_position, drawn="B", table=SQUARE_TILES, tower="GE"),
        actions=("B-c4-0",),
        outcome=Outcome(events=("placed", "drew"), turn=2, drawn="G"),
    ),
    "tower-empty": RuleExample(
        start=partial(
            build_position,
            TWO_CIRCLES | {"c4": "E"},
            marked={(LEFT, 2): 1, (RIGHT, 2): 2},
            drawn="B",
            table=SQUARE_TILES,
            tower="",
        ),
        actions=("B-c2-180",),
        outcome=Outcome(events=("placed", "match ended"), ended="tower", scores={1: 2, 2: 2}),
    ),
    "either-tile": RuleExample(
        start=partial(build_position, drawn="B", table={1: "A", 2: "H"}),
        actions=("A-c4-0",),
        outcome=Outcome(table={1: "B", 2: "H"}, turn=2),
    ),
    "open-tile": RuleExample(
        start=partial(build_position, drawn="B", table={1: "A", 2: "H"}),
        outcome=Outcome(drawn="B", table={1: "A", 2: "H"}),
    ),
    "hand-sizes": RuleExample(
        start=partial(build_position, phase="start", hands={1: ["TT", "OO"], 2: ["CV"]}),
        outcome=Outcome(cards={1: 2, 2: 1}),
    ),
}

DUTY_EXAMPLES = {
    "must-eight": RuleExample(
        start=partial(build_position, EIGHT_END, drawn="H", table={1: "E", 2: "A"}),
        refused={"E-c2-0": "must-make-eight"},
        outcome=Outcome(actions=frozenset({"H-d4-0"})),
    ),
    "must-close": RuleExample(
        start=partial(draw_after, "B", "E-c4-0", "B-d3-180"),
        refused={"B-b3-0": "must-close"},
        outcome=Outcome(actions=frozenset({"B-d4-0", "B-d4-90"})),
    ),
    "close-unmarkable": RuleExample(
        start=partial(build_two_circles, markers={1: (4, 0, 3)}),
        refused={"E-c2-0": "must-close"},
        outcome=Outcome(actions=frozenset({"E-c4-0"})),
    ),
    "both-tiles": RuleExample(
        start=partial(build_two_circles, drawn="A", table={1: "E", 2: "A"}),
        refused={"A-c2-0": "must-close"},
        outcome=Outcome(tiles="E", cells=frozenset({"c4"})),
    ),
    "free": RuleExample(
        start=partial(build_position, drawn="B", table={1: "A", 2: "H"}),
        outcome=Outcome(tiles="AB", cells=frozenset({"b3", "c2", "c4", "d3"})),
    ),
    "lenient": RuleExample(
        start=partial(build_two_circles, obligation="lenient", hands={2: ["TT"]}, tower="EB"),
        actions=("A-e3-0", "draw", "E-c4-0"),
        outcome=Outcome(events=("placed", "drew", "closed"), owners={LEFT: 2, RIGHT: 2}),
    ),
    "lenient-zero": RuleExample(
        start=partial(build_position, drawn="I", table={1: "B", 2: "A"}, obligation="lenient"),
        refused={"B-c4-0": "zero-tile"},
        outcome=Outcome(tiles="I"),
    ),
}

SPECIAL_EXAMPLES = {
    "zero-drawn": RuleExample(
        start=partial(build_position, EIGHT_END, drawn="I", table={1: "H", 2: "A"}),
        refused={"H-d4-0": "zero-tile"},
        outcome=Outcome(tiles="I"),
    ),
    "zero-table": RuleExample(
        start=partial(build_position, EIGHT_END, drawn="H", table={1: "I", 2: "A"}),
        refused={"H-d4-0": "zero-tile"},
        outcome=Outcome(tiles="I"),
    ),
    "dark-drawn": RuleExample(
        start=partial(build_position, drawn="J", table={1: "B", 2: "A"}),
        actions=("B-c4-0",),
        outcome=Outcome(events=("placed",), table={1: "J", 2: "A"}, turn=2),
    ),
    "dark-never": RuleExample(
        start=partial(build_position, drawn="J", table={1: "B", 2: "A"}),
        refused={"J-c4-0": "dark-tile"},
        outcome=Outcome(tiles="B"),
    ),
    "dark-table": RuleExample(
        start=partial(build_position, drawn="B", table={1: "J", 2: "A"}),
        actions=("B-c4-0",),
        outcome=Outcome(events=("placed",), table={1: "J", 2: "A"}),
    ),
    "two-dark": RuleExample(
        start=partial(
            build_position,
            phase="start",
            table={1: "J", 2: "A"},
            hands={1: ["OO"], 2: ["TT"]},
            deck=["ME"],
            tower="JEB",
        ),
        actions=("draw",),
        outcome=Outcome(
            events=("drew", "dark tiles left"), table={1: "E", 2: "A"}, cards={1: 2, 2: 1}, turn=2
        ),
    ),
    "dark-alone": RuleExample(
        start=partial(
            build_position,
            {"c4": "I"},
            phase="start",
            hands={1: ["OO"], 2: ["TT"]},
            table={2: "A"},
            tower="JEB",
        ),
        actions=("draw",),
        outcome=Outcome(events=("drew", "lost turn"), table={1: "J", 2: "A"}, turn=2),
    ),
    "first-special": RuleExample(
        start=partial(begin_game, key=bytes([1]) * 32),
        outcome=Outcome(table={1: "I", 2: "J"}),
    ),
    "pass-dark": RuleExample(
        start=partial(
            build_position,
            phase="start",
            table={1: "J", 2: "A", 3: "B"},
            hands={1: ["MI"]},
            seats=3,
            tower="EB",
        ),
        actions=("MI-2",),
        outcome=Outcome(events=("played", "drew"), table={1: "A", 2: "J", 3: "B"}),
    ),
}
