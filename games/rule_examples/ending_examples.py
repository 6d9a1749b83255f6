"""Examples of how matches and games end, of pairs, and of solo games."""

from __future__ import annotations

import hashlib
from functools import partial

from games.engine import State, apply_action
from games.positions import build_position

from .board_examples import (
    LEFT,
    ONE_CIRCLE_BOARD,
    QUIET_BOARD,
    RIGHT,
    TWO_CIRCLES,
    begin_game,
    build_two_circles,
    read_board,
)
from .card_examples import build_card_turn, build_marked_eight
from .example import Outcome, RuleExample
from .turn_examples import EIGHT_END, EIGHT_GAP

# Only the circles of a1 and a5 are closed, and e1 is free; nothing is closed, and a1 and e1 are free.
TWO_CIRCLES_BOARD = read_board("E F F270 G180 E C90 B G270 A D90 D I E C90 C E I H B B - C A D I")
TWO_CELLS_BOARD = read_board("- F F270 G180 G90 D D90 C D B B270 E E E C B270 I E A I - C A C D")
# A side that can close a figure, and need not.
build_missed_duty = partial(
    build_position, TWO_CELLS_BOARD, drawn="E", table={1: "A", 2: "A"}, tower="IBB", obligation="lenient"
)

# A whole solo game, won with 4 free cells and 1 figure without a marker.
SOLO_KEY = hashlib.sha256(b"rules5").digest()
SOLO_ACTIONS = (
    *("F-d3-0", "H-d2-0", "E-e3-0", "C-e4-90", "B-e5-180", "I-d1-0", "H-c2-0"),
    *("I-d5-0", "F-e1-90", "E-e2-0", "D-b2-90", "A-a2-0", "D-c1-0", "D-b3-0"),
    *("H-b1-0", "A-a1-0", "G-b4-0", "E-c4-0", "C-a4-0", "B-a5-270"),
)

# A whole solo game, won on a full board with 1 figure without a marker.
SMALL_WIN_KEY = hashlib.sha256(b"rules16698").digest()
SMALL_WIN_ACTIONS = (
    *("D-c4-0", "H-c5-0", "C-b5-90", "H-d5-0", "D-e5-90", "H-d4-0", "C-a5-90", "C-a4-0"),
    *("E-a3-0", "B-a2-90", "D-b4-90", "C-a1-0", "A-b1-0", "B-d3-90", "I-e4-0", "I-c2-0"),
    *("E-b2-0", "H-b3-0", "I-d2-0", "D-c1-0", "B-d1-0", "A-e3-0", "F-e1-90", "A-e2-0"),
)
# The best solo game: every marker and an 8 with ten tiles; found by simulated annealing over such boards.
HIGHEST_SOLO_TILES = "HHHFGDEBCA"  # the tower, in order
HIGHEST_SOLO_ACTIONS = (
    *("H-b3-0", "H-a3-0", "H-a2-0", "F-a1-180", "G-b1-180"),
    *("D-b2-90", "E-c1-0", "B-d1-90", "C-e1-90", "A-e2-0"),
)


def build_last_tile(**fields: object) -> State:
    """One cell is free; nobody can close anything."""
    arguments: dict[str, object] = {"drawn": "I", "table": {1: "A", 2: "H", 3: "E", 4: "A"}}
    return build_position(QUIET_BOARD, **arguments | fields)  # type: ignore[arg-type]


def build_full_board(**fields: object) -> State:
    """One cell is free; Anna has closed the circle of a1, Bruno that of a5."""
    arguments: dict[str, object] = {
        "drawn": "I",
        "table": {1: "A", 2: "H"},
        "marked": {("frame+a1", 2): 1, ("frame+a5", 2): 2},
    }
    return build_position(TWO_CIRCLES_BOARD, **arguments | fields)  # type: ignore[arg-type]


def build_blind_turn(cells: dict[str, str], **fields: object) -> State:
    """A blind match under way."""
    arguments: dict[str, object] = {"kind": "blind", "match": 4, "totals": {1: 24, 2: 24}}
    return build_position(cells, **arguments | fields)  # type: ignore[arg-type]


def build_solo_turn(cells: dict[str, str], **fields: object) -> State:
    """A solo match under way."""
    return build_position(cells, mode="solo", seats=1, kind="solo", **fields)  # type: ignore[arg-type]


