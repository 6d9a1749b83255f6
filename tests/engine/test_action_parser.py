"""PROTOCOL 1: action strings, canonical rotations, and tolerant parsing of typed actions."""

from __future__ import annotations

import pytest

from games.engine import IllegalAction, UnreadableAction, apply_action, legal_actions, parse_action
from tests.factories.answer_positions import build_answer_position, build_choice_position
from tests.factories.positions import build_position


@pytest.mark.parametrize(
    "text",
    [
        "B-b3-90",
        "b-B3-90",
        "B b3 90",
        "  b   B3\t90\n",
        "B,b3,90",
        "B, b3, 90.",
        "B/b3/90",
        "B_b3_90",
        "B-b3-90°",
        "B: b3 90°",
        "Bb3 90",
        "bb3-90",
        "tile B b3 90",
        "tessera B b3 90",
        "tegel B b3 90",
        "play B-b3-90!",
        "`B-b3-90`",
        "(B-b3-90)",
        '"B-b3-90"',
        "Ｂ-ｂ３-９０",
        "b3 90",
        "B3-90",
    ],
)
def test_case_spaces_and_separators_do_not_matter_in_a_placement(text: str) -> None:
    assert parse_action(build_position(drawn="B"), 1, text) == "B-b3-90"


@pytest.mark.parametrize(
    ("tile", "canonical"),
    [
        ("A", (0, 0, 0, 0)),
        ("B", (0, 90, 180, 270)),
        ("C", (0, 90, 0, 90)),
        ("D", (0, 90, 0, 90)),
        ("E", (0, 0, 0, 0)),
        ("F", (0, 90, 180, 270)),
        ("G", (0, 90, 180, 270)),
        ("H", (0, 0, 0, 0)),
        ("I", (0, 0, 0, 0)),
    ],
)
def test_rotations_that_look_the_same_are_read_as_the_canonical_one(
    tile: str, canonical: tuple[int, ...]
) -> None:
    state = build_position(drawn=tile)
    for typed, meant in zip((0, 90, 180, 270), canonical, strict=True):
        assert parse_action(state, 1, f"{tile}-c4-{typed}") == f"{tile}-c4-{meant}"
        if typed != meant:
            with pytest.raises(IllegalAction) as raised:
                apply_action(state, 1, f"{tile}-c4-{typed}")
            assert raised.value.rule == "rotation"
    assert {action for action in legal_actions(state, 1) if "c4" in action} == {
        f"{tile}-c4-{meant}" for meant in canonical
    }


@pytest.mark.parametrize(("tile", "cell"), [("H", "c4"), ("A", "d3"), ("I", "b3")])
def test_a_rotation_may_be_left_out_where_the_tile_looks_the_same_in_all(tile: str, cell: str) -> None:
    state = build_position(drawn=tile)
    for text in (f"{tile} {cell}", f"{tile}{cell}", cell, f"{tile.lower()}-{cell.upper()}"):
        assert parse_action(state, 1, text) == f"{tile}-{cell}-0"


@pytest.mark.parametrize(
    ("cells", "table", "drawn", "text", "meant"),
    [
        ({}, "", "B", "b3 90", "B-b3-90"),  # the only tile
        ({}, "J", "B", "b3 90", "B-b3-90"),  # the other tile is dark
        ({}, "B", "J", "b3 90", "B-b3-90"),
        ({}, "B", "I", "b3 90", "I-b3-0"),  # the zero tile must be placed
        ({}, "B", "B", "b3 90", "B-b3-90"),  # both tiles are B
        ({"b3": "E", "b4": "E"}, "A", "E", "c4 90", "E-c4-0"),  # the only legal tile for this placement
        ({"b4": "H", "d4": "H"}, "H", "D", "c4 180", "D-c4-0"),
    ],
)
def test_a_cell_and_a_rotation_mean_the_only_tile_it_can_be(
    cells: dict[str, str], table: str, drawn: str, text: str, meant: str
) -> None:
    assert parse_action(build_position(cells, drawn=drawn, table={1: table}), 1, text) == meant


