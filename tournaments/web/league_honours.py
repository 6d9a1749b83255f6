"""League titles on a player's profile page."""

from __future__ import annotations

from typing import Any

from games.models import Player
from tournaments.selectors import league_read_models


def build_honours_section(player: Player) -> dict[str, Any]:
    """Return the profile section with the seasons won, by league."""
    return {
        "template": "tournaments/leagues/honours.html",
        "leagues": league_read_models.list_honours(player),
    }
