"""Nobody decides about a table of their own."""

from __future__ import annotations

from games.services.errors import Denied
from tournaments.selectors.conflicts import own_table_reason

OWN_TABLE = "own-table"


def refuse_own_table(concerned: bool) -> None:
    """Raise Denied if whoever decides is concerned themselves."""
    if concerned:
        raise Denied(own_table_reason(), code=OWN_TABLE)
