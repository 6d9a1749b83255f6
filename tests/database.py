"""Emptying the test database, quickly."""

from __future__ import annotations

from django.core.management import call_command
from django.db import connection, transaction

# What migrations and their signals put there belongs to the empty database.
KEPT = {"django_migrations", "django_content_type", "auth_permission"}


def analyse_tables() -> None:
    """Let PostgreSQL know how much there is, as autovacuum does, which cannot look into a test's transaction.

    Without it the way to find a line among thousands is chosen as if there were a few.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def empty_tables() -> None:
    """Take every row out of every table that has one.

    Django's flush truncates all tables, a file each, and makes all permissions anew: a quarter of a second.
    The log of games refuses to be deleted; here, and nowhere else, that guard is off for a moment.
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
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # no table is altered while checks of it wait
            cursor.execute("ALTER TABLE games_action ENABLE TRIGGER games_action_append_only")
