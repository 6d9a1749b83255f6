"""A second database on the test server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def use_other_database(*, copied: bool = False) -> Iterator[str]:
    """Use another database: an empty one, or a copy of the test database."""
    name = connection.settings_dict["NAME"]
    other = f"{name}_beside"
    source = f"TEMPLATE {connection.ops.quote_name(name)}" if copied else "TEMPLATE template0"
    quoted = connection.ops.quote_name(other)
    connection.close()  # a template database must have no connections
    with connection._nodb_cursor() as cursor:
        cursor.execute(f"DROP DATABASE IF EXISTS {quoted} WITH (FORCE)")
        cursor.execute(f"CREATE DATABASE {quoted} {source}")
    connection.settings_dict["NAME"] = other
    try:
        yield other
    finally:
        connection.close()
        connection.settings_dict["NAME"] = name
        with connection._nodb_cursor() as cursor:
            cursor.execute(f"DROP DATABASE {quoted} WITH (FORCE)")
