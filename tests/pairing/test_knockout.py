"""Single elimination: seeds, byes, draws, the third place, tables of 3 and 4."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.example_counts import make_settings
from tests.factories.planned_events import (
    build_event,
    build_result,
    chances,
    count_losses,
    let_stronger_win,
    make_random_play,
    play_event,
)
from tournaments.pairing import (
    PairingResult,
    PlannedRound,
    TournamentFinished,
    WaitingForResults,
    build_bracket,
    build_standings,
    plan_next_round,
)
from tournaments.pairing.single_elimination import list_bracket_order


def test_the_order_of_a_bracket_is_the_usual_one() -> None:
    assert list_bracket_order(8) == [1, 8, 4, 5, 2, 7, 3, 6]
    for size in (2, 4, 64, 512):
        order = list_bracket_order(size)
        assert sorted(order) == list(range(1, size + 1))
        assert {a + b for a, b in zip(order[::2], order[1::2], strict=True)} == {size + 1}


@pytest.mark.parametrize("count", [*range(2, 34), 100, 512])
def test_byes_are_in_the_first_round_only_and_go_to_the_top_seeds(count: int) -> None:
    whole = play_event(build_event("knockout", count), let_stronger_win)
    drawn = build_bracket(whole.event, whole.results)
    size = 2
    while size < count:
        size *= 2
    byes = [match for match in drawn.matches if match.state == "bye"]
    assert {match.round for match in byes} <= {1}
    assert sorted(match.finishing_order[0] for match in byes) == list(range(1, size - count + 1))
    assert whole.champion == 1
    assert (
        build_standings(whole.event, whole.results)[1].entrant == 2
    )  # entrant 2 cannot meet entrant 1 before the final


@make_settings(25)
@given(count=st.integers(2, 80), chance=chances, third=st.booleans())
def test_there_is_one_champion_and_everybody_else_loses_once(count: int, chance: Random, third: bool) -> None:
    whole = play_event(
        build_event("knockout", count, third_place=third), make_random_play(chance, draws=False)
    )
    lost = count_losses(result for result in whole.results if result.match != "third")
    assert len(whole.results) == count - 1 + (third and count > 3)
    assert {id for id in lost if lost[id] == 0} == {whole.champion}
    assert set(lost.values()) <= {0, 1}
    table = build_standings(whole.event, whole.results)
    assert table[0].entrant == whole.champion
    assert [line.rank for line in table[:2]] == [1, 2]


@make_settings(25)
@given(count=st.integers(2, 40), chance=chances)
def test_with_draws_too_there_is_one_champion(count: int, chance: Random) -> None:
    whole = play_event(build_event("knockout", count), make_random_play(chance))
    assert whole.champion is not None
    games = Counter(pairing.match for pairing in whole.pairings)
    assert max(games.values()) <= 2
    drawn = build_bracket(whole.event, whole.results)
    assert drawn.champion == whole.champion
    assert drawn.stale_results == ()
    # Every entrant but the champion loses exactly one match.
    out = [match.finishing_order[1] for match in drawn.matches if len(match.finishing_order) > 1]
    assert sorted([*out, whole.champion]) == list(range(1, count + 1))


@pytest.mark.parametrize("count", [4, 7, 16, 33])
def test_seeds_1_and_2_cannot_meet_before_the_final(count: int) -> None:
    matches = {match.id: match for match in build_bracket(build_event("knockout", count)).matches}

    def can_reach(id: str) -> set[int]:
        return set().union(
            *(
                can_reach(source.match) if source.match else {source.seed} - {None}
                for source in matches[id].sources
            )
        )

    final = list(matches.values())[-1]
    for match in matches.values():
        if match is not final:
            assert not {1, 2} <= can_reach(match.id)
    assert can_reach(final.id) == set(range(1, count + 1))


def test_an_empty_bracket_says_where_everybody_will_come_from() -> None:
    matches = {
        match.id: match for match in build_bracket(build_event("knockout", 5, third_place=True)).matches
    }
    assert list(matches) == ["R1.1", "R1.2", "R1.3", "R1.4", "R2.1", "R2.2", "third", "R3.1"]
    assert [(source.match, source.place) for source in matches["third"].sources] == [("R2.1", 2), ("R2.2", 2)]
    assert matches["R2.1"].seats == (1, None)
    assert matches["R1.2"].seats == (4, 5)
    assert [matches[id].state for id in ("R1.1", "R1.2", "R2.1", "R3.1")] == [
        "bye",
        "ready",
        "waiting",
        "waiting",
    ]


def test_matches_start_as_soon_as_their_players_are_known() -> None:
    eight = build_event("knockout", 8)
    first = plan_next_round(eight)
    assert isinstance(first, PlannedRound)
    assert [pairing.match for pairing in first.pairings] == ["R1.1", "R1.2", "R1.3", "R1.4"]
    assert {note.code for pairing in first.pairings for note in pairing.reasons} == {"from-seed"}
    results = [build_result(pairing) for pairing in first.pairings]
    assert plan_next_round(eight, results) == WaitingForResults(1, ("R1.1", "R1.2", "R1.3", "R1.4"))
    half = [*map(let_stronger_win, first.pairings[:2]), *results[2:]]
    second = plan_next_round(eight, half)
    assert isinstance(second, PlannedRound)
    assert [set(pairing.seats) for pairing in second.pairings] == [{1, 4}]
    assert [note.as_dict() for note in second.pairings[0].reasons] == [
        {"code": "from-match", "entrant": 1, "match": "R1.1", "place": 1},
        {"code": "from-match", "entrant": 4, "match": "R1.2", "place": 1},
    ]


def test_a_draw_is_played_again_by_the_short_clock_and_then_the_higher_seed_goes_on() -> None:
    two = build_event("knockout", 2)
    (first,) = plan_next_round(two).pairings
    drawn = build_result(first, (1, 1))
    next_round = plan_next_round(two, [drawn])
    assert isinstance(next_round, PlannedRound)
    (second,) = next_round.pairings
    assert second.is_rematch
    assert not first.is_rematch
    assert second.seats == first.seats[::-1]
    assert [note.as_dict() for note in second.reasons] == [
        {"code": "rematch", "clock": "short", "entrants": (1, 2)}
    ]
    assert plan_next_round(two, [drawn, build_result(second)]) == WaitingForResults(1, ("R1.1",))
    assert plan_next_round(two, [drawn, build_result(second, (1, 1))]) == TournamentFinished(1)
    assert build_bracket(two, [drawn, build_result(second, (1, 1))]).matches[0].notes[0].code == "higher-seed"
    for winner in (1, 2):
        ranks = tuple(1 if id == winner else 2 for id in second.seats)
        assert plan_next_round(two, [drawn, build_result(second, ranks)]) == TournamentFinished(winner)


def test_a_corrected_result_changes_what_follows_from_it() -> None:
    whole = play_event(build_event("knockout", 8), let_stronger_win)
    upset = [
        PairingResult(result.match, result.round, result.seats, result.ranks[::-1])
        if result.match == "R1.1"
        else result
        for result in whole.results
    ]
    now = plan_next_round(whole.event, upset)
    assert isinstance(now, PlannedRound)
    assert [(pairing.match, set(pairing.seats)) for pairing in now.pairings] == [("R2.1", {4, 8})]
    stale = build_bracket(whole.event, upset).stale_results
    assert [result.match for result in stale] == ["R2.1", "R3.1"]
    assert [note["match"] for note in now.warnings if note.code == "stale-result"] == ["R2.1", "R3.1"]
    # After the replay, the old final is still stale, because its entrants have changed.
    replayed = [*upset, let_stronger_win(now.pairings[0])]
    final = plan_next_round(whole.event, replayed)
    assert [set(pairing.seats) for pairing in final.pairings] == [{2, 4}]
    # A correction that does not change the next pairing keeps its result.
    narrow = [
        PairingResult(result.match, result.round, result.seats, result.ranks, points=(9, 8))
        for result in whole.results
    ]
    assert plan_next_round(whole.event, narrow) == TournamentFinished(1)


def test_the_third_place_is_for_the_losers_of_the_semifinals() -> None:
    whole = play_event(build_event("knockout", 8, third_place=True), let_stronger_win)
    table = build_standings(whole.event, whole.results)
    assert [line.entrant for line in table] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [line.rank for line in table] == [1, 2, 3, 4, 5, 5, 5, 5]
    without = play_event(build_event("knockout", 8), let_stronger_win)
    assert [line.rank for line in build_standings(without.event, without.results)] == [1, 2, 3, 3, 5, 5, 5, 5]


# ------------------------------------------------------------------------------------------ tables of 3 and 4


@make_settings(30)
@given(
    count=st.integers(2, 64), table=st.sampled_from([3, 4]), advance=st.sampled_from([1, 2]), chance=chances
)
def test_from_tables_the_best_go_on_until_one_table_is_left(
    count: int, table: int, advance: int, chance: Random
) -> None:
    whole = play_event(
        build_event("knockout", count, table_size=table, advancing_count=advance), make_random_play(chance)
    )
    drawn = build_bracket(whole.event, whole.results)
    assert drawn.champion == whole.champion is not None
    for match in drawn.matches:
        assert len(match.seats) in ((2, 3) if count in (2, 5) or table == 3 else (2, 3, 4))
        assert None not in match.seats
        assert match.state == "decided"
    by_round = Counter(match.round for match in drawn.matches)
    assert by_round[max(by_round)] == 1
    going_on = Counter[int]()
    for match in drawn.matches:
        going_on[match.round] += match.advancing_count
        assert match.advancing_count <= advance
    for number in range(1, max(by_round)):
        assert (
            sum(len(match.seats) for match in drawn.matches if match.round == number + 1) == going_on[number]
        )
    assert len(build_standings(whole.event, whole.results)) == count


@pytest.mark.parametrize("count", range(6, 65))
def test_at_tables_too_seeds_1_and_2_meet_in_the_final_only(count: int) -> None:
    for table in (3, 4):
        whole = play_event(build_event("knockout", count, table_size=table), let_stronger_win)
        pairings = [pairing for pairing in whole.pairings if {1, 2} <= set(pairing.seats)]
        assert [pairing.match for pairing in pairings] == [whole.pairings[-1].match]


def test_seconds_do_not_meet_the_winners_of_their_table_at_once() -> None:
    for count in (16, 32, 64):
        whole = play_event(build_event("knockout", count, table_size=4, advancing_count=2), let_stronger_win)
        rounds = {number: [p for p in whole.pairings if p.round == number] for number in (1, 2)}
        assert len(rounds[2]) > 1
        for second in rounds[2]:
            assert all(len(set(second.seats) & set(first.seats)) <= 1 for first in rounds[1])


def test_only_those_who_are_level_at_the_cut_play_again() -> None:
    four = build_event("knockout", 4, table_size=4)
    (first,) = plan_next_round(four).pairings
    ranks = tuple({1: 1, 2: 1, 3: 3, 4: 4}[id] for id in first.seats)
    next_round = plan_next_round(four, [build_result(first, ranks)])
    assert isinstance(next_round, PlannedRound)
    assert set(next_round.pairings[0].seats) == {1, 2}
    below = tuple({1: 1, 2: 2, 3: 3, 4: 3}[id] for id in first.seats)
    assert plan_next_round(four, [build_result(first, below)]) == TournamentFinished(1)


def test_where_two_go_on_and_one_is_left_the_second_is_the_best_who_can_still_play() -> None:
    whole = build_event("knockout", 8, table_size=4, advancing_count=2)
    first = build_bracket(whole).matches[0]
    assert sorted(first.seats, key=str) == [1, 4, 5, 8]
    walked_out = PairingResult("R1.1", 1, (1, 4, 5, 8), (4, 3, 2, 1), forfeits=frozenset({1, 4, 5}))
    assert build_bracket(whole, [walked_out]).matches[0].finishing_order == (8, 5, 4, 1)
    entrants = tuple(
        replace(entrant, left_after_round=1) if entrant.id == 5 else entrant for entrant in whole.entrants
    )
    assert build_bracket(replace(whole, entrants=entrants), [walked_out]).matches[0].finishing_order == (
        8,
        4,
        1,
        5,
    )
