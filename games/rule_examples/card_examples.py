"""Examples of the secret cards, and of the answers to an 8."""

from __future__ import annotations

from functools import partial

from games.engine import State
from games.positions import build_position

from .board_examples import LEFT, RIGHT, TWO_CIRCLES, begin_game
from .example import Outcome, RuleExample
from .turn_examples import EIGHT_GAP

EIGHT_AND_CIRCLE = EIGHT_GAP | {"b5": "I", "c5": "H"}  # a D on c4 makes an 8 and closes a small circle
THREE_TABLE_TILES = {1: "A", 2: "B", 3: "C"}


def build_card_turn(card: str, **fields: object) -> State:
    """Anna's turn begins, with one card in her hand."""
    arguments: dict[str, object] = {
        "cells": {"c4": "I"},
        "phase": "start",
        "table": {1: "A", 2: "B"},
        "hands": {1: [card]},
        "tower": "CCCC",
    }
    return build_position(**arguments | fields)  # type: ignore[arg-type]


def build_marked_eight(**fields: object) -> State:
    """Anna can make an 8. Anna and Bruno have a circle each."""
    arguments: dict[str, object] = {
        "cells": TWO_CIRCLES | {"c4": "E", "b2": "H", "d2": "H"},
        "marked": {(LEFT, 2): 1, (RIGHT, 2): 2},
        "drawn": "D",
        "table": {1: "A", 2: "B", 3: "A", 4: "A"},
    }
    return build_position(**arguments | fields)  # type: ignore[arg-type]


