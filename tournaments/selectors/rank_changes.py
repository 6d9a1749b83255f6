"""Final ranks that a corrected result would change in a finished tournament."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from tournaments.models import Entrant

from .tournament_state import TournamentState, get_entrant_name


@dataclass(frozen=True)
class RankChange:
    """An entrant whose final rank changes."""

    entrant: int
    name: str
    before: int
    after: int

    def as_dict(self) -> dict[str, Any]:
        """Return the change as a dict."""
        return asdict(self)


def find_rank_changes(state: TournamentState) -> list[RankChange]:
    """Compare the stored final ranks with those that follow now, the best first."""
    changes = []
    for line in state.build_standings():
        entrant: Entrant = state.entrants[int(line.entrant)]
        if entrant.rank is not None and entrant.rank != line.rank:
            changes.append(RankChange(entrant.pk, get_entrant_name(entrant), entrant.rank, line.rank))
    return changes


def had_final_ranks(state: TournamentState) -> bool:
    """Tell whether a tournament has ended before, so that final ranks were published."""
    return any(entrant.rank is not None for entrant in state.entrants.values())


def is_unfinished(state: TournamentState) -> bool:
    """Tell whether pairings are open or still to come."""
    return not state.is_over()
