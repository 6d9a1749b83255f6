"""Proposals to you and by you: play as a pair, replace a player, co-organise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from .games import fresh_seed
from .types import Proposal

if TYPE_CHECKING:
    from .client import Client


class Proposals:
    """`client.proposals`. A proposal is named by its `id`."""

    def __init__(self, client: Client) -> None:
        """Use this client."""
        self.client = client

    def find(self) -> Iterator[Proposal]:
        """Iterate over the proposals to you and by you, newest first."""
        return self.client.pages("proposals/")

    def accept(self, proposal: int, *, client_seed: str | None = None) -> Proposal:
        """Accept a proposal, which puts it into effect. Without a `client_seed` a random one is generated."""
        body = {"client_seed": fresh_seed() if client_seed is None else client_seed}
        return cast(Proposal, self.client.post_once(f"proposals/{proposal}/accept/", body))

    def decline(self, proposal: int) -> Proposal:
        """Decline a proposal."""
        return cast(Proposal, self.client.post_once(f"proposals/{proposal}/decline/", {}))

    def withdraw(self, proposal: int) -> Proposal:
        """Withdraw your proposal before it is answered."""
        return cast(Proposal, self.client.post_once(f"proposals/{proposal}/withdraw/", {}))
