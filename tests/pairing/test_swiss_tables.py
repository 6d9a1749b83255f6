"""Swiss rounds at tables of 3 and 4: table sizes, scores, repeat meetings."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.example_counts import make_settings
from tests.factories.planned_events import (
    build_event,
    chances,
    list_ids,
    make_random_play,
    play_event,
)
from tournaments.pairing import PlannedRound, build_standings, plan_next_round
from tournaments.pairing.outcomes import build_histories
from tournaments.pairing.seating import plan_table_sizes


@pytest.mark.parametrize("table", [2, 3, 4])
def test_tables_are_full_or_one_short(table: int) -> None:
    for count in range(1, 513):
        table_sizes = plan_table_sizes(count, table)
        assert sum(table_sizes) == count
        assert len(table_sizes) == -(-count // table)
        assert set(table_sizes) <= {table, table - 1} or count in (1, 2, 5)
    assert plan_table_sizes(5, 4) == [3, 2]


@pytest.mark.slow
@make_settings(4, 250)
@given(count=st.integers(2, 60), table=st.sampled_from([3, 4]), rounds=st.integers(1, 7), chance=chances)
def test_everybody_sits_at_one_table_a_round(count: int, table: int, rounds: int, chance: Random) -> None:
    whole = play_event(
        build_event("swiss", count, table_size=table, round_count=rounds), make_random_play(chance)
    )
    for round in whole.rounds:
        assert sorted(id for pairing in round.pairings for id in pairing.seats) == list_ids(whole.event)
        assert sorted(len(pairing.seats) for pairing in round.pairings) == sorted(
            plan_table_sizes(count, table)
        )
        assert all(pairing.reasons for pairing in round.pairings)
    for id in list_ids(whole.event):
        seat_counts = Counter(pairing.seats.index(id) for pairing in whole.tables_of(id))
        assert max(seat_counts.values()) <= -(-rounds // 2) + 1
    assert build_standings(whole.event, whole.results)[0].entrant == whole.champion


@pytest.mark.slow
@make_settings(5, 100)
@given(count=st.integers(24, 90), table=st.sampled_from([3, 4]), chance=chances)
def test_while_there_are_enough_others_nobody_is_met_twice(count: int, table: int, chance: Random) -> None:
    whole = play_event(build_event("swiss", count, table_size=table, round_count=3), make_random_play(chance))
    met = Counter(frozenset(pair) for pairing in whole.pairings for pair in combinations(pairing.seats, 2))
    assert max(met.values()) == 1
    assert all(note.code != "rematch-unavoidable" for round in whole.rounds for note in round.warnings)


def test_equals_sit_together() -> None:
    whole = build_event("swiss", 64, table_size=4, round_count=4)
    play, results = make_random_play(Random(2), draws=False), []
    for number in range(1, 5):
        now = plan_next_round(whole, results)
        assert isinstance(now, PlannedRound)
        past = build_histories(whole, results)
        spread = [
            max(past[id].points for id in pairing.seats) - min(past[id].points for id in pairing.seats)
            for pairing in now.pairings
        ]
        assert sum(spread) <= (0 if number < 3 else 2 * len(spread))
        results += map(play, now.pairings)


def test_the_first_round_has_one_of_each_strength_at_every_table() -> None:
    now = plan_next_round(build_event("swiss", 16, table_size=4))
    assert [sorted(pairing.seats) for pairing in now.pairings] == [
        [1, 8, 9, 16], [2, 7, 10, 15], [3, 6, 11, 14], [4, 5, 12, 13],
    ]  # fmt: skip