def build_small_win(edition: str) -> State:
    """A solo game three turns before it is won."""
    state = begin_game(mode="solo", seats=1, key=SMALL_WIN_KEY, edition=edition)
    for action in SMALL_WIN_ACTIONS[:-3]:
        state, _ = apply_action(state, 1, action)
    return state


END_EXAMPLES = {
    "board-full": RuleExample(
        start=partial(build_full_board, markers={1: (4, 3, 3), 2: (4, 3, 3)}),
        actions=("I-e1-0",),
        outcome=Outcome(events=("placed", "match ended"), ended="full", scores={1: 2, 2: 2}, silly=()),
    ),
    "silly": RuleExample(
        start=build_last_tile,
        actions=("I-e1-0",),
        outcome=Outcome(ended="full", scores={1: 16, 2: 4}, silly=(1, 2), totals={1: 16, 2: 4}),
    ),
    "silly-pair": RuleExample(
        start=partial(build_last_tile, mode="pairs", seats=4),
        actions=("I-e1-0",),
        outcome=Outcome(ended="full", scores={1: 16, 2: 16}, silly=(1, 2)),
    ),
    "silly-tower": RuleExample(
        start=partial(build_position, drawn="B", table={1: "A", 2: "H"}, tower=""),
        actions=("B-c4-0",),
        outcome=Outcome(ended="tower", scores={1: 16, 2: 4}, silly=(1, 2)),
        editions=("bannan-nl", "pergioco-72"),
    ),
    "silly-not": RuleExample(
        start=partial(build_position, drawn="B", table={1: "A", 2: "H"}, tower=""),
        actions=("B-c4-0",),
        outcome=Outcome(ended="tower", scores={1: 0, 2: 0}, silly=()),
        editions=("arcastudio-2.2",),
    ),
    "lenient-silly": RuleExample(
        start=build_missed_duty,
        actions=("A-a1-0", "I-e1-0"),
        outcome=Outcome(ended="full", scores={1: 0, 2: 16}, silly=(2,)),
    ),
    "lenient-silly-before": RuleExample(
        start=partial(build_missed_duty, rules=1),
        actions=("A-a1-0", "I-e1-0"),
        outcome=Outcome(ended="full", scores={1: 8, 2: 16}, silly=(1, 2)),
        editions=("arcastudio-2.2", "bannan-nl"),
    ),
    "empty-tower": RuleExample(
        start=partial(
            build_position,
            {"b1": "I", "c1": "I", "c2": "I", "d1": "I", "e1": "E"},
            drawn="E",
            tower="",
            marked={("frame+e1", 2): 1},
            markers={1: (4, 0, 3)},
            hands={2: ["QL"]},
            table={1: "A", 2: "A"},
        ),
        actions=("E-a1-0", "QL-c2-c4-0"),
        outcome=Outcome(
            events=("placed", "closed", "claimed", "played", "match ended"),
            ended="tower",
            scores={1: 2, 2: 2},
            silly=(),
        ),
    ),
}

