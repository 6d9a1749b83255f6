"""A refused action names the rule that forbids it, says what would be right, and changes nothing."""

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

from .positions import position

GAP = {"b4": "H", "d4": "H"}  # D0 on c4 makes an 8
CIRCLE = {"b3": "E", "b4": "E"}  # E on c4 closes a circle
BESIDE_RING = ("a2", "a4", "b1", "b3", "b5", "c2", "c4", "d1", "d3", "d5", "e2", "e4")


def refused(state: State, seat: int, action: Any) -> ActionError:
    before = dump_state(state)
    with pytest.raises(ActionError) as refusal:
        apply_action(state, seat, action)
    assert dump_state(state) == before
    return refusal.value


def cards(hand: list[str], **facts: Any) -> State:
    """Seat 1 of three may play a card."""
    facts = {"phase": "start", "hands": {1: hand, 2: ["TT"]}, "seats": 3, **facts}
    return position({"b3": "B0", "d3": "I"}, **{"table": {1: "A", 2: "B", 3: "C"}, **facts})


def stolen(card: str) -> State:
    """Seat 1 has just kidnapped a card of seat 2."""
    return cards(["TT"], hands={1: ["TT"], 2: ["ME"]}, phase="stolen", stolen=card)


def answering(hand: list[str]) -> State:
    """Seat 1 has made an 8 and is asked to answer it."""
    state = position({**GAP, "c5": "H"}, drawn="D", hands={1: hand})
    return apply_action(state, 1, "D-c4-0")[0]


def over() -> State:
    return apply_action(position(drawn="A"), 2, "resign")[0]


@pytest.mark.parametrize(
    ("state", "action", "rule", "words"),
    [
        (position(drawn="A", table={1: "B"}), "C-c4-0", "no-such-tile", "you have B and A"),
        (position(drawn="A"), "C-c4-0", "no-such-tile", "you have A"),
        (position(drawn="A"), "Z-c4-0", "no-such-tile", "you do not have tile Z"),
        (position(drawn="A"), "A-c3-0", "cell-taken", "c3 is taken"),
        (position({"c4": "H"}, drawn="A"), "A-c4-0", "cell-taken", "c4 is taken"),
        (position(drawn="A"), "A-b2-0", "not-beside", "b2 is not beside a tile"),
        (position(drawn="A"), "A-e5-0", "not-beside", "e5 is not beside a tile"),
        (position(drawn="A", table={1: "J"}), "J-c4-0", "dark-tile", "never placed"),
        (position(drawn="J", table={1: "A"}), "J-c4-0", "dark-tile", "never placed"),
        (position(drawn="I", table={1: "A"}), "A-c4-0", "zero-tile", "zero tile I"),
        (position(drawn="A", table={1: "I"}), "A-c4-0", "zero-tile", "zero tile I"),
        (position(drawn="C"), "C-c4-180", "rotation", "write 0"),
        (position(drawn="D"), "D-c4-270", "rotation", "write 90"),
        (position(drawn="H"), "H-c4-90", "rotation", "write 0"),
        (position(drawn="A"), "draw", "must-place", "must place"),
        (position(drawn="A", hands={1: ["TT"]}), "TT", "must-place", "must place"),
        (position(drawn="A"), "8", "no-infinity", "nobody has made an 8"),
        (position(drawn="A"), "pass", "no-infinity", "nobody has made an 8"),
        (cards(["TT"]), "A-c4-0", "draw-first", "`draw`"),
        (cards(["TT"]), "RC", "no-such-card", "you do not hold RC"),
        (cards(["TT"]), "CV=TT", "no-such-card", "you do not hold CV"),
        (cards(["OO"]), "8", "no-infinity", "nobody has made an 8"),
        (cards(["CV"]), "CV=8", "no-infinity", "nobody has made an 8"),
        (cards(["OO"]), "pass", "no-infinity", "nobody has made an 8"),
        (cards(["MI"]), "MI-1", "no-target", "seat 2 or seat 3 only"),
        (cards(["MI"]), "MI-4", "no-target", "seat 2 or seat 3 only"),
        (cards(["MI"], table={1: "A", 3: "C"}), "MI-2", "no-target", "seat 3 only"),
        (cards(["MI"], table={2: "A"}), "MI-2", "no-target", "no table tile to swap"),
        (cards(["AK"]), "AK-3", "no-target", "seat 2 only"),
        (cards(["AK"], hands={1: ["AK"]}), "AK-2", "no-target", "no opponent holds a card"),
        (cards(["CV"]), "CV=AK-3", "no-target", "seat 2 only"),
        (cards(["CV"]), "CV=RV-cw", "no-such-card", "this edition has no RV"),
        (cards(["CV"], edition="bannan-nl"), "CV=RC", "no-such-card", "this edition has no RC"),
        (cards(["QL"]), "QL-c3-d5-0", "centre", "the centre tile never moves"),
        (cards(["QL"]), "QL-a1-d5-0", "cell-empty", "there is no tile on a1"),
        (cards(["QL"]), "QL-b3-d3-0", "cell-taken", "d3 is taken"),
        (cards(["QL"]), "QL-b3-c3-0", "cell-taken", "c3 is taken"),
        (cards(["QL"]), "QL-b3-b3-0", "no-change", "must change something"),
        (cards(["QL"]), "QL-d3-d3-0", "no-change", "must change something"),
        (cards(["QL"]), "QL-d3-d3-90", "no-change", "must change something"),
        (cards(["QL"]), "QL-d3-e5-90", "rotation", "write 0"),
        (cards(["CV"]), "CV=QL-b3-d3-0", "cell-taken", "d3 is taken"),
        (answering(["OO"]), "CV=8", "no-such-card", "you do not hold CV"),
        (answering(["CV"]), "8", "no-such-card", "you do not hold OO"),
        (answering(["TT"]), "TT", "must-answer", "`8`, `CV=8` or `pass`"),
        (answering(["TT"]), "draw", "must-answer", "`8`, `CV=8` or `pass`"),
        (answering(["TT"]), "A-c4-0", "must-answer", "`8`, `CV=8` or `pass`"),
        (over(), "A-c4-0", "over", "the game is over"),
        (over(), "draw", "over", "the game is over"),
        (over(), "resign", "over", "the game is over"),
    ],
)
def test_a_refusal_names_its_rule(state: State, action: str, rule: str, words: str) -> None:
    refusal = refused(state, 1, action)
    assert isinstance(refusal, IllegalAction)
    assert refusal.rule == rule
    assert words in str(refusal)


