"""Tolerant parsing: typography, filler words, joined words, three languages, texts that are never read."""

from __future__ import annotations

import pytest

from games.engine import (
    ActionError,
    IllegalAction,
    apply_action,
    legal_actions,
    parse_action,
)
from tests.factories.answer_positions import build_answer_position, build_choice_position
from tests.factories.positions import build_position

from .typed_texts import get_refusal_text, split_texts

# ------------------------------------------------------------------------------------------------- typography


@pytest.mark.parametrize(
    "text",
    [
        "B–b3–90",
        "B—b3—90",
        "B — b3 — 90",
        "B−b3−90",
        "B‐b3‐90",
        "B\u2011b3\u201190",
        "B\u00a0b3\u00a090",
        "B\u202fb3\u200990\u00a0°",
        "“B-b3-90”",
        "‘B-b3-90’",
        "„B-b3-90“",
        "«B-b3-90»",
        "« B b3 90 »",
        "B b3 90º",
        "B b3 90 °",
        "B b3 90⁰",
        "\ufeffB-b3-90",
        "B\u200b-b3\u200b-90\u200b",
        "B b3 90\u200e",
        "B-b3-90.",
        "B-b3-90…",
        "B-b3-90!!",
        "B-b3-90,",
        "B-b3-90;",
        "*B-b3-90*",
        "[B-b3-90]",
    ],
)
def test_typographic_characters_are_read_like_plain_ones(text: str) -> None:
    assert parse_action(build_position(drawn="B"), 1, text) == "B-b3-90"


@pytest.mark.parametrize(
    "text", ["QL b3 → d5 180", "QL b3 ➡️ d5 180", "QL b3 -> d5 180", "QL b3 > d5 180", "QL b3=>d5 180"]
)
def test_an_arrow_leads_to_a_cell(text: str) -> None:
    assert parse_action(build_choice_position(), 1, text) == "QL-b3-d5-180"


# ------------------------------------------------------------------------------------------------ minus signs


SIGNED = """\
B b3 -90|B-b3--90|B-b3- -90|B-b3 - - 90|B b3 --90|B b3 −90|B b3 –90|B,b3,-90|B_b3_-90|B b3 (-90)
B b3 -(90)|B b3 -'90'|B b3 -\u200b90|b3 -90|b3 B -90|-90|MI -3|MI--3|AK -2|CV=MI -3
CV=-8|QL b3 d5 -180|QL-b3-d5--180|-8"""


@pytest.mark.parametrize("text", split_texts(SIGNED))
def test_a_number_that_may_be_negative_is_never_read(text: str) -> None:
    for state in (build_choice_position(), build_position(drawn="B"), build_answer_position(["OO", "CV"])):
        assert get_refusal_text(state, text).endswith("is not an action: write numbers without a minus")


@pytest.mark.parametrize(
    "text", ["B-b3-90", "B - b3 - 90", "B -b3-90", "B- b3- 90", "B b3 - 90", "- B b3 90", "B-b3-(90)"]
)
def test_a_minus_between_words_is_a_separator(text: str) -> None:
    assert parse_action(build_position(drawn="B"), 1, text) == "B-b3-90"
    assert (
        parse_action(build_choice_position(), 1, "MI-3")
        == parse_action(build_choice_position(), 1, "MI - 3")
        == "MI-3"
    )


# ----------------------------------------------------------------------------------------------- quoted lines


@pytest.mark.parametrize(
    "text",
    [
        "> resign",
        ">resign",
        "  > resign",
        ">> resign",
        "> > resign",
        "\u200b> resign",
        "＞ resign",
        '"> resign"',
        "- > resign",
        "» resign",
        "I> resign",
        "AB> resign",
        "resign >",
        "resign\n> resign",
        "draw\n> resign",
        "\n> resign",
        "\r\n> resign",
        "> draw",
        "> pass",
        "> 8",
        "> B-b3-90",
        "> b3 90",
        "I> b3 90",
        "> QL b3 > d5 180",
        "| resign",
        "&gt; resign",
    ],
)
def test_a_quoted_line_is_not_read(text: str) -> None:
    for state in (build_choice_position(), build_position(drawn="B"), build_answer_position(["OO"])):
        get_refusal_text(state, text)


