"""People leave at any time, between rounds or in the middle of one, and every event comes to its end."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.pairing import (
    Event,
    Finished,
    Pairing,
    Result,
    Round,
    Waiting,
    bracket,
    next_round,
    standings,
)

from .play import by_chance, chances, changed, checking, event, ids, result, stronger
from .test_lots import FORMATS


def staying(one: Event) -> set[object]:
    """Who has not withdrawn."""
    return {entrant.id for entrant in one.entrants if entrant.left is None}


@pytest.mark.parametrize("how", FORMATS, ids=str)
@checking(20)
@given(count=st.integers(2, 12), chance=chances, often=st.sampled_from([0.05, 0.2, 0.6]))
def test_every_event_ends_whoever_leaves_whenever(
    how: dict[str, object], count: int, chance: Random, often: float
) -> None:
    now_playing = event(**how, count=count)
    results: dict[tuple[str, int, frozenset[object]], Result] = {}
    play = by_chance(chance)

    def somebody_leaves(number: int) -> None:
        nonlocal now_playing
        for id in sorted(staying(now_playing)):
            if chance.random() < often / count:
                now_playing = changed(now_playing, id, left=number)

    number = 0
    for _ in range(400):
        somebody_leaves(number)
        now = next_round(now_playing, results.values())
        if isinstance(now, Finished):
            break
        if isinstance(now, Round):
            number = max(number, now.number)
            assert now.pairings
            for pairing in now.pairings:
                assert set(pairing.seats) <= staying(now_playing)
                key = (pairing.match, pairing.game, frozenset(pairing.seats))
                assert key not in results
                results[key] = result(pairing)
        else:
            assert isinstance(now, Waiting)
            assert now.matches
        somebody_leaves(number)
        for key, one in list(results.items()):  # some tables end, the others play on
            if one.ranks is None and len(one.seats) > 1 and chance.random() < 0.7:
                ended = play(Pairing(one.match, one.round, one.seats, game=one.game))
                results[key] = replace(one, ranks=ended.ranks, points=ended.points)
    else:
        raise AssertionError("it never ends")
    lines = standings(now_playing, results.values())
    assert len({line.entrant for line in lines}) == len(lines)
    assert {line.entrant for line in lines} | {e.id for e in now_playing.entrants if e.left == 0} >= set(
        ids(now_playing)
    )
    if now.champion is not None and lines:
        assert lines[0].entrant == now.champion
    drawn = bracket(now_playing, results.values())
    if (
        how["format"] in ("knockout", "double") and now.champion is None
    ):  # then all who stayed were out before
        out = {
            id for match in drawn.matches if match.state == "decided" for id in match.order[match.advance :]
        }
        assert staying(now_playing) <= out
    assert drawn.champion == now.champion


def test_in_a_knock_out_the_opponent_goes_on() -> None:
    eight = event("knockout", 8)
    first = next_round(eight)
    results = [stronger(pairing) for pairing in first.pairings[:3]] + [result(first.pairings[3])]
    assert set(first.pairings[3].seats) == {3, 6}
    gone = changed(eight, 3, left=1)
    second = next_round(gone, results)
    assert isinstance(second, Round)
    assert {frozenset(pairing.seats) for pairing in second.pairings} == {frozenset({1, 4}), frozenset({2, 6})}
    # Who leaves after a win forfeits the next match, which need not even be published.
    further = changed(gone, 2, left=1)
    now = next_round(further, results)
    assert [set(pairing.seats) for pairing in now.pairings] == [{1, 4}]
    matches = {match.id: match for match in bracket(further, results).matches}
    assert matches["R2.2"].state == "walkover"
    assert matches["R3.1"].seats == (None, 6)
    assert [note.as_dict() for note in matches["R2.2"].notes] == [{"code": "walkover", "gone": (2,)}]


def test_when_both_have_left_nobody_goes_on() -> None:
    four = event("knockout", 4)
    first = next_round(four)
    results = [stronger(pairing) for pairing in first.pairings]
    both = changed(changed(four, 1, left=1), 2, left=1)
    assert next_round(both, results) == Finished(None)
    assert bracket(both, results).matches[-1].state == "nobody"
    one_semifinal = [replace(one, ranks=None) if set(one.seats) == {1, 4} else one for one in results]
    out = changed(changed(four, 1, left=1), 4, left=1)
    assert next_round(out, one_semifinal) == Finished(2)


def test_whoever_leaves_before_the_start_is_not_in_the_bracket() -> None:
    five = changed(event("knockout", 5), 2, left=0)
    now = next_round(five)
    assert {frozenset(pairing.seats) for pairing in now.pairings} == {frozenset({1, 5}), frozenset({3, 4})}


def test_a_champion_who_leaves_after_the_final_stays_champion() -> None:
    two = event("knockout", 2)
    (final,) = next_round(two).pairings
    assert next_round(changed(two, 1, left=1), [stronger(final)]) == Finished(1)
    assert next_round(changed(two, 1, left=1), [result(final)]) == Finished(2)


def test_both_can_forfeit_a_game() -> None:
    four = event("swiss", 4, rounds=2)
    now = next_round(four)
    nobody = result(now.pairings[0], (1, 1), forfeits=frozenset(now.pairings[0].seats))
    lines = {line.entrant: line["points"] for line in standings(four, [nobody, stronger(now.pairings[1])])}
    assert sorted(lines.values()) == [0, 0, 0, 1]


def test_strangers_and_doubles_among_results_are_refused() -> None:
    two = event("swiss", 2)
    (pairing,) = next_round(two).pairings
    with pytest.raises(ValueError, match="does not take part"):
        next_round(two, [Result("R1.1", 1, (1, 99))])
    with pytest.raises(ValueError, match="two results"):
        next_round(two, [result(pairing), stronger(pairing)])
    with pytest.raises(ValueError, match="one value a seat"):
        Result("R1.1", 1, (1, 2), (1,))
    with pytest.raises(ValueError, match="everybody one"):
        Result("R1.1", 1, (1, 1))
    with pytest.raises(ValueError, match="can forfeit"):
        Result("R1.1", 1, (1, 2), forfeits=frozenset({3}))
