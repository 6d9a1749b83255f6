"""Django's migrate, for a site that is in use: it does not stand in everybody's way for a table."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import migrate
from django.db import DatabaseError, OperationalError, connections
from psycopg.errors import LockNotAvailable


class Command(migrate.Command):
    """A change that waits for a table makes all others wait behind it: so it waits shortly, and comes again.

    Each migration is a transaction, and one that gave up has changed nothing. Those without a transaction
    build indexes or check constraints beside the traffic, and wait for as long as it takes.
    """

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--lock-timeout", type=float, default=2, metavar="SECONDS", help="how long to wait for a table"
        )
        parser.add_argument("--tries", type=int, default=12, help="how often, on PostgreSQL")
        parser.add_argument(
            "--pause", type=float, default=5, metavar="SECONDS", help="how long to let others go first"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        self.connection = connections[options["database"]]
        self.patience = round(options["lock_timeout"] * 1000)
        try:
            self.persist(*args, **options)
        finally:
            with suppress(DatabaseError):  # the connection may be gone, and with it what was set
                self.wait_for(None)

    def persist(self, *args: Any, **options: Any) -> None:
        """Try until nobody holds what is needed. Raises CommandError."""
        for left in reversed(range(options["tries"])):
            try:
                super().handle(*args, **options)
                return
            except OperationalError as error:
                if not isinstance(error.__cause__, LockNotAvailable):
                    raise
                if not left:
                    raise CommandError(
                        "somebody holds a table that a migration needs; what was begun is undone. See "
                        "pg_stat_activity for old transactions, and run migrate again."
                    ) from None
                self.stderr.write("  a table is held; once more in a moment")
                time.sleep(options["pause"])

    def migration_progress_callback(self, action: str, migration: Any = None, fake: bool = False) -> None:
        if action in ("apply_start", "unapply_start"):
            self.wait_for(self.patience if migration.atomic else 0)
        super().migration_progress_callback(action, migration, fake)

    def wait_for(self, milliseconds: int | None) -> None:
        """How long this connection waits for a lock; None: as ever."""
        if self.connection.vendor != "postgresql" or (
            milliseconds is None and not self.connection.connection
        ):
            return
        with self.connection.cursor() as cursor:
            if milliseconds is None:
                cursor.execute("RESET lock_timeout")
            else:
                cursor.execute(f"SET lock_timeout = {milliseconds:d}")
