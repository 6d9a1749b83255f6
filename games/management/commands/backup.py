"""Write the whole database into one file."""

from __future__ import annotations

import signal
import sys
from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from games.services import backup


class Command(BaseCommand):
    """Runs games.services.backup."""

    help = "Write the whole database to one file. The site can stay in use."
    requires_system_checks: list[str] = []  # `migrate` has run them, and they load all pages

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the arguments."""
        parser.add_argument("file", type=Path, help="file to write; - for standard output")
        parser.add_argument("--force", action="store_true", help="overwrite an existing file")

    def handle(self, file: Path, **options: Any) -> None:
        """Write the backup to a file or to standard output. Raises CommandError."""
        if str(file) == "-":
            self.write_to_stdout()
            return
        try:
            with tqdm(desc="writing", unit=" steps", disable=None, leave=False) as bar:
                size = backup.save_backup(
                    path=file, force=options["force"], progress=partial(report_progress, bar)
                )
        except backup.BackupError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{file}: {size:,} bytes. It holds all private data: keep it safe.")

    def write_to_stdout(self) -> None:
        """Write the backup to standard output, and messages to standard error. Raises CommandError."""
        if sys.stdout.isatty():
            raise CommandError("Redirect the backup to a file: `backup - > file`.")
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that temporary files are removed
        try:
            # A file object of our own: Python flushes sys.stdout again at exit, when the reader may be gone.
            with open(sys.stdout.fileno(), "wb", closefd=False) as out:
                size = backup.save_backup_to_stream(out)
        except (backup.BackupError, OSError) as error:
            raise CommandError(f"The backup failed: {error}") from None
        sys.stderr.write(f"{size:,} bytes. They hold all private data: keep them safe.\n")


def report_progress(bar: tqdm[NoReturn], done: int, total: int) -> None:
    """Move a bar to the step that the backup has come to."""
    bar.total = total
    bar.update(done - bar.n)