def test_without_hints_a_duty_does_not_choose_the_tile_of_a_cell() -> None:
    state = build_position({"b3": "E", "b4": "E"}, drawn="E", table={1: "A"})
    assert parse_action(state, 1, "c4 0") == "E-c4-0", "the only one that fulfils the duty"
    with pytest.raises(UnreadableAction, match="say which tile: A or E"):
        parse_action(state, 1, "c4 0", has_hints=False)
    with pytest.raises(UnreadableAction, match="say which tile: A or E"):
        parse_action(state, 1, "c4", has_hints=False)
    only_zero = build_position({"b3": "E", "b4": "E"}, drawn="I", table={1: "A"})
    assert parse_action(only_zero, 1, "c4 0", has_hints=False) == "I-c4-0", "its rule is open to all"


def test_a_cell_and_a_rotation_that_could_be_either_tile_are_not_guessed_at() -> None:
    with pytest.raises(UnreadableAction, match="say which tile: A or B"):
        parse_action(build_position(drawn="A", table={1: "B"}), 1, "c4 90")


def test_a_cell_alone_does_not_place_for_a_seat_that_is_not_on_turn() -> None:
    with pytest.raises(UnreadableAction):
        parse_action(build_position(drawn="B"), 2, "c4 90")
    with pytest.raises(UnreadableAction):
        parse_action(build_choice_position(), 1, "b2 90")


@pytest.mark.parametrize(
    ("texts", "meant"),
    [
        (("draw", "DRAW", " Draw. ", "draw!", "pesca", "trek"), "draw"),
        (("resign", "Resign.", "abbandono", "opgeven"), "resign"),
        (("pass", "PASS!", "passo", "pas"), "pass"),
        (("TT", "tt", "Time travel", "time-travel", "card time travel"), "TT"),
        (("viaggio nel tempo", "carta viaggio nel tempo", "Tijdreizen", "kaart tijdreizen"), "TT"),
        (("ME", "meteorite", "Meteoriet", "play meteorite"), "ME"),
        (("RC", "rc", "revolution clockwise", "clockwise revolution", "Rivoluzione oraria"), "RC"),
        (("RA", "revolution anti-clockwise", "revolution counterclockwise", "rivoluzione antioraria"), "RA"),
        (("MI-3", "mi 3", "MI: 3", "mi seat 3", "magnetic inversion 3", "inversione magnetica 3"), "MI-3"),
        (("magnetisch krachtveld 3", "Magnetic Inversion - seat 3."), "MI-3"),
        (("AK-2", "ak 2", "alien kidnapping 2", "rapimento alieno 2", "buitenaardse ontvoering 2"), "AK-2"),
        (("QL-b3-d5-180", "ql b3 d5 180", "QL B3 -> D5, 180°", "QL b3→d5 180"), "QL-b3-d5-180"),
        (("quantum leap b3 d5 180", "salto quantico b3 d5 180", "kwantumsprong b3 d5 180"), "QL-b3-d5-180"),
        (("QL b3 b3 90",), "QL-b3-b3-90"),
        (("QL c4 d5", "QL-c4-d5-270"), "QL-c4-d5-0"),  # a zero tile looks the same in all rotations
        (("CV=QL-b3-d5-180", "cv = ql b3 d5 180", "CV as QL b3 d5 180"), "CV=QL-b3-d5-180"),
        (("CV ql b3 d5 180", "cosmic void as quantum leap b3 d5 180"), "CV=QL-b3-d5-180"),
        (("CV=TT", "cv tt", "wildcard as time travel", "jolly come viaggio nel tempo"), "CV=TT"),
        (("kosmische leegte als tijdreizen",), "CV=TT"),
        (("CV=MI-2", "cv as mi 2"), "CV=MI-2"),
        (("CV=AK-2", "vuoto cosmico come rapimento alieno 2"), "CV=AK-2"),
    ],
)
def test_cards_are_read_by_code_and_by_name_in_three_languages(texts: tuple[str, ...], meant: str) -> None:
    for text in texts:
        assert parse_action(build_choice_position(), 1, text) == meant, text


def test_bannans_revolution_is_read_with_its_direction() -> None:
    state = build_choice_position("bannan-nl")
    for text in ("RV-cw", "rv cw", "RV clockwise", "Revolutie rechtsom"):
        assert parse_action(state, 1, text) == "RV-cw", text
    for text in ("RV-ccw", "rv ccw", "RV anticlockwise", "revolutie linksom"):
        assert parse_action(state, 1, text) == "RV-ccw", text
    assert parse_action(state, 1, "CV=RV-cw") == "CV=RV-cw"
    for text in ("RV", "revolutie"):
        with pytest.raises(UnreadableAction, match="say which way"):
            parse_action(state, 1, text)


