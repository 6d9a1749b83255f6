"""The public page of a player: public games and results; no email address, no time of last visit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import selectors
from games.models import Game, Player

from . import settings_text
from .game_rows import build_rows
from .request_utils import viewer_of

MAX_GAMES_LISTED = 20
# Functions of other apps that return a section (template and data); registered in AppConfig.ready().
PROFILE_SECTIONS: list[Callable[[Player], dict[str, Any]]] = []


@require_safe
def show_player(request: HttpRequest, name: str) -> HttpResponse:
    """Show a player's public page."""
    player, viewer = selectors.find_player_by_name(name), viewer_of(request)
    if player is None:
        raise Http404(_("Nobody here has this name."))
    current_games, ended_games = (
        selectors.list_public_games(player, MAX_GAMES_LISTED),
        selectors.list_finished_games(player, MAX_GAMES_LISTED, public_only=True),
    )
    # Rows are from the view of the player shown, whoever the viewer is.
    rows_by_code = {
        game_row["code"]: game_row for game_row in build_rows([*current_games, *ended_games], player)
    }
    standings = selectors.results_by_mode(player)
    is_own = viewer is not None and viewer.pk == player.pk
    context = {
        "player": {"name": player.name, "joined_at": player.joined_at, "is_lookalike": player.is_lookalike},
        "own": is_own,
        "private": player.places.filter(game__private=True)
        .exclude(game__status=Game.Status.CANCELLED)
        .count()
        if is_own
        else 0,
        "standing": [
            {"kind": capfirst(settings_text.describe_players(row.mode, row.seat_count)), "row": row}
            for row in standings
        ],
        "played": sum(row.played for row in standings),
        "current": [rows_by_code[game.code] for game in current_games],
        "finished": [rows_by_code[game.code] for game in ended_games],
        "parts": [section(player) for section in PROFILE_SECTIONS],
    }
    return render(request, "games/player.html", context)
