"""The conditions of an account's games for declaring it a bot and for taking that back."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Exists, OuterRef

from accounts.models import Player
from accounts.refusals import Refusal
from games.models import Game, Seat


def find_bot_declaration_refusal(player: Player) -> Refusal | None:
    """Find the games that keep an account from becoming a bot: rated ones, or unfinished ones with others."""
    own_games = Game.objects.filter(seats__player=player)
    if own_games.filter(rated=True, started_at__isnull=False).exists():
        return Refusal.HAS_RATED_GAMES
    other_seats = Seat.objects.filter(game=OuterRef("pk"), player__isnull=False).exclude(player=player)
    unfinished_games = Game.objects.unfinished()
    is_expected = (
        unfinished_games.filter(Exists(other_seats), seats__player=player).exists()
        or Game.objects.open().filter(creator=player).exists()
    )
    return Refusal.HAS_UNFINISHED_GAMES if is_expected else None


def has_games_since(player: Player, at: datetime) -> bool:
    """True if a player has a seat in a game that started since a moment, or in an unfinished one."""
    own_games = Game.objects.filter(seats__player=player)
    return own_games.filter(started_at__gte=at).exists() or own_games.unfinished().exists()
