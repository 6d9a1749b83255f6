"""Records of many games: which ones, as the four lists of records take it."""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict


class RecordQuery(TypedDict, total=False):
    """A filter of games: ended or moved last in a period, of a mode, finished, after another one."""

    since: datetime | str
    until: datetime | str
    mode: str
    finished: bool
    after: str
