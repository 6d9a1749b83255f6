"""Public data of players."""

from __future__ import annotations

from typing import TypeVar

import httpx

from .operations import Call, Cursor, Resource, list_operation, operation, read_results
from .types import PublicPlayer, RankedPlayer, Rating, RatingChange

C = TypeVar("C")


def read_ratings(answer: httpx.Response) -> list[Rating]:
    """Return the ratings beside the rows of a rating history."""
    ratings: list[Rating] = answer.json()["ratings"]
    return ratings


class Players(Resource[C]):
    """`client.players`."""

    @operation("players_show")
    def show(self, name: str) -> Call[PublicPlayer]:
        """Return a player by name, ignoring case."""
        return Call((name,))

    @operation("players_ratings")
    def ratings(self, name: str) -> Call[list[Rating]]:
        """Return a player's ratings with their uncertainty, by mode."""
        return Call((name,), {"page_size": 1}, read_ratings)

    @list_operation("players_ratings")
    def rating_history(self, name: str, *, mode: str | None = None) -> Cursor[RatingChange]:
        """Iterate over a player's rating changes, newest first."""
        return Cursor(name, mode=mode)

    @operation("ratings_best")
    def best(self, mode: str = "singles", limit: int = 100) -> Call[list[RankedPlayer]]:
        """Return the players with the highest ratings."""
        return Call(fields={"mode": mode, "limit": limit}, read_answer=read_results)