WIN_EXAMPLES = {
    "target": RuleExample(
        start=partial(build_position, EIGHT_GAP, drawn="D", table={1: "A", 2: "B"}, totals={1: 16, 2: 20}),
        actions=("D-c4-0",),
        outcome=Outcome(totals={1: 24, 2: 20}, winner=1, is_over=True),
    ),
    "target-other": RuleExample(
        start=partial(build_position, EIGHT_GAP, drawn="D", table={1: "A", 2: "B"}, target=8),
        actions=("D-c4-0",),
        outcome=Outcome(totals={1: 8, 2: 0}, winner=1, is_over=True),
    ),
    "highest": RuleExample(
        start=partial(build_full_board, totals={1: 22, 2: 23}),
        actions=("I-e1-0",),
        outcome=Outcome(totals={1: 24, 2: 25}, winner=2, is_over=True),
    ),
    "blind": RuleExample(
        start=partial(
            build_position,
            EIGHT_GAP,
            turn=2,
            drawn="D",
            table={1: "A", 2: "B"},
            totals={1: 24, 2: 16},
            hands={1: ["TT"], 2: ["MI"]},
        ),
        actions=("D-c4-0",),
        outcome=Outcome(
            events=("match ended", "match began", "drew"),
            totals={1: 24, 2: 24},
            table={1: None, 2: None},
            cards={1: 0, 2: 0},
            turn=1,
            is_over=False,
        ),
    ),
    "blind-oldest": RuleExample(
        start=partial(
            build_position,
            EIGHT_GAP,
            seats=3,
            turn=3,
            drawn="D",
            table={1: "A", 2: "B", 3: "C"},
            totals={1: 2, 2: 24, 3: 16},
        ),
        actions=("D-c4-0",),
        outcome=Outcome(events=("match ended", "match began"), totals={1: 2, 2: 24, 3: 24}, turn=1),
    ),
    "blind-duty": RuleExample(
        start=partial(build_blind_turn, TWO_CIRCLES, drawn="E"),
        refused={"E-c2-0": "must-close"},
        outcome=Outcome(actions=frozenset({"E-c4-0"})),
    ),
    "blind-dark": RuleExample(
        start=partial(build_blind_turn, {}, drawn="B", tower="JEA"),
        actions=("B-c4-0",),
        outcome=Outcome(events=("placed", "drew", "lost turn", "drew"), turn=1, drawn="E"),
    ),
    "blind-eight": RuleExample(
        start=partial(
            build_blind_turn,
            TWO_CIRCLES | {"c4": "E", "b2": "H", "d2": "H"},
            seats=3,
            turn=3,
            marked={(LEFT, 2): 1, (RIGHT, 2): 2},
            drawn="D",
            totals={1: 24, 2: 24, 3: 5},
        ),
        actions=("D-c2-0",),
        outcome=Outcome(scores={1: 0, 2: 0, 3: 8}, totals={1: 24, 2: 24, 3: 13}, winner=3, is_over=True),
    ),
    "blind-points": RuleExample(
        start=partial(build_blind_turn, ONE_CIRCLE_BOARD, marked={("frame+a1", 2): 2}, drawn="I"),
        actions=("I-e1-0",),
        outcome=Outcome(scores={1: 0, 2: 2}, totals={1: 24, 2: 26}, winner=2),
    ),
    "shoot-out": RuleExample(
        start=partial(build_blind_turn, QUIET_BOARD, drawn="I", tower="BCHE"),
        actions=("I-e1-0",),
        outcome=Outcome(events=("shoot-out", "shoot-out", "game over"), winner=2),
    ),
    "shoot-out-rounds": RuleExample(
        start=partial(
            build_blind_turn,
            QUIET_BOARD,
            seats=3,
            totals={1: 24, 2: 24, 3: 24},
            drawn="I",
            tower="BCHEHA",
        ),
        actions=("I-e1-0",),
        outcome=Outcome(events=("shoot-out", "shoot-out", "game over"), winner=3),
    ),
    "shoot-out-zero": RuleExample(
        start=partial(build_blind_turn, QUIET_BOARD, drawn="I", tower="IJJH"),
        actions=("I-e1-0",),
        outcome=Outcome(events=("shoot-out", "shoot-out", "game over"), winner=2),
    ),
    "shoot-out-draw": RuleExample(
        start=partial(build_blind_turn, QUIET_BOARD, drawn="I", tower="BCH"),
        actions=("I-e1-0",),
        outcome=Outcome(events=("shoot-out", "game over"), winner=0, is_over=True),
    ),
    "resign": RuleExample(
        start=partial(
            build_two_circles,
            seats=3,
            table={1: "A", 2: "B", 3: "C"},
            marked={},
            drawn="E",
            tower="BB",
        ),
        actions=("E-c4-0", "2:resign", "1:resign"),
        outcome=Outcome(events=("closed", "resigned", "resigned", "game over"), winner=3, is_over=True),
    ),
    "resign-over": RuleExample(
        start=partial(
            build_full_board,
            seats=3,
            table={1: "A", 2: "H", 3: "E"},
            markers={1: (4, 3, 3), 2: (4, 3, 3)},
        ),
        actions=("2:resign", "I-e1-0"),
        outcome=Outcome(
            events=("resigned", "placed", "match ended"),
            scores={1: 2, 2: 2, 3: 8},
        ),
    ),
    "resign-silly": RuleExample(
        start=partial(build_last_tile, seats=3),
        actions=("2:resign", "I-e1-0"),
        outcome=Outcome(
            events=("resigned", "placed", "match ended"), scores={1: 16, 2: 0, 3: 8}, silly=(1, 3)
        ),
    ),
    "resign-maker": RuleExample(
        start=partial(build_marked_eight, seats=3, hands={1: ["TT"], 2: ["MI"]}),
        actions=("D-c2-0", "1:resign", "2:pass"),
        outcome=Outcome(
            events=("infinity", "asked", "resigned", "answered", "match ended"), scores={1: 8, 2: 0, 3: 0}
        ),
    ),
    "resign-pair": RuleExample(
        start=partial(build_two_circles, mode="pairs", seats=4),
        actions=("3:resign",),
        outcome=Outcome(events=("resigned", "game over"), winner=2, is_over=True),
    ),
}

