"""The clock of a game: pure arithmetic over times that are given to it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

MINUTE, HOUR, DAY = 60, 3600, 86_400


@dataclass(frozen=True)
class Clock:
    """Seconds for each turn, and seconds in reserve for the whole game."""

    allowance: int
    bank: int


PRESETS = {
    "12h": Clock(12 * HOUR, 3 * DAY),
    "2d": Clock(2 * DAY, 7 * DAY),
    "3d": Clock(3 * DAY, 14 * DAY),
    "7d": Clock(7 * DAY, 30 * DAY),
    "live": Clock(3 * MINUTE, 15 * MINUTE),
}
DEFAULT = "2d"
SHORTEST = Clock(MINUTE, 0)
LONGEST = Clock(30 * DAY, 120 * DAY)
SHORTEST_WAIT, LONGEST_WAIT = timedelta(minutes=30), timedelta(days=30)
TURNS_TO_WAIT = 7  # an open game, and an invitation to it, waits for so many turns' time


def clock(preset: str, allowance: int | None = None, bank: int | None = None) -> Clock:
    """The clock of a preset, or a custom one. Raises ValueError on an unknown or unreasonable one."""
    if preset in PRESETS:
        if allowance is not None or bank is not None:
            raise ValueError("allowance and bank go with the clock `custom` only")
        return PRESETS[preset]
    if preset != "custom":
        raise ValueError(f"clock is one of {', '.join(PRESETS)}, custom")
    if allowance is None or bank is None:
        raise ValueError("a custom clock needs allowance and bank, in seconds")
    if not SHORTEST.allowance <= allowance <= LONGEST.allowance:
        raise ValueError(f"allowance is from {SHORTEST.allowance} to {LONGEST.allowance} seconds")
    if not SHORTEST.bank <= bank <= LONGEST.bank:
        raise ValueError(f"bank is from {SHORTEST.bank} to {LONGEST.bank} seconds")
    return Clock(allowance, bank)


def deadline(now: datetime, allowance: int, bank: int) -> datetime:
    """When a turn that starts now runs out, reserve included."""
    return now + timedelta(seconds=allowance + bank)


def open_until(now: datetime, allowance: int) -> datetime:
    """How long an open game waits for players."""
    wait = timedelta(seconds=TURNS_TO_WAIT * allowance)
    return now + min(max(wait, SHORTEST_WAIT), LONGEST_WAIT)
