"""What a player has won in leagues, on their page."""

from __future__ import annotations

from typing import Any

from games.models import Player
from tournaments.selectors import league_facts


def of_player(player: Player) -> dict[str, Any]:
    """Seasons won, league by league."""
    return {"template": "tournaments/leagues/honours.html", "leagues": league_facts.honours(player)}
