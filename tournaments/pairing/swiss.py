"""Swiss rounds: equals meet, nobody twice, byes and floats go round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from tournaments.pairing import matching
from tournaments.pairing.model import (
    Bracket,
    Entrant,
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
)
from tournaments.pairing.outcomes import Past, history, outcomes, settled
from tournaments.pairing.randomness import lots, seeds
from tournaments.pairing.ranks import by_points
from tournaments.pairing.tables import grouped, seated, sizes, snaked


def rounds(event: Event) -> int:
    """How many rounds are played: as laid down, or as many as it takes to leave one without a loss."""
    entrants = sum(entrant.joined <= 1 and entrant.left != 0 for entrant in event.entrants)
    return event.rounds or max((entrants - 1).bit_length(), 1)


def next_round(event: Event, results: Sequence[Result]) -> Round | Waiting | Finished:
    """The next round, once the last one is over."""
    stop = find_stop(event, results)
    if stop is not None:
        return stop
    number = next_number(results)
    staying = staying_for(event, number)
    past, seed = history(event, results), seeds(event)
    able = [entrant for entrant in staying if entrant.joined <= number]
    # A round that all wanted to sit out is played all the same: else nothing would ever follow.
    here = [one.id for one in able if number not in one.absent] or [one.id for one in able]
    here.sort(key=lambda id: (-past[id].points, seed[id]))
    lot = lots(event.key, f"round/{number}", here)
    away = tuple(sorted((one.id for one in staying if number in one.absent), key=seed.__getitem__))
    warnings = [note("absent", entrants=away)] if away else []
    if event.table > 2 or len(here) < 2:
        pairings = around(event, number, here, past, lot)
    else:
        pairings = duels(number, here, past, seed, lot)
    return Round(number, tuple(pairings), (*warnings, *warned(pairings, past)))


def next_number(results: Iterable[Result]) -> int:
    """The number of the round that comes next."""
    return max((result.round for result in results), default=0) + 1


def staying_for(event: Event, number: int) -> list[Entrant]:
    """Who has not withdrawn before a round.

    Whoever left in this round or later was there: a past round can be paired again just as it was.
    """
    return [entrant for entrant in event.entrants if entrant.left is None or entrant.left >= number]


def find_stop(event: Event, results: Sequence[Result]) -> Waiting | Finished | None:
    """What keeps the next round from being paired, if anything does; pairs nobody."""
    number = next_number(results)
    running = tuple(result.match for result in results if settled(event, result) is None)
    if running:
        return Waiting(number - 1, running)
    if number > rounds(event) or len(staying_for(event, number)) < 2:
        lines = by_points(event, outcomes(event, results))
        return Finished(lines[0].entrant if lines else None)
    return None


def warned(pairings: Iterable[Pairing], past: Mapping[Id, Past]) -> list[Note]:
    """What an organiser should know before these are published."""
    found = []
    for pairing in pairings:
        if len(pairing.seats) == 1:
            found.append(note("odd-number", match=pairing.match, entrant=pairing.seats[0]))
        again = [pair for pair in combinations(pairing.seats, 2) if past[pair[0]].met[pair[1]]]
        found += [note("rematch-unavoidable", match=pairing.match, entrants=pair) for pair in again]
    return found


# ------------------------------------------------------------------------------------------ tables of 3 and 4


def around(
    event: Event, number: int, here: Sequence[Id], past: Mapping[Id, Past], lot: Mapping[Id, int]
) -> list[Pairing]:
    """Tables of 3 and 4: in the first round one of each strength at every table, then by scores."""
    found = None
    if number == 1:
        tables = snaked(here, sizes(len(here), event.table))
    else:  # whoever has the same score is in the order of this round's lots
        order = sorted(here, key=lambda id: (-past[id].points, lot[id]))
        tables, found = grouped(order, past, event.table)
    largest = max(map(len, tables), default=0)
    pairings = []
    for t, together in enumerate(tables, 1):
        scores = [past[id].points for id in together]
        if found is None:
            reasons = [note("one-of-each-strength", tables=len(tables))]
        else:
            reasons = [note("by-score", highest=max(scores), lowest=min(scores))]
            reasons.append(note("best-tables", proved=found.proved))
        for pair in combinations(together, 2):
            if times := past[pair[0]].met[pair[1]]:
                fewest = found is not None and found.fewest_meetings
                reasons.append(note("met-before", entrants=pair, times=times, proved=fewest))
        if len(together) < largest:
            reasons.append(note("smaller-table", seats=len(together)))
        if len(together) == 1:
            reasons = [note("bye-alone", entrant=together[0])]
        pairings.append(Pairing(f"R{number}.{t}", number, seated(together, past, lot), tuple(reasons)))
    return pairings


# ------------------------------------------------------------------------------------------------ tables of 2


def duels(
    number: int, here: list[Id], past: Mapping[Id, Past], seed: Mapping[Id, int], lot: Mapping[Id, int]
) -> list[Pairing]:
    """Tables of 2 from everybody here, who are in the order of points and seeds."""
    bye, pairs = split(number, here, past)
    pairings = []
    for t, (a, b) in enumerate(pairs, 1):
        seats = seated((a, b), past, lot)
        why = reasons(number, a, b, past, seed, proved=len(here) <= matching.WHOLE)
        why.append(seat_reason(seats, past, lot))
        pairings.append(Pairing(f"R{number}.{t}", number, seats, tuple(why)))
    if bye is not None:
        passed = here[here.index(bye) + 1 :]
        had = tuple(id for id in passed if past[id].byes > past[bye].byes)
        spared = tuple(id for id in passed if id not in had)  # else somebody would meet again
        why = [note("bye-lowest", entrant=bye, points=past[bye].points, byes=past[bye].byes, seed=seed[bye])]
        why += [note("bye-passed-over", had=had, rematch=spared)] if passed else []
        pairings.append(Pairing(f"R{number}.{len(pairings) + 1}", number, (bye,), tuple(why)))
    return pairings


def split(number: int, here: list[Id], past: Mapping[Id, Past]) -> tuple[Id | None, list[tuple[Id, Id]]]:
    """Who has the bye, and who meets whom.

    The bye goes to the lowest of those who have had the fewest, unless somebody would then have to meet again
    whom they have met, and with the bye for another of them nobody would.
    """
    fewest = min(past[id].byes for id in here)
    candidates = [id for id in reversed(here) if past[id].byes == fewest] if len(here) % 2 else [None]
    for bye in candidates:
        pairs = paired(number, [id for id in here if id != bye], past, again=False)
        if pairs is not None:
            return bye, pairs
    bye = candidates[0]
    return bye, paired(number, [id for id in here if id != bye], past, again=True) or []


def paired(
    number: int, here: Sequence[Id], past: Mapping[Id, Past], *, again: bool
) -> list[tuple[Id, Id]] | None:
    """Who meets whom; `again` allows those who have met, as seldom as can be. None if there is no way."""
    score = [round(2 * past[id].points) for id in here]
    met = [[0] * len(here) for _ in here]
    at = {id: place for place, id in enumerate(here)}
    for id in here:
        for other, times in past[id].met.items():
            if other in at:
                met[at[id]][at[other]] = times
    floated = [2 * len(past[id].floats) + (number - 1 in past[id].floats) for id in here]
    balance = [past[id].balance for id in here]
    # Each kind of cost counts in units that all costs of the kinds below it together cannot reach.
    a_seat = len(here) ** 2 + 1
    a_float = a_seat * (len(here) * number**2 + 1)
    a_score = a_float * (len(here) * 4 * number + 1)
    a_meeting = a_score * (len(here) * 4 * number**2 + 1)

    def met_before(a: int, b: int) -> bool:
        return not again and met[a][b] > 0

    def same_seat(a: int, b: int) -> int:
        return min(abs(balance[a]), abs(balance[b])) ** 2 if balance[a] * balance[b] > 0 else 0

    def cost(a: int, b: int) -> int:
        """Earlier meetings, then scores; who floats: seldom before, not wanting one seat, near each other."""
        between = score[a] - score[b]
        total = met[a][b] ** 2 * a_meeting
        if between:
            total += between**2 * a_score + (floated[a] + floated[b]) * a_float
            total += same_seat(a, b) * a_seat + b - a
        return total

    pairs = matching.without(len(here), met_before, cost)
    if pairs is None:
        return None
    found = [pair for pair in pairs if score[pair[0]] != score[pair[1]]]
    for points in sorted(set(score), reverse=True):
        level = [pair for pair in pairs if score[pair[0]] == score[pair[1]] == points]
        places = sorted(place for pair in level for place in pair)
        found += matching.folded(places, level, lambda a, b: met[a][b] > 0, same_seat)
    return [(here[a], here[b]) for a, b in sorted(found)]


def reasons(
    number: int, a: Id, b: Id, past: Mapping[Id, Past], seed: Mapping[Id, int], *, proved: bool
) -> list[Note]:
    """Why these two meet, a being the one higher up; `proved`: nobody has to meet again less often."""
    high, low = past[a], past[b]
    if number == 1:
        found = [note("first-round", entrants=(a, b), higher=seed[a], lower=seed[b])]
    elif high.points == low.points:
        found = [note("same-score", points=high.points)]
    else:
        found = [
            note("float-down", entrant=a, points=high.points, to=low.points, before=len(high.floats)),
            note("float-up", entrant=b, points=low.points, to=high.points, before=len(low.floats)),
        ]
    if high.met[b]:
        found.append(note("met-before", entrants=(a, b), times=high.met[b], proved=proved))
    return found


def seat_reason(seats: tuple[Id, ...], past: Mapping[Id, Past], lot: Mapping[Id, int]) -> Note:
    """Why two sit as they do."""
    first, second = past[seats[0]], past[seats[1]]
    if seated(seats, past, lot, watch_runs=False) != seats:
        return note("seat-run", first=seats[0])
    if first.balance == second.balance and first.last_seat == second.last_seat:
        return note("seat-lot", first=seats[0])
    if first.balance == second.balance:
        return note("seat-turn", first=seats[0], sat_second=first.last_seat == 1)
    return note(
        "seat-balance",
        first=seats[0],
        times=first.sat[0],
        other=second.sat[0],
        times_second=first.sat[1],
        other_second=second.sat[1],
    )


def bracket(event: Event, results: Sequence[Result]) -> Bracket:
    """The rounds so far in the shape of a bracket, for drawing."""
    seed, matches = seeds(event), []
    for result in results:
        outcome = settled(event, result)
        order = [id for tier in outcome.tiers() for id in tier] if outcome else []
        left_over = [id for id in result.seats if outcome and id not in order]
        state: State = "bye" if len(result.seats) == 1 else "decided" if outcome else "open"
        sources = tuple(Source(seed=seed[id]) for id in result.seats)
        matches.append(
            Match(
                result.match, "main", result.round, result.round, sources, seats=result.seats, state=state,
                order=(*order, *left_over),
            )
        )  # fmt: skip
    ended = find_stop(event, results)
    return Bracket(tuple(matches), ended.champion if isinstance(ended, Finished) else None)
