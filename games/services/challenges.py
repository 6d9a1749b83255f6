"""Challenges: a game with a bot that takes them, made for the two of them."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from accounts.models import BotProfile, Player
from accounts.selectors.bots import list_bot_profiles
from accounts.selectors.profiles import find_player_by_name
from accounts.services.players import lock_player
from common.refusals import check_allowed
from games import clock, permissions
from games.models import Game, Invitation, Seat
from games.models.games import UNFINISHED_STATUSES
from games.refusals import Refusal

from . import invitations, lobby


def challenge_bot(
    *,
    player: Player,
    name: str,
    now: datetime,
    key: str = "",
    cards: bool = True,
    time_control: str = clock.DEFAULT_PRESET,
    rated: bool = False,
) -> Game:
    """Create a private game for two and invite a bot to it; the challenger then joins it as its host.

    Rated only among bots. With a `key` the game is created once. Raises NotFound, Denied, Invalid, Conflict
    or LimitReached.
    """

    @transaction.atomic
    def create_and_invite() -> Game:
        """Create the game and reserve the bot's seat, if the bot takes one more."""
        profile = get_bot_profile_by_name(name)
        lock_player(profile.player)  # so that two challenges at once do not both take the last place
        check_allowed(
            permissions.find_challenge_refusal(
                profile, cards=cards, game_count=count_unfinished_games(profile.player)
            )
        )
        game = lobby.create_game(
            player=player,
            now=now,
            key=key,
            seat_count=2,
            cards=cards,
            time_control=time_control,
            private=True,
            rated=rated,
            bots_allowed=True,
        )
        invitations.reserve_seat(player, game.code, now, name=profile.player.name, already_counted=True)
        return game

    return lobby.make_game_once(player=player, key=key, make_game=create_and_invite)


def get_bot_profile_by_name(name: str) -> BotProfile:
    """Return the profile of a bot. Raises NotFound."""
    player = find_player_by_name(name)
    profile = list_bot_profiles().filter(player=player).first() if player else None
    if profile is None:
        raise Refusal.NO_SUCH_BOT.build_error()
    return profile


def count_unfinished_games(bot: Player) -> int:
    """Count the unfinished games of a bot and the open games that it is invited to."""
    seat_count = Seat.objects.filter(player=bot, game__status__in=UNFINISHED_STATUSES).count()
    open_invitations = Invitation.objects.open().filter(player=bot, game__status=Game.Status.OPEN)
    return seat_count + open_invitations.count()
