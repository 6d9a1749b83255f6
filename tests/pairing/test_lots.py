"""Lots are those of PROTOCOL.md, and the same input gives the same answer."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import fairness
from tournaments.pairing import Entrant, Event, Round, bracket, next_round, standings
from tournaments.pairing.randomness import below, lots, numbers, seeds, shuffled

from .play import KEY, by_chance, chances, checking, event, keys, people, played


@checking(60)
@given(key=keys, label=st.text(max_size=20), count=st.integers(0, 70))
def test_shuffles_are_those_of_games(key: bytes, label: str, count: int) -> None:
    assert shuffled(key, label, range(count)) == fairness.shuffled(key, label, range(count))
    assert list(islice(numbers(key, label), 20)) == list(islice(fairness.numbers(key, label), 20))
    ours, theirs = numbers(key, label), fairness.numbers(key, label)
    assert [below(ours, n) for n in range(1, 40)] == [fairness.below(theirs, n) for n in range(1, 40)]


@checking(40)
@given(
    key=keys,
    ids=st.lists(st.one_of(st.integers(), st.text(max_size=5)), unique=True, max_size=20),
    chance=chances,
)
def test_a_lot_does_not_depend_on_the_order_of_the_ids(
    key: bytes, ids: list[int | str], chance: Random
) -> None:
    mixed = chance.sample(ids, len(ids))
    assert lots(key, "x", ids) == lots(key, "x", mixed)
    assert sorted(lots(key, "x", ids).values()) == list(range(len(ids)))


def test_seeds_are_as_given_then_by_lot_and_nobodys_changes_when_somebody_joins() -> None:
    some = tuple(Entrant(id) for id in "abcdefgh")
    one = Event("swiss", (Entrant("x", 2), Entrant("y", 1), *some), KEY)
    given_first = seeds(one)
    assert (given_first["y"], given_first["x"]) == (1, 2)
    assert sorted(given_first.values()) == list(range(1, 11))
    later = seeds(
        replace(one, entrants=(Entrant("late", joined=3), *one.entrants, Entrant("later", joined=4)))
    )
    assert {id: later[id] for id in given_first} == given_first
    assert (later["late"], later["later"]) == (11, 12)
    assert seeds(replace(one, key=bytes(32))) != given_first


FORMATS = [
    {"format": "knockout"},
    {"format": "knockout", "third_place": True},
    {"format": "knockout", "table": 3, "advance": 1},
    {"format": "knockout", "table": 4, "advance": 2},
    {"format": "double"},
    {"format": "round-robin"},
    {"format": "round-robin", "table": 4},
    {"format": "swiss"},
    {"format": "swiss", "table": 3, "rounds": 4},
]


@pytest.mark.parametrize("how", FORMATS, ids=str)
@checking(12)
@given(count=st.integers(2, 14), key=keys, chance=chances, data=st.data())
def test_every_answer_depends_on_the_event_and_the_results_and_not_on_their_order(
    how: dict[str, object], count: int, key: bytes, chance: Random, data: st.DataObject
) -> None:
    whole = played(event(**how, count=count, seeded=False, key=key), by_chance(chance))
    some = whole.results[: data.draw(st.integers(0, len(whole.results)))]
    mixed = replace(whole.event, entrants=tuple(chance.sample(whole.event.entrants, count)))
    results = chance.sample(some, len(some))
    assert next_round(mixed, results) == next_round(whole.event, some)
    assert standings(mixed, results) == standings(whole.event, some)
    assert bracket(mixed, results) == bracket(whole.event, some)


def test_another_key_gives_other_lots() -> None:
    first = [next_round(event("swiss", 16, seeded=False, key=bytes([n]) * 32)) for n in range(4)]
    assert all(isinstance(one, Round) for one in first)
    assert len(set(map(str, first))) == 4


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="named twice"):
        Event("swiss", (*people(3), Entrant(1)), KEY)
    with pytest.raises(ValueError, match="2 to 4 seats"):
        event("swiss", 5, table=5)
    with pytest.raises(ValueError, match="tables of 2"):
        event("double", 5, table=3)
    with pytest.raises(ValueError, match="never all"):
        event("knockout", 5, table=3, advance=3)
    with pytest.raises(ValueError, match="one or two"):
        event("knockout", 5, table=4, advance=3)
    with pytest.raises(ValueError, match="at least one round"):
        event("swiss", 5, rounds=0)
    with pytest.raises(ValueError, match="one of knockout"):
        event("ladder", 5)
