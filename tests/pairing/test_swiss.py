"""Swiss rounds at tables of 2, compared with brute force where that is possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.example_counts import make_settings
from tests.factories.planned_events import (
    DUELS,
    KEY,
    PlayedEvent,
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
    EntrantId,
    EntrantSpec,
    PairingResult,
    PlannedPairing,
    PlannedRound,
    TournamentFinished,
    TournamentSpec,
    WaitingForResults,
    build_standings,
    plan_next_round,
    swiss,
)
from tournaments.pairing.outcomes import EntrantHistory, build_histories


def iter_matchings(present_ids: tuple[EntrantId, ...]) -> Iterator[list[tuple[EntrantId, EntrantId]]]:
    """Yield all pairings of an even number of entrants."""
    if not present_ids:
        yield []
        return
    first, *rest = present_ids
    for other in rest:
        for more in iter_matchings(tuple(entrant_id for entrant_id in rest if entrant_id != other)):
            yield [(first, other), *more]


def list_pairings_without_rematch(
    present_ids: list[EntrantId], past: dict[EntrantId, EntrantHistory]
) -> list[tuple[EntrantId | None, list[tuple[EntrantId, EntrantId]]]]:
    """List all pairings of a round without repeat meetings, with the bye for one of the fewest byes."""
    fewest = min(past[id].bye_count for id in present_ids)
    byes = [id for id in present_ids if past[id].bye_count == fewest] if len(present_ids) % 2 else [None]
    return [
        (bye, pairs)
        for bye in byes
        for pairs in iter_matchings(tuple(id for id in present_ids if id != bye))
        if not any(past[a].meetings[b] for a, b in pairs)
    ]


@st.composite
def middles(draw: st.DrawFn) -> tuple[TournamentSpec, list[PairingResult]]:
    """Draw a tournament of up to 8 after randomly paired rounds, with repeat meetings and byes."""
    count = draw(st.integers(2, 8))
    chance = draw(chances)
    results = []
    for number in range(1, draw(st.integers(0, 6)) + 1):
        order = chance.sample(range(1, count + 1), count)
        if count % 2:
            results.append(PairingResult(f"R{number}.0", number, (order.pop(),)))
        for t in range(count // 2):
            seats = (order[2 * t], order[2 * t + 1])
            results.append(PairingResult(f"R{number}.{t + 1}", number, seats, chance.choice(DUELS)))
    return build_event("swiss", count, round_count=20), results


def list_pairs(now: PlannedRound) -> list[tuple[EntrantId, EntrantId]]:
    """Return the pairs of a round, without byes."""
    return [(p.seats[0], p.seats[1]) for p in now.pairings if len(p.seats) == 2]


@make_settings(150)
@given(middle=middles())
def test_nobody_meets_again_if_and_only_if_there_is_a_way(
    middle: tuple[TournamentSpec, list[PairingResult]],
) -> None:
    whole, results = middle
    now, past = plan_next_round(whole, results), build_histories(whole, results)
    assert isinstance(now, PlannedRound)
    assert sorted(id for pairing in now.pairings for id in pairing.seats) == list_ids(whole)
    rematches = [pair for pair in list_pairs(now) if past[pair[0]].meetings[pair[1]]]
    possible = list_pairings_without_rematch(list_ids(whole), past)
    assert (rematches == []) == (possible != [])
    assert len([note for note in now.warnings if note.code == "rematch-unavoidable"]) == len(rematches)

    bye = next((pairing.seats[0] for pairing in now.pairings if len(pairing.seats) == 1), None)
    if not possible:
        return
    # The bye goes to the lowest entrant with a possible pairing of the others.
    lowest = max(
        (bye_id for bye_id, _ in possible if bye_id), key=lambda id: (-past[id].points, id), default=None
    )
    assert bye == lowest

    # No possible pairing has a lower cost: score differences first, then repeated floats.
    def measure_cost(pairs: list[tuple[EntrantId, EntrantId]]) -> tuple[float, int]:
        last = max((result.round for result in results), default=0)
        floated = {
            id: 2 * len(history.float_rounds) + (last in history.float_rounds) for id, history in past.items()
        }
        floats = [(a, b) for a, b in pairs if past[a].points != past[b].points]
        return (
            sum((past[a].points - past[b].points) ** 2 for a, b in pairs),
            sum(floated[a] + floated[b] for a, b in floats),
        )

    assert measure_cost(list_pairs(now)) == min(
        measure_cost(pairs) for bye_id, pairs in possible if bye_id == bye
    )


def test_when_meeting_again_cannot_be_avoided_it_happens_as_seldom_as_can_be() -> None:
    whole = play_event(build_event("swiss", 4, round_count=6), let_stronger_win)
    met = Counter(frozenset(pairing.seats) for pairing in whole.pairings)
    assert set(met.values()) == {2}
    assert all(not round.warnings for round in whole.rounds[:3])
    assert all(note.code == "rematch-unavoidable" for round in whole.rounds[3:] for note in round.warnings)
    assert any(note.code == "met-before" for note in whole.rounds[3].pairings[0].reasons)


@make_settings(25)
@given(count=st.integers(2, 40), chance=chances, data=st.data())
def test_everybody_plays_every_round_byes_go_round_and_seats_are_balanced(
    count: int, chance: Random, data: st.DataObject
) -> None:
    rounds = data.draw(st.integers(1, min(count, 9)))
    whole = play_event(build_event("swiss", count, round_count=rounds), make_random_play(chance))
    assert len(whole.rounds) == rounds
    byes = Counter(pairing.seats[0] for pairing in whole.pairings if len(pairing.seats) == 1)
    assert sum(byes.values()) == rounds * (count % 2)
    assert max(byes.values(), default=0) <= 1
    for id in list_ids(whole.event):
        tables = whole.tables_of(id)
        assert len(tables) + byes[id] == rounds
        first = sum(pairing.seats[0] == id for pairing in tables)
        assert abs(2 * first - len(tables)) <= 3
    for round in whole.rounds:
        assert all(pairing.reasons for pairing in round.pairings)
        odd = [note.code for note in round.warnings].count("odd-number")
        assert odd == count % 2


@make_settings(6)
@given(count=st.integers(41, 100), chance=chances)
def test_in_large_events_nobody_meets_twice_and_few_float(count: int, chance: Random) -> None:
    whole = play_event(build_event("swiss", count), make_random_play(chance))
    met = Counter(frozenset(pairing.seats) for pairing in whole.pairings if len(pairing.seats) == 2)
    assert set(met.values()) == {1}
    for number, round in enumerate(whole.rounds, 1):
        floats = [p for p in round.pairings if any(note.code == "float-down" for note in p.reasons)]
        assert len(floats) <= 2 * number
    assert whole.champion == build_standings(whole.event, whole.results)[0].entrant


def test_512_entrants_in_the_sixth_round() -> None:
    whole = build_event("swiss", 512, round_count=9)
    play, results = make_random_play(Random(8)), []
    for number in range(1, 6):  # five rounds without the pairing code: entrant i meets i + half of its block
        block = 1 << number
        for start in range(0, 512, block):
            for i in range(block // 2):
                seats = (start + i + 1, start + i + block // 2 + 1)
                results.append(play(PlannedPairing(f"R{number}.{len(results)}", number, seats)))
    now = plan_next_round(whole, results)
    assert isinstance(now, PlannedRound)
    past = build_histories(whole, results)
    assert sorted(id for pairing in now.pairings for id in pairing.seats) == list_ids(whole)
    assert not any(past[a].meetings[b] for a, b in list_pairs(now))
    assert sum(abs(past[a].points - past[b].points) for a, b in list_pairs(now)) <= 11  # one float per score


def test_the_first_round_is_upper_half_against_lower_half() -> None:
    now = plan_next_round(build_event("swiss", 9))
    assert isinstance(now, PlannedRound)
    assert [frozenset(pairing.seats) for pairing in now.pairings] == [
        {1, 5}, {2, 6}, {3, 7}, {4, 8}, {9},
    ]  # fmt: skip
    assert [note.as_dict() for note in now.pairings[-1].reasons] == [
        {"code": "bye-lowest", "entrant": 9, "points": 0.0, "byes": 0, "seed": 9}
    ]
    assert now.pairings[0].reasons[0].as_dict() == {
        "code": "first-round", "entrants": (1, 5), "higher": 1, "lower": 5,
    }  # fmt: skip


def test_reasons_name_scores_and_floats() -> None:
    six = build_event("swiss", 6, round_count=5)
    first = plan_next_round(six)
    results = [let_stronger_win(pairing) for pairing in first.pairings]
    second = plan_next_round(six, results)
    codes = [[note.code for note in pairing.reasons] for pairing in second.pairings]
    assert sorted(code for table in codes for code in table if not code.startswith("seat")) == [
        "float-down", "float-up", "same-score", "same-score",
    ]  # fmt: skip
    assert all(table[-1] in ("seat-balance", "seat-turn", "seat-lot") for table in codes)
    # An entrant that floated in the second round does not float in the third, because others can.
    results += [let_stronger_win(pairing) for pairing in second.pairings]
    floated = {p.seats for p in second.pairings if p.reasons[0].code == "float-down"}.pop()
    third = plan_next_round(six, results)
    float_seats = {p.seats for p in third.pairings if p.reasons[0].code == "float-down"}
    assert all(not set(floated) & set(seats) for seats in float_seats)


def test_the_bye_passes_over_those_who_had_one() -> None:
    whole = play_event(build_event("swiss", 5, round_count=5), let_stronger_win)
    byes = [pairing for pairing in whole.pairings if len(pairing.seats) == 1]
    assert sorted(pairing.seats[0] for pairing in byes) == [1, 2, 3, 4, 5]
    assert any(note.code == "bye-passed-over" for pairing in byes for note in pairing.reasons)


def test_a_round_waits_for_all_results_and_a_withdrawal_ends_a_table() -> None:
    four = build_event("swiss", 4)
    now = plan_next_round(four)
    results = [let_stronger_win(now.pairings[0]), build_result(now.pairings[1])]
    assert plan_next_round(four, results) == WaitingForResults(1, ("R1.2",))
    walked_out = change_entrant(four, 4, left_after_round=1)
    assert now.pairings[1].seats in ((2, 4), (4, 2))
    after = plan_next_round(walked_out, results)
    assert isinstance(after, PlannedRound)
    assert {id for pairing in after.pairings for id in pairing.seats} == {1, 2, 3}
    points = {line.entrant: line["points"] for line in build_standings(walked_out, results)}
    assert points == {1: 1, 2: 1, 3: 0, 4: 0}


def test_late_entries_play_from_their_round_on_and_absent_ones_miss_theirs() -> None:
    start = TournamentSpec(
        "swiss", (*build_entrants(6), EntrantSpec("late", first_round=2)), KEY, round_count=4
    )
    whole = play_event(change_entrant(start, 3, absent_rounds=frozenset({2, 3})), make_random_play(Random(1)))
    ids_by_round = [{id for pairing in round.pairings for id in pairing.seats} for round in whole.rounds]
    assert ids_by_round == [
        {1, 2, 3, 4, 5, 6},
        {1, 2, 4, 5, 6, "late"},
        {1, 2, 4, 5, 6, "late"},
        {1, 2, 3, 4, 5, 6, "late"},
    ]
    assert [note.as_dict() for note in whole.rounds[1].warnings] == [{"code": "absent", "entrants": (3,)}]


@pytest.mark.slow
@make_settings(4, 150)
@given(count=st.integers(3, 14), chance=chances, table=st.sampled_from([2, 3, 4]))
def test_every_past_round_can_be_paired_again_just_as_it_was(count: int, chance: Random, table: int) -> None:
    def change_entrants(so_far: PlayedEvent) -> TournamentSpec:
        now, number = so_far.event, len(so_far.rounds)
        if number and chance.random() < 0.5:
            now = change_entrant(
                now,
                chance.choice([entrant.id for entrant in now.entrants if entrant.left_after_round is None]),
                left_after_round=number,
            )
        if chance.random() < 0.5:
            late = EntrantSpec(f"late {number}", chance.choice([None, 1, 9]), first_round=number + 1)
            now = replace(now, entrants=(late, *now.entrants))
        return now

    whole = play_event(
        build_event("swiss", count, round_count=5, table_size=table),
        make_random_play(chance),
        before=change_entrants,
    )
    for round in whole.rounds:
        known_results = [result for result in whole.results if result.round < round.number]
        next_round = plan_next_round(whole.event, known_results)
        assert isinstance(next_round, PlannedRound)
        assert next_round.pairings == round.pairings


@pytest.mark.parametrize(("count", "rounds"), [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (512, 9)])
def test_there_are_as_many_rounds_as_leave_one_without_a_loss(count: int, rounds: int) -> None:
    assert swiss.count_rounds(build_event("swiss", count)) == rounds


@pytest.mark.parametrize("count", [0, 1])
def test_nobody_or_one_alone_is_finished(count: int) -> None:
    for format in ("swiss", "round-robin", "knockout", "double"):
        assert plan_next_round(build_event(format, count)) == TournamentFinished(1 if count else None)
