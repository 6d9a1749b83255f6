"""The games on a player's public page: results, games now, last results."""

from __future__ import annotations

from django.utils import timezone
from django.utils.text import capfirst

from accounts.account_extensions import ProfileSection
from accounts.models import Player
from games import selectors
from games.models import Game

from . import settings_text
from .game_rows import build_rows

MAX_GAMES_LISTED = 20


def build_game_sections(player: Player, *, is_own: bool) -> list[ProfileSection]:
    """Return the sections with a player's results and with their public games."""
    current_games, ended_games = (
        selectors.list_public_games(player, MAX_GAMES_LISTED),
        selectors.list_finished_games(player, MAX_GAMES_LISTED, public_only=True),
    )
    # Rows are from the view of the player shown, not of the viewer.
    rows_by_code = {
        game_row["code"]: game_row for game_row in build_rows([*current_games, *ended_games], player)
    }
    private_games = player.seats.filter(game__private=True).exclude(game__status=Game.Status.CANCELLED)
    results = {
        "name": player.name,
        "private": private_games.count() if is_own else 0,
        "results": [
            {"kind": capfirst(settings_text.describe_players(row.mode, row.seat_count)), "row": row}
            for row in selectors.results_by_mode(player)
        ],
    }
    games = {
        "current_games": [rows_by_code[game.code] for game in current_games],
        "finished_games": [rows_by_code[game.code] for game in ended_games],
        "now": timezone.now(),
    }
    return [
        ProfileSection(10, "games/profile_results.html", results),
        ProfileSection(30, "games/profile_games.html", games),
    ]
