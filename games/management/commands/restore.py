"""Put a backup in the place of what the database holds, and look whether all of it is sound."""

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
    """The door to games.services.backup; then migrations and the audit."""

    help = "Restore a backup into an empty database (or any, with --force), migrate, and audit every game."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="-: standard input")
        parser.add_argument("--force", action="store_true", help="throw away what is in the database")
        parser.add_argument(
            "--clocks-run", action="store_true", help="do not stop all clocks from the time of the backup on"
        )

    def handle(self, file: Path, **options: Any) -> None:
        piped = str(file) == "-"
        if piped and sys.stdin.isatty():
            raise CommandError("a backup is not typed: `restore - < file`")
        self.stdout.write(f"Restoring {'standard input' if piped else file} …")
        try:
            if piped:
                signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that nothing of it is left behind
                backup.receive(sys.stdin.buffer, force=options["force"])
            else:
                backup.load(path=file, force=options["force"])
        except backup.Failed as failed:
            raise CommandError(str(failed)) from None
        self.stdout.write("Migrating …")
        call_command("migrate", interactive=False, verbosity=0, stdout=self.stdout)
        backup.end_sessions()
        self.stdout.write(
            "Everybody is signed out. Passwords, tokens and apps are as they were at the time of the backup: "
            "what was changed or revoked after it opens doors again until it is changed or revoked once more."
        )
        incident = None if options["clocks_run"] else backup.rest(now=timezone.now())
        self.stdout.write("Auditing …")
        call_command("audit_games", stdout=self.stdout)
        if incident:
            self.stdout.write(
                f"All clocks rest, as if it were still {incident.started_at:%Y-%m-%d %H:%M} UTC. "
                "`manage.py incident end` lets them go on."
            )