# ------------------------------------------------------------------------------------------------ revolutions


@pytest.mark.parametrize(
    ("texts", "bannan", "arcastudio"),
    [
        (("revolution clockwise", "Clockwise revolution", "I play revolution clockwise"), "RV-cw", "RC"),
        (("rivoluzione oraria", "rivoluzione in senso orario", "gioco la rivoluzione oraria"), "RV-cw", "RC"),
        (("revolutie met de klok mee", "revolutie rechtsom", "ik speel revolutie rechtsom"), "RV-cw", "RC"),
        (("RV cw", "RV-cw", "RVcw", "RV clockwise"), "RV-cw", "RC"),
        (("RVccw", "RV-ccw"), "RV-ccw", "RA"),
        (
            ("revolution anti-clockwise", "anticlockwise revolution", "anti clockwise revolution"),
            "RV-ccw",
            "RA",
        ),
        (("RV counter-clockwise", "RV anti-clockwise", "RV–ccw", "rv counterclockwise"), "RV-ccw", "RA"),
        (("rivoluzione antioraria", "rivoluzione anti-oraria", "revolutie linksom"), "RV-ccw", "RA"),
        (("revolutie tegen de klok in", "rivoluzione in senso antiorario"), "RV-ccw", "RA"),
        (("CV as revolution clockwise", "CV as a revolution clockwise", "CV=RVcw"), "CV=RV-cw", "CV=RC"),
        (("jolly come rivoluzione oraria", "kosmische leegte als revolutie rechtsom"), "CV=RV-cw", "CV=RC"),
        (("wild card as revolution counter-clockwise",), "CV=RV-ccw", "CV=RA"),
    ],
)
def test_a_revolution_is_the_card_that_the_edition_has(
    texts: tuple[str, ...], bannan: str, arcastudio: str
) -> None:
    for text in texts:
        assert parse_action(build_choice_position("bannan-nl"), 1, text) == bannan, text
        assert parse_action(build_choice_position(), 1, text) == arcastudio, text


@pytest.mark.parametrize("text", ["revolution", "rivoluzione", "Revolutie", "RV", "CV as revolution"])
def test_a_revolution_without_a_direction_is_asked_for_it(text: str) -> None:
    assert (
        get_refusal_text(build_choice_position(), text)
        == "say which way: clockwise (RC) or anti-clockwise (RA)"
    )
    assert (
        get_refusal_text(build_choice_position("bannan-nl"), text)
        == "say which way: clockwise (RV-cw) or anti-clockwise (RV-ccw)"
    )


# -------------------------------------------------------------------------------------------- answers to an 8


@pytest.mark.parametrize(
    ("texts", "meant"),
    [
        (
            ("the 8", "The 8 or infinity", "8 or infinity", "infinity", "the infinity", "eight", "the eight"),
            "8",
        ),
        (("L'8 o l'infinito", "L’8 o l’infinito", "l'infinito", "l'8", "otto", "l'otto", "OTTO!"), "8"),
        (("oneindigheid", "de 8 of oneindigheid", "acht", "de acht", "oneindig"), "8"),
        (("∞", "oo", "OO", "8️⃣", "#8", "«8»"), "8"),
        (("I play the 8", "play 8", "the 8 card", "gioco l'8", "gioco la carta 8", "ik speel de 8"), "8"),
        (("CV come 8", "CV als 8", "CV as 8", "cv as oo", "CV as the 8", "CV8", "CV=∞", "CV = 8"), "CV=8"),
        (("jolly come infinito", "il jolly come l'infinito", "jolly come l’8 o l’infinito"), "CV=8"),
        (("wild card as the 8", "I use my wild card as the 8 or infinity", "wildcard as infinity"), "CV=8"),
        (
            ("kosmische leegte als oneindigheid", "ik speel kosmische leegte als 8", "cosmic void as eight"),
            "CV=8",
        ),
        (("CV", "the wild card", "I play the wild card", "jolly"), "CV=8"),
        (("pass", "I pass", "I pass.", "passo", "io passo", "pas", "ik pas", "passen"), "pass"),
    ],
)
def test_an_answer_to_an_8_is_read_in_three_languages(texts: tuple[str, ...], meant: str) -> None:
    for text in texts:
        assert parse_action(build_answer_position(["OO", "CV"]), 1, text) == meant, text


