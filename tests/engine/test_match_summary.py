"""Summaries of matches from their events, compared with the states of the engine."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from games.engine import GameEvent, Setup, State, apply_action, build_view, legal_actions, start_game
from games.engine.bots import choose_action
from games.engine.edition import load_edition
from games.engine.ending_text import describe_score_note
from games.engine.match_summary import MatchSummary, StartReason, summarise_matches
from games.selectors.match_summary import MAX_ACTIONS_PER_MATCH
from tests.factories.game_ends import LAST, build_last_tile
from tests.factories.positions import build_position, build_zero_board

from .bot_games import GAMES, play_game


@pytest.mark.parametrize("policy", ["random", "greedy"])
@pytest.mark.parametrize("setup", GAMES, ids=lambda setup: f"{setup.edition}-{setup.mode}{setup.seats}")
def test_the_summaries_of_a_whole_game_agree_with_the_states_that_were_scored(
    setup: Setup, policy: str
) -> None:
    events, scored_states, last_state = play_game(setup, policy)
    summaries = summarise_matches(events, setup.edition_data, setup.sides)
    assert [summary.match_no for summary in summaries] == [state.match_no for state in scored_states]
    for summary, state, match in zip(summaries, scored_states, last_state.match_results, strict=True):
        assert summary.board == build_view(state)["board"]
        assert (summary.kind, summary.ending) == (match["kind"], match["ended"])
        assert {str(line.side): line.score for line in summary.scores} == match["scores"]
        assert [line.side for line in summary.scores if line.silly_tile] == match["silly"]
        for line in summary.scores:
            marked = sum(value for _, value, side in state.marked_figures if side == line.side)
            assert line.marked_points == marked
            assert not line.refused_tile, "all games are strict"
            if line.silly_seat:
                assert state.table_tiles[line.silly_seat] == line.silly_tile
                assert setup.edition_data.tiles[line.silly_tile].value == line.score
        assert bool(summary.eight) == (match["ended"] == "infinity")
    starts = [event["seat"] for event in events if event["event"] == "match began"]
    assert [summary.next_start.seat for summary in summaries if summary.next_start] == starts[1:]


@pytest.mark.parametrize("setup", GAMES, ids=lambda setup: f"{setup.edition}-{setup.mode}{setup.seats}")
def test_no_match_has_more_actions_than_are_read_for_its_summary(setup: Setup) -> None:
    rng = random.Random(str(setup))
    state, _ = start_game(setup)
    counts = Counter[int]()
    while not state.is_over and state.seq < 2000:
        seat = state.seats_to_act[0]
        counts[state.match_no] += 1
        action = choose_action("random", build_view(state, seat), legal_actions(state, seat), rng)
        state, _ = apply_action(state, seat, action)
    assert max(counts.values()) < MAX_ACTIONS_PER_MATCH


def summarise_last_action(state: State, *actions: str) -> MatchSummary:
    """Summarise the match that these actions end; events of a deal and the position come first."""
    cells = build_view(state)["board"]["cells"].items()
    events: list[Any] = [{"event": "placed", "seat": 0, "cell": cell, **tile} for cell, tile in cells]
    for action in actions:
        state, new_events = apply_action(state, state.seats_to_act[0], action)
        events += new_events
    deal = {str(seat): state.setup.edition_data.centre for seat in range(1, state.setup.seats + 1)}
    deal_event = {"event": "match began", "match": 1, "kind": "normal", "seat": 1, "table": deal}
    return summarise_matches([deal_event, *events], state.setup.edition_data, state.setup.sides)[-1]


def test_the_side_ahead_starts_the_next_match() -> None:
    start = summarise_last_action(build_last_tile({1: 9, 2: 3}, 1, 2), LAST).next_start
    assert start
    assert (start.seat, start.reason, start.is_level) == (1, StartReason.LEAD, False)


@pytest.mark.parametrize("seed", range(6))
def test_between_sides_level_in_front_the_tile_decides_and_after_it_seniority(seed: int) -> None:
    setup = Setup(key=bytes([seed]) * 32, seniority=(2, 1))
    start = summarise_last_action(build_last_tile({1: 3, 2: 3}, 1, 2, setup=setup), LAST).next_start
    assert start
    assert start.is_level
    state, events = start_game(setup)
    state = build_last_tile({1: 3, 2: 3}, 1, 2, setup=setup)
    _, events = apply_action(state, 1, LAST)
    deal = next(event["table"] for event in events if event["event"] == "match began")
    values = {seat: setup.edition_data.tiles[tile].value for seat, tile in deal.items()}
    if values["1"] == values["2"]:
        assert (start.reason, start.seat) == (StartReason.SENIORITY, 2)
    else:
        assert start.reason == StartReason.TABLE_TILE
        assert values[str(start.seat)] == max(values.values())
    assert start.tile == deal[str(start.seat)]


def test_in_the_dutch_edition_seniority_alone_decides_between_level_sides() -> None:
    setup = Setup(edition="bannan-nl", seniority=(2, 1))
    start = summarise_last_action(build_last_tile({1: 3, 2: 3}, 1, 2, setup=setup), LAST).next_start
    assert start
    assert (start.seat, start.reason, start.is_level) == (2, StartReason.SENIORITY, True)


def test_an_8_names_its_maker_its_cells_and_every_answer() -> None:
    state = build_position(
        {"a2": "H", "b2": "D0", "a5": "E", "e5": "E"},
        marked={("frame+a5", 2): 1, ("frame+e5", 2): 2},
        drawn="H",
        table={1: "H", 2: "E"},
        hands={1: ["TT"], 2: ["OO"]},
    )
    summary = summarise_last_action(state, "H-c2-0", "pass", "8")
    assert summary.eight
    assert (summary.eight.seat, summary.eight.side) == (1, 1)
    assert summary.eight.cells == (("a2", "b2", "c2"),)
    assert summary.eight.answers == ((1, "pass"), (2, "8"))
    assert [(line.score, line.total) for line in summary.scores] == [(8, 8), (2, 2)]


def test_silly_points_name_the_higher_table_tile_of_a_pair() -> None:
    state = build_position(
        build_zero_board("c2"), drawn="I", table={1: "", 2: "E", 3: "H", 4: "A"}, mode="pairs", seats=4
    )
    deal = {"1": "I", "2": "E", "3": "H", "4": "A"}
    deal_event = {"event": "match began", "match": 1, "kind": "normal", "seat": 1, "table": deal}
    drew = {"event": "drew", "seat": 1, "tile": "I"}
    _, events = apply_action(state, 1, LAST)
    summary = summarise_matches([deal_event, drew, *events], state.setup.edition_data, state.setup.sides)[0]
    assert [(line.silly_seat, line.silly_tile, line.score) for line in summary.scores] == [
        (3, "H", 4),
        (4, "A", 16),
    ]


@pytest.mark.parametrize("drawn", ["H", "I"])
def test_a_duty_that_was_passed_up_explains_a_table_tile_that_gives_nothing(drawn: str) -> None:
    state = build_position(
        build_zero_board("e1", "a1", e2="H"),
        drawn=drawn,
        table={1: "A", 2: "I"},
        tower="IIII",
        obligation="lenient",
    )
    deal_event = {
        "event": "match began",
        "match": 1,
        "kind": "normal",
        "seat": 1,
        "table": {"1": "A", "2": "I"},
    }
    events: list[GameEvent] = [deal_event, {"event": "drew", "seat": 1, "tile": drawn}]
    for seat, action in ((1, f"{drawn}-a1-0"), (2, "I-e1-0")):
        state, new_events = apply_action(state, seat, action)
        events += new_events
    summary = summarise_matches(events, state.setup.edition_data, state.setup.sides)[0]
    notes = [describe_score_note(line, summary) for line in summary.scores]
    missed = "no points for tile A: a duty was passed up"
    assert notes == [missed if drawn == "H" else "silly match: tile A on the table gives 16 points", ""]


def test_a_match_whose_deal_is_not_among_the_events_is_left_out() -> None:
    events, _, _ = play_game(Setup(target=40, key=bytes(32)), "greedy")
    late_events = events[5:]
    edition = load_edition("arcastudio-2.2")
    whole = summarise_matches(events, edition, (0, 1, 2))
    assert len(whole) > 1
    assert summarise_matches(late_events, edition, (0, 1, 2)) == whole[1:]
    assert summarise_matches(events[:5], edition, (0, 1, 2)) == []


def test_events_that_do_not_fit_together_give_no_summary() -> None:
    events, _, _ = play_game(Setup(target=40, key=bytes(32)), "greedy")
    edition = load_edition("arcastudio-2.2")
    leap = {"event": "played", "seat": 1, "card": "QL", "action": "QL-a1-a2-0"}
    summaries = summarise_matches([events[0], leap, *events[1:]], edition, (0, 1, 2))
    assert summaries == summarise_matches(events, edition, (0, 1, 2))[1:]