def test_a_leap_of_a_marked_tile_names_the_figure() -> None:
    state = position({"a1": "E"}, phase="start", hands={1: ["QL"]}, marked={("frame+a1", 2): 2})
    refusal = refused(state, 1, "QL-a1-d5-0")
    assert refusal.rule == "marked-figure"
    assert "frame+a1" in str(refusal)


def test_who_can_make_an_8_is_told_every_way_to() -> None:
    state = position({**GAP, "b2": "H", "d2": "H"}, drawn="D", table={1: "H"})
    for action in ("H-c4-0", "D-c4-90", "D-a4-0"):
        refusal = refused(state, 1, action)
        assert refusal.rule == "must-make-eight"
        assert "you can make an 8" in str(refusal)
        assert set(refusal.alternatives) == {"D-c4-0", "D-c2-0", "D-b3-90", "D-d3-90"}
        assert all(way in str(refusal) for way in refusal.alternatives)


def test_who_can_close_a_figure_is_told_every_way_to() -> None:
    state = position(CIRCLE, drawn="B", table={1: "E"})
    for action in ("E-d3-0", "B-c4-180", "B-c2-0"):
        refusal = refused(state, 1, action)
        assert refusal.rule == "must-close"
        assert "you can close a figure" in str(refusal)
        assert set(refusal.alternatives) == {"E-c4-0", "B-c4-0", "B-c4-90"}


