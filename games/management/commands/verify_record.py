"""Check records of games: commitment, every action, the result."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from itertools import count
from pathlib import Path
from typing import IO, Any

import zstandard
from django.core.management.base import BaseCommand
from tqdm import tqdm

from games.engine.record import MAX_FILE_BYTES, InvalidRecord, VerificationResult, parse_record, verify_record

PACKED_SUFFIX = ".zst"
LINES_SUFFIXES = (".ndjson", ".jsonl")  # of files with a record in each line
MAX_WINDOW_BYTES = 1 << 27  # memory that a packed file may ask for


class Command(BaseCommand):
    """Checks records with games.engine.record."""

    help = "Verify otto-record/1 files, one line each; exit 1 unless all are finished and valid."
    requires_system_checks: list[str] = []  # it needs no site

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the arguments."""
        parser.add_argument(
            "files",
            nargs="+",
            metavar="FILE",
            help="a record from a game page, or one record per line (.ndjson); also packed (.zst)",
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
    """Check one file, and every record if it has one in each line; unreadable files are bad records."""
    try:
        with open_record_file(Path(name)) as file:
            if Path(name.removesuffix(PACKED_SUFFIX)).suffix in LINES_SUFFIXES:
                return check_record_lines(file)
            return verify_record(parse_record(file.read(MAX_FILE_BYTES + 1)))
    except OSError as error:
        return VerificationResult("bad", f"cannot be opened: {error.strerror}")
    except ValueError:
        return VerificationResult("bad", "cannot be opened: not the name of a file")
    except InvalidRecord as bad:
        return VerificationResult("bad", str(bad))
    except zstandard.ZstdError as error:
        return VerificationResult("bad", f"cannot be unpacked: {error}")


@contextmanager
def open_record_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file to read it part by part, unpacked if it is packed. Raises OSError, ZstdError."""
    with path.open("rb") as file:
        if path.suffix != PACKED_SUFFIX:
            yield file
            return
        decompressor = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW_BYTES)
        with decompressor.stream_reader(file, read_across_frames=True) as unpacked_file:
            yield BufferedReader(unpacked_file)


def check_record_lines(file: IO[bytes]) -> VerificationResult:
    """Check every record of a file that has one in each line; tell how many, or the first that is not ok."""
    counts: Counter[str] = Counter()
    first_failure: VerificationResult | None = None
    with tqdm(desc="checking", unit=" games", disable=None, leave=False) as progress:
        for line_no in count(1):
            line = file.readline(MAX_FILE_BYTES + 1)
            if not line:
                break
            progress.update()
            verdict = check_record_line(line)
            counts[verdict.status] += 1
            if not verdict.is_ok and first_failure is None:
                first_failure = VerificationResult(verdict.status, f"line {line_no}: {verdict.text}")
            if len(line) > MAX_FILE_BYTES:  # where the next record begins is not known
                break
    if first_failure:
        failure_count, record_count = counts["bad"] + counts["unfinished"], counts.total()
        status = "bad" if counts["bad"] else "unfinished"
        text = f"{status}: {failure_count} of {record_count} records; {first_failure.text}"
        return VerificationResult(status, text)
    if not counts:
        return VerificationResult("bad", "the file holds no record")
    return VerificationResult("ok", f"ok: {counts['ok']} records")


def check_record_line(line: bytes) -> VerificationResult:
    """Check the record of a line."""
    try:
        return verify_record(parse_record(line))
    except InvalidRecord as bad:
        return VerificationResult("bad", str(bad))


def _printable_name(name: str) -> str:
    """A file name on one line, escaped if it is not printable."""
    return name if name.isprintable() else ascii(name)
