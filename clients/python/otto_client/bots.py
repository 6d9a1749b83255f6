"""Bots: those that take challenges, and challenging one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote

from .types import Game

if TYPE_CHECKING:
    from .client import Client


class Bots:
    """`client.bots`."""

    def __init__(self, client: Client) -> None:
        """Use this client."""
        self.client = client

    def find(self) -> list[dict[str, Any]]:
        """Return the bots that take challenges, by name."""
        return cast(list[dict[str, Any]], self.client.get("bots/"))

    def challenge(
        self, name: str, *, cards: bool = True, clock: str | None = None, rated: bool = False
    ) -> Game:
        """Create a private game for you and a bot, which is invited. You then join it yourself."""
        body = {"cards": cards, "rated": rated} | ({"clock": clock} if clock else {})
        return cast(Game, self.client.post_once(f"bots/{quote(name, safe='')}/challenge/", body))
