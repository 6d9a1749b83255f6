"""Public data of players."""

from __future__ import annotations

from typing import TypeVar, Unpack

import httpx

from .operations import Call, Cursor, Resource, list_operation, operation, read_results, records_operation
from .records import RecordQuery
from .types import PublicPlayer, RankedPlayer, Rating, RatingChange, Record

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
    def best(
        self, mode: str = "singles", limit: int = 100, *, bots: bool = False
    ) -> Call[list[RankedPlayer]]:
        """Return the players with the highest ratings, or with `bots` the bots."""
        return Call(fields={"mode": mode, "limit": limit, "bots": bots}, read_answer=read_results)

    @records_operation("players_games_records")
    def game_records(self, name: str, **query: Unpack[RecordQuery]) -> Call[Record]:
        """Iterate over the records of a player's public games, in order of creation."""
        return Call((name,), query)
