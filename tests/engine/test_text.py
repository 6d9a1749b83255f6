"""The plain-text board and the story in sentences."""

from __future__ import annotations

import json
import random

from games.engine import Setup, apply, legal_actions, start, text, view

from .positions import position


def test_the_board_reads_well_in_a_fixed_width_font() -> None:
    state = position(
        {"a1": "E", "b1": "H", "b2": "D90", "c2": "B270", "c1": "H"},
        marked={("frame+a1", 2): 1, ("b1+c1", 1): 2, ("frame+e4+e5", 4): 2},
        unmarked={"b2+b3+c2+c3": 2, "b1+b2": 1},
        drawn="A",
        table={1: "B", 2: "J"},
        hands={1: ["QL", "CV"]},
    )
    assert text.board(view(state)) == "\n".join(
        [
            "       a        b        c        d        e",
            "   + ------ + ------ + ------ + ------ + ------ +",
            "5  |   .    |   .    |   .    |   .    |   .    | 5",
            "   + ------ + ------ + ------ + ------ + ------[2]",
            "4  |   .    |   .    |   .    |   .    |   .    | 4",
            "   + ------ + ------ + ------ + ------ + ------ +",
            "3  |   .    |   .    |   E    |   .    |   .    | 3",
            "   + ------ + ------(?)------ + ------ + ------ +",
            "2  |   .    |  D90   |  B270  |   .    |   .    | 2",
            "   + ------ + --o?-- + ------ + ------ + ------ +",
            "1  |   E    |   H    o2  H    |   .    |   .    | 1",
            "  (1)------ + ------ + ------ + ------ + ------ +",
            "       a        b        c        d        e",
        ]
    )


def test_the_summary_tells_tiles_cards_and_scores() -> None:
    state = position(
        drawn="A", table={1: "B", 2: "J"}, hands={1: ["QL", "CV"], 2: ["TT"]}, tower="EE", totals={1: 8}
    )
    assert text.summary(view(state, 1)) == [
        "Match 1: side 1 has 0 here and 8 in all, side 2 has 0 here and 0 in all",
        "Seat 1: tile B on the table, 2 cards",
        "Seat 2: tile J on the table, 1 card",
        "Drawn: A",
        "Tower: 2 tiles left",
        "Your cards: Quantum leap (QL), Cosmic void (CV)",
    ]
    assert "Time travel" not in "\n".join(text.summary(view(state, 1)))


def test_figures_are_listed_in_words() -> None:
    state = position(
        {"a1": "E"},
        marked={("frame+a1", 2): 1},
        unmarked={"b2+b3+c2+c3": 4},
        drawn="A",
        table={1: "B", 2: "B"},
    )
    assert text.figures(view(state)) == [
        "a circle at the frame, a1: side 1, 2 points",
        "a square at b2, b3, c2, c3: unmarked, 4 points",
    ]


def test_an_8_is_shown_on_its_three_tiles() -> None:
    state = position({"b2": "H", "d2": "H"}, drawn="D", table={1: "A", 2: "A"}, hands={2: ["OO"]},
                     marked={("frame+a1", 2): 2})  # fmt: skip
    after, events = apply(state, 1, "D-c2-0")
    assert after.phase == "react"
    assert text.board(view(after)).count("#H#") == 2
    assert "#D#" in text.board(view(after))
    assert "Seat 1 made an 8 around c2!" in [text.tell(event) for event in events]


def test_every_event_of_many_games_can_be_told_in_one_sentence() -> None:
    rng = random.Random("told")
    kinds = set()
    for number in range(60):
        mode = ("singles", "pairs", "solo")[number % 3]
        seats = {"singles": 2 + number % 2, "pairs": 4, "solo": 1}[mode]
        edition = ("arcastudio-2.2", "bannan-nl")[number % 2]
        setup = Setup(
            mode=mode, seats=seats, edition=edition, target=rng.choice([1, 24]), key=rng.randbytes(32)
        )
        state, events = start(setup)
        while True:
            for event in events:
                kinds.add(event["event"])
                json.dumps(event)
                sentence = text.tell(event)
                assert sentence[0].isupper()
                assert sentence[-1] in ".!"
                assert "None" not in sentence
            if state.over:
                break
            seat = rng.choice(state.to_act)
            action = "resign" if rng.random() < 0.003 else rng.choice(legal_actions(state, seat))
            state, events = apply(state, seat, action)
        text.board(view(state))
        text.summary(view(state, 1))
    assert kinds >= set(text._STORY) - {"shoot-out"}
