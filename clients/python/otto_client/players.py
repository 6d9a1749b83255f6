"""What everybody may know of a player."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast
from urllib.parse import quote

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
