"""SQL of the action log, for one action and for many games at once. Used by `action_log` only.

One statement instead of six: with the ORM's six the site takes 1.6 times as long for a POST of an action
(bench/custom_sql.py, requests per second with four connections).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.db import connection

from games.models import Action, Game, GameSecrets
from notifications.models import FeedEntry

if TYPE_CHECKING:
    from .action_log import NewFeedEntry, PendingWrite

# The game columns that an action writes, with their PostgreSQL types.
GAME_COLUMN_TYPES = {
    "seq": "integer",
    "phase": "text",
    "to_act_mask": "smallint",
    "head_hash": "text",
    "status": "text",
    "seat_clocks": "jsonb",
    "deadline": "timestamptz",
    "next_sweep_at": "timestamptz",
    "bot_to_act": "boolean",
    "moved_at": "timestamptz",
    "finished_at": "timestamptz",
    "result": "jsonb",
}
ACTION_COLUMN_TYPES = {
    "seq": "integer",
    "seat": "smallint",
    "action": "text",
    "by": "text",
    "at": "timestamptz",
    "hash": "text",
    "events": "jsonb",
}
FEED_ENTRY_COLUMN_TYPES = {
    "topic": "text",
    "player_id": "bigint",
    "kind": "text",
    "dedup_key": "text",
    "data": "jsonb",
    "at": "timestamptz",
    "notify_at": "timestamptz",
    "notice_stage": "text",
    "idempotency_key": "text",
    "request_hash": "text",
    "response_body": "text",
}


MAX_CACHED_STATEMENTS = 16  # one for each number of feed entries: of at most four players, twice


def to_db_value(column: str, sql_type: str, value: Any) -> Any:
    """Convert a value for the database driver."""
    return json.dumps(value) if sql_type == "jsonb" and value is not None else value


def build_row_values(columns: dict[str, str], record: Any) -> list[Any]:
    """Return the values of the columns of a record."""
    return [to_db_value(name, sql_type, getattr(record, name)) for name, sql_type in columns.items()]


def quote_columns(columns: dict[str, str]) -> str:
    """Return the column names, quoted and separated by commas."""
    return ", ".join(f'"{name}"' for name in columns)


# ------------------------------------------------------------------------------------------------- one game


def write_with_orm(pending_write: PendingWrite) -> bool:
    """Write a pending write with the ORM; return False if it is stale. The caller holds a transaction."""
    game_id = pending_write.loaded_game.game.pk
    seen_columns = {
        "seq": pending_write.seen_seq,
        "seat_clocks": pending_write.seen_clocks,
        "seat_changes": pending_write.seen_seat_changes,
    }
    game_row = Game.objects.filter(pk=game_id, **seen_columns)
    if not game_row.update(**pending_write.game_columns):
        return False
    GameSecrets.objects.filter(game=game_id).update(state=pending_write.serialized_state)
    Action.objects.bulk_create([Action(**asdict(new_action)) for new_action in pending_write.new_actions])
    FeedEntry.objects.bulk_create(build_feed_entry_models(pending_write.feed_entries))
    return True


def build_feed_entry_models(new_entries: Sequence[NewFeedEntry]) -> list[FeedEntry]:
    """Return feed entries as model instances."""
    return [
        FeedEntry(**{name: getattr(new_entry, name) for name in FEED_ENTRY_COLUMN_TYPES})
        for new_entry in new_entries
    ]


def write_in_one_statement(pending_write: PendingWrite) -> bool:
    """Write a single action in one statement instead of six; return False if it is stale."""
    values = [
        to_db_value(name, sql_type, pending_write.game_columns[name])
        for name, sql_type in GAME_COLUMN_TYPES.items()
    ]
    values += [
        pending_write.loaded_game.game.pk,
        pending_write.seen_seq,
        json.dumps(pending_write.seen_clocks),
        pending_write.seen_seat_changes,
    ]
    values += [pending_write.serialized_state]
    values += build_row_values(ACTION_COLUMN_TYPES, pending_write.new_actions[0])
    for entry in pending_write.feed_entries:
        values += build_row_values(FEED_ENTRY_COLUMN_TYPES, entry)
    with connection.cursor() as cursor:
        cursor.execute(build_action_statement(len(pending_write.feed_entries)), values)
        return cursor.fetchone() is not None


@lru_cache(maxsize=MAX_CACHED_STATEMENTS)
def build_action_statement(entry_count: int) -> str:
    """Return the SQL of `write_in_one_statement`; if the update matches no row, nothing is inserted."""
    entry_placeholders = f"({', '.join(f'%s::{sql_type}' for sql_type in FEED_ENTRY_COLUMN_TYPES.values())})"
    insert_entries = f""", entries AS (
            INSERT INTO notifications_feedentry ({quote_columns(FEED_ENTRY_COLUMN_TYPES)})
            SELECT entry.*
            FROM updated, (VALUES {", ".join([entry_placeholders] * entry_count)}) AS entry
        )"""
    return f"""
        WITH updated AS (
            UPDATE games_game SET {", ".join(f'"{name}" = %s' for name in GAME_COLUMN_TYPES)}
            WHERE id = %s AND seq = %s AND seat_clocks = %s::jsonb AND seat_changes = %s RETURNING id
        ), secrets AS (
            UPDATE games_gamesecrets SET state = %s FROM updated WHERE game_id = updated.id
        ), logged AS (
            INSERT INTO games_action (game_id, {quote_columns(ACTION_COLUMN_TYPES)})
            SELECT id, {", ".join(["%s"] * len(ACTION_COLUMN_TYPES))} FROM updated
        ){insert_entries if entry_count else ""}
        SELECT id FROM updated
    """


# ------------------------------------------------------------------------------------------------ many games


def write_many_games(pending_writes: Sequence[PendingWrite]) -> set[int]:
    """Write several games in one statement; return the ids of those that were not stale."""
    game_rows = [
        {
            "id": pending_write.loaded_game.game.pk,
            "seen_seq": pending_write.seen_seq,
            "seen_clocks": pending_write.seen_clocks,
        }
        | {"seen_seat_changes": pending_write.seen_seat_changes, "state": pending_write.serialized_state}
        | pending_write.game_columns
        for pending_write in pending_writes
    ]
    action_rows = [
        build_row_dict(ACTION_COLUMN_TYPES, new_action)
        for pending_write in pending_writes
        for new_action in pending_write.new_actions
    ]
    entry_rows = [
        build_row_dict(FEED_ENTRY_COLUMN_TYPES, entry)
        for pending_write in pending_writes
        for entry in pending_write.feed_entries
    ]
    # As JSON: arrays of long texts are much slower in the driver.
    # With microseconds: they are part of an action's hash.
    values = [json.dumps(rows, default=datetime.isoformat) for rows in (game_rows, action_rows, entry_rows)]
    with connection.cursor() as cursor:
        cursor.execute(build_bulk_statement(), values)
        return {game_id for (game_id,) in cursor.fetchall()}


def build_row_dict(columns: dict[str, str], record: Any) -> dict[str, Any]:
    """Return a record as a dict by column name."""
    return {"game_id": record.game_id} | {name: getattr(record, name) for name in columns}


@lru_cache(maxsize=1)
def build_bulk_statement() -> str:
    """Return the SQL of `write_many_games`. Feed entries with a known dedup key are skipped."""

    def define_columns(columns: dict[str, str]) -> str:
        return ", ".join(f'"{name}" {sql_type}' for name, sql_type in columns.items())

    def qualify_columns(alias: str, columns: dict[str, str]) -> str:
        return ", ".join(f'{alias}."{name}"' for name in columns)

    seen_columns = {"seen_seq": "integer", "seen_clocks": "jsonb", "seen_seat_changes": "integer"}
    new_columns = {"id": "bigint"} | seen_columns | {"state": "text"} | GAME_COLUMN_TYPES
    action_columns, entry_columns = (
        {"game_id": "bigint"} | ACTION_COLUMN_TYPES,
        {"game_id": "bigint"} | FEED_ENTRY_COLUMN_TYPES,
    )
    return f"""
        WITH new AS (
            SELECT * FROM json_to_recordset(%s::json) AS row ({define_columns(new_columns)})
        ), updated AS (
            UPDATE games_game SET {", ".join(f'"{name}" = new."{name}"' for name in GAME_COLUMN_TYPES)}
            FROM new
            WHERE games_game.id = new.id AND games_game.seq = new.seen_seq
              AND games_game.seat_clocks = new.seen_clocks
              AND games_game.seat_changes = new.seen_seat_changes
            RETURNING games_game.id
        ), secrets AS (
            UPDATE games_gamesecrets SET state = new.state FROM new JOIN updated USING (id)
            WHERE games_gamesecrets.game_id = new.id
        ), logged AS (
            INSERT INTO games_action ({quote_columns(action_columns)})
            SELECT {qualify_columns("line", action_columns)}
            FROM json_to_recordset(%s::json) AS line ({define_columns(action_columns)})
            JOIN updated ON updated.id = line.game_id
        ), entries AS (
            INSERT INTO notifications_feedentry ({quote_columns(FEED_ENTRY_COLUMN_TYPES)})
            SELECT {qualify_columns("entry", FEED_ENTRY_COLUMN_TYPES)}
            FROM json_to_recordset(%s::json) AS entry ({define_columns(entry_columns)})
            JOIN updated ON updated.id = entry.game_id
            ON CONFLICT DO NOTHING
        )
        SELECT id FROM updated
    """
