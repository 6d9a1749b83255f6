"""Write the whole database into one file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.services import backup


class Command(BaseCommand):
    """The door to games.services.backup."""

    help = "Write all that the site knows, as of this moment, into one file; the site may be in use."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--force", action="store_true", help="replace a file that is there already")

    def handle(self, file: Path, **options: Any) -> None:
        try:
            size = backup.save(path=file, force=options["force"], progress=self.progress)
        except backup.Failed as failed:
            raise CommandError(str(failed)) from None
        self.stdout.write(f"{file}: {size:,} bytes. Whoever can read it can read everything: keep it safe.")

    def progress(self, done: int, total: int) -> None:
        if self.stdout.isatty():
            self.stdout.write(f"  {done} of {total}", ending="\r")
            self.stdout.flush()
