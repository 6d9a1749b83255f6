"""What the pairing room and the organisers' log say in codes, as sentences in the reader's language.

`names` are entrants by their numbers, as `selectors.facts.names` gives them.
"""

from .events import (
    cautions,
    criterion,
    decision,
    ended,
    entry,
    format_name,
    format_told,
    former_players,
    held,
    parted,
    status,
)
from .notes import moved, reason, warning
from .places import amount, call, match_name, points, round_name, source, source_in_short, state, table_name

__all__ = [
    "amount",
    "call",
    "cautions",
    "criterion",
    "decision",
    "ended",
    "entry",
    "format_name",
    "format_told",
    "former_players",
    "held",
    "match_name",
    "moved",
    "parted",
    "points",
    "reason",
    "round_name",
    "source",
    "source_in_short",
    "state",
    "status",
    "table_name",
    "warning",
]
