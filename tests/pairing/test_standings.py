"""Standings: every tie-break with its position and value."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.example_counts import make_settings
from tests.factories.planned_events import (
    build_event,
    chances,
    change_entrant,
    make_random_play,
    play_event,
)
from tournaments.pairing import PairingResult, Standing, build_standings
from tournaments.pairing.outcomes import POINTS_BY_TABLE_SIZE, PairingOutcome, score_outcome


def build_duel(round: int, winner: int, loser: int, **more: tuple[int, int]) -> PairingResult:
    """Return a result in which one entrant beats another."""
    return PairingResult(f"R{round}.{winner}", round, (winner, loser), (1, 2), **more)


def list_entrants(lines: list[Standing]) -> list[object]:
    """Return the entrants of the standings."""
    return [line.entrant for line in lines]


def test_points_are_by_rank_and_shared_where_level() -> None:
    four = build_event("swiss", 4, table_size=4)
    assert score_outcome(four, PairingOutcome("x", 1, {1: 1, 2: 2, 3: 3, 4: 4})) == {1: 6, 2: 4, 3: 2, 4: 0}
    assert score_outcome(four, PairingOutcome("x", 1, {1: 1, 2: 1, 3: 3, 4: 3})) == {1: 5, 2: 5, 3: 1, 4: 1}
    assert score_outcome(four, PairingOutcome("x", 1, {1: 1, 2: 2, 3: 2, 4: 2})) == {1: 6, 2: 2, 3: 2, 4: 2}
    assert score_outcome(four, PairingOutcome("x", 1, {1: 1, 2: 1, 3: 1, 4: 1})) == dict.fromkeys(
        [1, 2, 3, 4], 3
    )
    assert score_outcome(four, PairingOutcome("x", 1, {1: 1, 2: 1, 3: 3})) == {1: 4.5, 2: 4.5, 3: 0}
    assert score_outcome(four, PairingOutcome("x", 1, {1: 1, 2: 2, 3: 3}, frozenset({1}))) == {
        1: 0,
        2: 6,
        3: 3,
    }
    two = build_event("swiss", 2)
    assert score_outcome(two, PairingOutcome("x", 1, {1: 1, 2: 1})) == {1: 0.5, 2: 0.5}
    assert score_outcome(two, PairingOutcome("x", 1, {1: 1, 2: 1}, frozenset({1, 2}))) == {1: 0, 2: 0}
    assert {sum(scale) / len(scale) for seats, scale in POINTS_BY_TABLE_SIZE.items() if seats > 1} == {3.0}


def test_buchholz_and_sonneborn_berger() -> None:
    # Entrants 1 and 2 won twice; 1 beat two that won once, 2 beat one of those and one without a win.
    results = [
        build_duel(1, 1, 3),
        build_duel(1, 2, 4),
        build_duel(1, 5, 6),
        build_duel(2, 3, 4),
        build_duel(2, 1, 5),
        build_duel(2, 2, 6),
    ]
    lines = {line.entrant: line for line in build_standings(build_event("swiss", 6, round_count=3), results)}
    assert [lines[id]["points"] for id in range(1, 7)] == [2, 2, 1, 0, 1, 0]
    assert [lines[id]["buchholz"] for id in range(1, 7)] == [2, 0, 2, 3, 2, 3]
    assert [lines[id]["sonneborn-berger"] for id in range(1, 7)] == [2, 0, 0, 0, 0, 0]
    assert lines[2].separated_by == "buchholz"
    assert list_entrants(build_standings(build_event("swiss", 6, round_count=3), results)) == [
        1,
        2,
        3,
        5,
        4,
        6,
    ]
    assert lines[5].separated_by == "seed"


def test_a_bye_counts_as_an_opponent_like_oneself() -> None:
    results = [
        build_duel(1, 1, 2),
        PairingResult("R1.2", 1, (3,)),
        build_duel(2, 1, 3),
        PairingResult("R2.2", 2, (2,)),
    ]
    lines = {line.entrant: line for line in build_standings(build_event("swiss", 3, round_count=3), results)}
    assert [(lines[id]["points"], lines[id]["buchholz"]) for id in (1, 2, 3)] == [(2, 2), (1, 3), (1, 3)]
    assert [(lines[id].played, lines[id].byes) for id in (1, 2, 3)] == [(2, 0), (1, 1), (1, 1)]


def test_head_to_head_counts_only_where_all_who_are_level_have_met() -> None:
    circle = [build_duel(1, 2, 1), build_duel(1, 3, 4), build_duel(2, 1, 3), build_duel(2, 4, 2)]
    lines = build_standings(build_event("swiss", 4, round_count=3), circle)
    assert {(line["points"], line["buchholz"], line["sonneborn-berger"]) for line in lines} == {(1, 2, 1)}
    assert {line["head-to-head"] for line in lines} == {None}  # entrants 1 and 4 have not met
    two = [
        build_duel(1, 2, 1),
        build_duel(1, 4, 5),
        build_duel(1, 6, 3),
        build_duel(2, 3, 2),
        build_duel(2, 1, 4),
        build_duel(2, 6, 5),
    ]
    lines = build_standings(build_event("swiss", 6, round_count=3), two)
    columns = ("buchholz", "sonneborn-berger", "head-to-head")
    assert [(line.entrant, *(line[key] for key in columns)) for line in lines] == [
        (6, 1, 1, None), (3, 3, 1, None), (2, 2, 1, 1), (1, 2, 1, 0), (4, 1, 0, None), (5, 3, 0, None),
    ]  # fmt: skip
    assert lines[3].separated_by == "head-to-head"


def test_then_points_of_games_then_eights_then_the_seed() -> None:
    def build_level_standings(points: tuple[int, int], eights: tuple[int, int]) -> list[Standing]:
        drawn = PairingResult("R1.1", 1, (1, 2), (1, 1), points=points, eights=eights)
        return build_standings(build_event("swiss", 2, round_count=2), [drawn])

    assert list_entrants(build_level_standings((20, 21), (2, 1))) == [2, 1]
    assert build_level_standings((20, 21), (2, 1))[1].separated_by == "game-points"
    assert list_entrants(build_level_standings((20, 20), (0, 1))) == [2, 1]
    assert build_level_standings((20, 20), (0, 1))[1].separated_by == "eights"
    assert list_entrants(build_level_standings((20, 20), (1, 1))) == [1, 2]
    assert build_level_standings((20, 20), (1, 1))[1].separated_by == "seed"


def test_at_tables_the_opponents_points_are_added_up() -> None:
    pairing_result = PairingResult("R1.1", 1, (1, 2, 3), (1, 2, 3))
    other = PairingResult("R1.2", 1, (4, 5, 6), (1, 1, 3))
    lines = {
        line.entrant: line
        for line in build_standings(
            build_event("swiss", 6, table_size=3, round_count=2), [pairing_result, other]
        )
    }
    assert [lines[id]["points"] for id in range(1, 7)] == [6, 3, 0, 4.5, 4.5, 0]
    assert [lines[id]["opponents"] for id in range(1, 7)] == [3, 6, 9, 4.5, 4.5, 9]
    assert [criterion.key for criterion in lines[1].criteria] == [
        "points", "opponents", "head-to-head", "game-points", "eights", "seed",
    ]  # fmt: skip
    assert lines[4]["head-to-head"] == lines[5]["head-to-head"] == 0.5


@pytest.mark.slow
@make_settings(10, 150)
@given(count=st.integers(2, 30), chance=chances, table=st.sampled_from([2, 3, 4]))
def test_lines_are_in_order_and_say_what_parts_them(count: int, chance: Random, table: int) -> None:
    whole = play_event(build_event("swiss", count, table_size=table, round_count=4), make_random_play(chance))
    lines = build_standings(whole.event, whole.results)
    assert [line.rank for line in lines] == list(range(1, count + 1))
    for above, line in pairwise(lines):
        for upper, other in zip(above.criteria, line.criteria, strict=True):
            if upper.key == line.separated_by:
                assert ((upper.value or 0) > (other.value or 0)) == (upper.key != "seed")
                break
            assert (upper.value or 0) == (other.value or 0)
        else:
            raise AssertionError("nothing parts them")


def test_a_corrected_result_moves_the_line() -> None:
    six = build_event("swiss", 6, round_count=3)
    assert list_entrants(build_standings(six, [build_duel(1, 1, 4)]))[0] == 1
    assert list_entrants(build_standings(six, [build_duel(1, 4, 1)]))[0] == 4


def test_whoever_withdrew_before_the_start_is_not_listed_and_others_stay() -> None:
    four = change_entrant(
        change_entrant(build_event("swiss", 4), 4, left_after_round=0), 3, left_after_round=1
    )
    lines = build_standings(four, [build_duel(1, 1, 3)])
    assert list_entrants(lines) == [1, 3, 2]  # ranked by their opponents' points
    assert {line.entrant: line.withdrawn for line in lines} == {1: False, 2: False, 3: True}
