"""RULES 9: the additions of rules version 2, and that version 1 is unchanged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games.engine import (
    RULES_VERSION,
    Setup,
    State,
    apply_action,
    build_view,
    dump_state,
    legal_actions,
    load_edition,
    load_state,
    start_game,
)
from games.engine.edition import EDITIONS_FOLDER, _build_edition, _read_edition_data
from games.engine.record import build_record, parse_record, verify_record
from games.engine.text import describe_figures, draw_text_board
from tests.factories.positions import build_position, build_zero_board

from .reference_chance import shuffle_items

GOLDEN = sorted((Path(__file__).parent / "golden").glob("rules-2-*.json"))
PERGIOCO = "pergioco-72"
# An E on c4 closes two circles: to its left b3+b4+c3+c4, to its right c3+c4+d3+d4.
TWO_CIRCLES = {"b3": "E", "b4": "E", "d3": "E", "d4": "E"}
LEFT, RIGHT = "b3+b4+c3+c4", "c3+c4+d3+d4"
NO_BIG, ONE_BIG = (4, 0, 3), (4, 1, 3)


def map_figure_owners(state: State) -> dict[str, int | None]:
    return {figure["place"]: figure["side"] for figure in build_view(state)["board"]["figures"]}


def list_places(events: list[dict[str, Any]], name: str) -> list[tuple[int, str]]:
    return [(event["seat"], event["place"]) for event in events if event["event"] == name]


# ------------------------------------------------------------------------------------- lenient: silly points


def pass_up_and_fill(rules: int, *, obliged: bool, mode: str = "singles") -> State:
    """End a match on a board of zeros: seat 1 puts an H on a1, although an H on e2 may oblige it to e1."""
    board = build_zero_board("e1", "a1", **({"e2": "H"} if obliged else {}))
    terms: dict[str, Any] = {"mode": mode, "seats": 4 if mode == "pairs" else 2}
    state = build_position(
        board,
        drawn="H",
        table={1: "A", 2: "I", 3: "E", 4: "I"},
        tower="IIIIIIII",
        obligation="lenient",
        rules=rules,
        **terms,
    )
    state, _ = apply_action(state, 1, "H-a1-0")
    state, _ = apply_action(state, 2, "I-e1-0")
    return state


def test_who_passes_up_a_duty_gets_no_silly_points_in_version_2() -> None:
    assert pass_up_and_fill(1, obliged=True).match_results[0]["scores"] == {"1": 16, "2": 0}
    result = pass_up_and_fill(2, obliged=True).match_results[0]
    assert (result["scores"], result["silly"]) == ({"1": 0, "2": 0}, [])


@pytest.mark.parametrize("rules", [1, 2])
def test_without_a_duty_that_was_passed_up_silly_points_are_as_ever(rules: int) -> None:
    result = pass_up_and_fill(rules, obliged=False).match_results[0]
    assert (result["scores"]["1"], result["silly"]) == (16, [1])


def test_one_partner_who_passes_up_a_duty_costs_the_pair_its_silly_points() -> None:
    assert pass_up_and_fill(1, obliged=True, mode="pairs").match_results[0]["scores"]["1"] == 16
    assert pass_up_and_fill(2, obliged=True, mode="pairs").match_results[0]["scores"]["1"] == 0


def test_the_next_match_begins_with_a_clean_sheet() -> None:
    state = pass_up_and_fill(2, obliged=True)
    assert (state.match_no, state.missed_duty_sides) == (2, ())


def test_to_close_for_less_than_an_8_passes_up_the_duty_to_make_it() -> None:
    cells = {"b4": "H", "d4": "H", "c2": "H"}
    state = build_position(cells, drawn="D", table={1: "A", 2: "A"}, obligation="lenient")
    assert apply_action(state, 1, "D-c1-0")[0].missed_duty_sides == (1,)
    missed, _ = apply_action(state, 1, "D-c4-90")
    assert missed.missed_duty_sides == (1,)
    assert (build_view(missed)["missed_duty"], build_view(state)["missed_duty"]) == ([1], []), (
        "for all to see"
    )
    without_duty = build_position({}, drawn="D", table={1: "A", 2: "A"}, obligation="lenient")
    assert apply_action(without_duty, 1, "D-c4-0")[0].missed_duty_sides == ()


def test_a_missed_duty_is_kept_with_the_state() -> None:
    state = build_position({"e2": "H", "d2": "I"}, drawn="H", table={2: "A"}, obligation="lenient")
    state, _ = apply_action(state, 1, "H-c4-0")
    assert state.missed_duty_sides == (1,)
    assert load_state(dump_state(state)) == state


# ------------------------------------------------------------------------------------------- pergioco-72


def build_four_seats(**fields: Any) -> State:
    return build_position(TWO_CIRCLES, drawn="E", seats=4, edition=PERGIOCO, hands={2: ["TT"]}, **fields)


def test_pergioco_says_what_a_game_has_that_does_not_say() -> None:
    edition = load_edition(PERGIOCO)
    assert (edition.default_seniority, edition.default_cards, edition.first_rules_version) == (
        "lot",
        False,
        2,
    )
    for name in ("arcastudio-2.2", "bannan-nl"):
        edition = load_edition(name)
        assert (edition.default_seniority, edition.default_cards, edition.first_rules_version) == (
            "account",
            True,
            1,
        )


def test_the_next_side_marks_what_it_can_and_the_rest_is_lost_for_all() -> None:
    state, events = apply_action(build_four_seats(markers={1: NO_BIG, 2: ONE_BIG}), 1, "E-c4-0")
    assert map_figure_owners(state) == {LEFT: 2, RIGHT: None}
    assert list_places(events, "claimed") == [(2, LEFT)]
    assert list_places(events, "lost figure") == [(2, RIGHT)]
    state, _ = apply_action(state, 2, "draw")
    state, events = apply_action(state, 2, legal_actions(state, 2)[0])
    assert state.turn == 3, "who has all markers"
    assert map_figure_owners(state)[RIGHT] is None, "lost is lost"
    lost = {figure["place"]: figure["lost"] for figure in build_view(state)["board"]["figures"]}
    assert lost == {place: place == RIGHT for place in lost}
    assert any("lost for all" in line for line in describe_figures(build_view(state)))
    assert "(x)" in draw_text_board(build_view(state))
    assert (RIGHT not in dict(list_places(events, "claimed")).values(), state.unmarked_figures) == (True, ())
    assert load_state(dump_state(state)) == state


def test_the_second_turn_of_a_time_travel_neither_marks_nor_loses() -> None:
    state = build_four_seats(markers={1: NO_BIG, 2: NO_BIG}, extra=1)
    state, events = apply_action(state, 1, "E-c4-0")
    assert (state.turn, len(state.unmarked_figures), state.lost_figures) == (1, 2, ())
    assert not list_places(events, "lost figure")
    state, events = apply_action(state, 1, legal_actions(state, 1)[0])
    assert (state.turn, state.unmarked_figures) == (2, ())
    assert len(list_places(events, "lost figure")) == 2


def test_a_lost_figure_may_be_broken_up_and_closed_anew() -> None:
    state, _ = apply_action(build_four_seats(markers={1: NO_BIG, 2: NO_BIG}), 1, "E-c4-0")
    changed = state.mutable_copy()
    changed.hands, changed.phase, changed.turn = ((), (), (), ("QL",), ()), "start", 3
    state, _ = apply_action(changed.freeze(), 3, "QL-b4-a1-0")
    assert LEFT not in map_figure_owners(state)
    assert map_figure_owners(state)[RIGHT] is None


def test_a_solo_game_loses_no_figure_and_pays_for_it_at_the_end() -> None:
    terms: dict[str, Any] = {"mode": "solo", "seats": 1, "kind": "solo", "edition": PERGIOCO}
    state, events = apply_action(
        build_position(TWO_CIRCLES, drawn="E", markers={1: NO_BIG}, **terms), 1, "E-c4-0"
    )
    assert (state.lost_figures, list_places(events, "lost figure")) == ((), [])
    assert len(state.unmarked_figures) == 2


def test_an_edition_with_an_unknown_rule_is_refused() -> None:
    data = _read_edition_data(PERGIOCO)
    assert (EDITIONS_FOLDER / f"{PERGIOCO}.toml").exists()
    with pytest.raises(ValueError, match="unmarked is one of turn, at-once, next-side"):
        _build_edition("misprint", data | {"unmarked": "next"})


# ------------------------------------------------------------------------------------------------- options


@pytest.mark.parametrize("edition", ["arcastudio-2.2", "bannan-nl", PERGIOCO])
def test_with_cards_from_2_the_first_match_has_none_and_the_second_has(edition: str) -> None:
    state, _ = start_game(Setup(seats=3, edition=edition, cards_from=2, target=99, key=bytes([7] * 32)))
    while state.match_no == 1:
        assert (any(state.hands), len(state.deck), state.phase) == (False, 33, "place")
        state, _ = apply_action(state, state.turn, legal_actions(state, state.turn)[0])
    assert [len(hand) for hand in state.hands] == [0, 1, 1, 1]


@pytest.mark.parametrize(("match", "cards"), [(1, 0), (2, 1)])
def test_two_dark_tiles_bring_no_card_before_the_match_that_has_cards(match: int, cards: int) -> None:
    fields: dict[str, Any] = {"phase": "place", "drawn": "E", "turn": 2, "table": {1: "J", 2: "A"}}
    state = build_position({}, tower="JEEE", deck=["TT"], match=match, cards_from=2, **fields)
    state, events = apply_action(state, 2, "E-c4-0")
    assert len(state.hands[1]) == cards
    assert [event["card"] for event in events if event["event"] == "dark tiles left"] == [bool(cards)]


def test_a_seniority_by_lot_follows_from_the_key() -> None:
    key = bytes(range(32))
    setup = Setup(seats=4, seniority_rule="lot", key=key)
    assert list(setup.seniority) == shuffle_items(key, "seniority", [1, 2, 3, 4])
    assert len({Setup(seats=4, seniority_rule="lot", key=bytes([n] * 32)).seniority for n in range(40)}) > 8


@pytest.mark.parametrize(
    "terms", [{"edition": PERGIOCO}, {"cards_from": 2}, {"seniority_rule": "lot"}, {"rules": 0}, {"rules": 3}]
)
def test_version_1_has_none_of_it(terms: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"rules version"):
        Setup(**{"rules": 1} | terms)


@pytest.mark.parametrize("terms", [{"cards_from": 0}, {"cards_from": 3}, {"cards_from": True}])
def test_cards_come_from_the_first_or_second_match_on(terms: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="cards_from is 1 or 2"):
        Setup(**terms)


# ------------------------------------------------------------------------------------- states and records


def test_a_state_of_version_1_is_written_as_it_always_was() -> None:
    state, _ = start_game(Setup(seats=2, rules=1))
    data = json.loads(dump_state(state))
    assert data["rules"] == 1
    assert data["setup"] == ["singles", 2, "arcastudio-2.2", True, "strict", 24, [1, 2], "00" * 32]
    assert not {"lost_figures", "missed_duty_sides"} & data.keys()
    assert load_state(dump_state(state)) == state
    assert load_state(dump_state(state)).setup.rules == 1


def test_new_games_have_the_newest_version() -> None:
    assert Setup().rules == RULES_VERSION == 2


@pytest.mark.parametrize("rules", [1, 2])
def test_a_record_has_the_options_of_its_version(rules: int) -> None:
    setup = Setup(rules=rules)
    record = build_record(
        game_code="x",
        setup=setup,
        names=["ada", "bob"],
        commitment="0" * 64,
        server_seed=None,
        client_seeds=["1", "2"],
        seat_order="as-joined",
        seats_by_joining=[1, 2],
        actions=[],
        result=None,
    )
    newer = {"cards_from": 1, "seniority": "account"} if rules == 2 else {}
    assert record["options"] == {"cards": True, "obligation": "strict", "target": 24} | newer
    assert record["rules"] == rules
    assert verify_record(record).status == "unfinished"


def test_no_record_of_version_1_has_the_third_edition() -> None:
    data = parse_record(next(path for path in GOLDEN if PERGIOCO in path.name).read_bytes())
    verdict = verify_record(data | {"rules": 1})
    assert (verdict.status, verdict.text) == ("bad", "rules version 1 has no edition pergioco-72")


def test_a_list_that_the_lot_did_not_give_is_refused() -> None:
    records = [parse_record(path.read_bytes()) for path in GOLDEN]
    data = next(row for row in records if row["options"]["seniority"] == "lot" and len(row["seats"]) == 4)
    verdict = verify_record(data | {"seniority": [*data["seniority"][1:], data["seniority"][0]]})
    assert (verdict.status, verdict.text) == ("bad", "seniority: the list does not follow from the seeds")
