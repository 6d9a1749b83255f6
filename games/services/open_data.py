"""Writes the files of finished public games, one for each month: records as NDJSON, packed with Zstandard."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO
from uuid import uuid4

import zstandard
from django.utils import translation

from games.selectors.game_records import iter_all_record_chunks, list_finished_public_games
from games.selectors.open_data import (
    CHECKSUMS_NAME,
    MANIFEST_NAME,
    Month,
    OpenDataFile,
    format_checksums,
    format_manifest,
    load_open_data_files,
)

COMPRESSION_LEVEL = 12  # always the same, for the same bytes
HASH_BLOCK_BYTES = 1 << 20


def write_open_data(
    *, months: list[Month], folder: Path, report_games: Callable[[int], object] = lambda count: None
) -> list[OpenDataFile]:
    """Write the files of these months, then checksums and manifest of all files, and return what was written.

    Each file is replaced at once when it is complete. The same games give the same bytes. `report_games` is
    called with the number of games of each chunk. A month without public games has no file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written_files = [write_month(month, folder, report_games) for month in months]
    rewritten_months = {str(month) for month in months}
    files = [file for file in load_open_data_files(folder) if file.month not in rewritten_months]
    files += [file for file in written_files if file.games]
    replace_text(folder / CHECKSUMS_NAME, format_checksums(files))
    replace_text(folder / MANIFEST_NAME, format_manifest(files))
    for file in written_files:
        if not file.games:  # all its games became private, or belong to nobody any more
            (folder / file.name).unlink(missing_ok=True)
    return [file for file in written_files if file.games]


def write_month(month: Month, folder: Path, report_games: Callable[[int], object]) -> OpenDataFile:
    """Write the file of a month, and return what it holds."""
    path = folder / month.file_name
    partial_path = folder / f".{month.file_name}.{uuid4().hex}"
    try:
        with partial_path.open("xb") as file:
            game_count = write_records(month, file, report_games)
            file.flush()
            os.fsync(file.fileno())
        sha256 = compute_sha256(partial_path)
        byte_count = partial_path.stat().st_size
        partial_path.replace(path)
    finally:
        with suppress(FileNotFoundError):
            partial_path.unlink()
    return OpenDataFile(path.name, str(month), game_count, byte_count, sha256)


def write_records(month: Month, file: IO[bytes], report_games: Callable[[int], object]) -> int:
    """Write the records of a month's public finished games, packed, and return how many there are."""
    game_count = 0
    compressor = zstandard.ZstdCompressor(level=COMPRESSION_LEVEL, write_checksum=True)
    # The name of former players is translated: files have it in one language.
    with translation.override("en"), compressor.stream_writer(file, closefd=False) as writer:
        for records in iter_all_record_chunks(list_finished_public_games(month.start, month.next.start)):
            for record in records:
                writer.write(f"{json.dumps(record)}\n".encode())
            game_count += len(records)
            report_games(len(records))
    return game_count


def replace_text(path: Path, text: str) -> None:
    """Replace a small file at once."""
    partial_path = path.with_name(f".{path.name}.{uuid4().hex}")
    partial_path.write_text(text)
    partial_path.replace(path)


def compute_sha256(path: Path) -> str:
    """The SHA-256 of a file, read in blocks."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(HASH_BLOCK_BYTES):
            digest.update(block)
    return digest.hexdigest()
