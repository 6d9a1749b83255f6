"""The error of a refused action names the rule and the alternatives; the state does not change."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine import (
    ActionError,
    IllegalAction,
    NotYourTurn,
    State,
    UnreadableAction,
    apply_action,
    dump_state,
    legal_actions,
)
from tests.factories.positions import build_position

GAP = {"b4": "H", "d4": "H"}  # D0 on c4 makes an 8
CIRCLE = {"b3": "E", "b4": "E"}  # E on c4 closes a circle
BESIDE_RING = ("a2", "a4", "b1", "b3", "b5", "c2", "c4", "d1", "d3", "d5", "e2", "e4")


def get_action_error(state: State, seat: int, action: Any) -> ActionError:
    before = dump_state(state)
    with pytest.raises(ActionError) as raised:
        apply_action(state, seat, action)
    assert dump_state(state) == before
    return raised.value


def build_card_position(hand: list[str], **fields: Any) -> State:
    """Seat 1 of three may play a card."""
    fields = {"phase": "start", "hands": {1: hand, 2: ["TT"]}, "seats": 3, **fields}
    return build_position({"b3": "B0", "d3": "I"}, **{"table": {1: "A", 2: "B", 3: "C"}, **fields})


def build_stolen_position(card: str) -> State:
    """Seat 1 has just kidnapped a card of seat 2."""
    return build_card_position(["TT"], hands={1: ["TT"], 2: ["ME"]}, phase="stolen", stolen=card)


def build_answer_position(hand: list[str]) -> State:
    """Seat 1 has made an 8 and is asked to answer it."""
    state = build_position({**GAP, "c5": "H"}, drawn="D", hands={1: hand})
    return apply_action(state, 1, "D-c4-0")[0]


def build_finished_game() -> State:
    return apply_action(build_position(drawn="A"), 2, "resign")[0]


@pytest.mark.parametrize(
    ("state", "action", "rule", "words"),
    [
        (build_position(drawn="A", table={1: "B"}), "C-c4-0", "no-such-tile", "you have B and A"),
        (build_position(drawn="A"), "C-c4-0", "no-such-tile", "you have A"),
        (build_position(drawn="A"), "Z-c4-0", "no-such-tile", "you do not have tile Z"),
        (build_position(drawn="A"), "A-c3-0", "cell-taken", "c3 is taken"),
        (build_position({"c4": "H"}, drawn="A"), "A-c4-0", "cell-taken", "c4 is taken"),
        (build_position(drawn="A"), "A-b2-0", "not-beside", "b2 is not beside a tile"),
        (build_position(drawn="A"), "A-e5-0", "not-beside", "e5 is not beside a tile"),
        (build_position(drawn="A", table={1: "J"}), "J-c4-0", "dark-tile", "never place"),
        (build_position(drawn="J", table={1: "A"}), "J-c4-0", "dark-tile", "never place"),
        (build_position(drawn="I", table={1: "A"}), "A-c4-0", "zero-tile", "zero tile I"),
        (build_position(drawn="A", table={1: "I"}), "A-c4-0", "zero-tile", "zero tile I"),
        (build_position(drawn="C"), "C-c4-180", "rotation", "write 0"),
        (build_position(drawn="D"), "D-c4-270", "rotation", "write 90"),
        (build_position(drawn="H"), "H-c4-90", "rotation", "write 0"),
        (build_position(drawn="A"), "draw", "must-place", "must place"),
        (build_position(drawn="A", hands={1: ["TT"]}), "TT", "must-place", "must place"),
        (build_position(drawn="A"), "8", "no-infinity", "nobody has made an 8"),
        (build_position(drawn="A"), "pass", "no-infinity", "nobody has made an 8"),
        (build_card_position(["TT"]), "A-c4-0", "draw-first", "`draw`"),
        (build_card_position(["TT"]), "RC", "no-such-card", "you do not hold RC"),
        (build_card_position(["TT"]), "CV=TT", "no-such-card", "you do not hold CV"),
        (build_card_position(["OO"]), "8", "no-infinity", "nobody has made an 8"),
        (build_card_position(["CV"]), "CV=8", "no-infinity", "nobody has made an 8"),
        (build_card_position(["OO"]), "pass", "no-infinity", "nobody has made an 8"),
        (build_card_position(["MI"]), "MI-1", "no-target", "only swap with seat 2 or seat 3"),
        (build_card_position(["MI"]), "MI-4", "no-target", "only swap with seat 2 or seat 3"),
        (build_card_position(["MI"], table={1: "A", 3: "C"}), "MI-2", "no-target", "only swap with seat 3"),
        (build_card_position(["MI"], table={2: "A"}), "MI-2", "no-target", "no table tile to swap"),
        (build_card_position(["AK"]), "AK-3", "no-target", "only rob seat 2"),
        (build_card_position(["AK"], hands={1: ["AK"]}), "AK-2", "no-target", "no opponent holds a card"),
        (build_card_position(["CV"]), "CV=AK-3", "no-target", "only rob seat 2"),
        (build_card_position(["CV"]), "CV=RV-cw", "no-such-card", "this edition has no RV"),
        (build_card_position(["CV"], edition="bannan-nl"), "CV=RC", "no-such-card", "this edition has no RC"),
        (build_card_position(["QL"]), "QL-c3-d5-0", "centre", "the centre tile never moves"),
        (build_card_position(["QL"]), "QL-a1-d5-0", "cell-empty", "there is no tile on a1"),
        (build_card_position(["QL"]), "QL-b3-d3-0", "cell-taken", "d3 is taken"),
        (build_card_position(["QL"]), "QL-b3-c3-0", "cell-taken", "c3 is taken"),
        (build_card_position(["QL"]), "QL-b3-b3-0", "no-change", "must change something"),
        (build_card_position(["QL"]), "QL-d3-d3-0", "no-change", "must change something"),
        (build_card_position(["QL"]), "QL-d3-d3-90", "no-change", "must change something"),
        (build_card_position(["QL"]), "QL-d3-e5-90", "rotation", "write 0"),
        (build_card_position(["CV"]), "CV=QL-b3-d3-0", "cell-taken", "d3 is taken"),
        (build_answer_position(["OO"]), "CV=8", "no-such-card", "you do not hold CV"),
        (build_answer_position(["CV"]), "8", "no-such-card", "you do not hold OO"),
        (build_answer_position(["TT"]), "TT", "must-answer", "`8`, `CV=8` or `pass`"),
        (build_answer_position(["TT"]), "draw", "must-answer", "`8`, `CV=8` or `pass`"),
        (build_answer_position(["TT"]), "A-c4-0", "must-answer", "`8`, `CV=8` or `pass`"),
        (build_finished_game(), "A-c4-0", "over", "the game is over"),
        (build_finished_game(), "draw", "over", "the game is over"),
        (build_finished_game(), "resign", "over", "the game is over"),
    ],
)
def test_a_refusal_names_its_rule(state: State, action: str, rule: str, words: str) -> None:
    error = get_action_error(state, 1, action)
    assert isinstance(error, IllegalAction)
    assert error.rule == rule
    assert words in str(error)


def test_a_leap_of_a_marked_tile_names_the_figure() -> None:
    state = build_position({"a1": "E"}, phase="start", hands={1: ["QL"]}, marked={("frame+a1", 2): 2})
    error = get_action_error(state, 1, "QL-a1-d5-0")
    assert error.rule == "marked-figure"
    assert "frame+a1" in str(error)


def test_who_can_make_an_8_sees_every_way_to() -> None:
    state = build_position({**GAP, "b2": "H", "d2": "H"}, drawn="D", table={1: "H"})
    for action in ("H-c4-0", "D-c4-90", "D-a4-0"):
        error = get_action_error(state, 1, action)
        assert error.rule == "must-make-eight"
        assert "you can make an 8" in str(error)
        assert set(error.alternatives) == {"D-c4-0", "D-c2-0", "D-b3-90", "D-d3-90"}
        assert all(action in str(error) for action in error.alternatives)


def test_who_can_close_a_figure_sees_every_way_to() -> None:
    state = build_position(CIRCLE, drawn="B", table={1: "E"})
    for action in ("E-d3-0", "B-c4-180", "B-c2-0"):
        error = get_action_error(state, 1, action)
        assert error.rule == "must-close"
        assert "you can close a figure" in str(error)
        assert set(error.alternatives) == {"E-c4-0", "B-c4-0", "B-c4-90"}


def test_a_long_list_of_ways_is_cut_in_the_message_but_not_in_the_list() -> None:
    ring = dict.fromkeys(("b2", "b4", "d2", "d4"), "H")
    error = get_action_error(build_position(ring, drawn="H", table={1: "A"}), 1, "A-c4-0")
    # each H has four free sides; b3, c2, c4, d3 lie beside two of them
    expected_actions = {f"H-{cell}-0" for cell in BESIDE_RING}
    assert set(error.alternatives) == expected_actions
    assert str(error).endswith("and 6 more")


def test_a_kidnapped_card_must_be_played_and_the_ways_are_listed() -> None:
    state = build_stolen_position("MI")
    for action in ("draw", "TT", "A-c4-0", "pass", "AK-2"):
        error = get_action_error(state, 1, action)
        assert error.rule == "must-play-stolen"
        assert error.alternatives == ("MI-2", "MI-3")
        assert "kidnapped card MI" in str(error)
    assert get_action_error(state, 1, "MI-1").rule == "no-target"


def test_where_nothing_helps_no_ways_are_listed() -> None:
    assert get_action_error(build_position(drawn="A"), 1, "A-e5-0").alternatives == ()


@pytest.mark.parametrize("seat", [2, 3])
def test_a_seat_that_is_not_on_turn_reads_whose_turn_it_is(seat: int) -> None:
    for state in (
        build_position(drawn="A", seats=3),
        build_card_position(["TT"]),
        build_stolen_position("MI"),
    ):
        error = get_action_error(state, seat, "draw")
        assert isinstance(error, NotYourTurn)
        assert error.rule == "not-yours"
        assert str(error) == "it is the turn of seat 1"


@pytest.mark.parametrize("seat", [0, 3, -1, 99])
def test_a_seat_that_is_not_there_is_refused(seat: int) -> None:
    state = build_position(drawn="A")
    for action in ("A-c4-0", "resign"):
        error = get_action_error(state, seat, action)
        assert isinstance(error, NotYourTurn)
        assert str(error) == f"there is no seat {seat}"


def test_a_seat_that_is_not_asked_reads_who_is() -> None:
    error = get_action_error(build_answer_position(["TT"]), 2, "pass")
    assert isinstance(error, NotYourTurn)
    assert "only seat 1 can answer" in str(error)


def test_a_seat_that_is_asked_though_not_on_turn_reads_how_to_answer() -> None:
    state = build_position({**GAP, "e5": "E"}, drawn="D", hands={2: ["TT"]}, marked={("frame+e5", 2): 2})
    state, _ = apply_action(state, 1, "D-c4-0")
    assert get_action_error(state, 2, "8").rule == "no-such-card"
    assert get_action_error(state, 2, "draw").rule == "must-answer"
    assert isinstance(get_action_error(state, 1, "pass"), NotYourTurn)


def test_a_side_that_has_resigned_can_do_nothing_more() -> None:
    state, _ = apply_action(build_position(drawn="A", seats=3), 3, "resign")
    second_error = get_action_error(state, 3, "resign")
    assert (type(second_error), second_error.rule) == (IllegalAction, "resigned")
    move = get_action_error(state, 3, "draw")
    assert isinstance(move, NotYourTurn)
    assert "resigned" in str(move)


@pytest.mark.parametrize(
    "action",
    [
        "",
        "b-b3-90",
        "B b3 90",
        "B-b3-90 ",
        "B-b3-45",
        "B-b3-090",
        "B-f3-0",
        "Draw",
        "tt",
        "TT-1",
        "MI",
        "MI-0",
        "MI-10",
        "RV",
        "RV-CW",
        "QL-b3-d5",
        "CV",
        "CV=CV",
        "CV=draw",
        "CV=pass",
        "cv=8",
        "OO",
        "PASS",
        "B-b3-90\n",
        "B-b3-٩٠",
        "x" * 5000,
        None,
        8,
        b"draw",
    ],
)
def test_only_canonical_strings_are_actions(action: object) -> None:
    for state in (
        build_position(drawn="B"),
        build_card_position(["CV", "TT"]),
        build_answer_position(["OO"]),
        build_finished_game(),
    ):
        error = get_action_error(state, 1, action)
        assert isinstance(error, UnreadableAction)
        assert error.rule == "unreadable"
        assert len(str(error)) < 80


def test_no_refusal_tells_an_onlooker_what_another_seat_holds() -> None:
    messages = set()
    for hand in (["TT"], ["CV"], ["MI", "AK"], ["OO"]):
        state = build_card_position(hand, hands={1: hand, 2: ["ME"]})
        messages.add(
            tuple(str(get_action_error(state, 2, action)) for action in ("ME", "draw", "MI-1", "8", "B-c4-0"))
        )
    assert len(messages) == 1


def test_what_is_legal_is_never_refused_and_nothing_else_is_accepted() -> None:
    state = build_position({**CIRCLE, "d3": "A"}, drawn="B", table={1: "C"})
    legal = set(legal_actions(state, 1))
    for tile in "ABCDEFGHIJ":
        for cell in (f"{column}{row}" for column in "abcde" for row in range(1, 6)):
            for rotation in (0, 90, 180, 270):
                action = f"{tile}-{cell}-{rotation}"
                if action in legal:
                    apply_action(state, 1, action)
                else:
                    assert isinstance(get_action_error(state, 1, action), IllegalAction)
