"""Public data of players."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Unpack, cast
from urllib.parse import quote

from .records import RecordQuery, iter_records
from .types import PublicPlayer, RankedPlayer, Rating, RatingChange, Record

if TYPE_CHECKING:
    from .client import Client


class Players:
    """`client.players`."""

    def __init__(self, client: Client) -> None:
        """Use this client."""
        self.client = client

    def show(self, name: str) -> PublicPlayer:
        """Return a player by name, ignoring case."""
        return cast(PublicPlayer, self.client.get(f"players/{quote(name, safe='')}/"))

    def game_records(self, name: str, **query: Unpack[RecordQuery]) -> Iterator[Record]:
        """Iterate over the records of a player's public games, in order of creation."""
        return iter_records(self.client, f"players/{quote(name, safe='')}/games/records/", query)

    def ratings(self, name: str) -> list[Rating]:
        """Return a player's ratings with their uncertainty, by mode."""
        response = self.client.get(f"players/{quote(name, safe='')}/ratings/", page_size=1)
        return cast(list[Rating], response["ratings"])

    def rating_history(self, name: str, *, mode: str | None = None) -> Iterator[RatingChange]:
        """Iterate over a player's rating changes, newest first."""
        return self.client.pages(f"players/{quote(name, safe='')}/ratings/", mode=mode)

    def best(self, mode: str = "singles", limit: int = 100, *, bots: bool = False) -> list[RankedPlayer]:
        """Return the players with the highest ratings, or with `bots` the bots."""
        ranking = self.client.get("ratings/", mode=mode, limit=limit, bots=bots)
        return cast(list[RankedPlayer], ranking["results"])
