"""Round robin: all entrants meet equally often at tables of 2, and as evenly as possible at larger ones."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.example_counts import make_settings
from tests.factories.planned_events import (
    KEY,
    build_entrants,
    build_event,
    build_result,
    chances,
    change_entrant,
    let_stronger_win,
    list_ids,
    make_random_play,
    play_event,
)
from tournaments.pairing import (
    EntrantSpec,
    PlannedRound,
    TournamentFinished,
    TournamentSpec,
    WaitingForResults,
    build_bracket,
    build_standings,
    plan_next_round,
)
from tournaments.pairing.round_robin import build_circle_rounds, build_schedule
from tournaments.pairing.schedule_designs import build_design


@pytest.mark.parametrize("count", [*range(2, 26), 64, 101])
@pytest.mark.parametrize("cycles", [1, 2, 3])
def test_everybody_meets_everybody_once_a_cycle_and_sits_first_half_of_the_time(
    count: int, cycles: int
) -> None:
    slots = build_schedule(build_event("round-robin", count, cycles=cycles))
    met = Counter(frozenset(slot.seats) for slot in slots if len(slot.seats) == 2)
    assert met == {frozenset(pair): cycles for pair in combinations(range(1, count + 1), 2)}
    for number in {slot.round for slot in slots}:
        ids = [id for slot in slots if slot.round == number for id in slot.seats]
        assert sorted(ids) == list(range(1, count + 1))
    first = Counter(slot.seats[0] for slot in slots if len(slot.seats) == 2)
    second = Counter(slot.seats[1] for slot in slots if len(slot.seats) == 2)
    assert all(abs(first[id] - second[id]) <= 1 for id in range(1, count + 1))
    free = Counter(slot.seats[0] for slot in slots if len(slot.seats) == 1)
    assert free == (dict.fromkeys(range(1, count + 1), cycles) if count % 2 else {})


def test_the_circle_of_four() -> None:
    assert [{frozenset(pair) for pair in pairs} for pairs in build_circle_rounds(4)] == [
        {frozenset({0, 3}), frozenset({1, 2})},
        {frozenset({0, 1}), frozenset({2, 3})},
        {frozenset({0, 2}), frozenset({1, 3})},
    ]


@make_settings(15)
@given(count=st.integers(2, 12), chance=chances, cycles=st.integers(1, 2))
def test_it_is_played_round_by_round(count: int, chance: Random, cycles: int) -> None:
    whole = play_event(build_event("round-robin", count, cycles=cycles), make_random_play(chance))
    assert [round.number for round in whole.rounds] == list(range(1, len(whole.rounds) + 1))
    for id in range(1, count + 1):
        assert len(whole.tables_of(id)) == cycles * (count - 1)
    table = build_standings(whole.event, whole.results)
    assert sum(line["points"] or 0 for line in table) == cycles * count * (count - 1) / 2
    assert table[0].entrant == whole.champion
    assert all(line.byes == 0 for line in table)  # a free round gives no points, as every entrant has one


def test_a_round_waits_for_the_one_before_it_unless_all_start_at_once() -> None:
    four = build_event("round-robin", 4)
    first = plan_next_round(four)
    assert isinstance(first, PlannedRound)
    one_open = [let_stronger_win(first.pairings[0]), build_result(first.pairings[1])]
    assert plan_next_round(four, one_open) == WaitingForResults(1, (first.pairings[1].match,))
    all_rounds = plan_next_round(build_event("round-robin", 5, all_rounds_at_once=True))
    assert isinstance(all_rounds, PlannedRound)
    assert Counter(len(pairing.seats) for pairing in all_rounds.pairings) == {2: 10, 1: 5}
    assert {note.code for pairing in all_rounds.pairings for note in pairing.reasons} == {
        "schedule",
        "free-round",
    }
    assert {note.code for note in all_rounds.warnings} == {"odd-number"}


def test_whoever_leaves_before_half_of_their_games_never_was_there() -> None:
    six = build_event("round-robin", 6)
    early = play_event(
        six,
        let_stronger_win,
        before=lambda so_far: (
            change_entrant(six, 6, left_after_round=2) if len(so_far.rounds) == 2 else so_far.event
        ),
    )
    assert {line.entrant: line["points"] for line in build_standings(early.event, early.results)} == {
        1: 4, 2: 3, 3: 2, 4: 1, 5: 0, 6: 0,
    }  # fmt: skip
    late = play_event(
        six,
        let_stronger_win,
        before=lambda so_far: (
            change_entrant(six, 1, left_after_round=3) if len(so_far.rounds) == 3 else so_far.event
        ),
    )
    points = {line.entrant: line["points"] for line in build_standings(late.event, late.results)}
    assert points[1] == 3
    assert sum(points.values()) == 15  # the remaining entrants get no points for games that are not played
    assert build_bracket(late.event, late.results).champion == late.champion == 2


def test_late_entries_are_not_taken_and_absences_are_said() -> None:
    five = TournamentSpec("round-robin", (*build_entrants(4), EntrantSpec(9, first_round=2)), KEY)
    first = plan_next_round(change_entrant(five, 2, absent_rounds=frozenset({1})))
    assert isinstance(first, PlannedRound)
    assert {id for pairing in first.pairings for id in pairing.seats} == {1, 2, 3, 4}
    assert [note.as_dict() for note in first.warnings if note.code == "late-entry"] == [
        {"code": "late-entry", "entrants": (9,)}
    ]
    assert [note["entrants"] for note in first.warnings if note.code == "absent"] == [(2,)]


# ------------------------------------------------------------------------------------------ tables of 3 and 4


def count_meetings(rounds: tuple[tuple[tuple[int, ...], ...], ...], count: int) -> Counter[tuple[int, int]]:
    """Count the meetings of every two entrants."""
    met = Counter(dict.fromkeys(combinations(range(count), 2), 0))
    met.update(pair for tables in rounds for seats in tables for pair in combinations(sorted(seats), 2))
    return met


@pytest.mark.parametrize("table", [3, 4])
@pytest.mark.parametrize("count", [*range(2, 19), 24, 36, 50])
def test_in_every_round_everybody_sits_at_a_table_and_meets_others_evenly(table: int, count: int) -> None:
    rounds = max(-(-(count - 1) // (table - 1)), 1)
    design = build_design(count, table, rounds)
    assert len(design) == rounds
    for tables in design:
        assert sorted(seat for seats in tables for seat in seats) == list(range(count))
        sizes = {len(seats) for seats in tables}
        assert max(sizes) <= table
        assert sizes <= {table, table - 1} or count in (2, 5)
    met = count_meetings(design, count)
    assert max(met.values()) - min(met.values()) <= 2
    assert sum(times >= 2 for times in met.values()) <= 0.14 * len(met) or count <= 12


@pytest.mark.parametrize(
    ("count", "table", "rounds", "times"),
    [
        (4, 4, 3, {3}), (8, 3, 4, {1}), (9, 3, 4, {1}), (14, 3, 7, {1}), (15, 3, 7, {1}), (27, 3, 13, {1}),
        (38, 3, 19, {1}), (39, 3, 19, {1}), (15, 4, 5, {1}), (16, 4, 5, {1}), (28, 4, 7, {0, 1}),
        (64, 4, 21, {1}),
    ],
)  # fmt: skip
def test_perfect_schedules(count: int, table: int, rounds: int, times: set[int]) -> None:
    assert set(count_meetings(build_design(count, table, rounds), count).values()) == times


def list_splits(people: tuple[int, ...], sizes: list[int]) -> list[tuple[tuple[int, ...], ...]]:
    """List all ways to seat people at tables of these sizes."""
    if not sizes:
        return [()]
    first, rest = people[0], people[1:]
    splits_list = []
    for size in set(sizes):
        left = list(sizes)
        left.remove(size)
        for companions in combinations(rest, size - 1):
            remaining = tuple(entrant_id for entrant_id in rest if entrant_id not in companions)
            splits_list += [((first, *companions), *more) for more in list_splits(remaining, left)]
    return splits_list


@pytest.mark.parametrize(
    ("count", "table", "rounds"),
    [(4, 3, 2), (5, 3, 2), (5, 4, 3), (6, 3, 3), (6, 4, 4), (7, 4, 2), (7, 3, 2), (8, 4, 3)],
)
def test_small_schedules_are_as_even_as_any(count: int, table: int, rounds: int) -> None:
    design = build_design(count, table, rounds)
    all_splits = list_splits(tuple(range(count)), [len(seats) for seats in design[0]])

    def measure_unevenness(many: tuple[tuple[tuple[int, ...], ...], ...]) -> int:
        largest = max(map(len, design[0]))
        small = Counter(seat for tables in many for seats in tables if len(seats) < largest for seat in seats)
        return sum(times**3 for times in [*count_meetings(many, count).values(), *small.values()])

    assert measure_unevenness(design) == min(
        map(measure_unevenness, combinations_with_replacement(all_splits, rounds))
    )


@make_settings(15)
@given(count=st.integers(2, 17), table=st.sampled_from([3, 4]), chance=chances)
def test_at_tables_everybody_plays_equally_often_and_in_every_seat(
    count: int, table: int, chance: Random
) -> None:
    whole = play_event(build_event("round-robin", count, table_size=table), make_random_play(chance))
    rounds = len(whole.rounds)
    assert all(len(whole.tables_of(id)) == rounds for id in list_ids(whole.event))
    for id in list_ids(whole.event):
        seat_counts = Counter(pairing.seats.index(id) for pairing in whole.tables_of(id))
        smallest = min(len(pairing.seats) for pairing in whole.tables_of(id))
        assert max(seat_counts[seat] for seat in range(smallest)) <= -(-rounds // smallest) + 1
    table_of = build_standings(whole.event, whole.results)
    assert sum(line["points"] or 0 for line in table_of) == 3 * count * rounds  # 3 is the mean of 0 to 6
    assert isinstance(plan_next_round(whole.event, whole.results), TournamentFinished)
