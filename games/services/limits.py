"""Limits on how many games a player may have."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.services.players import lock_player
from common.service_errors import Conflict
from games.models import Game, Seat
from games.models.games import UNFINISHED_STATUSES
from games.refusals import Refusal

# Unfinished games with a seat of theirs. Tournament games count, but are never refused.
MAX_RUNNING_GAMES_PER_PLAYER = 200
MAX_RUNNING_GAMES_PER_GUEST = 5
MAX_BOT_GAMES_PER_OWNER = 10  # unfinished games among bots in which a bot of theirs sits


def max_running_games(player: Player) -> int:
    """Return in how many games a player may have a seat at a time."""
    return MAX_RUNNING_GAMES_PER_GUEST if player.is_guest else MAX_RUNNING_GAMES_PER_PLAYER


def check_running_games(player: Player) -> None:
    """Lock a player, and raise Conflict if they have a seat in the maximum number of games."""
    lock_player(player)
    limit = max_running_games(player)
    if Seat.objects.filter(player=player, game__status__in=UNFINISHED_STATUSES).count() < limit:
        return
    if player.is_guest:
        message = _("You have %(limit)d games in progress. Finish one or sign up.")
    else:
        message = _("You have %(limit)d games in progress, the most we allow. Finish one first.")
    raise Conflict(message % {"limit": limit}, code="too-many-games", limit=limit)


def check_bot_games(player: Player, game: Game | None = None) -> None:
    """Raise Conflict if a bot cannot play one more game among bots: this one, or a new one of its own.

    Its owner's row is locked, as all bots of an owner count together. People's games are not counted.
    """
    if not player.is_bot or (game and (game.creator is None or not game.creator.is_bot)):
        return
    owner = player.bot_owner
    if owner is None or not owner.is_active:
        raise Refusal.BOT_WITHOUT_OWNER.build_error()
    lock_player(owner)
    seats = Seat.objects.filter(game=OuterRef("pk"))
    own_games = Game.objects.unfinished().filter(
        Q(creator__bot_owner=owner) | Exists(seats.filter(player__bot_owner=owner)),
        ~Exists(seats.filter(player__is_bot=False)),
        creator__is_bot=True,
    )
    if game:
        own_games = own_games.exclude(pk=game.pk)
    if own_games.count() >= MAX_BOT_GAMES_PER_OWNER:
        raise Conflict(
            _("All bots of one owner together play at most %(limit)d games against bots at a time.")
            % {"limit": MAX_BOT_GAMES_PER_OWNER},
            code="too-many-bot-games",
            limit=MAX_BOT_GAMES_PER_OWNER,
        )
