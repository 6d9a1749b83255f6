"""A knock-out as it stands: the plan of its matches, filled in from the results.

Everything is worked out anew each time, so that a corrected result changes what follows from it. A result
counts only for those who play that match now; others are stale.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from tournaments.pairing import double, knockout
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
)
from tournaments.pairing.outcomes import history, settled
from tournaments.pairing.randomness import entered, lots
from tournaments.pairing.tables import seated


@dataclass
class Decision:
    """How far a match has come, and who is still to play it."""

    state: State
    order: tuple[Id, ...] = ()
    notes: tuple[Note, ...] = ()
    contenders: tuple[Id, ...] = ()
    game: int = 1
    used: tuple[Result, ...] = ()


@dataclass
class Draw:
    """A bracket while it is filled in."""

    event: Event
    rank: dict[Id, int]  # everybody in it, by seed from 1 on
    gone: frozenset[Id]
    matches: list[Match] = field(default_factory=list)
    decisions: dict[str, Decision] = field(default_factory=dict)

    def by_seed(self, ids: Iterable[Id]) -> list[Id]:
        """Those, the higher seeds first."""
        return sorted(ids, key=self.rank.__getitem__)


def plan(event: Event) -> tuple[Match, ...]:
    """The empty bracket of an event."""
    entrants = len(entered(event))
    if entrants < 2:
        return ()
    if event.format == "double":
        return double.plan(entrants)
    if event.table == 2:
        return knockout.duels(entrants, third_place=event.third_place)
    return knockout.tables(entrants, table=event.table, advance=event.advance)


def drawn(event: Event, results: Iterable[Result]) -> Draw:
    """The bracket, filled in as far as results go."""
    answers: dict[str, list[Result]] = {}
    for result in results:
        answers.setdefault(result.match, []).append(result)
    inside = {entrant: seed for seed, entrant in enumerate(entered(event), 1)}
    draw = Draw(event, inside, frozenset(one.id for one in event.entrants if one.left is not None))
    by_seed = list(inside)
    for match in plan(event):
        seats = [occupant(draw, source, by_seed) for source in match.sources]
        if match.bracket == "final" and match.round == 2 and not upset(draw.matches[-1]):
            decision = Decision("not-needed", draw.matches[-1].order)
        elif any(pending for pending, _ in seats):
            decision = Decision("waiting")
        else:
            here = [entrant for _, entrant in seats if entrant is not None]
            decision = decided(draw, match, here, answers.get(match.id, []))
        draw.decisions[match.id] = decision
        draw.matches.append(
            replace(
                match,
                seats=tuple(entrant for _, entrant in seats),
                state=decision.state,
                order=decision.order,
                notes=decision.notes,
            )
        )
    return draw


def occupant(draw: Draw, source: Source, by_seed: Sequence[Id]) -> tuple[bool, Id | None]:
    """Whether a seat is still pending, and else who fills it, if anybody."""
    if source.match is None:
        return False, by_seed[source.seed - 1] if source.seed else None
    before = draw.decisions[source.match]
    if before.state in ("waiting", "ready", "open"):
        return True, None
    return False, before.order[source.place - 1] if source.place <= len(before.order) else None


def upset(final: Match) -> bool:
    """Whether the first final was won from the losers' bracket, if it is over."""
    return not final.order or final.order[0] != final.seats[0]


def decided(draw: Draw, match: Match, here: list[Id], answers: list[Result]) -> Decision:
    """How a match stands whose seats are all known."""
    present = [one for one in here if one not in draw.gone]
    result = answer(draw, answers, here, game=1)
    if result is None:
        if len(present) > match.advance:
            return Decision("ready", contenders=tuple(present))
        if not present:
            return Decision("nobody")
        missing = draw.by_seed(set(here) - set(present))
        if not missing:
            return Decision("bye", tuple(draw.by_seed(here)))
        return Decision("walkover", (*draw.by_seed(present), *missing), (walkover(missing),))
    outcome = settled(draw.event, result)
    if outcome is None:
        return Decision("open", used=(result,))
    missing = draw.by_seed(one for one in here if one not in outcome.ranks or one in outcome.gone)
    # Where two go on and one is left, the second is the best of those who could still play.
    missing.sort(key=lambda one: (one in draw.gone, outcome.ranks.get(one, len(here))))
    notes = [walkover(missing)] if len(missing) >= len(here) - 1 else []
    if len(missing) == len(here):
        return Decision("nobody", notes=tuple(notes), used=(result,))
    order: list[Id] = []
    used = [result]
    for tier in outcome.tiers():
        level, places = draw.by_seed(tier), match.advance - len(order)
        staying = [one for one in level if one not in draw.gone]
        if not 0 < places < len(level):
            order += level
        elif len(staying) <= places:
            order += sorted(level, key=draw.gone.__contains__)
        else:
            again = answer(draw, answers, level, game=2)
            if again is None:
                return Decision("ready", contenders=tuple(staying), game=2, used=tuple(used))
            used.append(again)
            second = settled(draw.event, again)
            if second is None:
                return Decision("open", used=tuple(used))
            order_of_them, why = parted(draw, second.tiers(), level, places)
            order += order_of_them
            notes.append(why)
    return Decision("decided", (*order, *missing), tuple(notes), used=tuple(used))


