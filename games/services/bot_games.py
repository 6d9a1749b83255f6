"""Games against a bot that start at once, also for visitors without an account."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from accounts.models import Player
from accounts.services import guests
from games.models import Game

from . import lobby

DEFAULT_BOT_POLICY = "greedy"
TIME_CONTROL = "7d"  # only a bot waits


@transaction.atomic
def start_bot_game(
    *,
    player: Player | None,
    language: str,
    now: datetime,
    policy: str = DEFAULT_BOT_POLICY,
    offer: str = "",
    client_seed: str = "",
    cards: bool = False,
) -> tuple[Player, Game]:
    """Start a private, unrated game against a bot; without a player, create a guest for it.

    Raises Invalid, or Conflict if the player has too many running games or the offer cannot be used.
    """
    lobby.check_seed_order(client_seed=client_seed, offer=offer)
    offered_to = player.pk if player else None
    if player and player.is_guest:
        # The lock serializes the game count. The row is missing if the guest has just been merged into
        # an account in another browser: this browser then gets a new guest.
        player = Player.objects.select_for_update(no_key=True).filter(pk=player.pk).first()
    if player is None:
        player = guests.create_guest(language=language, now=now)
    game = lobby.create_game(
        player=player,
        now=now,
        offer=offer,
        offered_to=offered_to,
        seat_count=2,
        cards=cards,
        time_control=TIME_CONTROL,
        private=True,
        chat=False,
    )
    lobby.join_game(player=player, code=game.code, now=now, client_seed=client_seed)
    return player, lobby.add_bot(player=player, code=game.code, policy=policy, now=now)
