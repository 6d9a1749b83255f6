"""Editions: tiles, cards, board and rules as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast
from urllib.parse import quote

if TYPE_CHECKING:
    from .client import Client
    from .types import Edition


class Editions:
    """`client.editions`. An edition is named by its `id`, as in the `edition` of a game."""

    def __init__(self, client: Client) -> None:
        """Use this client."""
        self.client = client

    def all(self) -> list[Edition]:
        """Return all editions, the default first."""
        return cast("list[Edition]", self.client.get("editions/"))

    def view(self, edition: str) -> Edition:
        """Return one edition: enough to draw a board or to write an engine. Raises NotFound."""
        return cast("Edition", self.client.get(f"editions/{quote(edition, safe='')}/"))
