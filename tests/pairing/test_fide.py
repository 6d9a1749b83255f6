"""Pairings and tie-breaks at tables of 2, compared with those of chess and their intended differences."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from hypothesis import example, given
from hypothesis import strategies as st

from tests.example_counts import make_settings
from tests.factories.planned_events import (
    build_event,
    chances,
    change_entrant,
    make_random_play,
    play_event,
)
from tournaments.pairing import EntrantId, PairingResult, build_standings
from tournaments.pairing.outcomes import build_histories

from .fide import compute_dutch_pairs, compute_tie_breaks

BYE_AS_ONESELF = "2025/01/01"  # FIDE rules under which a bye is an opponent with the entrant's own points
BYE_AT_MOST_LEVEL = "2026/06/01"  # FIDE rules under which that opponent has at most half a point per round


def test_a_dutch_pairing_with_the_same_bye_never_costs_less() -> None:
    """FIDE forbids some colours that we only avoid, so that a few rounds have no pairs to compare with."""
    compared_counts: list[int] = []

    @make_settings(12)
    @given(count=st.integers(4, 16), rounds=st.integers(2, 6), chance=chances)
    def compare_rounds(count: int, rounds: int, chance: Random) -> None:
        compared_counts.append(count_rounds_that_cost_no_more(count, rounds, chance))

    compare_rounds()
    assert sum(compared_counts) > 2 * len(compared_counts)


def count_rounds_that_cost_no_more(count: int, rounds: int, chance: Random) -> int:
    """Compare the rounds of an event with Dutch pairings; return how many have one."""
    compared_count = 0
    whole = play_event(
        build_event("swiss", count, round_count=min(rounds, count - 1)), make_random_play(chance)
    )
    for now in whole.rounds:
        before = [result for result in whole.results if result.round < now.number]
        past = build_histories(whole.event, before)

        def measure_cost(
            pairs: list[tuple[EntrantId, EntrantId]], past=past, last=now.number - 1
        ) -> tuple[int, float, int]:
            floated = {
                id: 2 * len(history.float_rounds) + (last in history.float_rounds)
                for id, history in past.items()
            }
            floats = [(a, b) for a, b in pairs if past[a].points != past[b].points]
            return (
                sum(past[a].meetings[b] ** 2 for a, b in pairs),
                sum((past[a].points - past[b].points) ** 2 for a, b in pairs),
                sum(floated[a] + floated[b] for a, b in floats),
            )

        bye = next((pairing.seats[0] for pairing in now.pairings if len(pairing.seats) == 1), None)
        expected_pairs = compute_dutch_pairs(whole.event, before, without=bye)
        own_pairs = [
            (pairing.seats[0], pairing.seats[1]) for pairing in now.pairings if len(pairing.seats) == 2
        ]
        if expected_pairs is not None:
            compared_count += 1
            assert len(expected_pairs) == len(own_pairs)
            assert measure_cost(own_pairs) <= measure_cost(expected_pairs)
    return compared_count


def test_tie_breaks_are_those_of_chess() -> None:
    head_to_head_counts: list[int] = []

    @make_settings(15)
    @given(count=st.integers(2, 14), rounds=st.integers(1, 6), chance=chances)
    @example(count=5, rounds=2, chance=Random(5))  # in few events a head-to-head result decides
    @example(count=11, rounds=3, chance=Random(5))
    def compare_tie_breaks(count: int, rounds: int, chance: Random) -> None:
        head_to_head_counts.append(count_equal_tie_breaks(count, rounds, chance))

    compare_tie_breaks()
    assert sum(head_to_head_counts) >= 2


def count_equal_tie_breaks(count: int, rounds: int, chance: Random) -> int:
    """Check the standings of an event; return how many rows a head-to-head result separates."""
    separated_count = 0
    whole = play_event(build_event("swiss", count, round_count=rounds), make_random_play(chance))
    lines = build_standings(whole.event, whole.results)
    expected = compute_tie_breaks(whole.event, whole.results, "PTS", "BH", "SB", "DE", begins=BYE_AS_ONESELF)
    for line in lines:
        actual = [line[key] for key in ("points", "buchholz", "sonneborn-berger")]
        assert actual == expected[int(line.entrant)][:3]
    for above, line in pairwise(lines):
        if line.separated_by == "head-to-head":
            separated_count += 1
            assert expected[int(above.entrant)][3] < expected[int(line.entrant)][3]
    return separated_count


@make_settings(10)
@given(count=st.integers(3, 13).filter(lambda n: n % 2), rounds=st.integers(2, 6), chance=chances)
def test_a_bye_is_an_opponent_like_oneself_without_the_limit_that_fide_has_since(
    count: int, rounds: int, chance: Random
) -> None:
    whole = play_event(build_event("swiss", count, round_count=rounds), make_random_play(chance))
    expected = compute_tie_breaks(whole.event, whole.results, "PTS", "BH", "SB", begins=BYE_AT_MOST_LEVEL)
    for line in build_standings(whole.event, whole.results):
        points, buchholz, sonneborn_berger = expected[int(line.entrant)]
        above = max(points - 0.5 * rounds, 0) * line.byes
        assert (line["points"], line["buchholz"]) == (points, buchholz + above)
        assert line["sonneborn-berger"] == sonneborn_berger + above  # a bye counts as a win


def test_who_leaves_keeps_the_points_made_and_a_missed_round_is_no_opponent() -> None:
    """FIDE counts a missed round as a draw for former opponents and as an opponent of the absent entrant."""
    four = build_event("swiss", 4, round_count=2)
    results = [
        PairingResult("R1.1", 1, (1, 4), (2, 1)),
        PairingResult("R1.2", 1, (2, 3), (1, 2)),
        PairingResult("R2.1", 2, (1, 2), (1, 2)),
        PairingResult("R2.2", 2, (3,)),
    ]
    changed_event = change_entrant(four, 4, left_after_round=1)
    actual = {
        line.entrant: (line["points"], line["buchholz"]) for line in build_standings(changed_event, results)
    }
    expected = compute_tie_breaks(changed_event, results, "PTS", "BH", begins=BYE_AS_ONESELF)
    assert actual == {1: (1, 2), 2: (1, 2), 3: (1, 2), 4: (1, 1)}
    assert {id: tuple(values) for id, values in expected.items()} == {
        1: (1, 2.5), 2: (1, 2), 3: (1, 2), 4: (1, 2),
    }  # fmt: skip