def test_the_wildcard_alone_is_asked_what_it_stands_for() -> None:
    for text in ("CV", "jolly", "wild card"):
        assert get_refusal_text(build_choice_position(), text) == "say which card CV stands for, as in CV=TT"


# -------------------------------------------------------------------------------- joined words and word order


@pytest.mark.parametrize(
    "text", ["bb390", "Bb3 90", "Bb390", "b390", "B b390", "b3 B 90", "b3-B-90", "on b3 tile B at 90"]
)
def test_a_placement_may_be_glued_or_begin_with_the_cell(text: str) -> None:
    assert parse_action(build_position(drawn="B"), 1, text) == "B-b3-90"


@pytest.mark.parametrize(
    ("texts", "meant"),
    [
        (("MI3", "mi3"), "MI-3"),
        (("AK2", "ak2"), "AK-2"),
        (("CVMI3", "cv mi3", "CV=MI3"), "CV=MI-3"),
        (("QL b3d5 180", "QLb3d5180", "qlb3 d5 180", "QL b3d5180"), "QL-b3-d5-180"),
        (("QL b3 90", "QLb390", "quantum leap b3 90°"), "QL-b3-b3-90"),
        (("CV ql b3 90", "CV=QL b3 90"), "CV=QL-b3-b3-90"),
        (("timetravel", "time-travel", "tijd reizen"), "TT"),
    ],
)
def test_cards_may_be_glued_and_a_leap_may_stay_where_it_is(texts: tuple[str, ...], meant: str) -> None:
    for text in texts:
        assert parse_action(build_choice_position(), 1, text) == meant, text


def test_every_legal_placement_may_begin_with_its_cell() -> None:
    for state in (
        build_position(drawn="B", table={1: "D"}),
        build_position(drawn="E", table={1: "I"}),
        build_position(drawn="A"),
    ):
        for action in legal_actions(state, 1):
            tile, cell, rotation = action.split("-")
            assert parse_action(state, 1, f"{cell} {tile} {rotation}") == action
            assert parse_action(state, 1, f"{tile}{cell}{rotation}") == action


# ----------------------------------------------------------------------------------------------- filler words


@pytest.mark.parametrize(
    "text",
    [
        "place tile B on b3 at 90 degrees",
        "I place a B on b3 at 90 deg.",
        "I put the B on b3, rotated 90 degrees",
        "play B to b3 90",
        "the B tile on b3 with rotation 90",
        "my tile B in cell b3, 90 degrees",
        "metto la tessera B in b3 a 90 gradi",
        "gioco B su b3, 90 gradi",
        "la B in b3 ruotata di 90 gradi",
        "B a b3 a 90°",
        "ik leg tegel B op b3, 90 graden",
        "Ik zet de B op b3 met rotatie 90",
        "plaats tegel B op vak b3 90 graden gedraaid",
        "on b3 at 90",
        "I place b3 90",
    ],
)
def test_small_words_are_dropped_from_a_placement(text: str) -> None:
    assert parse_action(build_position(drawn="B"), 1, text) == "B-b3-90"


@pytest.mark.parametrize(
    ("text", "tile"),
    [
        ("I place A on c4", "A"),
        ("I place an A on c4", ""),
        ("I play I on c4", "I"),
        ("I c4", "I"),
        ("a c4", "A"),
        ("tile I c4", "I"),
        ("the A tile on c4", "A"),
        ("a tile on c4", ""),
        ("place a tile on c4", ""),
        ("metto A a c4", "A"),
        ("I a c4", "I"),
        ("A a c4", "A"),
        ("I place a I on c4", "I"),
        ("A E c4", ""),
        ("AE c4", ""),
    ],
)
def test_a_tile_is_not_taken_for_a_small_word_nor_a_small_word_for_a_tile(text: str, tile: str) -> None:
    for state in (build_position(drawn="E"), build_position(drawn="A", table={1: "E"})):
        if tile:
            assert parse_action(state, 1, text) == f"{tile}-c4-0"
        else:
            get_refusal_text(state, text)


