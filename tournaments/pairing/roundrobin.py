"""Round robin: everybody meets everybody, on a schedule that stands from the start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.pairing.designs import design
from tournaments.pairing.model import (
    Bracket,
    Event,
    Finished,
    Id,
    Match,
    Note,
    Pairing,
    Result,
    Round,
    Source,
    State,
    Waiting,
    note,
)  # fmt: skip
from tournaments.pairing.outcomes import Outcome, Past, settled
from tournaments.pairing.randomness import entered
from tournaments.pairing.ranks import by_points
from tournaments.pairing.tables import seated


@dataclass(frozen=True)
class Slot:
    """A table of the schedule."""

    match: str
    round: int
    lap: int
    seats: tuple[Id, ...]


def circle(entrants: int) -> list[list[tuple[int, int]]]:
    """Rounds of pairs of numbers from 0 on, the one who sits first in front (Berger's tables).

    An even number of people; the last one stays, the others move round. Nobody is first oftener than second,
    or second oftener than first, by more than one.
    """
    turning, last = entrants - 1, entrants - 1
    rounds = []
    for r in range(turning):
        pairs = []
        for i in range(turning):
            j = (r - i) % turning
            if i == j:
                pairs.append((i, last) if i < entrants // 2 else (last, i))
            elif i < j:
                pairs.append((i, j) if (i + j) % 2 else (j, i))
        rounds.append(pairs)
    return rounds


def schedule(event: Event) -> list[Slot]:
    """All tables of all rounds. Whoever enters late is not in it."""
    people = entered(event)
    if len(people) < 2:
        return []
    return duels(event, people) if event.table == 2 else around(event, people)


def duels(event: Event, people: Sequence[Id]) -> list[Slot]:
    """Tables of 2, lap after lap, with the seats changed in every second; a table of one is a free round."""
    one_lap = circle(len(people) + len(people) % 2)
    slots = []
    for lap in range(event.laps):
        for r, pairs in enumerate(one_lap, 1 + lap * len(one_lap)):
            turned = [pair[::-1] if lap % 2 else pair for pair in pairs]
            tables = [tuple(people[i] for i in pair if i < len(people)) for pair in turned]
            tables.sort(key=len, reverse=True)
            slots += [Slot(f"R{r}.{t}", r, lap + 1, seats) for t, seats in enumerate(tables, 1)]
    return slots


def around(event: Event, people: Sequence[Id]) -> list[Slot]:
    """Tables of 3 and 4, by a design for so many people."""
    rounds = event.rounds or max(-(-(len(people) - 1) // (event.table - 1)), 1)
    lot = {id: place for place, id in enumerate(people)}
    past = {id: Past() for id in people}
    slots = []
    for r, tables in enumerate(design(len(people), event.table, rounds), 1):
        for t, numbers in enumerate(tables, 1):
            seats = seated([people[i] for i in numbers], past, lot)
            for seat, id in enumerate(seats):
                past[id].sit(seat)
            slots.append(Slot(f"R{r}.{t}", r, 1, seats))
    return slots


# --------------------------------------------------------------------------------------- the schedule, played


@dataclass(frozen=True)
class Fixture:
    """A table of the schedule and what has become of it."""

    slot: Slot
    here: tuple[Id, ...]  # who is still to play there
    state: State
    outcome: Outcome | None = None
    result: Result | None = None


def fixtures(event: Event, results: Sequence[Result]) -> list[Fixture]:
    """The schedule, filled in as far as results go; a table that nobody can play any more is a walkover."""
    known, found = event.by_id, []
    answers = {result.match: result for result in results if len(result.seats) > 1}
    for slot in schedule(event):
        here = tuple(id for id in slot.seats if known[id].left is None)
        result = answers.get(slot.match)
        if result is not None and not set(result.seats) <= set(slot.seats):
            result = None
        if len(slot.seats) == 1:
            found.append(Fixture(slot, here, "bye" if here else "nobody"))
        elif result is not None:
            outcome = settled(event, result)
            found.append(Fixture(slot, here, "decided" if outcome else "open", outcome, result))
        elif len(here) > 1:
            found.append(Fixture(slot, here, "ready"))
        else:
            gone = frozenset(slot.seats) - frozenset(here)
            outcome = Outcome(slot.match, slot.round, dict.fromkeys(slot.seats, 1), gone)
            found.append(Fixture(slot, here, "walkover" if here else "nobody", outcome))
    return found


def counted(event: Event, results: Sequence[Result]) -> list[Outcome]:
    """What the standings count: at tables of 2 nothing of those who withdrew before half of their games.

    Else it would matter whether one had met them in time; later on, what they did not play is lost.
    """
    all_of_them = fixtures(event, results)
    ended = [fixture.outcome for fixture in all_of_them if fixture.outcome is not None]
    if event.table > 2:
        return ended
    left = {entrant.id for entrant in event.entrants if entrant.left is not None}
    for id in sorted(left, key=str):
        mine = [
            fixture for fixture in all_of_them if id in fixture.slot.seats and len(fixture.slot.seats) > 1
        ]
        through = [one for one in mine if one.result is not None and one.result.ranks is not None]
        if 2 * len(through) < len(mine):
            ended = [outcome for outcome in ended if id not in outcome.ranks]
    return ended


def next_round(event: Event, results: Sequence[Result]) -> Round | Waiting | Finished:
    """The next round of the schedule once the last one is over; or everything that is left, at once."""
    all_of_them = fixtures(event, results)
    running = [fixture for fixture in all_of_them if fixture.state == "open"]
    ready = [fixture for fixture in all_of_them if fixture.state == "ready"]
    if not ready and not running:
        table = by_points(event, counted(event, results))
        return Finished(table[0].entrant if table else None)
    number = min(fixture.slot.round for fixture in [*ready, *running])
    if not ready or (running and not event.at_once and all(one.slot.round > number for one in ready)):
        return Waiting(number, tuple(fixture.slot.match for fixture in running))
    number = min(fixture.slot.round for fixture in ready)
    last = max(fixture.slot.round for fixture in all_of_them)
    now = [fixture for fixture in ready if event.at_once or fixture.slot.round == number]
    rounds = {fixture.slot.round for fixture in now}
    free = [fixture for fixture in all_of_them if fixture.state == "bye" and fixture.slot.round in rounds]
    pairings = [
        Pairing(fixture.slot.match, fixture.slot.round, fixture.here, reasons(fixture, last))
        for fixture in sorted([*now, *free], key=lambda fixture: fixture.slot.round)
    ]
    return Round(number, tuple(pairings), warnings(event, pairings))


def reasons(fixture: Fixture, rounds: int) -> tuple[Note, ...]:
    """Why these meet now: the schedule says so."""
    slot = fixture.slot
    if len(slot.seats) == 1:
        return (note("free-round", entrant=slot.seats[0], round=slot.round),)
    found = [note("schedule", round=slot.round, rounds=rounds, lap=slot.lap)]
    gone = tuple(id for id in slot.seats if id not in fixture.here)
    return (*found, *([note("smaller-table", seats=len(fixture.here), gone=gone)] if gone else []))


def warnings(event: Event, pairings: Sequence[Pairing]) -> tuple[Note, ...]:
    """What an organiser should know: an odd number, who is away, who came too late."""
    known, found = event.by_id, []
    for pairing in pairings:
        if len(pairing.seats) == 1:
            found.append(note("odd-number", match=pairing.match, entrant=pairing.seats[0]))
        away = tuple(id for id in pairing.seats if pairing.round in known[id].absent)
        found += [note("absent", match=pairing.match, entrants=away)] if away else []
    late = tuple(entrant.id for entrant in event.entrants if entrant.joined > 1)
    return (*found, *([note("late-entry", entrants=late)] if late else []))


def bracket(event: Event, results: Sequence[Result]) -> Bracket:
    """The schedule in the shape of a bracket, for drawing."""
    seed = {id: number for number, id in enumerate(entered(event), 1)}
    matches, used = [], set()
    for fixture in fixtures(event, results):
        slot, outcome = fixture.slot, fixture.outcome
        order = [id for tier in outcome.tiers() for id in tier] if outcome else []
        sources = tuple(Source(seed=seed[id]) for id in slot.seats)
        matches.append(
            Match(
                slot.match, "main", slot.round, slot.round, sources, seats=slot.seats, state=fixture.state,
                order=(*order, *(id for id in slot.seats if outcome and id not in order)),
            )
        )  # fmt: skip
        used |= {fixture.result} if fixture.result else set()
    stale = tuple(result for result in results if len(result.seats) > 1 and result not in used)
    ended = next_round(event, results)
    return Bracket(tuple(matches), ended.champion if isinstance(ended, Finished) else None, stale)
