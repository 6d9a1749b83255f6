"""Django's migrate for a site in use: short lock timeouts with retries instead of blocking all traffic."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import migrate
from django.db import DatabaseError, OperationalError, connections
from psycopg.errors import LockNotAvailable


class Command(migrate.Command):
    """Applies migrations with a lock timeout, and retries when a lock is not available.

    A migration that waits for a table lock makes all later queries wait behind it. Each migration is a
    transaction, so one that timed out has changed nothing. Non-atomic ones build indexes or validate
    constraints concurrently, and wait without a timeout.
    """

    def add_arguments(self, parser: CommandParser) -> None:
        """Define the arguments."""
        super().add_arguments(parser)
        parser.add_argument(
            "--lock-timeout",
            type=float,
            default=2,
            metavar="SECONDS",
            help="how long to wait for a table lock",
        )
        parser.add_argument("--tries", type=int, default=12, help="number of attempts, on PostgreSQL")
        parser.add_argument("--pause", type=float, default=5, metavar="SECONDS", help="time between attempts")

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate with retries, then reset the connection's lock timeout."""
        self.connection = connections[options["database"]]
        self.lock_timeout_ms = round(options["lock_timeout"] * 1000)
        try:
            self.migrate_with_retries(*args, **options)
        finally:
            with suppress(DatabaseError):  # the connection, and with it the setting, may be gone
                self.set_lock_timeout(None)

    def migrate_with_retries(self, *args: Any, **options: Any) -> None:
        """Run migrate, and retry while a lock is not available. Raises CommandError."""
        for attempts_left in reversed(range(options["tries"])):
            try:
                super().handle(*args, **options)
                return
            except OperationalError as error:
                if not isinstance(error.__cause__, LockNotAvailable):
                    raise
                if not attempts_left:
                    raise CommandError(
                        "A migration needs a table that another transaction locks, and was rolled back. "
                        "Look for old transactions in pg_stat_activity, then run migrate again."
                    ) from None
                self.stderr.write("  A table is locked. Next try in a moment.")
                time.sleep(options["pause"])

    def migration_progress_callback(self, action: str, migration: Any = None, fake: bool = False) -> None:
        """Set the lock timeout before each migration."""
        if action in ("apply_start", "unapply_start"):
            self.set_lock_timeout(self.lock_timeout_ms if migration.atomic else 0)
        super().migration_progress_callback(action, migration, fake)

    def set_lock_timeout(self, milliseconds: int | None) -> None:
        """Set this connection's lock timeout; None resets it."""
        if self.connection.vendor != "postgresql" or (
            milliseconds is None and not self.connection.connection
        ):
            return
        with self.connection.cursor() as cursor:
            if milliseconds is None:
                cursor.execute("RESET lock_timeout")
            else:
                cursor.execute(f"SET lock_timeout = {milliseconds:d}")
