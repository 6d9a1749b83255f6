"""Emptying a sandbox: the only place where games are deleted."""

from __future__ import annotations

from django.conf import settings
from django.core.management.color import no_style
from django.db import connection, transaction

# What migrations and their signals put there belongs to the empty database.
KEPT_TABLES = frozenset({"django_migrations", "django_content_type", "auth_permission"})
LOCK_SECONDS = 30  # for running requests to end


class NotASandbox(Exception):
    """This site, or this database, may not be emptied."""


def delete_all_data(*, database_name: str) -> None:
    """Delete every account, game and tournament of a sandbox. Raises NotASandbox if this site is none.

    The database must be named, so that a wrong environment empties no other one.
    """
    if not settings.SANDBOX:
        raise NotASandbox("this site is not a sandbox: SANDBOX is not set")
    if database_name != str(connection.settings_dict["NAME"]):
        raise NotASandbox("the database of this site has another name")
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    flush = connection.ops.sql_flush(
        no_style(), sorted(set(tables) - KEPT_TABLES), reset_sequences=True, allow_cascade=False
    )
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor != "postgresql":
            for statement in flush:
                cursor.execute(statement)
            return
        # The log of games refuses to be deleted.
        cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'")
        cursor.execute("ALTER TABLE games_action DISABLE TRIGGER USER")
        for statement in flush:
            cursor.execute(statement)
        cursor.execute("ALTER TABLE games_action ENABLE TRIGGER USER")
