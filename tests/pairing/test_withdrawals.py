"""Withdrawals at any time, between rounds or during one: every tournament still ends."""

from __future__ import annotations

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
    change_entrant,
    let_stronger_win,
    list_ids,
    make_random_play,
)
from tests.helpers.event_formats import FORMATS
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


def list_staying(spec: TournamentSpec) -> set[object]:
    """Return the entrants that have not withdrawn."""
    return {entrant.id for entrant in spec.entrants if entrant.left_after_round is None}


@pytest.mark.parametrize("how", FORMATS, ids=str)
@make_settings(20)
@given(count=st.integers(2, 12), chance=chances, often=st.sampled_from([0.05, 0.2, 0.6]))
def test_every_event_ends_whoever_leaves_whenever(
    how: dict[str, object], count: int, chance: Random, often: float
) -> None:
    now_playing = build_event(**how, count=count)
    results: dict[tuple[str, int, frozenset[object]], PairingResult] = {}
    play = make_random_play(chance)

    def withdraw_some(number: int) -> None:
        nonlocal now_playing
        for id in sorted(list_staying(now_playing)):
            if chance.random() < often / count:
                now_playing = change_entrant(now_playing, id, left_after_round=number)

    number = 0
    for _ in range(400):
        withdraw_some(number)
        now = plan_next_round(now_playing, results.values())
        if isinstance(now, TournamentFinished):
            break
        if isinstance(now, PlannedRound):
            number = max(number, now.number)
            assert now.pairings
            for pairing in now.pairings:
                assert set(pairing.seats) <= list_staying(now_playing)
                key = (pairing.match, pairing.game_number, frozenset(pairing.seats))
                assert key not in results
                results[key] = build_result(pairing)
        else:
            assert isinstance(now, WaitingForResults)
            assert now.matches
        withdraw_some(number)
        for key, pairing_result in list(results.items()):  # some games end, the others go on
            if pairing_result.ranks is None and len(pairing_result.seats) > 1 and chance.random() < 0.7:
                outcome = play(
                    PlannedPairing(
                        pairing_result.match,
                        pairing_result.round,
                        pairing_result.seats,
                        game_number=pairing_result.game_number,
                    )
                )
                results[key] = replace(pairing_result, ranks=outcome.ranks, points=outcome.points)
    else:
        raise AssertionError("it never ends")
    lines = build_standings(now_playing, results.values())
    assert len({line.entrant for line in lines}) == len(lines)
    assert {line.entrant for line in lines} | {
        e.id for e in now_playing.entrants if e.left_after_round == 0
    } >= set(list_ids(now_playing))
    if now.champion is not None and lines:
        assert lines[0].entrant == now.champion
    drawn = build_bracket(now_playing, results.values())
    if (
        how["format"] in ("knockout", "double") and now.champion is None
    ):  # without a champion, all remaining entrants had lost before
        out = {
            id
            for match in drawn.matches
            if match.state == "decided"
            for id in match.finishing_order[match.advancing_count :]
        }
        assert list_staying(now_playing) <= out
    assert drawn.champion == now.champion


def test_in_a_knockout_the_opponent_goes_on() -> None:
    eight = build_event("knockout", 8)
    first = plan_next_round(eight)
    results = [let_stronger_win(pairing) for pairing in first.pairings[:3]] + [
        build_result(first.pairings[3])
    ]
    assert set(first.pairings[3].seats) == {3, 6}
    changed_event = change_entrant(eight, 3, left_after_round=1)
    second = plan_next_round(changed_event, results)
    assert isinstance(second, PlannedRound)
    assert {frozenset(pairing.seats) for pairing in second.pairings} == {frozenset({1, 4}), frozenset({2, 6})}
    # An entrant that leaves after a win forfeits the next match, which need not be published.
    further = change_entrant(changed_event, 2, left_after_round=1)
    now = plan_next_round(further, results)
    assert [set(pairing.seats) for pairing in now.pairings] == [{1, 4}]
    matches = {match.id: match for match in build_bracket(further, results).matches}
    assert matches["R2.2"].state == "walkover"
    assert matches["R3.1"].seats == (None, 6)
    assert [note.as_dict() for note in matches["R2.2"].notes] == [{"code": "walkover", "absent": (2,)}]


def test_when_both_have_left_nobody_goes_on() -> None:
    four = build_event("knockout", 4)
    first = plan_next_round(four)
    results = [let_stronger_win(pairing) for pairing in first.pairings]
    both = change_entrant(change_entrant(four, 1, left_after_round=1), 2, left_after_round=1)
    assert plan_next_round(both, results) == TournamentFinished(None)
    assert build_bracket(both, results).matches[-1].state == "nobody"
    one_semifinal = [
        replace(result, ranks=None) if set(result.seats) == {1, 4} else result for result in results
    ]
    out = change_entrant(change_entrant(four, 1, left_after_round=1), 4, left_after_round=1)
    assert plan_next_round(out, one_semifinal) == TournamentFinished(2)


def test_whoever_leaves_before_the_start_is_not_in_the_bracket() -> None:
    five = change_entrant(build_event("knockout", 5), 2, left_after_round=0)
    now = plan_next_round(five)
    assert {frozenset(pairing.seats) for pairing in now.pairings} == {frozenset({1, 5}), frozenset({3, 4})}


def test_a_champion_who_leaves_after_the_final_stays_champion() -> None:
    two = build_event("knockout", 2)
    (final,) = plan_next_round(two).pairings
    assert plan_next_round(
        change_entrant(two, 1, left_after_round=1), [let_stronger_win(final)]
    ) == TournamentFinished(1)
    assert plan_next_round(
        change_entrant(two, 1, left_after_round=1), [build_result(final)]
    ) == TournamentFinished(2)


def test_both_can_forfeit_a_game() -> None:
    four = build_event("swiss", 4, round_count=2)
    now = plan_next_round(four)
    double_forfeit = build_result(now.pairings[0], (1, 1), forfeits=frozenset(now.pairings[0].seats))
    lines = {
        line.entrant: line["points"]
        for line in build_standings(four, [double_forfeit, let_stronger_win(now.pairings[1])])
    }
    assert sorted(lines.values()) == [0, 0, 0, 1]


def test_strangers_and_doubles_among_results_are_refused() -> None:
    two = build_event("swiss", 2)
    (pairing,) = plan_next_round(two).pairings
    with pytest.raises(ValueError, match="does not take part"):
        plan_next_round(two, [PairingResult("R1.1", 1, (1, 99))])
    with pytest.raises(ValueError, match="two results"):
        plan_next_round(two, [build_result(pairing), let_stronger_win(pairing)])
    with pytest.raises(ValueError, match="one value a seat"):
        PairingResult("R1.1", 1, (1, 2), (1,))
    with pytest.raises(ValueError, match="everybody one"):
        PairingResult("R1.1", 1, (1, 1))
    with pytest.raises(ValueError, match="can forfeit"):
        PairingResult("R1.1", 1, (1, 2), forfeits=frozenset({3}))