@pytest.mark.parametrize(
    ("texts", "meant"),
    [
        (("I draw", "draw a tile", "Draw a tile.", "I draw a tile", "draw tile"), "draw"),
        (("pesco", "io pesco", "pesco una tessera", "pesca una tessera"), "draw"),
        (("trekken", "ik trek", "ik trek een tegel", "een tegel trekken", "trek tegel"), "draw"),
        (("I resign", "I resign.", "“resign”", "io abbandono", "mi arrendo", "ik geef op"), "resign"),
        (("I play time travel", "play the card time travel", "I play the time travel card", "use TT"), "TT"),
        (("gioco la carta viaggio nel tempo", "ik speel tijdreizen", "ik speel de kaart tijdreizen"), "TT"),
        (("MI with 3", "MI with player 3", "MI: player #3", "magnetic inversion with seat 3"), "MI-3"),
        (
            ("MI con il giocatore 3", "inversione magnetica con 3", "MI met speler 3", "MI nº 3", "MI #3"),
            "MI-3",
        ),
        (("AK from player 2", "AK on 2", "rapimento alieno al giocatore 2", "AK a 2"), "AK-2"),
        (("AK van speler 2", "alien kidnapping with player 2"), "AK-2"),
        (("QL from b3 to d5 at 180 degrees", "QL the tile on b3 to d5, 180 deg"), "QL-b3-d5-180"),
        (("salto quantico da b3 a d5 180 gradi", "kwantumsprong van b3 naar d5 180 graden"), "QL-b3-d5-180"),
        (("I use the wild card as timetravel", "uso il jolly come viaggio nel tempo"), "CV=TT"),
        (("ik gebruik de jolly als tijdreizen", "wildcard as a time travel"), "CV=TT"),
        (("CV as MI with player 3", "jolly come inversione magnetica con 3"), "CV=MI-3"),
    ],
)
def test_small_words_are_dropped_from_what_else_is_played(texts: tuple[str, ...], meant: str) -> None:
    for text in texts:
        assert parse_action(build_choice_position(), 1, text) == meant, text


PROSE = """\
I will resign myself to losing|I resign myself|I do not resign|don't resign|never resign|shall I resign
to resign|resign resign|resign the card|resign 8|I would resign, pass or draw|draw or pass|non abbandono
abbandono la partita|niet opgeven|I pass the salt|pass the 8|pass to player 3|ik pas morgen
thanks for the draw yesterday|a draw|the draw|let's call it a draw|draw a card|draw a picture|pesca la trota
I play with me|play with me|with me|to me|a me|con me|me too|me at 8|mi piace|mi piace 3|mi dispiace
see you at 8|at 8|player 8|the eight of hearts|I play the fool|revolution now|vive la revolution clockwise
it was a clockwise revolution|the infinity of space|otto e mezzo|jolly good|jolly good 8|I have a wild card
I am on b3|b3 is nice|not B b3 90|B b3 90 or H b3|B or H b3 90|QL b3 turned 90|QL turn b3 by 90
B b3 90 counter-clockwise|B b3 minus 90|the|play|I|a|ok"""


@pytest.mark.parametrize("text", split_texts(PROSE))
def test_ordinary_prose_is_not_an_action(text: str) -> None:
    for state in (
        build_choice_position(),
        build_choice_position("bannan-nl"),
        build_position(drawn="B"),
        build_answer_position(["OO", "CV"]),
    ):
        get_refusal_text(state, text)


# ---------------------------------------------------------------------------------------------- missing parts


