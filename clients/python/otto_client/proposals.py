"""Proposals to you and by you: play as a pair, replace a player, co-organise."""

from __future__ import annotations

from typing import TypeVar

from .operations import Call, Cursor, Resource, fresh_seed, list_operation, operation
from .types import Proposal

C = TypeVar("C")


class Proposals(Resource[C]):
    """`client.proposals`. A proposal is named by its `id`."""

    @list_operation("proposals_list")
    def find(self) -> Cursor[Proposal]:
        """Iterate over the proposals to you and by you, newest first."""
        return Cursor()

    @operation("proposals_accept")
    def accept(self, proposal: int, *, client_seed: str | None = None) -> Call[Proposal]:
        """Accept a proposal, which puts it into effect. Without a `client_seed` a random one is generated."""
        body = {"client_seed": fresh_seed() if client_seed is None else client_seed}
        return Call((proposal,), body)

    @operation("proposals_decline")
    def decline(self, proposal: int) -> Call[Proposal]:
        """Decline a proposal."""
        return Call((proposal,))

    @operation("proposals_withdraw")
    def withdraw(self, proposal: int) -> Call[Proposal]:
        """Withdraw your proposal before it is answered."""
        return Call((proposal,))
