"""The codes of pairing notes: reasons, warnings and placements. They are stored and public."""

from __future__ import annotations

from enum import StrEnum


class PairingReason(StrEnum):
    """The reasons for a pairing, for its seats, or for the decision of a match."""

    FROM_SEED = "from-seed"
    FROM_MATCH = "from-match"
    REMATCH = "rematch"
    BY_REMATCH = "by-rematch"
    HIGHER_SEED = "higher-seed"
    WALKOVER = "walkover"
    SCHEDULE = "schedule"
    FREE_ROUND = "free-round"
    SMALLER_TABLE = "smaller-table"
    ONE_OF_EACH_STRENGTH = "one-of-each-strength"
    BY_SCORE = "by-score"
    BEST_TABLES = "best-tables"
    MET_BEFORE = "met-before"
    BYE_ALONE = "bye-alone"
    BYE_LOWEST = "bye-lowest"
    BYE_PASSED_OVER = "bye-passed-over"
    FIRST_ROUND = "first-round"
    SAME_SCORE = "same-score"
    FLOAT_DOWN = "float-down"
    FLOAT_UP = "float-up"
    SEAT_LOT = "seat-lot"
    SEAT_TURN = "seat-turn"
    SEAT_BALANCE = "seat-balance"
    SEAT_RUN = "seat-run"


SEAT_REASONS = frozenset(
    {PairingReason.SEAT_LOT, PairingReason.SEAT_TURN, PairingReason.SEAT_BALANCE, PairingReason.SEAT_RUN}
)


class PairingWarning(StrEnum):
    """The warnings to an organiser before a round is published."""

    ABSENT = "absent"
    ODD_NUMBER = "odd-number"
    REMATCH_UNAVOIDABLE = "rematch-unavoidable"
    STALE_RESULT = "stale-result"
    LATE_ENTRY = "late-entry"


class TableWarning(StrEnum):
    """The warnings about a published pairing; they are found outside this package."""

    UNDECIDED = "undecided-table"


class PlacementReason(StrEnum):
    """The reasons for the division of a player or pair."""

    NEWCOMER = "newcomer"
    STAYS = "stays"
    PROMOTED = "promoted"
    RELEGATED = "relegated"


class NewcomerOrigin(StrEnum):
    """The reasons for the division of a newcomer: the detail `by` of the placement note."""

    START = "start"  # in the first season everybody starts
    RATING = "rating"
    BOTTOM = "bottom"


NoteCode = PairingReason | PairingWarning | TableWarning | PlacementReason