CARD_EXAMPLES = {
    "deck": RuleExample(
        start=begin_game,
        outcome=Outcome(
            deck={"TT": 4, "MI": 4, "RC": 4, "RA": 4, "QL": 4, "ME": 4, "AK": 4, "OO": 4, "CV": 1}
        ),
        editions=("arcastudio-2.2", "pergioco-72"),
    ),
    "deck-either-way": RuleExample(
        start=partial(begin_game),
        outcome=Outcome(deck={"TT": 4, "MI": 4, "RV": 8, "QL": 4, "ME": 4, "AK": 4, "OO": 4, "CV": 1}),
        editions=("bannan-nl",),
    ),
    "out-of-game": RuleExample(
        start=partial(build_card_turn, "TT"),
        actions=("TT",),
        outcome=Outcome(events=("played", "drew"), cards={1: 0, 2: 0}),
    ),
    "no-cards": RuleExample(
        start=partial(begin_game, cards=False),
        outcome=Outcome(cards={1: 0, 2: 0}),
    ),
    "cards-later": RuleExample(
        start=partial(begin_game, cards_from=2),
        outcome=Outcome(cards={1: 0, 2: 0}),
    ),
    "travel": RuleExample(
        start=partial(build_card_turn, "TT", hands={1: ["TT", "ME"]}),
        actions=("TT", "C-d3-0"),
        refused={"ME": "must-place"},
        outcome=Outcome(events=("played", "placed", "second turn", "drew"), cards={1: 1, 2: 0}, turn=1),
    ),
    "travel-end": RuleExample(
        start=partial(build_card_turn, "TT", cells=EIGHT_GAP, tower="D"),
        actions=("TT", "D-c4-0"),
        outcome=Outcome(events=("played", "infinity", "match ended", "match began"), scores={1: 8, 2: 0}),
    ),
    "travel-dark": RuleExample(
        start=partial(build_card_turn, "TT", table={1: "J", 2: "A"}, tower="JEAB"),
        actions=("TT",),
        outcome=Outcome(events=("dark tiles left", "second turn", "drew"), turn=1, drawn="A"),
    ),
    "inversion": RuleExample(
        start=partial(build_card_turn, "MI", table=THREE_TABLE_TILES, seats=3),
        actions=("MI-3",),
        outcome=Outcome(events=("played", "drew"), table={1: "C", 2: "B", 3: "A"}),
    ),
    "inversion-none": RuleExample(
        start=partial(build_card_turn, "MI", table={1: "A"}),
        refused={"MI-2": "no-target"},
    ),
    "clockwise": RuleExample(
        start=partial(build_card_turn, "RC", table=THREE_TABLE_TILES, seats=3),
        actions=("RC",),
        outcome=Outcome(events=("played",), table={1: "C", 2: "A", 3: "B"}),
        editions=("arcastudio-2.2", "pergioco-72"),
    ),
    "anti-clockwise": RuleExample(
        start=partial(build_card_turn, "RA", table=THREE_TABLE_TILES, seats=3),
        actions=("RA",),
        outcome=Outcome(events=("played",), table={1: "B", 2: "C", 3: "A"}),
        editions=("arcastudio-2.2", "pergioco-72"),
    ),
    "either-way": RuleExample(
        start=partial(build_card_turn, "RV", table=THREE_TABLE_TILES, seats=3),
        actions=("RV-ccw",),
        outcome=Outcome(events=("played",), table={1: "B", 2: "C", 3: "A"}),
        editions=("bannan-nl",),
    ),
    "leap": RuleExample(
        start=partial(build_card_turn, "QL", cells={"c4": "I", "d3": "B"}),
        actions=("QL-d3-a5-90",),
        outcome=Outcome(events=("played", "drew"), cell_tiles={"a5": "B90"}),
    ),
    "leap-turn": RuleExample(
        start=partial(build_card_turn, "QL", cells={"c4": "B"}),
        actions=("QL-c4-c4-90",),
        outcome=Outcome(events=("played", "drew"), cell_tiles={"c4": "B90"}),
    ),
    "leap-fixed": RuleExample(
        start=partial(
            build_card_turn, "QL", cells=TWO_CIRCLES | {"c4": "E"}, marked={(LEFT, 2): 1, (RIGHT, 2): 2}
        ),
        refused={"QL-c3-a1-0": "centre", "QL-b4-a1-0": "marked-figure"},
    ),
    "leap-eight": RuleExample(
        start=partial(build_card_turn, "QL", cells=EIGHT_GAP | {"c2": "D"}),
        actions=("QL-c2-c4-0",),
        outcome=Outcome(events=("played", "infinity", "match ended"), scores={1: 8, 2: 0}),
    ),
    "leap-change": RuleExample(
        start=partial(build_card_turn, "QL", cells={"c4": "B"}),
        refused={"QL-c4-c4-0": "no-change"},
    ),
    "leap-breaks": RuleExample(
        start=partial(
            build_card_turn,
            "QL",
            cells=TWO_CIRCLES | {"c4": "E"},
            unmarked={LEFT: 2, RIGHT: 2},
            markers={1: (4, 0, 3), 2: (4, 0, 3)},
        ),
        actions=("QL-b4-a5-0",),
        outcome=Outcome(events=("played",), owners={RIGHT: None}, cell_tiles={"a5": "B"}),
    ),
    "meteorite": RuleExample(
        start=partial(build_card_turn, "ME", table=THREE_TABLE_TILES, seats=3, tower="EHDC"),
        actions=("ME",),
        outcome=Outcome(events=("played", "new tiles", "drew"), table={1: "E", 2: "H", 3: "D"}),
    ),
    "meteorite-short": RuleExample(
        start=partial(
            build_card_turn,
            "ME",
            cells={"a1": "E", "b1": "I", "c1": "I", "c2": "I"},
            marked={("frame+a1", 2): 1},
            tower="E",
        ),
        actions=("ME",),
        outcome=Outcome(events=("played", "new tiles", "match ended"), ended="tower", scores={1: 2, 2: 0}),
    ),
    "kidnap": RuleExample(
        start=partial(build_card_turn, "AK", hands={1: ["AK"], 2: ["MI"]}),
        actions=("AK-2", "MI-2"),
        outcome=Outcome(
            events=("played", "kidnapped", "played", "drew"), table={1: "B", 2: "A"}, cards={1: 0, 2: 0}
        ),
    ),
    "kidnap-must": RuleExample(
        start=partial(build_card_turn, "AK", hands={1: ["AK"], 2: ["TT"]}),
        actions=("AK-2",),
        refused={"draw": "must-play-stolen"},
        outcome=Outcome(events=("played", "kidnapped"), actions=frozenset({"TT"})),
    ),
    "kidnap-lost": RuleExample(
        start=partial(build_card_turn, "AK", hands={1: ["AK"], 2: ["OO"]}),
        actions=("AK-2",),
        outcome=Outcome(events=("kidnapped", "lost card", "drew"), cards={1: 0, 2: 0}),
    ),
    "eight-card": RuleExample(
        start=partial(build_card_turn, "OO"),
        refused={"8": "no-infinity"},
        outcome=Outcome(actions=frozenset({"draw"})),
    ),
    "wildcard": RuleExample(
        start=partial(build_card_turn, "CV", tower="EHC"),
        actions=("CV=ME",),
        outcome=Outcome(events=("played", "new tiles"), table={1: "E", 2: "H"}, cards={1: 0, 2: 0}),
    ),
}

