"""The account extension of games."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext

from accounts.account_extensions import AccountExtension, PlayerTaskRunner, ProfileSection
from accounts.models import Player
from common.refusals import BaseRefusal
from games.game_text import BOT_NAMES
from games.selectors.bot_declarations import find_bot_declaration_refusal, has_games_since
from games.selectors.player_results import have_shared_game
from games.services import game_export, player_clocks, player_games
from games.web.profile_sections import build_game_sections


class GamesAccountExtension(AccountExtension):
    """Games, seats, notes, messages and invitations of a player, and the names of bots."""

    name = "games"
    guest_views = (
        *(
            "home",
            "live",
            "demo-board",
            "games",
            "lobby",
            "game",
            "game-version",
            "board",
            "replay",
            "fairness-game",
            "fairness",
        ),
        *("rules", "lesson", "lesson-step", "sample-match", "game-note", "game-play", "next", "play-now"),
    )

    def export_player_data(self, player: Player) -> dict[str, Any]:
        """Export games and what belongs to them."""
        return game_export.export_game_data(player)

    def leave(self, *, player: Player, now: datetime, after_id: int) -> int | None:
        """Leave open games and resign from running ones."""
        return player_games.leave_games(player=player, now=now, after_id=after_id)

    def lock_rows_before_players(self, players: Sequence[Player]) -> None:
        """Lock games."""
        player_games.lock_games_of(players)

    def erase_player(self, *, player: Player, now: datetime) -> None:
        """Remove the player's name from notices to others, and invitations to their address."""
        player_games.erase_player_from_games(player)

    def merge_guest(self, *, guest: Player, player: Player, now: datetime) -> None:
        """Give the guest's games, notes and notices to the account."""
        player_games.merge_guest(guest=guest, player=player, now=now)

    def have_met(self, player: Player, other: Player) -> bool:
        """True if they have sat in the same game."""
        return have_shared_game(player, other)

    def find_bot_declaration_refusal(self, player: Player) -> BaseRefusal | None:
        """Rated games with people, and unfinished ones with anybody."""
        return find_bot_declaration_refusal(player)

    def has_games_since(self, player: Player, at: datetime) -> bool:
        """True if they have a seat in a game that started since, or in an unfinished one."""
        return has_games_since(player, at)

    def list_reserved_names(self) -> Collection[str]:
        """The names of bots."""
        return {name for policy, text in BOT_NAMES.items() for name in (gettext(text), f"{policy} bot")}

    def list_player_tasks(self) -> dict[str, PlayerTaskRunner]:
        """The recomputation of deadlines."""
        return {player_clocks.RECOMPUTE_DEADLINES: player_clocks.update_player_clocks}

    def build_profile_sections(self, player: Player, *, is_own: bool) -> list[ProfileSection]:
        """Results and public games."""
        return build_game_sections(player, is_own=is_own)


EXTENSION = GamesAccountExtension()