@pytest.mark.parametrize(
    ("texts", "meant"),
    [
        (("8", "8.", "OO", "infinity", "infinito", "oneindigheid", "card 8"), "8"),
        (("CV=8", "cv 8", "CV as 8", "CV as infinity", "CV", "jolly"), "CV=8"),
        (("pass", "Pass."), "pass"),
    ],
)
def test_the_answers_to_an_8_are_read(texts: tuple[str, ...], meant: str) -> None:
    state = build_answer_position(["OO", "CV"])
    for text in texts:
        assert parse_action(state, 1, text) == meant, text


def test_a_card_without_a_target_means_the_only_one_there_is() -> None:
    state = build_position(phase="start", hands={1: ["MI", "AK", "CV"], 2: ["TT"]}, table={1: "A", 2: "B"})
    assert parse_action(state, 1, "MI") == "MI-2"
    assert parse_action(state, 1, "alien kidnapping") == "AK-2"
    assert parse_action(state, 1, "CV as MI") == "CV=MI-2"
    assert parse_action(state, 2, "MI") == "MI-1"
    with pytest.raises(UnreadableAction, match="say which seat: 2 or 3"):
        parse_action(build_choice_position(), 1, "CV=MI")


@pytest.mark.parametrize(
    "text", ["MI", "AK", "CV=MI", "CV as AK", "TT", "draw", "MI-1", "CV", "8", "RC", "QL"]
)
def test_reading_for_a_seat_tells_it_nothing_of_another_seats_hand(text: str) -> None:
    answers = set()
    for hand in (["MI"], ["AK"], ["CV"], ["TT"], ["OO"], ["QL"]):
        state = build_position(phase="start", hands={1: hand, 2: ["ME"]}, table={1: "A", 2: "B"})
        try:
            answers.add(parse_action(state, 2, text))
        except UnreadableAction as error:
            answers.add(f"refused: {error}")
    assert len(answers) == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "-",
        "...",
        "x" * 201,
        "\x00draw",
        "draw draw",
        "draw?",
        "resign?",
        "do not resign",
        "I do not resign",
        "B-b3-90-90",
        "B-b3-9.0",
        "B-f3-90",
        "B-b6-90",
        "B-b0-90",
        "K-b3-90",
        "BB-b3-90",
        "90-b3-B",
        "MI-x",
        "TT-2",
        "TT TT",
        "QL-b3-f5-0",
        "QL-b3-d5-180-0",
        "CV=CV",
        "CV=draw",
        "CV=B-b3-90",
        "CV=CV=TT",
        "8 8",
        "b3-٩٠",
        None,
        7,
        b"draw",
        ["draw"],
    ],
)
def test_anything_else_is_unreadable(text: object) -> None:
    for state in (build_choice_position(), build_position(drawn="B"), build_answer_position(["OO"])):
        with pytest.raises(UnreadableAction) as raised:
            parse_action(state, 1, text)
        assert raised.value.rule == "unreadable"
        assert str(raised.value).endswith("is not an action")
        assert len(str(raised.value)) < 80


def test_reading_does_not_judge() -> None:
    state = build_position(drawn="B")
    for text, meant in (("A a1", "A-a1-0"), ("j b3", "J-b3-0"), ("tt", "TT"), ("8", "8"), ("draw", "draw")):
        assert parse_action(state, 1, text) == meant


def test_every_legal_action_is_read_as_itself() -> None:
    for state in (
        build_choice_position(),
        build_choice_position("bannan-nl"),
        build_position(drawn="B", table={1: "D"}),
        build_answer_position(["OO", "CV"]),
    ):
        for action in legal_actions(state, 1):
            assert parse_action(state, 1, action) == action
            assert parse_action(state, 1, action.lower()) == action


def test_resign_is_not_among_the_legal_actions_listed() -> None:
    for state in (build_choice_position(), build_position(drawn="B"), build_answer_position(["OO"])):
        assert "resign" not in legal_actions(state, 1)


def test_a_seat_with_nothing_to_decide_has_no_legal_actions() -> None:
    assert legal_actions(build_choice_position(), 2) == ()
    assert legal_actions(build_position(drawn="B"), 2) == ()
    assert legal_actions(build_answer_position(["OO"]), 2) == ()
    over, _ = apply_action(build_position(drawn="B"), 1, "resign")
    assert legal_actions(over, 1) == legal_actions(over, 2) == ()
