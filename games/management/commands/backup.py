"""Write the whole database into one file."""

from __future__ import annotations

import signal
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.services import backup


class Command(BaseCommand):
    """The door to games.services.backup."""

    help = "Write all that the site knows, as of this moment, into one file; the site may be in use."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="-: standard output")
        parser.add_argument("--force", action="store_true", help="replace a file that is there already")

    def handle(self, file: Path, **options: Any) -> None:
        if str(file) == "-":
            self.send()
            return
        try:
            size = backup.save(path=file, force=options["force"], progress=self.progress)
        except backup.Failed as failed:
            raise CommandError(str(failed)) from None
        self.stdout.write(f"{file}: {size:,} bytes. Whoever can read it can read everything: keep it safe.")

    def send(self) -> None:
        """Nothing but the backup goes to standard output; what there is to say, beside it."""
        if sys.stdout.isatty():
            raise CommandError("a backup is not for a terminal: `backup - > file`")
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that nothing of it is left behind
        try:
            # A file of our own: that of Python would be written to once more at the end, when nobody reads.
            with open(sys.stdout.fileno(), "wb", closefd=False) as out:
                size = backup.send(out)
        except (backup.Failed, OSError) as failed:
            raise CommandError(f"there is no backup: {failed}") from None
        sys.stderr.write(f"{size:,} bytes. Whoever can read them can read everything: keep them safe.\n")

    def progress(self, done: int, total: int) -> None:
        if self.stdout.isatty():
            self.stdout.write(f"  {done} of {total}", ending="\r")
            self.stdout.flush()
