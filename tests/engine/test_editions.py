"""RULES 9: the differences between editions, and the options of a game."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from games.engine import (
    DEFAULT_EDITION,
    GameEvent,
    Setup,
    State,
    apply_action,
    build_view,
    legal_actions,
    list_edition_names,
    load_edition,
    start_game,
)
from tests.factories.positions import build_position

ARCA, BANNAN, PERGIOCO = "arcastudio-2.2", "bannan-nl", "pergioco-72"
# An E on c4 closes two circles: to its left b3+b4+c3+c4, to its right c3+c4+d3+d4.
TWO_CIRCLES = {"b3": "E", "b4": "E", "d3": "E", "d4": "E"}
LEFT, RIGHT = "b3+b4+c3+c4", "c3+c4+d3+d4"
ALL = [f"{column}{row}" for column in "abcde" for row in (1, 2, 3, 4, 5)]
NO_BIG, ONE_BIG = (4, 0, 3), (4, 1, 3)


def map_figure_owners(state: State) -> dict[str, int | None]:
    return {figure["place"]: figure["side"] for figure in build_view(state)["board"]["figures"]}


def list_claims(events: list[GameEvent]) -> list[tuple[int, str]]:
    return [(event["seat"], event["place"]) for event in events if event["event"] == "claimed"]


def test_arcastudio_is_the_default() -> None:
    assert DEFAULT_EDITION == ARCA
    assert Setup().edition == ARCA
    assert list_edition_names() == [ARCA, BANNAN, PERGIOCO]


def test_the_decks_differ_in_the_revolutions_only() -> None:
    common = {"TT": 4, "MI": 4, "QL": 4, "ME": 4, "AK": 4, "OO": 4, "CV": 1}
    assert Counter(load_edition(ARCA).deck) == Counter({**common, "RC": 4, "RA": 4})
    assert Counter(load_edition(BANNAN).deck) == Counter({**common, "RV": 8})
    assert load_edition(PERGIOCO).deck == load_edition(ARCA).deck


def test_tiles_frame_and_markers_are_the_same() -> None:
    first = load_edition(ARCA)
    for other in (load_edition(BANNAN), load_edition(PERGIOCO)):
        assert first.tiles == other.tiles
        assert (first.frame, first.centre, first.markers) == (other.frame, other.centre, other.markers)


@pytest.mark.parametrize(
    ("name", "card", "action", "table"),
    [
        (ARCA, "RC", "RC", ("C", "A", "B")),
        (ARCA, "RA", "RA", ("B", "C", "A")),
        (BANNAN, "RV", "RV-cw", ("C", "A", "B")),
        (BANNAN, "RV", "RV-ccw", ("B", "C", "A")),
    ],
)
def test_the_direction_of_a_revolution_is_on_the_card_or_chosen(
    name: str, card: str, action: str, table: tuple[str, ...]
) -> None:
    fields: dict[str, Any] = {
        "phase": "start",
        "hands": {1: [card]},
        "table": {1: "A", 2: "B", 3: "C"},
        "seats": 3,
    }
    state = build_position(**fields, edition=name)
    assert set(legal_actions(state, 1)) == {"draw", *({"RV-cw", "RV-ccw"} if card == "RV" else {card})}
    state, _ = apply_action(state, 1, action)
    assert state.table_tiles[1:] == table


def test_the_wildcard_stands_for_the_revolutions_of_its_own_box() -> None:
    turning: dict[str, set[str]] = {}
    for name in (ARCA, BANNAN):
        state = build_position(phase="start", hands={1: ["CV"]}, table={1: "A", 2: "B"}, edition=name)
        turning[name] = {action for action in legal_actions(state, 1) if action.startswith("CV=R")}
    assert turning == {ARCA: {"CV=RC", "CV=RA"}, BANNAN: {"CV=RV-cw", "CV=RV-ccw"}}


def build_four_seats(name: str, **fields: Any) -> State:
    return build_position(TWO_CIRCLES, drawn="E", seats=4, edition=name, hands={2: ["TT"]}, **fields)


def test_unmarked_figures_wait_for_the_seat_on_turn_in_arcastudio() -> None:
    state = build_four_seats(ARCA, markers={1: NO_BIG, 2: NO_BIG, 3: ONE_BIG})
    state, events = apply_action(state, 1, "E-c4-0")
    assert (state.turn, map_figure_owners(state), list_claims(events)) == (2, {LEFT: None, RIGHT: None}, [])


def test_unmarked_figures_go_at_once_to_the_next_seats_clockwise_that_have_the_marker_in_bannan() -> None:
    state = build_four_seats(BANNAN, markers={1: NO_BIG, 2: NO_BIG, 3: ONE_BIG})
    state, events = apply_action(state, 1, "E-c4-0")
    assert (state.turn, map_figure_owners(state)) == (2, {LEFT: 3, RIGHT: 4})
    assert list_claims(events) == [(3, LEFT), (4, RIGHT)]
    assert (state.markers_left[3], state.markers_left[4]) == (NO_BIG, (4, 3, 3))


def test_bannan_goes_clockwise_from_the_seat_that_closed() -> None:
    state = build_four_seats(BANNAN, turn=3, markers={3: ONE_BIG, 4: NO_BIG})
    state, events = apply_action(state, 3, "E-c4-0")
    assert map_figure_owners(state) == {LEFT: 3, RIGHT: 1}
    assert list_claims(events) == [(1, RIGHT)]


def test_what_nobody_can_mark_at_once_stays_unmarked_in_bannan() -> None:
    state = build_four_seats(BANNAN, markers={1: ONE_BIG, 2: NO_BIG, 3: NO_BIG, 4: NO_BIG})
    state, _ = apply_action(state, 1, "E-c4-0")
    assert map_figure_owners(state) == {LEFT: 1, RIGHT: None}


def test_a_turn_begins_with_the_claim_in_bannan_too() -> None:
    state = build_position({"a1": "E"}, drawn="I", unmarked={"frame+a1": 2}, edition=BANNAN)
    state, events = apply_action(state, 1, "I-c4-0")
    assert (map_figure_owners(state), list_claims(events)) == ({"frame+a1": 2}, [(2, "frame+a1")])


@pytest.mark.parametrize(
    ("fields", "action"),
    [
        ({"phase": "place", "drawn": "D"}, "D-c4-0"),
        ({"phase": "start", "hands": {1: ["QL"], 2: ["TT"]}}, "QL-e1-c4-0"),
    ],
)
def test_the_tile_or_leap_that_makes_an_8_passes_unmarked_figures_on_in_bannan_only(
    fields: dict[str, Any], action: str
) -> None:
    # D0 on c4 makes an 8 and closes the small circle c4+c5, for which side 1 has no marker
    cells = {"b4": "H", "d4": "H", "c5": "H", "e1": "D0"}
    fields = {"hands": {2: ["TT"]}, **fields, "markers": {1: (0, 4, 3)}}
    state, events = apply_action(build_position(cells, edition=BANNAN, **fields), 1, action)
    assert list_claims(events) == [(2, "c4+c5")]
    assert (state.phase, state.seats_to_act) == ("react", (2,)), "side 2 has a point and holds a card"
    state, events = apply_action(build_position(cells, edition=ARCA, **fields), 1, action)
    assert list_claims(events) == []
    assert state.match_results[-1]["scores"] == {"1": 8, "2": 0}


@pytest.mark.parametrize(
    ("name", "scores", "silly"), [(ARCA, [2, 0], []), (BANNAN, [2, 16], [2]), (PERGIOCO, [2, 16], [2])]
)
def test_an_empty_tower_makes_a_silly_match_but_in_arcastudio(
    name: str, scores: list[int], silly: list[int]
) -> None:
    state = build_position(
        {"a1": "E"}, drawn="I", tower="", marked={("frame+a1", 2): 1}, table={1: "A", 2: "A"}, edition=name
    )
    state, _ = apply_action(state, 1, "I-c4-0")
    assert state.match_results[-1] == {
        "kind": "normal",
        "ended": "tower",
        "scores": {"1": scores[0], "2": scores[1]},
        "silly": silly,
    }


@pytest.mark.parametrize("name", [ARCA, BANNAN, PERGIOCO])
def test_a_full_board_makes_a_silly_match_in_all(name: str) -> None:
    cells = {cell: "I" for cell in ALL if cell not in ("c3", "e1")}
    state = build_position(cells, drawn="I", table={1: "H", 2: "G"}, edition=name)
    state, _ = apply_action(state, 1, "I-e1-0")
    assert state.match_results[-1]["scores"] == {"1": 4, "2": 7}
    assert state.match_results[-1]["silly"] == [1, 2]


@pytest.mark.parametrize("terms", [{"seats": 3}, {"mode": "pairs", "seats": 4}])
def test_between_level_sides_bannan_lets_the_oldest_of_them_start_whatever_the_tiles(
    terms: dict[str, Any],
) -> None:
    # in pairs, seat 4 belongs to side 2; in singles of three it does not exist
    seniority = (1, 3, 2) if terms["seats"] == 3 else (4, 3, 2, 1)
    totals = {1: 0, 2: 5, 3: 5} if terms["seats"] == 3 else {1: 5, 2: 5}
    starters = set()
    for n in range(12):
        state = build_position(
            phase="start",
            tower="",
            hands={1: ["OO"]},
            totals=totals,
            seniority=seniority,
            edition=BANNAN,
            key=bytes([n] * 32),
            **terms,
        )
        _, events = apply_action(state, 1, "draw")
        starters |= {event["seat"] for event in events if event["event"] == "match began"}
    assert starters == ({3} if terms["seats"] == 3 else {4})


@pytest.mark.parametrize(
    "terms",
    [
        {"mode": "singles", "seats": 1},
        {"mode": "singles", "seats": 5},
        {"mode": "singles", "seats": True},
        {"mode": "pairs", "seats": 2},
        {"mode": "pairs", "seats": 3},
        {"mode": "solo", "seats": 2},
        {"mode": "teams"},
        {"obligation": "loose"},
        {"target": 0},
        {"target": 100},
        {"target": -24},
        {"target": True},
        {"target": "24"},
        {"cards": "on"},
        {"cards": 1},
        {"edition": "arcastudio"},
        {"edition": "../arcastudio-2.2"},
        {"seniority": (1,)},
        {"seniority": (1, 1)},
        {"seniority": (0, 1)},
        {"seniority": (1, 2, 3)},
    ],
)
def test_an_option_out_of_range_is_refused(terms: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        Setup(**terms)


def test_the_options_have_the_stated_defaults() -> None:
    setup = Setup()
    assert (setup.mode, setup.cards, setup.obligation, setup.target) == ("singles", True, "strict", 24)
    assert Setup(target=1).target == 1
    assert Setup(target=99).target == 99


@pytest.mark.parametrize("name", [ARCA, BANNAN])
def test_with_cards_off_a_turn_goes_straight_to_the_tile(name: str) -> None:
    state, _ = start_game(Setup(seats=4, cards=False, edition=name, key=bytes([5] * 32)))
    for _ in range(6):
        assert state.phase == "place"
        state, _ = apply_action(state, state.turn, legal_actions(state, state.turn)[0])
    assert not any(state.hands)


@pytest.mark.parametrize(("target", "over"), [(8, True), (9, False)])
def test_the_target_is_reached_exactly(target: int, over: bool) -> None:
    state, _ = apply_action(build_position({"b4": "H", "d4": "H"}, drawn="D", target=target), 1, "D-c4-0")
    assert state.is_over is over