COMPANY_EXAMPLES = {
    "pair-sides": RuleExample(
        start=partial(build_two_circles, mode="pairs", seats=4, turn=3),
        actions=("E-c4-0",),
        outcome=Outcome(
            owners={LEFT: 1, RIGHT: 1},
            points={1: 4, 2: 0},
            markers={1: {1: 4, 2: 2, 4: 3}, 2: {1: 4, 2: 4, 4: 3}},
        ),
    ),
    "pair-hands": RuleExample(
        start=partial(build_card_turn, "TT", mode="pairs", seats=4, hands={1: ["TT"], 3: ["OO"]}),
        outcome=Outcome(partner_hand=("OO",)),
    ),
    "pair-swap": RuleExample(
        start=partial(build_card_turn, "MI", mode="pairs", seats=4, table={1: "A", 2: "B", 3: "C", 4: "H"}),
        actions=("MI-3",),
        outcome=Outcome(events=("played",), table={1: "C", 2: "B", 3: "A", 4: "H"}),
    ),
    "pair-rob": RuleExample(
        start=partial(build_card_turn, "AK", mode="pairs", seats=4, hands={1: ["AK"], 2: ["TT"], 3: ["OO"]}),
        refused={"AK-3": "no-target"},
        outcome=Outcome(actions=frozenset({"draw", "AK-2"})),
    ),
    "pair-answer": RuleExample(
        start=partial(build_marked_eight, mode="pairs", seats=4, hands={1: ["OO"], 3: ["OO"]}),
        actions=("D-c2-0", "3:8"),
        outcome=Outcome(events=("asked", "answered", "match ended"), scores={1: 10, 2: 0}),
    ),
    "solo-begin": RuleExample(
        start=partial(begin_game, mode="solo", seats=1),
        outcome=Outcome(tower=31, table={1: None}, cards={1: 0}),
    ),
    "solo-goes-on": RuleExample(
        start=partial(build_solo_turn, EIGHT_GAP, drawn="D", tower="AB"),
        actions=("D-c4-0",),
        outcome=Outcome(events=("infinity", "drew"), is_over=False, drawn="A"),
    ),
    "solo-must": RuleExample(
        start=partial(build_solo_turn, EIGHT_GAP | EIGHT_END | {"b2": "H", "c2": "D"}, drawn="H"),
        refused={"H-a3-0": "must-make-eight"},
        outcome=Outcome(actions=frozenset({"H-d2-0"})),
    ),
    "solo-lost": RuleExample(
        start=partial(build_solo_turn, QUIET_BOARD, drawn="I"),
        actions=("I-e1-0",),
        outcome=Outcome(ended="full", scores={1: 0}, winner=0, is_over=True),
    ),
    "solo-won": RuleExample(
        start=partial(begin_game, mode="solo", seats=1, key=SOLO_KEY),
        actions=SOLO_ACTIONS,
        outcome=Outcome(ended="won", scores={1: 39}, winner=1, is_over=True),
    ),
    "solo-small": RuleExample(
        start=build_small_win,
        actions=SMALL_WIN_ACTIONS[-3:],
        outcome=Outcome(ended="won", scores={1: 31}, winner=1, is_over=True),
    ),
    "solo-highest": RuleExample(
        start=partial(build_solo_turn, {}, drawn=HIGHEST_SOLO_TILES[0], tower=HIGHEST_SOLO_TILES[1:]),
        actions=HIGHEST_SOLO_ACTIONS,
        outcome=Outcome(ended="won", scores={1: 60}, winner=1, is_over=True),
    ),
}
