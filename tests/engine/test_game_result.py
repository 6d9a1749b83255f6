"""Results of games and the levels of solo matches, compared with the states of the engine."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from games.engine import Setup, State, apply_action, build_view, legal_actions, start_game
from games.engine.ending_text import (
    describe_result,
    describe_solo_goal,
    describe_solo_result,
    format_result_headline,
)
from games.engine.game_result import EndReason, GameResult, build_game_result, find_end_reason, rank_sides
from games.engine.solo_progress import HIGHEST_SOLO_SCORE, SoloProgress, measure_solo_progress
from tests.factories.game_ends import LAST, build_last_tile
from tests.factories.positions import build_position, build_zero_board
from tests.factories.solo_positions import GAP, NO_MARKER, build_solo_position

from .bot_games import GAMES, play_game


def finish_game(state: State, seat: int, action: str) -> GameResult:
    """Play the last action of a game and return its result."""
    state, events = apply_action(state, seat, action)
    assert state.is_over
    return build_game_result(build_view(state), events)


@pytest.mark.parametrize("setup", GAMES, ids=lambda setup: f"{setup.edition}-{setup.mode}{setup.seats}")
def test_the_result_of_a_whole_game_ranks_its_winner_first(setup: Setup) -> None:
    events, _, state = play_game(setup, "greedy")
    assert state.is_over
    last_events = events[max(n for n, event in enumerate(events) if event["event"] == "match ended") :]
    result = build_game_result(build_view(state), last_events)
    assert result.winner == (state.winner or None)
    assert [line.total for line in sorted(result.ranking, key=lambda line: line.side)] == list(
        state.totals[1:]
    )
    if state.winner:
        assert result.ranking[0].side == state.winner
        assert result.rank_of(state.winner) == 1


def test_the_target_a_blind_match_and_an_8_in_it_are_different_reasons() -> None:
    by_target = finish_game(build_last_tile({1: 23, 2: 3}, 1, 2), 1, LAST)
    assert (by_target.reason, by_target.winner, by_target.had_blind_match) == (EndReason.TARGET, 1, False)
    assert format_result_headline(by_target, 1) == "You won 25 : 5"
    assert format_result_headline(by_target, 2) == "You lost 5 : 25"
    assert format_result_headline(by_target) == "side 1 won 25 : 5"
    blind = finish_game(build_last_tile({1: 24, 2: 24}, 1, 1, 2, kind="blind"), 1, LAST)
    assert (blind.reason, blind.had_blind_match) == (EndReason.BLIND_MATCH, True)
    assert "so a blind match decided" in describe_result(blind)[0]
    eight = build_position({"a2": "H", "b2": "D0"}, drawn="H", kind="blind", totals={1: 24, 2: 40}, target=24)
    by_eight = finish_game(eight, 1, "H-c2-0")
    assert (by_eight.reason, by_eight.winner) == (EndReason.BLIND_EIGHT, 1)
    assert format_result_headline(by_eight, 1) == "You won", "the totals say otherwise"
    assert "(32 : 40)" in describe_result(by_eight)[0]


def test_level_after_a_blind_match_and_without_tiles_is_a_draw() -> None:
    result = finish_game(build_last_tile({1: 24, 2: 24}, 1, 2, kind="blind", tower=""), 1, LAST)
    assert (result.reason, result.winner) == (EndReason.LEVEL, None)
    assert format_result_headline(result, 2) == "A draw, 26 : 26"


def test_who_resigned_ranks_last_whatever_the_total() -> None:
    ranking = rank_sides({1: 30, 2: 10, 3: 10, 4: 12}, 4, {1})
    assert [(line.rank, line.side) for line in ranking] == [(1, 4), (2, 2), (2, 3), (4, 1)]
    result = finish_game(build_position(drawn="E", totals={1: 3, 2: 9}), 2, "resign")
    assert (result.reason, result.last_resigned_side) == (EndReason.RESIGNED, 2)
    assert format_result_headline(result, 1) == "You won"
    assert describe_result(result) == ["Side 2 resigned; the score was 3 : 9."]
    assert describe_result(result, timed_out_side=2) == ["Time ran out for side 2; the score was 3 : 9."]


def build_progress(score: int, **more: Any) -> SoloProgress:
    fields: dict[str, Any] = {
        "markers_placed": 11,
        "marker_count": 11,
        "has_eight": True,
        "marker_points": 24,
        "free_cells": 3,
        "unmarked_count": 0,
        "is_over": True,
        "score": score,
    }
    return SoloProgress(**fields | more)


@pytest.mark.parametrize(
    ("score", "grade", "next_grade"),
    [
        (31, "narrow", ("good", 1)),
        (32, "good", ("great", 5)),
        (36, "good", ("great", 1)),
        (37, "great", ("master", 4)),
        (40, "great", ("master", 1)),
        (41, "master", None),
        (HIGHEST_SOLO_SCORE, "master", None),
        (0, None, None),
    ],
)
def test_the_levels_of_a_solo_score(
    score: int, grade: str | None, next_grade: tuple[str, int] | None
) -> None:
    progress = build_progress(score)
    assert (progress.grade, progress.next_grade) == (grade, next_grade)
    assert describe_solo_result(progress)


def test_the_score_within_reach_is_that_of_a_win_with_the_next_tile() -> None:
    state = build_solo_position(
        build_zero_board("c4", "a1", "e1", **GAP), left=NO_MARKER, drawn="D", unmarked={"frame+a5": 2}
    )
    progress = measure_solo_progress(build_view(state))
    assert (progress.best_score, progress.best_grade) == (35, "good")
    assert "Still within reach: 35 points, good." in describe_solo_goal(progress)
    state, _ = apply_action(state, 1, "D-c4-0")
    progress = measure_solo_progress(build_view(state))
    assert (progress.score, progress.is_over) == (35, True)
    first, _ = describe_solo_result(progress)
    assert (
        first == "24 for the markers, 8 for the 8, 4 for the free cells, 1 less for figures without a marker."
    )


def test_nothing_above_the_highest_score_is_within_reach_at_the_start() -> None:
    assert (
        measure_solo_progress(build_view(build_solo_position({}, drawn="A"))).best_score == HIGHEST_SOLO_SCORE
    )


@pytest.mark.parametrize("resigns", [False, True])
def test_the_result_alone_tells_what_decided_a_game(resigns: bool) -> None:
    """It agrees with the result of the last events, unless one action both resigned and ended a match."""
    seen_reasons = set()
    for setup in GAMES:
        for target in (1, 4, 24):
            rng = random.Random(f"{setup} {target} {resigns}")
            state, events = start_game(replace(setup, target=target))
            while not state.is_over:
                seat = rng.choice(state.seats_to_act)
                gives_up = resigns and rng.random() < 0.02
                action = "resign" if gives_up else rng.choice(legal_actions(state, seat))
                state, events = apply_action(state, seat, action)
            assert state.result is not None
            reason = find_end_reason(state.result, mode=setup.mode, target=target)
            event_names = {event["event"] for event in events}
            totals = [*state.result["totals"].values()]
            is_ambiguous = len(totals) > 2 and len({*totals}) < len(totals)
            if not is_ambiguous and not {"resigned", "match ended"} <= event_names:
                assert reason == build_game_result(build_view(state), events).reason, (setup, target)
            seen_reasons.add(reason)
    assert len(seen_reasons) >= 3
