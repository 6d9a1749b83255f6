"""The small print of the rules page: each statement beside what the engine does."""

from __future__ import annotations

import re

import pytest
from django.conf import settings

from games.engine import Setup, apply_action, build_view, legal_actions, start_game
from games.engine.board import FULL_BOARD_MASK
from games.engine.solo import score_solo_match
from tests.factories.positions import build_position, build_zero_board

# An E on c4 closes two circles: to its left b3+b4+c3+c4, to its right c3+c4+d3+d4.
TWO_CIRCLES = {"b3": "E", "b4": "E", "d3": "E", "d4": "E"}
LEFT, RIGHT = "b3+b4+c3+c4", "c3+c4+d3+d4"
# D0 on c4 makes an 8 and closes the small circle c4+c5.
EIGHT_AND_CIRCLE = {"b4": "H", "d4": "H", "c5": "H"}


def check_open_tile() -> None:
    state, events = start_game(Setup(cards=False))
    assert build_view(state)["drawn"] == next(event["tile"] for event in events if event["event"] == "drew")


def check_four_cells() -> None:
    state = build_position(drawn="A", table={1: "B", 2: "C"})
    assert {action[2:4] for action in legal_actions(state, 1)} == {"b3", "c2", "c4", "d3"}


def check_hand_sizes() -> None:
    view = build_view(build_position(hands={1: ["TT", "OO"], 2: ["CV"]}, phase="start"))
    assert [seat["cards"] for seat in view["seats"]] == [2, 1]
    assert "you" not in view


def check_first_special() -> None:
    dealt = {
        tile
        for n in range(60)
        for tile in start_game(Setup(seats=4, cards=True, key=bytes([n] * 32)))[0].table_tiles
    }
    assert {"I", "J"} <= dealt
    state = build_position(phase="start", table={1: "J", 2: "A"}, hands={1: ["RC"]})
    assert apply_action(state, 1, "RC")[0].table_tiles[2] == "J"


def check_travel_dark() -> None:
    state = build_position(phase="start", table={1: "J", 2: "A"}, hands={1: ["TT"]}, tower="JEAB")
    state, events = apply_action(state, 1, "TT")
    assert [event["event"] for event in events].count("dark tiles left") == 1
    assert (state.turn, state.extra_turn, state.phase) == (1, 2, "place")


def check_last_markers() -> None:
    state = build_position(
        TWO_CIRCLES, drawn="E", table={1: "A", 2: "A"}, markers={1: (4, 1, 3), 2: (0, 0, 0)}
    )
    state, _ = apply_action(state, 1, "E-c4-0")
    owners = {figure["place"]: figure["side"] for figure in build_view(state)["board"]["figures"]}
    assert owners == {LEFT: 1, RIGHT: None}


def check_no_return() -> None:
    board = build_zero_board("e1", a1="E")
    no_markers = {1: (0, 0, 0), 2: (0, 0, 0)}
    state = build_position(
        board, drawn="I", table={1: "J", 2: "J"}, unmarked={"frame+a1": 2}, markers=no_markers
    )
    state, _ = apply_action(state, 1, "I-e1-0")
    assert state.match_results[0]["scores"] == {"1": 0, "2": 0}
    state = build_position(TWO_CIRCLES, drawn="E", table={1: "A", 2: "A"}, hands={2: ["TT"]})
    state, _ = apply_action(state, 1, "E-c4-0")
    state, _ = apply_action(state, 2, "draw")
    assert state.markers_left[1] == (4, 2, 3)


def check_leap_breaks() -> None:
    cells = TWO_CIRCLES | {"c4": "E"}
    state = build_position(
        cells, phase="start", hands={1: ["QL"]}, unmarked={LEFT: 2, RIGHT: 2}, markers={1: (4, 0, 3)}
    )
    assert "QL-b4-a1-0" in legal_actions(state, 1)
    state, _ = apply_action(state, 1, "QL-b4-a1-0")
    assert LEFT not in [figure["place"] for figure in build_view(state)["board"]["figures"]]


def check_eight_closes() -> None:
    state = build_position(EIGHT_AND_CIRCLE, drawn="D", table={1: "A", 2: "A"}, hands={1: ["OO"]})
    state, _ = apply_action(state, 1, "D-c4-0")
    assert state.phase == "react"
    state, _ = apply_action(state, 1, "8")
    assert state.match_results[0]["scores"]["1"] == 8 + 1
    two = {"b4": "D0", "a4": "H", "d4": "D0", "e4": "H"}
    state, events = apply_action(build_position(two, drawn="H", table={1: "A", 2: "A"}), 1, "H-c4-0")
    assert [event["event"] for event in events].count("infinity") == 2
    assert state.match_results[0]["scores"]["1"] == 8


def check_empty_tower() -> None:
    state = build_position(
        {"a1": "E", "b1": "I"},
        drawn="I",
        tower="",
        unmarked={"frame+a1": 2},
        hands={2: ["TT"]},
        table={1: "A", 2: "A"},
    )
    state, events = apply_action(state, 1, "I-c4-0")
    assert (state.phase, state.turn) == ("start", 2)
    assert [event["event"] for event in events].count("claimed") == 1
    state, _ = apply_action(state, 2, "draw")
    assert state.match_results[0]["ended"] == "tower"


def check_solo_score() -> None:
    def score(free_cells: int, unmarked: int) -> int:
        state, _ = start_game(Setup(mode="solo", seats=1))
        end = state.mutable_copy()
        end.phase = "won"
        end.filled_mask = FULL_BOARD_MASK >> free_cells
        end.unmarked_figures = tuple((place, 2) for place in range(unmarked))
        return score_solo_match(end)

    assert score(3, 1) == 24 + 8 + 6 - 1 == 37
    assert score(14, 0) == 60


CHECKS = {
    "open-tile": check_open_tile,
    "four-cells": check_four_cells,
    "hand-sizes": check_hand_sizes,
    "first-special": check_first_special,
    "travel-dark": check_travel_dark,
    "last-markers": check_last_markers,
    "no-return": check_no_return,
    "leap-breaks": check_leap_breaks,
    "eight-closes": check_eight_closes,
    "empty-tower": check_empty_tower,
    "solo-score": check_solo_score,
}


@pytest.mark.parametrize("name", CHECKS)
def test_the_engine_plays_what_the_small_print_says(name: str) -> None:
    CHECKS[name]()


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_every_statement_of_the_small_print_is_checked(language: str) -> None:
    source = (settings.BASE_DIR / "templates/games/rules" / f"{language}.html").read_text()
    section = source.split('<section id="details">')[1].split("</section>")[0]
    assert re.findall(r'<li id="([a-z-]+)">', section) == list(CHECKS)
    assert section.count("<li") == len(CHECKS)
