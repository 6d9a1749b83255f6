"""League titles on a player's profile page."""

from __future__ import annotations

from accounts.account_extensions import ProfileSection
from accounts.models import Player
from tournaments.leagues.selectors import read_models as league_read_models


def build_honours_section(player: Player) -> ProfileSection:
    """Return the profile section with the seasons won, by league."""
    leagues = league_read_models.list_honours(player)
    return ProfileSection(20, "tournaments/leagues/honours.html", {"leagues": leagues})
