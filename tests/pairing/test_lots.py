"""Lots agree with PROTOCOL.md and are reproducible."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import fairness
from tests.example_counts import make_settings
from tests.factories.planned_events import (
    KEY,
    build_entrants,
    build_event,
    chances,
    keys,
    make_random_play,
    play_event,
)
from tests.helpers.event_formats import FORMATS
from tournaments.pairing import (
    EntrantSpec,
    PlannedRound,
    TournamentSpec,
    build_bracket,
    build_standings,
    plan_next_round,
)
from tournaments.pairing.randomness import (
    assign_seeds,
    draw_below,
    draw_lots,
    generate_numbers,
    shuffle_items,
)


@make_settings(60)
@given(key=keys, label=st.text(max_size=20), count=st.integers(0, 70))
def test_shuffles_are_those_of_games(key: bytes, label: str, count: int) -> None:
    assert shuffle_items(key, label, range(count)) == fairness.shuffle_items(key, label, range(count))
    assert list(islice(generate_numbers(key, label), 20)) == list(
        islice(fairness.iter_random_numbers(key, label), 20)
    )
    actual, expected = generate_numbers(key, label), fairness.iter_random_numbers(key, label)
    assert [draw_below(actual, n) for n in range(1, 40)] == [
        fairness.next_number_below(expected, n) for n in range(1, 40)
    ]


@make_settings(40)
@given(
    key=keys,
    ids=st.lists(st.one_of(st.integers(), st.text(max_size=5)), unique=True, max_size=20),
    chance=chances,
)
def test_a_lot_does_not_depend_on_the_order_of_the_ids(
    key: bytes, ids: list[int | str], chance: Random
) -> None:
    mixed = chance.sample(ids, len(ids))
    assert draw_lots(key, "x", ids) == draw_lots(key, "x", mixed)
    assert sorted(draw_lots(key, "x", ids).values()) == list(range(len(ids)))


def test_seeds_are_as_given_then_by_lot_and_nobodys_changes_when_somebody_joins() -> None:
    some = tuple(EntrantSpec(id) for id in "abcdefgh")
    tournament_spec = TournamentSpec("swiss", (EntrantSpec("x", 2), EntrantSpec("y", 1), *some), KEY)
    given_first = assign_seeds(tournament_spec)
    assert (given_first["y"], given_first["x"]) == (1, 2)
    assert sorted(given_first.values()) == list(range(1, 11))
    later = assign_seeds(
        replace(
            tournament_spec,
            entrants=(
                EntrantSpec("late", first_round=3),
                *tournament_spec.entrants,
                EntrantSpec("later", first_round=4),
            ),
        )
    )
    assert {id: later[id] for id in given_first} == given_first
    assert (later["late"], later["later"]) == (11, 12)
    assert assign_seeds(replace(tournament_spec, key=bytes(32))) != given_first


@pytest.mark.parametrize("how", FORMATS, ids=str)
@make_settings(6, 120)
@given(count=st.integers(2, 14), key=keys, chance=chances, data=st.data())
def test_every_answer_depends_on_the_event_and_the_results_and_not_on_their_order(
    how: dict[str, object], count: int, key: bytes, chance: Random, data: st.DataObject
) -> None:
    whole = play_event(build_event(**how, count=count, seeded=False, key=key), make_random_play(chance))
    some = whole.results[: data.draw(st.integers(0, len(whole.results)))]
    mixed = replace(whole.event, entrants=tuple(chance.sample(whole.event.entrants, count)))
    results = chance.sample(some, len(some))
    assert plan_next_round(mixed, results) == plan_next_round(whole.event, some)
    assert build_standings(mixed, results) == build_standings(whole.event, some)
    assert build_bracket(mixed, results) == build_bracket(whole.event, some)


def test_another_key_gives_other_lots() -> None:
    first = [plan_next_round(build_event("swiss", 16, seeded=False, key=bytes([n]) * 32)) for n in range(4)]
    assert all(isinstance(pairing, PlannedRound) for pairing in first)
    assert len(set(map(str, first))) == 4


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="named twice"):
        TournamentSpec("swiss", (*build_entrants(3), EntrantSpec(1)), KEY)
    with pytest.raises(ValueError, match="2 to 4 seats"):
        build_event("swiss", 5, table_size=5)
    with pytest.raises(ValueError, match="tables of 2"):
        build_event("double", 5, table_size=3)
    with pytest.raises(ValueError, match="never all"):
        build_event("knockout", 5, table_size=3, advancing_count=3)
    with pytest.raises(ValueError, match="one or two"):
        build_event("knockout", 5, table_size=4, advancing_count=3)
    with pytest.raises(ValueError, match="at least one round"):
        build_event("swiss", 5, round_count=0)
    with pytest.raises(ValueError, match="one of knockout"):
        build_event("ladder", 5)
