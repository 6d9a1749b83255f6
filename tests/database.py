"""Emptying the test database, quickly."""

from __future__ import annotations

from django.core.management import call_command
from django.db import connection, transaction

# Tables filled by migrations and their signals, which belong to an empty database.
KEPT = {"django_migrations", "django_content_type", "auth_permission"}


def analyse_tables() -> None:
    """Update the statistics of PostgreSQL, because autovacuum cannot read the rows of a test's transaction.

    Without them, query plans for thousands of rows are chosen as if there were a few.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def empty_tables() -> None:
    """Delete every row of every table that has one.

    Django's flush takes a quarter of a second: it truncates all tables, each with its file, and creates all
    permissions again. A trigger forbids deletion from the action log; only here it is disabled for a moment.
    """
    if connection.vendor != "postgresql":
        call_command("flush", verbosity=0, interactive=False)
        return
    tables = set(connection.introspection.django_table_names(only_existing=True, include_views=False)) - KEPT
    quoted = {name: connection.ops.quote_name(name) for name in sorted(tables)}
    selects = (f"SELECT '{name}' WHERE EXISTS (SELECT FROM {table})" for name, table in quoted.items())
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(selects))
        full = [name for (name,) in cursor.fetchall()]
        log = "games_action" in full
        if log:
            cursor.execute("ALTER TABLE games_action DISABLE TRIGGER games_action_append_only")
        for name in full:
            cursor.execute(f"DELETE FROM {quoted[name]}")
        if log:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # a table with pending checks cannot be altered
            cursor.execute("ALTER TABLE games_action ENABLE TRIGGER games_action_append_only")
