"""Public data of players."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast
from urllib.parse import quote

from .types import PublicPlayer, RankedPlayer, Rating, RatingChange

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

    def ratings(self, name: str) -> list[Rating]:
        """Return a player's ratings with their uncertainty, by mode."""
        response = self.client.get(f"players/{quote(name, safe='')}/ratings/", page_size=1)
        return cast(list[Rating], response["ratings"])

    def rating_history(self, name: str, *, mode: str | None = None) -> Iterator[RatingChange]:
        """Iterate over a player's rating changes, newest first."""
        return self.client.pages(f"players/{quote(name, safe='')}/ratings/", mode=mode)

    def best(self, mode: str = "singles", limit: int = 100) -> list[RankedPlayer]:
        """Return the players with the highest ratings."""
        return cast(list[RankedPlayer], self.client.get("ratings/", mode=mode, limit=limit)["results"])
