"""The account extension of tournaments, leagues and ratings."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from accounts.account_extensions import AccountExtension, ProfileSection
from accounts.models import Player
from accounts.refusals import Refusal
from common.refusals import BaseRefusal
from tournaments.leagues.web import honours as league_honours
from tournaments.ratings import web as ratings
from tournaments.ratings.selectors import load_displayed_ratings
from tournaments.selectors import shared_tournaments
from tournaments.services import entries, export


class TournamentsAccountExtension(AccountExtension):
    """Entries, memberships, decisions and ratings of a player."""

    name = "tournaments"
    guest_views = (
        *("leagues", "league", "league-season", "league-history", "ratings", "tournament-calendar"),
        *("tournaments", "tournament", "tournament-standings", "tournament-bracket"),
        *("tournament-bracket-picture", "tournament-round", "tournament-table", "tournament-entrants"),
        "tournament-fairness",
    )

    def export_player_data(self, player: Player) -> dict[str, Any]:
        """Export tournaments, leagues and ratings."""
        return export.export_tournament_data(player)

    def leave(self, *, player: Player, now: datetime, after_id: int) -> None:
        """Leave tournaments and leagues, which are few; the sweep resigns the games."""
        entries.leave_all_tournaments(player=player, now=now)

    def have_met(self, player: Player, other: Player) -> bool:
        """True if they share a tournament or league."""
        return shared_tournaments.have_played_together(player, other)

    def find_bot_declaration_refusal(self, player: Player) -> BaseRefusal | None:
        """Refuse players who take part in a tournament or league."""
        return Refusal.TAKES_PART if shared_tournaments.takes_part(player) else None

    def load_ratings(self, player_ids: Collection[int]) -> dict[int, int]:
        """The ratings of players, for the list of bots."""
        return load_displayed_ratings(player_ids)

    def build_profile_sections(self, player: Player, *, is_own: bool) -> list[ProfileSection]:
        """Ratings and honours."""
        return [ratings.build_ratings_section(player), league_honours.build_honours_section(player)]


EXTENSION = TournamentsAccountExtension()
