"""The folders of the source, for tests that read all of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Every package of the site, otto_site included: a new package is found without being listed.
SOURCE_ROOMS = tuple(sorted({path.parent.name for path in ROOT.glob("*/__init__.py")} - {"docker", "tests"}))


def iter_modules() -> Iterator[Path]:
    """Yield every module of the site, without migrations."""
    for room in SOURCE_ROOMS:
        yield from (path for path in sorted((ROOT / room).rglob("*.py")) if "migrations" not in path.parts)
