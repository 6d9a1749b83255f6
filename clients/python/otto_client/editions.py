"""Editions: tiles, cards, board and rules as data."""

from __future__ import annotations

from typing import TypeVar

from .operations import Operation, Resource
from .types import Edition

C = TypeVar("C")


class Editions(Resource[C]):
    """`client.editions`. An edition is named by its `id`, as in the `edition` of a game."""

    all = Operation[[], list[Edition]]("editions_list", "Return all editions, the default first.")
    view = Operation[[str], Edition](
        "editions_view", "Return one edition: enough to draw a board or to write an engine."
    )
