"""Bots: those that take challenges, and challenging one."""

from __future__ import annotations

from typing import TypeVar

from .operations import Call, Operation, Resource, operation
from .types import Bot, Game

C = TypeVar("C")


class Bots(Resource[C]):
    """`client.bots`."""

    find = Operation[[], list[Bot]]("bots_list", "Return the bots that take challenges, by name.")

    @operation("bots_challenge")
    def challenge(
        self, name: str, *, cards: bool = True, clock: str | None = None, rated: bool = False
    ) -> Call[Game]:
        """Create a private game for you and a bot, which is invited. You then join it yourself."""
        return Call((name,), {"cards": cards, "rated": rated} | ({"clock": clock} if clock else {}))