def walkover(gone: Sequence[Id]) -> Note:
    """Who did not play."""
    return note("walkover", gone=tuple(gone))


def answer(draw: Draw, answers: list[Result], here: Sequence[Id], *, game: int) -> Result | None:
    """The result of those who sit here; whoever is missing from it had withdrawn before."""
    fitting = [
        result
        for result in answers
        if result.game == game
        and len(result.seats) > 1
        and set(result.seats) <= set(here)
        and set(here) - set(result.seats) <= draw.gone
    ]
    return max(fitting, key=lambda result: len(result.seats), default=None)


def parted(draw: Draw, tiers: list[list[Id]], level: list[Id], places: int) -> tuple[list[Id], Note]:
    """Those who were level, in the order of their rematch; where they are level again, by seed."""
    order: list[Id] = []
    seeded: list[Id] = []
    for tier in [*tiers, [one for one in level if not any(one in tier for tier in tiers)]]:
        if len(order) < places < len(order) + len(tier):
            seeded = draw.by_seed(tier)
        order += draw.by_seed(tier)
    if seeded:
        return order, note("higher-seed", entrants=tuple(seeded), seed=draw.rank[seeded[0]])
    return order, note("by-rematch", entrants=tuple(level))


# -------------------------------------------------------------------------------------------- what others ask


def bracket(event: Event, results: Sequence[Result]) -> Bracket:
    """The bracket for drawing."""
    return drawing(drawn(event, results), results)


def drawing(draw: Draw, results: Sequence[Result]) -> Bracket:
    """The bracket that was filled in, with the results that found no place in it."""
    used = {result for decision in draw.decisions.values() for result in decision.used}
    stale = tuple(result for result in results if result not in used)
    if draw.matches:
        winners = draw.matches[-1].order
    else:
        winners = tuple(one for one in draw.rank if one not in draw.gone)
    return Bracket(tuple(draw.matches), winners[0] if winners else None, stale)


def next_round(event: Event, results: Sequence[Result]) -> Round | Waiting | Finished:
    """All matches that can be played now and have not been published."""
    draw = drawn(event, results)
    whole = drawing(draw, results)
    ready = [match for match in draw.matches if match.state == "ready"]
    running = [match for match in draw.matches if match.state == "open"]
    if not ready and not running:
        return Finished(whole.champion)
    if not ready:
        return Waiting(min(match.round for match in running), tuple(match.id for match in running))
    past = history(event, [result for result in results if result not in whole.stale])
    pairings = []
    for match in ready:
        decision = draw.decisions[match.id]
        lot = lots(event.key, f"seats/{match.id}/{decision.game}", decision.contenders)
        seats = seated(decision.contenders, past, lot)
        pairings.append(Pairing(match.id, match.round, seats, reasons(draw, match), decision.game))
    return Round(min(match.round for match in ready), tuple(pairings), warnings(event, pairings, whole.stale))


def reasons(draw: Draw, match: Match) -> tuple[Note, ...]:
    """Why these meet."""
    decision = draw.decisions[match.id]
    if decision.game > 1:
        return (note("rematch", clock="short", entrants=decision.contenders),)
    found = []
    for source, who in zip(match.sources, match.seats, strict=True):
        if who in decision.contenders and source.match is None:
            found.append(note("from-seed", entrant=who, seed=source.seed))
        elif who in decision.contenders:
            found.append(note("from-match", entrant=who, match=source.match, place=source.place))
    return tuple(found)


def stale_notes(event: Event, stale: Sequence[Result]) -> tuple[Note, ...]:
    """Which tables would be thrown away at the end; those of somebody who has left decide nothing."""
    gone = {entrant.id for entrant in event.entrants if entrant.left is not None}
    return tuple(
        note("stale-result", match=result.match, entrants=result.seats)
        for result in stale
        if not gone & set(result.seats)
    )


def warnings(event: Event, pairings: Sequence[Pairing], stale: Sequence[Result]) -> tuple[Note, ...]:
    """What an organiser should know: results that no longer count, who is away, who came too late."""
    known = event.by_id
    found = [note("stale-result", match=result.match, entrants=result.seats) for result in stale]
    for pairing in pairings:
        away = tuple(id for id in pairing.seats if pairing.round in known[id].absent)
        found += [note("absent", match=pairing.match, entrants=away)] if away else []
    late = tuple(entrant.id for entrant in event.entrants if entrant.joined > 1)
    return (*found, *([note("late-entry", entrants=late)] if late else []))
