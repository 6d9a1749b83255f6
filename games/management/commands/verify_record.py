"""Check records of games: commitment, every action, the result."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from games.engine.record import LONGEST_FILE, Bad, Verdict, parse, verify
from games.management.progress import progress


class Command(BaseCommand):
    """The door to games.engine.record.verify."""

    help = "Check otto-record/1 files. One line a file; exit 1 if any is not a finished, true record."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files", nargs="+", metavar="FILE", help="a record, as downloaded from a game's page"
        )

    def handle(self, files: list[str], **options: Any) -> None:
        failed = 0
        for name in progress(files, len(files), "checking", sys.stderr):
            verdict = check(name)
            failed += not verdict.ok
            self.stdout.write(f"{_printable(name)}: {verdict.text}")
        if failed:
            sys.exit(1)


def check(name: str) -> Verdict:
    """The verdict about one file, whatever is in it."""
    try:
        with Path(name).open("rb") as file:
            raw = file.read(LONGEST_FILE + 1)
        return verify(parse(raw))
    except OSError as error:
        return Verdict("bad", f"cannot be opened: {error.strerror}")
    except ValueError:
        return Verdict("bad", "cannot be opened: not the name of a file")
    except Bad as bad:
        return Verdict("bad", str(bad))


def _printable(name: str) -> str:
    """A file's name on one line, whatever it holds."""
    return name if name.isprintable() else ascii(name)