EIGHT_EXAMPLES = {
    "unmarked-at-eight": RuleExample(
        start=partial(
            build_position,
            EIGHT_AND_CIRCLE,
            drawn="D",
            table={1: "A", 2: "A"},
            markers={1: (0, 4, 3)},
            hands={2: ["OO"]},
        ),
        actions=("D-c4-0", "2:8"),
        outcome=Outcome(
            events=("closed", "claimed", "infinity", "asked", "answered", "match ended"),
            scores={1: 8, 2: 1},
        ),
        editions=("bannan-nl",),
    ),
    "unmarked-at-leap": RuleExample(
        start=partial(
            build_card_turn,
            "QL",
            cells=EIGHT_AND_CIRCLE | {"c2": "D"},
            markers={1: (0, 4, 3)},
            hands={1: ["QL"], 2: ["OO"]},
        ),
        actions=("QL-c2-c4-0", "2:8"),
        outcome=Outcome(
            events=("played", "closed", "claimed", "infinity", "answered", "match ended"),
            scores={1: 8, 2: 1},
        ),
        editions=("bannan-nl",),
    ),
    "eight-ends": RuleExample(
        start=build_marked_eight,
        actions=("D-c2-0",),
        outcome=Outcome(events=("infinity", "match ended"), ended="infinity", scores={1: 8, 2: 0}),
    ),
    "asked": RuleExample(
        start=partial(build_marked_eight, seats=4, hands={1: ["TT"], 2: ["MI"], 3: ["OO"]}),
        actions=("D-c2-0", "1:pass"),
        refused={"3:8": "NotYourTurn", "4:pass": "NotYourTurn"},
        outcome=Outcome(events=("infinity", "asked", "answered"), actions=frozenset({"pass"})),
    ),
    "answer-maker": RuleExample(
        start=partial(build_marked_eight, hands={1: ["OO"]}),
        actions=("D-c2-0", "8"),
        outcome=Outcome(events=("asked", "answered", "match ended"), scores={1: 10, 2: 0}),
    ),
    "answer-other": RuleExample(
        start=partial(build_marked_eight, hands={2: ["OO"]}),
        actions=("D-c2-0", "8"),
        outcome=Outcome(events=("asked", "answered", "match ended"), scores={1: 8, 2: 2}),
    ),
    "answer-wildcard": RuleExample(
        start=partial(build_marked_eight, hands={2: ["CV"]}),
        actions=("D-c2-0", "CV=8"),
        outcome=Outcome(events=("asked", "answered", "match ended"), scores={1: 8, 2: 2}),
    ),
    "eight-closes": RuleExample(
        start=partial(
            build_position,
            EIGHT_GAP | {"b5": "I", "c5": "H"},
            drawn="D",
            table={1: "A", 2: "A"},
            hands={1: ["OO"]},
        ),
        actions=("D-c4-0", "8"),
        outcome=Outcome(events=("closed", "infinity", "asked", "answered"), scores={1: 9, 2: 0}),
    ),
    "two-eights": RuleExample(
        start=partial(
            build_position,
            {"b3": "I", "b4": "D", "a4": "H", "d3": "I", "d4": "D", "e4": "H"},
            drawn="H",
            table={1: "A", 2: "A"},
        ),
        actions=("H-c4-0",),
        outcome=Outcome(events=("infinity", "infinity", "match ended"), scores={1: 8, 2: 0}),
    ),
}