def test_a_long_list_of_ways_is_cut_in_the_message_but_not_in_the_list() -> None:
    ring = dict.fromkeys(("b2", "b4", "d2", "d4"), "H")
    refusal = refused(position(ring, drawn="H", table={1: "A"}), 1, "A-c4-0")
    # each H has four free sides; b3, c2, c4, d3 lie beside two of them
    ways = {f"H-{cell}-0" for cell in BESIDE_RING}
    assert set(refusal.alternatives) == ways
    assert str(refusal).endswith("and 6 more")


def test_a_kidnapped_card_must_be_played_and_the_ways_are_told() -> None:
    state = stolen("MI")
    for action in ("draw", "TT", "A-c4-0", "pass", "AK-2"):
        refusal = refused(state, 1, action)
        assert refusal.rule == "must-play-stolen"
        assert refusal.alternatives == ("MI-2", "MI-3")
        assert "kidnapped card MI" in str(refusal)
    assert refused(state, 1, "MI-1").rule == "no-target"


def test_where_nothing_helps_no_ways_are_told() -> None:
    assert refused(position(drawn="A"), 1, "A-e5-0").alternatives == ()


@pytest.mark.parametrize("seat", [2, 3])
def test_a_seat_that_is_not_on_turn_is_told_whose_turn_it_is(seat: int) -> None:
    for state in (position(drawn="A", seats=3), cards(["TT"]), stolen("MI")):
        refusal = refused(state, seat, "draw")
        assert isinstance(refusal, NotYourTurn)
        assert refusal.rule == "not-yours"
        assert str(refusal) == "it is the turn of seat 1"


@pytest.mark.parametrize("seat", [0, 3, -1, 99])
def test_a_seat_that_is_not_there_is_refused(seat: int) -> None:
    state = position(drawn="A")
    for action in ("A-c4-0", "resign"):
        refusal = refused(state, seat, action)
        assert isinstance(refusal, NotYourTurn)
        assert str(refusal) == f"there is no seat {seat}"


def test_a_seat_that_is_not_asked_is_told_who_is() -> None:
    refusal = refused(answering(["TT"]), 2, "pass")
    assert isinstance(refusal, NotYourTurn)
    assert "up to seat 1" in str(refusal)


def test_a_seat_that_is_asked_though_not_on_turn_is_told_how_to_answer() -> None:
    state = position({**GAP, "e5": "E"}, drawn="D", hands={2: ["TT"]}, marked={("frame+e5", 2): 2})
    state, _ = apply_action(state, 1, "D-c4-0")
    assert refused(state, 2, "8").rule == "no-such-card"
    assert refused(state, 2, "draw").rule == "must-answer"
    assert isinstance(refused(state, 1, "pass"), NotYourTurn)


def test_a_side_that_has_resigned_can_do_nothing_more() -> None:
    state, _ = apply_action(position(drawn="A", seats=3), 3, "resign")
    again = refused(state, 3, "resign")
    assert (type(again), again.rule) == (IllegalAction, "resigned")
    move = refused(state, 3, "draw")
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
    for state in (position(drawn="B"), cards(["CV", "TT"]), answering(["OO"]), over()):
        refusal = refused(state, 1, action)
        assert isinstance(refusal, UnreadableAction)
        assert refusal.rule == "unreadable"
        assert len(str(refusal)) < 80


def test_no_refusal_tells_an_onlooker_what_another_seat_holds() -> None:
    told = set()
    for hand in (["TT"], ["CV"], ["MI", "AK"], ["OO"]):
        state = cards(hand, hands={1: hand, 2: ["ME"]})
        told.add(tuple(str(refused(state, 2, action)) for action in ("ME", "draw", "MI-1", "8", "B-c4-0")))
    assert len(told) == 1


def test_what_is_legal_is_never_refused_and_nothing_else_is_accepted() -> None:
    state = position({**CIRCLE, "d3": "A"}, drawn="B", table={1: "C"})
    legal = set(legal_actions(state, 1))
    for tile in "ABCDEFGHIJ":
        for cell in (f"{column}{row}" for column in "abcde" for row in range(1, 6)):
            for rotation in (0, 90, 180, 270):
                action = f"{tile}-{cell}-{rotation}"
                if action in legal:
                    apply_action(state, 1, action)
                else:
                    assert isinstance(refused(state, 1, action), IllegalAction)
