"""The only code that writes a game's state and its actions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.utils.translation import gettext as _

from games import clock, engine
from games.engine import State
from games.models import Event, Game, Incident, Seat, Secret
from games.selectors import Table, instant
from games.selectors.deadlines import deadline_of, round_end_of

from . import clocks, log_sql
from .errors import Conflict


@dataclass(slots=True)
class Line:
    """A line of the log before it is stored; a model's instance would cost ten times as much to make."""

    game_id: int
    seq: int
    seat: int
    action: str
    by: str
    at: datetime
    hash: str
    events: list[dict[str, Any]]


@dataclass(slots=True)
class Told:
    """An event before it is stored."""

    game_id: int
    player_id: int
    kind: str
    reason: str
    data: dict[str, Any]
    at: datetime
    due_at: datetime | None = None
    stage: int = 0
    key: str = ""
    asked: str = ""
    answer: str = ""


class Overtaken(Conflict):
    """Somebody was faster; what was meant may be right all the same."""

    code = "stale"


def chained(previous: str, *, code: str, seq: int, seat: int, action: str, by: str, at: datetime) -> str:
    """The hash of a line: over the previous one and everything the line says."""
    line = json.dumps([previous, code, seq, seat, action, by, at.isoformat()], ensure_ascii=False)
    return hashlib.sha256(line.encode()).hexdigest()


def seats_as_bits(seats: Sequence[int]) -> int:
    """Seats as one number."""
    return sum(1 << seat for seat in seats)


def snapshot(found: Table, state: State, now: datetime, *, opens: bool = False) -> dict[str, Any]:
    """The columns of a game row that follow from its state; `opens`: a blind match waits to be opened."""
    bots = {place.number for place in found.places if place.bot}
    status = Game.Status.OVER if state.over else Game.Status.TIEBREAK if opens else Game.Status.RUNNING
    return {
        "seq": state.seq,
        "phase": state.phase,
        "to_act": seats_as_bits(state.to_act),
        "bot_turn": bool(bots & set(state.to_act)),
        "moved_at": now,
        "status": status,
        "finished_at": now if state.over else None,
        "result": state.result if state.over else None,
    }


def begin(*, found: Table, setup: engine.Setup, now: datetime) -> None:
    """Deal the first match of a game whose seats are taken; the caller holds the game's row."""
    game = found.game
    state, events = engine.start(setup)
    fields = snapshot(found, state, now) | clocks.wound(found, state, now=now, events=events)
    for name, value in fields.items():
        setattr(game, name, value)
    game.started_at = now
    game.seniority = list(setup.seniority)
    game.chain = game.commitment
    game.opening = events
    game.save()
    Secret.objects.filter(game=game).update(state=engine.dump(state))
    found.state = state
    Event.objects.bulk_create(log_sql.stored(told(found, None, now)))


@dataclass
class Step:
    """What an action, or several of one go, will change: not yet written."""

    after: Table
    seen_seq: int  # what the game's row must still hold
    seen_clocks: dict[str, Any]
    seen_seat_changes: int
    fields: dict[str, Any]
    lines: list[Line]
    events: list[Told]

    @property
    def state(self) -> str:
        """The engine's state, as it is stored."""
        assert self.after.state is not None
        return engine.dump(self.after.state)


def step(
    *,
    found: Table,
    seat: int,
    action: str,
    by: str,
    now: datetime,
    so_far: Step | None = None,
    present: bool = False,
    missed: bool = False,
    stopped: Sequence[Incident] | None = None,
    note: Callable[[Table, Line], Told | None] = lambda found, line: None,
) -> Step:
    """Make one action ready to be written, after those of `so_far`, whose table must be `found`.

    `present` and `missed` say whether the seat's player acted, or the clock in their place. `note` makes the
    acting player's own event from the table after the action. Raises the engine's refusals.
    """
    game, before = found.game, found.state
    if before is None:
        raise Conflict(_("the game has not started"), code="not-started")
    state, events = engine.apply(before, seat, action)
    line = Line(
        game_id=game.pk,
        seq=state.seq,
        seat=seat,
        action=action,
        by=by,
        at=now,
        hash=chained(game.chain, code=game.code, seq=state.seq, seat=seat, action=action, by=by, at=now),
        events=events,
    )
    fields = snapshot(found, state, now, opens=clocks.opens_blind(events)) | {"chain": line.hash}
    fields |= clocks.wound(
        found, state, now=now, events=events, seat=seat, present=present, missed=missed, stopped=stopped
    )
    seen_seq, seen_clocks, seen_seat_changes = game.seq, game.clocks, game.seat_changes
    # Whoever moves before the worker has opened a blind match opens it.
    opened = game.status == Game.Status.TIEBREAK and not state.over
    for name, value in fields.items():
        setattr(game, name, value)
    after = Table(game, found.places, state)
    own = note(after, line)
    rows = [event for event in told(after, line, now) if not own or event.player_id != own.player_id]
    if own:
        rows.append(own)
    if opened:
        rows += blind_opened(after, {row.player_id for row in rows if row.due_at or row.stage}, now)
    if so_far is None:
        return Step(after, seen_seq, seen_clocks, seen_seat_changes, fields, [line], rows)
    for event in so_far.events:
        event.due_at = None  # the later line of the same go says more
    return replace(
        so_far, fields=fields, lines=[*so_far.lines, line], events=[*so_far.events, *rows], after=after
    )


