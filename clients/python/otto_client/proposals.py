"""What you are asked to agree to, and what you ask others: to play as a pair, or on for somebody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from .event_views import Proposal
from .games import fresh_seed

if TYPE_CHECKING:
    from .client import Client


class Proposals:
    """`client.proposals`. A proposal is named by its `id`."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def find(self) -> Iterator[Proposal]:
        """What you were asked, and have asked others, newest first, page by page as you go on."""
        return self.client.pages("proposals/")

    def accept(self, proposal: int, *, client_seed: str | None = None) -> Proposal:
        """Agree; from here on it counts. Without a `client_seed` a random one is made here."""
        body = {"client_seed": fresh_seed() if client_seed is None else client_seed}
        return cast(Proposal, self.client.post_once(f"proposals/{proposal}/accept/", body))

    def decline(self, proposal: int) -> Proposal:
        """Say no."""
        return cast(Proposal, self.client.post_once(f"proposals/{proposal}/decline/", {}))

    def withdraw(self, proposal: int) -> Proposal:
        """Take back what you have asked, before it is answered."""
        return cast(Proposal, self.client.post_once(f"proposals/{proposal}/withdraw/", {}))
