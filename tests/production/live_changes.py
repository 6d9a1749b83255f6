"""Finds operations that a migration must avoid on a live site, in the SQL that it sends to PostgreSQL."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

from django.db import connection
from django.db.migrations import Migration, RunPython, SeparateDatabaseAndState
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

# Defaults that PostgreSQL stores once for all existing rows; any other default rewrites the table.
CONSTANT = re.compile(
    r"\(?(true|false|-?[\d.]+|'[^']*'(::\w+)?|now\(\)|statement_timestamp\(\)|current_timestamp)\)?", re.I
)
ALTER = re.compile(r'ALTER TABLE (?:ONLY )?"(?P<table>[^"]+)" (?P<deed>.+?);?$', re.S)
ADD_COLUMN = re.compile(r'ADD COLUMN "(?P<column>[^"]+)" (?P<rest>.+)', re.S)
INDEX = re.compile(r'CREATE (UNIQUE )?INDEX (?P<beside>CONCURRENTLY )?.*? ON "(?P<table>[^"]+)"')


def collect_sql(migration: Migration, state: ProjectState) -> list[str]:
    """Return the statements of a migration, starting from this state."""
    with connection.schema_editor(collect_sql=True, atomic=migration.atomic) as editor:
        migration.apply(state, editor, collect_sql=True)
    return [line for line in editor.collected_sql if not line.startswith("--")]


def iter_operations(listed: list[Operation]) -> Iterator[Operation]:
    """Yield all operations, including database-only ones."""
    for operation in listed:
        if isinstance(operation, SeparateDatabaseAndState):
            yield from iter_operations(operation.database_operations)
        else:
            yield operation


def list_faults(migration: Migration, state: ProjectState) -> list[str]:
    """Describe the faults of a migration on a live site; `state` is the state before it, and is modified."""
    columns_by_table = {
        model._meta.db_table: {field.column for field in model._meta.local_fields}
        for model in state.apps.get_models(include_auto_created=True)
    }
    statements = collect_sql(migration, state)
    new = set(re.findall(r'CREATE TABLE "([^"]+)"', "\n".join(statements)))
    faults = []
    for statement in statements:
        if (index := INDEX.match(statement)) and index["table"] not in new and not index["beside"]:
            faults.append(f"an index on {index['table']} that is not built CONCURRENTLY")
        elif (altered := ALTER.match(statement)) and altered["table"] not in new:
            faults += find_alter_faults(altered["table"], altered["deed"], statements, columns_by_table)
        elif re.match(r"(UPDATE|DELETE|INSERT)\b", statement):
            faults.append("rows changed in one statement, and not in batches")
        elif (dropped := re.match(r'DROP TABLE "([^"]+)"', statement)) and dropped[1] in columns_by_table:
            faults.append(f"table {dropped[1]} dropped, which the release before knows")
    for operation in iter_operations(list(migration.operations)):
        if isinstance(operation, RunPython):
            faults += find_data_faults(operation, migration, schema_too=bool(statements))
    return faults


def find_alter_faults(
    table: str, change: str, statements: list[str], columns_by_table: dict[str, set[str]]
) -> Iterator[str]:
    """Yield the faults of a change to an existing table."""
    if added := ADD_COLUMN.match(change):
        yield from find_add_faults(table, added["column"], added["rest"], statements)
    elif re.match(r'ALTER COLUMN "[^"]+" TYPE', change):
        yield f"the type of a column of {table} changed"
    elif re.match(r'ALTER COLUMN "[^"]+" SET NOT NULL', change):
        yield f"all of {table} read under a lock, for NOT NULL"
    elif change.startswith("ADD CONSTRAINT") and not re.search(r"NOT VALID|USING INDEX", change):
        yield f"a constraint on {table} that is checked at once"
    elif change.startswith("RENAME"):
        yield f"something of {table} renamed, which the release before knows"
    elif (dropped_column := re.match(r'DROP COLUMN "([^"]+)"', change)) and dropped_column[
        1
    ] in columns_by_table.get(table, ()):
        yield f"{table}.{dropped_column[1]} dropped, which the release before knows"


def find_add_faults(table: str, column: str, rest: str, statements: list[str]) -> Iterator[str]:
    """Yield the faults of a new column."""
    default = re.search(r"\bDEFAULT (.+?)(?= NOT NULL| NULL| UNIQUE| CONSTRAINT| CHECK|$)", rest)
    taken_back = any(
        f'"{table}" ALTER COLUMN "{column}" DROP DEFAULT' in statement for statement in statements
    )
    if "NOT NULL" in rest and (default is None or taken_back):
        yield f"{table}.{column} is NOT NULL without a default in the database"
    if "GENERATED" in rest or (default and not CONSTANT.fullmatch(default[1])):
        yield f"{table}.{column} is computed for every row that is there"
    if re.search(r"\b(UNIQUE|PRIMARY KEY)\b", rest):
        yield f"an index on {table} that is not built CONCURRENTLY"
    if re.search(r"\bCHECK\b", rest) or (default and "REFERENCES" in rest):
        yield f"a constraint on {table} that is checked at once"


def find_data_faults(operation: RunPython, migration: Migration, *, schema_too: bool) -> Iterator[str]:
    """Yield the faults of a data migration."""
    if schema_too:
        yield "data changed together with the schema"
    if migration.atomic and operation.atomic is not False:
        yield "data changed in one transaction"
    if "batches(" not in inspect.getsource(operation.code):
        yield "data not changed in batches"
