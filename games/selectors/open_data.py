"""The files of finished games that anybody may download: one for each month, with counts and sizes."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db.models.functions import TruncMonth

from games.models import Game

CHECKSUMS_NAME = "SHA256SUMS"  # as `sha256sum --check` reads it
MANIFEST_NAME = "files.json"


@dataclass(frozen=True, order=True)
class Month:
    """A calendar month in UTC."""

    year: int
    number: int

    def __str__(self) -> str:
        return f"{self.year:04}-{self.number:02}"

    @classmethod
    def parse(cls, text: str) -> Month:
        """The month that a text such as 2026-10 names. Raises ValueError."""
        return cls.from_instant(datetime.strptime(text, "%Y-%m"))

    @classmethod
    def from_instant(cls, at: datetime) -> Month:
        """The month of an instant in UTC."""
        return cls(at.year, at.month)

    @property
    def start(self) -> datetime:
        """The first instant of the month."""
        return datetime(self.year, self.number, 1, tzinfo=UTC)

    @property
    def next(self) -> Month:
        """The month after this one."""
        return Month(self.year + self.number // 12, self.number % 12 + 1)

    @property
    def file_name(self) -> str:
        """The name of the file with the games that ended in this month."""
        return f"otto-games-{self}.ndjson.zst"


@dataclass(frozen=True)
class OpenDataFile:
    """A file of finished games, as the manifest describes it."""

    name: str
    month: str
    games: int
    bytes: int
    sha256: str


def list_finished_months(now: datetime) -> list[Month]:
    """The months before this one in which public games ended, oldest first."""
    games = Game.objects.completed().filter(
        private=False, finished_at__lt=Month.from_instant(now.astimezone(UTC)).start
    )
    starts = games.annotate(month=TruncMonth("finished_at", tzinfo=UTC)).values_list("month", flat=True)
    return [Month.from_instant(start) for start in starts.distinct().order_by("month")]


def load_open_data_files(folder: Path | None = None) -> list[OpenDataFile]:
    """The files that there are, newest first; none if nothing was written yet."""
    path = (folder or settings.OPEN_DATA_DIR) / MANIFEST_NAME
    try:
        rows = json.loads(path.read_text())
    except FileNotFoundError:
        return []
    return sorted((OpenDataFile(**row) for row in rows), key=lambda file: file.month, reverse=True)


def find_open_data_path(name: str) -> Path | None:
    """The path of a published file by its name; None if there is no such file."""
    names = {CHECKSUMS_NAME, *(file.name for file in load_open_data_files())}
    path: Path = settings.OPEN_DATA_DIR / name
    return path if name in names and path.is_file() else None


def format_manifest(files: list[OpenDataFile]) -> str:
    """The manifest of these files, as `load_open_data_files` reads it."""
    rows = [asdict(file) for file in sorted(files, key=lambda file: file.month)]
    return json.dumps(rows, indent=1) + "\n"


def format_checksums(files: list[OpenDataFile]) -> str:
    """The checksums of these files, as `sha256sum` writes them."""
    return "".join(f"{file.sha256}  {file.name}\n" for file in sorted(files, key=lambda file: file.month))
