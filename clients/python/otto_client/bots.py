"""Bots: those that take challenges, and challenging one."""

from __future__ import annotations

from typing import TypeVar

from .operations import Call, Resource, operation
from .types import Bot, Game

C = TypeVar("C")


class Bots(Resource[C]):
    """`client.bots`."""

    @operation("bots_list")
    def find(self, *, after: str | None = None) -> Call[list[Bot]]:
        """Return the bots that take challenges, by name, at most 500, or those after a name."""
        return Call(fields={"after": after})

    @operation("bots_challenge")
    def challenge(
        self, name: str, *, cards: bool = True, clock: str | None = None, rated: bool = False
    ) -> Call[Game]:
        """Create a private game for you and a bot, which is invited. You then join it yourself."""
        return Call((name,), {"cards": cards, "rated": rated} | ({"clock": clock} if clock else {}))