@pytest.mark.parametrize(
    ("table", "drawn", "text", "says"),
    [
        ("H", "B", "b3", "say which tile: B or H"),
        ("B", "H", "b3", "say which tile: B or H"),
        ("H", "B", "b3 90", "say which tile: B or H"),
        ("A", "H", "b3", "say which tile: A or H"),
        ("A", "B", "b3 a 90", "say which tile: A or B"),
        ("", "B", "b3", "say the rotation: 0, 90, 180 or 270"),
        ("", "B", "B b3", "say the rotation: 0, 90, 180 or 270"),
        ("", "B", "b3 B", "say the rotation: 0, 90, 180 or 270"),
        ("", "B", "b3 45", "say the rotation: 0, 90, 180 or 270"),
        ("", "B", "B-b3-360", "say the rotation: 0, 90, 180 or 270"),
        ("", "H", "H b3 45", "say the rotation: 0, 90, 180 or 270"),
        ("", "D", "D b3", "say the rotation: 0 or 90"),
        ("H", "B", "b3 45", "say the rotation: 0, 90, 180 or 270"),
    ],
)
def test_a_placement_that_could_mean_several_says_what_is_missing(
    table: str, drawn: str, text: str, says: str
) -> None:
    assert get_refusal_text(build_position(drawn=drawn, table={1: table}), text) == says


def test_a_tile_and_a_cell_where_two_are_possible_are_read() -> None:
    state = build_position(drawn="B", table={1: "H"})
    assert parse_action(state, 1, "H b3") == parse_action(state, 1, "b3 H") == "H-b3-0"
    assert parse_action(state, 1, "b3 B 90") == "B-b3-90"
    assert parse_action(build_position(drawn="B", table={1: "A"}), 1, "b3 A") == "A-b3-0"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("MI", "say which seat: 2 or 3"),
        ("AK", "say which seat: 2 or 3"),
        ("CV as AK", "say which seat: 2 or 3"),
        ("MI-0", "say which seat: 2 or 3"),
        ("MI 12", "say which seat: 2 or 3"),
        ("MI with player", "say which seat: 2 or 3"),
        ("QL", "say which tile leaps, where to and how it is turned, as in QL-b3-d5-180"),
        ("QL b3", "say which tile leaps, where to and how it is turned, as in QL-b3-d5-180"),
        ("QL b3 d5", "say the rotation: 0, 90, 180 or 270"),
        ("QL b3 d5 45", "say the rotation: 0, 90, 180 or 270"),
        ("QL b3 45", "say the rotation: 0, 90, 180 or 270"),
        ("b2 90", "say which tile"),
    ],
)
def test_a_card_that_could_mean_several_says_what_is_missing(text: str, says: str) -> None:
    assert get_refusal_text(build_choice_position(), text) == says


@pytest.mark.parametrize(
    ("cells", "table", "drawn", "text", "rule"),
    [
        ({"b3": "E", "b4": "E"}, "B", "E", "c2 90", "must-close"),
        ({"b3": "E", "b4": "E"}, "B", "E", "c2", "must-close"),
        ({"b4": "H", "d4": "H"}, "B", "D", "c2 0", "must-make-eight"),
        ({}, "B", "H", "c3 90", "cell-taken"),
        ({}, "B", "H", "c3", "cell-taken"),
        ({}, "B", "H", "a1 90", "not-beside"),
        ({}, "", "B", "a1", "not-beside"),
    ],
)
def test_a_cell_where_nothing_may_go_is_left_to_the_rule_that_forbids_it(
    cells: dict[str, str], table: str, drawn: str, text: str, rule: str
) -> None:
    state = build_position(cells, drawn=drawn, table={1: table})
    with pytest.raises(IllegalAction) as raised:
        apply_action(state, 1, parse_action(state, 1, text))
    assert raised.value.rule == rule


def test_a_card_that_can_hit_nobody_is_left_to_the_rule_that_forbids_it() -> None:
    state = build_position(phase="start", hands={1: ["AK", "MI", "QL"]}, table={1: "A"})
    for text, rule in (("AK", "no-target"), ("MI", "no-target"), ("QL a1 b1", "cell-empty")):
        with pytest.raises(IllegalAction) as raised:
            apply_action(state, 1, parse_action(state, 1, text))
        assert raised.value.rule == rule


def test_a_seat_that_is_not_there_is_no_reason_to_fail() -> None:
    for seat in (0, 3, 9):
        with pytest.raises(ActionError, match="there is no seat"):
            apply_action(build_position(drawn="B"), seat, parse_action(build_position(drawn="B"), seat, "MI"))