def append(
    *,
    found: Table,
    seat: int,
    action: str,
    by: str,
    now: datetime,
    present: bool = False,
    note: Callable[[Table, Line], Told | None] = lambda found, line: None,
) -> Table:
    """Play one action: log line, snapshot, secrets and notices in one transaction.

    Raises the engine's refusals, and Overtaken if somebody was faster.
    """
    made = step(found=found, seat=seat, action=action, by=by, now=now, present=present, note=note)
    at_once = connection.vendor == "postgresql"
    write = log_sql.write_at_once if at_once else log_sql.write_in_turn
    with nullcontext() if at_once and not connection.in_atomic_block else transaction.atomic():
        if not write(made):
            raise Overtaken(_("somebody was faster: the game has moved on"))
    return made.after


def append_all(steps: Sequence[Step]) -> set[int]:
    """Write what was made ready for several games, in one commit; gives the games where nobody was faster."""
    with transaction.atomic():
        if connection.vendor == "postgresql":
            return log_sql.write_many(steps) if steps else set()
        return {made.after.game.pk for made in steps if log_sql.write_in_turn(made)}


def turn_facts(game: Game, seq: int) -> dict[str, Any]:
    """What every line of a feed about a move says: which, and the deadline that comes first."""
    facts: dict[str, Any] = {"game": game.code, "seq": seq, "deadline": instant(deadline_of(game))}
    if end := round_end_of(game):
        facts["round_ends_at"] = instant(end.at)
    return facts


def told(found: Table, line: Line | None, now: datetime) -> list[Told]:
    """What each player hears of it."""
    return [event(found, line, place, now) for place in found.places if place.player_id]


def blind_opened(found: Table, known: set[int], now: datetime) -> list[Told]:
    """Everybody is told once that a blind match decides; by mail, who does not know otherwise."""
    game = found.game
    return [
        Told(
            game_id=game.pk,
            player_id=place.player_id,
            kind="blind",
            reason=f"{game.code}:blind",
            data=turn_facts(game, game.seq),
            at=now,
            due_at=None if place.player_id in known else notice_due(found, place, "blind", now, own=False),
        )
        for place in found.places
        if place.player_id
    ]


def event(found: Table, line: Line | None, place: Seat, now: datetime, *, own: bool = False) -> Told:
    """One player's line about an action, or about the start; `own`: they did it themselves."""
    game, state, number = found.game, found.state, place.number
    assert state is not None
    assert place.player_id is not None
    kind = "over" if state.over else "turn" if number in state.to_act else "moved" if line else "started"
    data = turn_facts(game, state.seq)
    if line:
        data |= {"seat": line.seat, "action": line.action, "by": line.by}
    return Told(
        game_id=game.pk,
        player_id=place.player_id,
        kind=kind,
        reason=f"{game.code}:{state.seq}",
        data=data,
        at=now,
        due_at=notice_due(found, place, kind, now, own=own),
        stage=1 if own else 0,
    )


def notice_due(found: Table, place: Seat, kind: str, now: datetime, *, own: bool) -> datetime | None:
    """When a player is to be told by mail; None if not at all."""
    game, state = found.game, found.state
    if place.muted or kind == "moved" or game.status == Game.Status.TIEBREAK:
        return None
    if kind != "turn":
        return None if own else clock.notice_due(now, game.allowance, clocks.quiet(place.player))
    assert state is not None
    assert place.number is not None
    watch = clocks.watch_of(game, place.number)
    if watch.turn != state.seq or not watch.on:
        return None  # the turn goes on
    # Whether a mail comes must not tell whoever has not seen the hand what is in it.
    if clocks.automatic_answer(state, place) and not place.hand_hidden:
        return None  # it needs nobody
    return watch.at
