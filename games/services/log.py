"""The only code that writes a game's state and its actions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db import connection, transaction

from games import clock, engine
from games.engine import State
from games.models import Action, Event, Game, Secret
from games.selectors import Table, instant

from .errors import Conflict


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


def snapshot(found: Table, state: State, now: datetime) -> dict[str, Any]:
    """The columns of a game row that follow from its state."""
    game = found.game
    bots = {place.number for place in found.places if place.bot}
    fields: dict[str, Any] = {
        "seq": state.seq,
        "phase": state.phase,
        "to_act": seats_as_bits(state.to_act),
        "bot_turn": bool(bots & set(state.to_act)),
        "moved_at": now,
        "deadline": clock.deadline(now, game.allowance, game.bank),
    }
    if state.over:
        fields |= {
            "status": Game.Status.OVER,
            "finished_at": now,
            "result": state.result,
            "deadline": None,
        }
    return fields


def begin(*, found: Table, setup: engine.Setup, now: datetime) -> None:
    """Deal the first match of a game whose seats are taken; the caller holds the game's row."""
    game = found.game
    state, events = engine.start(setup)
    for name, value in snapshot(found, state, now).items():
        setattr(game, name, value)
    game.status = Game.Status.RUNNING
    game.started_at = now
    game.seniority = list(setup.seniority)
    game.chain = game.commitment
    game.opening = events
    game.save()
    Secret.objects.filter(game=game).update(state=engine.dump(state))
    found.state = state
    Event.objects.bulk_create(told(found, None, now))


def append(
    *,
    found: Table,
    seat: int,
    action: str,
    by: str,
    now: datetime,
    note: Callable[[Table, Action], Event | None] = lambda found, line: None,
) -> Table:
    """Play one action: log line, snapshot, secrets and notices in one transaction.

    `note` makes the acting player's own event from the table after the action. Raises the engine's refusals,
    and Overtaken if somebody was faster.
    """
    game, before = found.game, found.state
    if before is None:
        raise Conflict("the game has not started", code="not-started")
    state, events = engine.apply(before, seat, action)
    line = Action(
        game=game,
        seq=state.seq,
        seat=seat,
        action=action,
        by=by,
        at=now,
        hash=chained(game.chain, code=game.code, seq=state.seq, seat=seat, action=action, by=by, at=now),
        events=events,
    )
    fields = snapshot(found, state, now) | {"chain": line.hash}
    after = Table(game, found.places, state)
    seen = game.seq
    for name, value in fields.items():
        setattr(game, name, value)
    own = note(after, line)
    rows = [event for event in told(after, line, now) if not own or event.player_id != own.player_id]
    write = write_at_once if connection.vendor == "postgresql" else write_in_turn
    with transaction.atomic() if connection.in_atomic_block or write is write_in_turn else nullcontext():
        if not write(seen, fields, engine.dump(state), line, [*rows, own] if own else rows):
            raise Overtaken("somebody was faster: the game has moved on")
    return after


def write_in_turn(
    seen: int, fields: dict[str, Any], state: str, line: Action, events: Sequence[Event]
) -> bool:
    """Everything that an action changes, if nobody was faster; the caller holds a transaction."""
    if not Game.objects.filter(pk=line.game_id, seq=seen).update(**fields):
        return False
    Secret.objects.filter(game=line.game_id).update(state=state)
    line.save(force_insert=True)
    Event.objects.bulk_create(events)
    return True


def write_at_once(
    seen: int, fields: dict[str, Any], state: str, line: Action, events: Sequence[Event]
) -> bool:
    """The same in one statement, which is a transaction by itself: one way to the database instead of six."""
    values: list[Any] = [json.dumps(value) if name == "result" else value for name, value in fields.items()]
    values += [line.game_id, seen, state]
    values += [line.seq, line.seat, line.action, line.by, line.at, line.hash, json.dumps(line.events)]
    for event in events:
        values += [event.player_id, event.kind, event.reason, json.dumps(event.data), event.at]
        values += [event.key, event.asked, event.answer]
    with connection.cursor() as cursor:
        cursor.execute(statement(tuple(fields), len(events)), values)
        return cursor.fetchone() is not None


@lru_cache
def statement(fields: tuple[str, ...], events: int) -> str:
    """What `write_at_once` says; where the first part finds no row, none of the others does anything."""
    event = "(%s::bigint, %s::text, %s::text, %s::jsonb, %s::timestamptz, %s::text, %s::text, %s::text)"
    told = f""", told AS (
            INSERT INTO games_event (game_id, player_id, kind, reason, data, at, key, asked, answer)
            SELECT moved.id, event.* FROM moved, (VALUES {", ".join([event] * events)}) AS event
        )"""
    return f"""
        WITH moved AS (
            UPDATE games_game SET {", ".join(f'"{name}" = %s' for name in fields)}
            WHERE id = %s AND seq = %s RETURNING id
        ), kept AS (
            UPDATE games_secret SET state = %s FROM moved WHERE game_id = moved.id
        ), logged AS (
            INSERT INTO games_action (game_id, seq, seat, action, "by", at, hash, events)
            SELECT id, %s, %s, %s, %s, %s, %s, %s FROM moved
        ){told if events else ""}
        SELECT id FROM moved
    """


def told(found: Table, line: Action | None, now: datetime) -> list[Event]:
    """What each player hears of it."""
    return [
        event(found, line, place.player_id, place.number, now) for place in found.places if place.player_id
    ]


def event(found: Table, line: Action | None, player_id: int, number: int | None, now: datetime) -> Event:
    """One player's line about an action, or about the start."""
    game, state = found.game, found.state
    assert state is not None
    kind = "over" if state.over else "turn" if number in state.to_act else "moved" if line else "started"
    data: dict[str, Any] = {"game": game.code, "seq": state.seq, "deadline": instant(game.deadline)}
    if line:
        data |= {"seat": line.seat, "action": line.action, "by": line.by}
    return Event(
        player_id=player_id, game=game, kind=kind, reason=f"{game.code}:{state.seq}", data=data, at=now
    )
