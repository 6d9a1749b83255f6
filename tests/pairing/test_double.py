"""Double elimination: two losses eliminate an entrant, and the final may be played twice."""

from __future__ import annotations

from collections import Counter
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
from tournaments.pairing import PairingResult, PlannedPairing, build_bracket, build_standings


@make_settings(30)
@given(count=st.integers(2, 40), chance=chances)
def test_everybody_but_the_champion_loses_twice(count: int, chance: Random) -> None:
    whole = play_event(build_event("double", count), make_random_play(chance, draws=False))
    lost = count_losses(whole.results)
    assert {id for id in lost if lost[id] < 2} == {whole.champion}
    assert set(lost.values()) <= {0, 1, 2}
    assert len(lost) == count
    has_second_final = any(result.match == "F2" for result in whole.results)
    assert lost[whole.champion] == int(has_second_final)
    assert len(whole.results) == 2 * count - 2 + has_second_final


@pytest.mark.parametrize("count", [*range(2, 34), 512])
def test_all_matches_are_there_from_the_start(count: int) -> None:
    matches = build_bracket(build_event("double", count)).matches
    ids = [match.id for match in matches]
    assert len(set(ids)) == len(ids)
    seen_ids: set[str] = set()
    used = Counter(
        (source.match, source.place) for match in matches[:-1] for source in match.sources if source.match
    )
    for match in matches:
        assert all(source.match in seen_ids for source in match.sources if source.match)
        seen_ids.add(match.id)
    # Every winner has a next match, and so has every loser of the winners' bracket.
    for match in matches[:-2]:
        assert used[match.id, 1] == 1
        assert used[match.id, 2] == (match.bracket == "winners")
    whole = play_event(build_event("double", count), let_stronger_win)
    assert whole.champion == 1
    byes = [
        m
        for m in build_bracket(whole.event, whole.results).matches
        if m.bracket == "winners" and m.state == "bye"
    ]
    assert {match.round for match in byes} <= {1}
    assert sorted(match.finishing_order[0] for match in byes) == list(range(1, len(byes) + 1))


def let_stronger_win_but_in_final(pairing: PlannedPairing) -> PairingResult:
    """Let the stronger entrant win, except in a final."""
    outcome = let_stronger_win(pairing)
    return (
        build_result(pairing, outcome.ranks[::-1])
        if pairing.match.startswith("F") and outcome.ranks
        else outcome
    )


def test_the_second_final_is_played_only_if_the_first_was_upset() -> None:
    plain = play_event(build_event("double", 8), let_stronger_win)
    assert [result.match for result in plain.results].count("F2") == 0
    last = build_bracket(plain.event, plain.results).matches[-1]
    assert (last.id, last.state) == ("F2", "not-needed")
    reset = play_event(build_event("double", 8), let_stronger_win_but_in_final)
    assert [result.match for result in reset.results][-2:] == ["F1", "F2"]
    assert reset.champion == 2
    assert [line.entrant for line in build_standings(reset.event, reset.results)[:2]] == [2, 1]


@pytest.mark.parametrize("count", [8, 16, 32, 64])
def test_those_who_have_met_are_kept_apart_in_the_losers_bracket(count: int) -> None:
    whole = play_event(build_event("double", count), let_stronger_win)
    met = Counter(frozenset(pairing.seats) for pairing in whole.pairings)
    pairs = [pair for pair, times in met.items() if times > 1]
    # Repeat meetings happen only near the end, where no other opponent is left.
    assert all(min(pair) <= 4 for pair in pairs)
    assert len(pairs) <= 3


@make_settings(15)
@given(count=st.integers(2, 40), chance=chances)
def test_with_draws_too_there_is_one_champion(count: int, chance: Random) -> None:
    whole = play_event(build_event("double", count), make_random_play(chance))
    assert build_bracket(whole.event, whole.results).champion == whole.champion is not None
    assert len(build_standings(whole.event, whole.results)) == count
