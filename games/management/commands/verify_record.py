"""Check records of games: commitment, every action, the result."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from tqdm import tqdm

from games.engine.record import MAX_FILE_BYTES, InvalidRecord, VerificationResult, parse_record, verify_record


class Command(BaseCommand):
    """Checks records with games.engine.record."""

    help = "Check otto-record/1 files. One line a file; exit 1 if any is not a finished, true record."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the arguments."""
        parser.add_argument(
            "files", nargs="+", metavar="FILE", help="a record, as downloaded from a game's page"
        )

    def handle(self, files: list[str], **options: Any) -> None:
        """Print one verdict per file; exit with 1 if any record is not finished and valid."""
        failed = 0
        for name in tqdm(files, desc="checking", disable=None, leave=False):
            verdict = check_record_file(name)
            failed += not verdict.is_ok
            with tqdm.external_write_mode():
                self.stdout.write(f"{_printable_name(name)}: {verdict.text}")
        if failed:
            sys.exit(1)


def check_record_file(name: str) -> VerificationResult:
    """Check one file; unreadable ones are bad records."""
    try:
        with Path(name).open("rb") as file:
            raw = file.read(MAX_FILE_BYTES + 1)
        return verify_record(parse_record(raw))
    except OSError as error:
        return VerificationResult("bad", f"cannot be opened: {error.strerror}")
    except ValueError:
        return VerificationResult("bad", "cannot be opened: not the name of a file")
    except InvalidRecord as bad:
        return VerificationResult("bad", str(bad))


def _printable_name(name: str) -> str:
    """A file name on one line, escaped if it is not printable."""
    return name if name.isprintable() else ascii(name)
