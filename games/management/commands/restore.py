"""Replace the database by a backup, and audit all games."""

from __future__ import annotations

import signal
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games.services import backup


class Command(BaseCommand):
    """Runs games.services.backup, then the migrations and the audit."""

    help = "Restore a backup into an empty database (or any, with --force), migrate, and audit every game."
    requires_system_checks: list[str] = []  # `migrate` has run them, and they load all pages

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the arguments."""
        parser.add_argument("file", type=Path, help="backup to read; - for standard input")
        parser.add_argument("--force", action="store_true", help="delete all data that is in the database")
        parser.add_argument(
            "--clocks-run",
            action="store_true",
            help="keep clocks running instead of stopping them at the time of the backup",
        )

    def handle(self, file: Path, **options: Any) -> None:
        """Restore a backup. Raises CommandError.

        1. Load the file or standard input.
        2. Migrate.
        3. End all sessions.
        4. Start an incident from the time of the backup, unless --clocks-run.
        5. Audit every game.
        """
        from_stdin = str(file) == "-"
        if from_stdin and sys.stdin.isatty():
            raise CommandError("Redirect the backup from a file: `restore - < file`.")
        self.stdout.write(f"Restoring {'standard input' if from_stdin else file} …")
        try:
            if from_stdin:
                signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that temporary files are removed
                # Unbuffered: a buffered read goes on after the signal until its buffer is full.
                with open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as stream:
                    backup.load_backup_from_stream(stream, force=options["force"])
            else:
                backup.load_backup(path=file, force=options["force"])
        except backup.BackupError as error:
            raise CommandError(str(error)) from None
        self.stdout.write("Migrating …")
        call_command("migrate", interactive=False, verbosity=0, stdout=self.stdout)
        backup.end_all_sessions()
        self.stdout.write(
            "Everybody is signed out. Passwords, tokens and apps are as they were at the time of the backup. "
            "If you changed or revoked some since then, do it again."
        )
        incident = None if options["clocks_run"] else backup.start_restore_incident(now=timezone.now())
        self.stdout.write("Auditing …")
        call_command("audit_games", stdout=self.stdout)
        if incident:
            self.stdout.write(
                f"All clocks stopped at {incident.started_at:%Y-%m-%d %H:%M} UTC. "
                "Restart them with `manage.py incident end`."
            )
