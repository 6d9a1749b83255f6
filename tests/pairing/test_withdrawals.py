"""People leave at any time, between rounds or in the middle of one, and every event comes to its end."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.pairing import (
    PairingResult,
    PlannedPairing,
    PlannedRound,
    TournamentFinished,
    TournamentSpec,
    WaitingForResults,
    build_bracket,
    build_standings,
    plan_next_round,
)

from .play import by_chance, chances, changed, checking, event, ids, result, stronger
from .test_lots import FORMATS


def staying(one: TournamentSpec) -> set[object]:
    """Who has not withdrawn."""
    return {entrant.id for entrant in one.entrants if entrant.left_after_round is None}


@pytest.mark.parametrize("how", FORMATS, ids=str)
@checking(20)
@given(count=st.integers(2, 12), chance=chances, often=st.sampled_from([0.05, 0.2, 0.6]))
def test_every_event_ends_whoever_leaves_whenever(
    how: dict[str, object], count: int, chance: Random, often: float
) -> None:
    now_playing = event(**how, count=count)
    results: dict[tuple[str, int, frozenset[object]], PairingResult] = {}
    play = by_chance(chance)

    def somebody_leaves(number: int) -> None:
        nonlocal now_playing
        for id in sorted(staying(now_playing)):
            if chance.random() < often / count:
                now_playing = changed(now_playing, id, left_after_round=number)

    number = 0
    for _ in range(400):
        somebody_leaves(number)
        now = plan_next_round(now_playing, results.values())
        if isinstance(now, TournamentFinished):
            break
        if isinstance(now, PlannedRound):
            number = max(number, now.number)
            assert now.pairings
            for pairing in now.pairings:
                assert set(pairing.seats) <= staying(now_playing)
                key = (pairing.match, pairing.game_number, frozenset(pairing.seats))
                assert key not in results
                results[key] = result(pairing)
        else:
            assert isinstance(now, WaitingForResults)
            assert now.matches
        somebody_leaves(number)
        for key, one in list(results.items()):  # some tables end, the others play on
            if one.ranks is None and len(one.seats) > 1 and chance.random() < 0.7:
                ended = play(PlannedPairing(one.match, one.round, one.seats, game_number=one.game_number))
                results[key] = replace(one, ranks=ended.ranks, points=ended.points)
    else:
        raise AssertionError("it never ends")
    lines = build_standings(now_playing, results.values())
    assert len({line.entrant for line in lines}) == len(lines)
    assert {line.entrant for line in lines} | {
        e.id for e in now_playing.entrants if e.left_after_round == 0
    } >= set(ids(now_playing))
    if now.champion is not None and lines:
        assert lines[0].entrant == now.champion
    drawn = build_bracket(now_playing, results.values())
    if (
        how["format"] in ("knockout", "double") and now.champion is None
    ):  # then all who stayed were out before
        out = {
            id
            for match in drawn.matches
            if match.state == "decided"
            for id in match.finishing_order[match.advancing_count :]
        }
        assert staying(now_playing) <= out
    assert drawn.champion == now.champion


def test_in_a_knock_out_the_opponent_goes_on() -> None:
    eight = event("knockout", 8)
    first = plan_next_round(eight)
    results = [stronger(pairing) for pairing in first.pairings[:3]] + [result(first.pairings[3])]
    assert set(first.pairings[3].seats) == {3, 6}
    gone = changed(eight, 3, left_after_round=1)
    second = plan_next_round(gone, results)
    assert isinstance(second, PlannedRound)
    assert {frozenset(pairing.seats) for pairing in second.pairings} == {frozenset({1, 4}), frozenset({2, 6})}
    # Who leaves after a win forfeits the next match, which need not even be published.
    further = changed(gone, 2, left_after_round=1)
    now = plan_next_round(further, results)
    assert [set(pairing.seats) for pairing in now.pairings] == [{1, 4}]
    matches = {match.id: match for match in build_bracket(further, results).matches}
    assert matches["R2.2"].state == "walkover"
    assert matches["R3.1"].seats == (None, 6)
    assert [note.as_dict() for note in matches["R2.2"].notes] == [{"code": "walkover", "gone": (2,)}]


def test_when_both_have_left_nobody_goes_on() -> None:
    four = event("knockout", 4)
    first = plan_next_round(four)
    results = [stronger(pairing) for pairing in first.pairings]
    both = changed(changed(four, 1, left_after_round=1), 2, left_after_round=1)
    assert plan_next_round(both, results) == TournamentFinished(None)
    assert build_bracket(both, results).matches[-1].state == "nobody"
    one_semifinal = [replace(one, ranks=None) if set(one.seats) == {1, 4} else one for one in results]
    out = changed(changed(four, 1, left_after_round=1), 4, left_after_round=1)
    assert plan_next_round(out, one_semifinal) == TournamentFinished(2)


def test_whoever_leaves_before_the_start_is_not_in_the_bracket() -> None:
    five = changed(event("knockout", 5), 2, left_after_round=0)
    now = plan_next_round(five)
    assert {frozenset(pairing.seats) for pairing in now.pairings} == {frozenset({1, 5}), frozenset({3, 4})}


def test_a_champion_who_leaves_after_the_final_stays_champion() -> None:
    two = event("knockout", 2)
    (final,) = plan_next_round(two).pairings
    assert plan_next_round(changed(two, 1, left_after_round=1), [stronger(final)]) == TournamentFinished(1)
    assert plan_next_round(changed(two, 1, left_after_round=1), [result(final)]) == TournamentFinished(2)


def test_both_can_forfeit_a_game() -> None:
    four = event("swiss", 4, round_count=2)
    now = plan_next_round(four)
    nobody = result(now.pairings[0], (1, 1), forfeits=frozenset(now.pairings[0].seats))
    lines = {
        line.entrant: line["points"] for line in build_standings(four, [nobody, stronger(now.pairings[1])])
    }
    assert sorted(lines.values()) == [0, 0, 0, 1]


def test_strangers_and_doubles_among_results_are_refused() -> None:
    two = event("swiss", 2)
    (pairing,) = plan_next_round(two).pairings
    with pytest.raises(ValueError, match="does not take part"):
        plan_next_round(two, [PairingResult("R1.1", 1, (1, 99))])
    with pytest.raises(ValueError, match="two results"):
        plan_next_round(two, [result(pairing), stronger(pairing)])
    with pytest.raises(ValueError, match="one value a seat"):
        PairingResult("R1.1", 1, (1, 2), (1,))
    with pytest.raises(ValueError, match="everybody one"):
        PairingResult("R1.1", 1, (1, 1))
    with pytest.raises(ValueError, match="can forfeit"):
        PairingResult("R1.1", 1, (1, 2), forfeits=frozenset({3}))
