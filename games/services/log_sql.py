"""The statements that write the log: for one action, and for many games at once. Used by log alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.db import connection

from games.models import Action, Event, Game, Secret

if TYPE_CHECKING:
    from .log import Step, Told

# The columns of a game that an action writes, and what PostgreSQL calls their types.
GAME = {
    "seq": "integer",
    "phase": "text",
    "to_act": "smallint",
    "chain": "text",
    "status": "text",
    "clocks": "jsonb",
    "deadline": "timestamptz",
    "due_at": "timestamptz",
    "bot_turn": "boolean",
    "moved_at": "timestamptz",
    "finished_at": "timestamptz",
    "result": "jsonb",
}
LINE = {
    "seq": "integer",
    "seat": "smallint",
    "action": "text",
    "by": "text",
    "at": "timestamptz",
    "hash": "text",
    "events": "jsonb",
}
EVENT = {
    "player_id": "bigint",
    "kind": "text",
    "reason": "text",
    "data": "jsonb",
    "at": "timestamptz",
    "due_at": "timestamptz",
    "stage": "smallint",
    "key": "text",
    "asked": "text",
    "answer": "text",
}


def plain(name: str, kind: str, value: Any) -> Any:
    """A value as the driver takes it."""
    return json.dumps(value) if kind == "jsonb" and value is not None else value


def row(columns: dict[str, str], thing: Any) -> list[Any]:
    """The values of a model's row."""
    return [plain(name, kind, getattr(thing, name)) for name, kind in columns.items()]


def quoted(columns: dict[str, str]) -> str:
    return ", ".join(f'"{name}"' for name in columns)


# ------------------------------------------------------------------------------------------------- one game


def write_in_turn(made: Step) -> bool:
    """Everything that a step changes, if nobody was faster; the caller holds a transaction."""
    game_id = made.after.game.pk
    seen = {"seq": made.seen_seq, "clocks": made.seen_clocks, "seat_changes": made.seen_seat_changes}
    game = Game.objects.filter(pk=game_id, **seen)
    if not game.update(**made.fields):
        return False
    Secret.objects.filter(game=game_id).update(state=made.state)
    Action.objects.bulk_create([Action(**asdict(line)) for line in made.lines])
    Event.objects.bulk_create(stored(made.events))
    return True


def stored(events: Sequence[Told]) -> list[Event]:
    """Events as models."""
    return [Event(**{name: getattr(event, name) for name in ("game_id", *EVENT)}) for event in events]


def write_at_once(made: Step) -> bool:
    """The same for one line in one statement, which is a transaction by itself: one way instead of six."""
    values = [plain(name, kind, made.fields[name]) for name, kind in GAME.items()]
    values += [made.after.game.pk, made.seen_seq, json.dumps(made.seen_clocks), made.seen_seat_changes]
    values += [made.state]
    values += row(LINE, made.lines[0])
    for event in made.events:
        values += row(EVENT, event)
    with connection.cursor() as cursor:
        cursor.execute(statement(len(made.events)), values)
        return cursor.fetchone() is not None


@lru_cache
def statement(events: int) -> str:
    """What `write_at_once` says; where the first part finds no row, none of the others does anything."""
    event = f"({', '.join(f'%s::{kind}' for kind in EVENT.values())})"
    told = f""", told AS (
            INSERT INTO games_event (game_id, {quoted(EVENT)})
            SELECT moved.id, event.* FROM moved, (VALUES {", ".join([event] * events)}) AS event
        )"""
    return f"""
        WITH moved AS (
            UPDATE games_game SET {", ".join(f'"{name}" = %s' for name in GAME)}
            WHERE id = %s AND seq = %s AND clocks = %s::jsonb AND seat_changes = %s RETURNING id
        ), kept AS (
            UPDATE games_secret SET state = %s FROM moved WHERE game_id = moved.id
        ), logged AS (
            INSERT INTO games_action (game_id, {quoted(LINE)})
            SELECT id, {", ".join(["%s"] * len(LINE))} FROM moved
        ){told if events else ""}
        SELECT id FROM moved
    """


# ------------------------------------------------------------------------------------------------ many games


def write_many(steps: Sequence[Step]) -> set[int]:
    """Many games in one statement; gives the ids of those where nobody was faster."""
    games = [
        {"id": made.after.game.pk, "seen_seq": made.seen_seq, "seen_clocks": made.seen_clocks}
        | {"seen_seat_changes": made.seen_seat_changes, "state": made.state}
        | made.fields
        for made in steps
    ]
    lines = [named(LINE, line) for made in steps for line in made.lines]
    events = [named(EVENT, event) for made in steps for event in made.events]
    # As JSON: arrays of such long texts cost the driver more than everything else together.
    # Times in full: the hash of a line is over its microseconds, too.
    values = [json.dumps(rows, default=datetime.isoformat) for rows in (games, lines, events)]
    with connection.cursor() as cursor:
        cursor.execute(bulk_statement(), values)
        return {found for (found,) in cursor.fetchall()}


def named(columns: dict[str, str], thing: Any) -> dict[str, Any]:
    """A model's row by the names of its columns."""
    return {"game_id": thing.game_id} | {name: getattr(thing, name) for name in columns}


@lru_cache(maxsize=1)
def bulk_statement() -> str:
    """What `write_many` says. An event that was told already (unique by its reason) is not told again."""

    def shape(columns: dict[str, str]) -> str:
        return ", ".join(f'"{name}" {kind}' for name, kind in columns.items())

    def of(table: str, columns: dict[str, str]) -> str:
        return ", ".join(f'{table}."{name}"' for name in columns)

    seen = {"seen_seq": "integer", "seen_clocks": "jsonb", "seen_seat_changes": "integer"}
    new = {"id": "bigint"} | seen | {"state": "text"} | GAME
    line, event = {"game_id": "bigint"} | LINE, {"game_id": "bigint"} | EVENT
    return f"""
        WITH new AS (
            SELECT * FROM json_to_recordset(%s::json) AS row ({shape(new)})
        ), moved AS (
            UPDATE games_game SET {", ".join(f'"{name}" = new."{name}"' for name in GAME)} FROM new
            WHERE games_game.id = new.id AND games_game.seq = new.seen_seq
              AND games_game.clocks = new.seen_clocks
              AND games_game.seat_changes = new.seen_seat_changes
            RETURNING games_game.id
        ), kept AS (
            UPDATE games_secret SET state = new.state FROM new JOIN moved USING (id)
            WHERE games_secret.game_id = new.id
        ), logged AS (
            INSERT INTO games_action ({quoted(line)}) SELECT {of("line", line)}
            FROM json_to_recordset(%s::json) AS line ({shape(line)}) JOIN moved ON moved.id = line.game_id
        ), told AS (
            INSERT INTO games_event ({quoted(event)}) SELECT {of("event", event)}
            FROM json_to_recordset(%s::json) AS event ({shape(event)}) JOIN moved ON moved.id = event.game_id
            ON CONFLICT DO NOTHING
        )
        SELECT id FROM moved
    """
