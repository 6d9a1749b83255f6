"""What everybody may know of players."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote

from .event_views import Rating, RatingChange
from .views import Player

if TYPE_CHECKING:
    from .client import Client


class Players:
    """`client.players`."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def show(self, name: str) -> Player:
        """A player by name; capitals do not matter."""
        return cast(Player, self.client.get(f"players/{quote(name, safe='')}/"))

    def ratings(self, name: str) -> list[Rating]:
        """A player's ratings, and how sure they are, by mode."""
        found = self.client.get(f"players/{quote(name, safe='')}/ratings/", page_size=1)
        return cast(list[Rating], found["ratings"])

    def rating_history(self, name: str, *, mode: str | None = None) -> Iterator[RatingChange]:
        """What every game did to them, newest first, page by page as you go on."""
        return self.client.pages(f"players/{quote(name, safe='')}/ratings/", mode=mode)

    def best(self, mode: str = "singles", limit: int = 100) -> list[dict[str, Any]]:
        """Who is strongest."""
        return cast(list[dict[str, Any]], self.client.get("ratings/", mode=mode, limit=limit)["results"])
