"""Changes of a player's games when the account is removed, and when a guest gets one."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial

from django.db.models import Q

from accounts.models import Player
from common.service_errors import ServiceError
from games.engine import ActionError
from games.models import Game, Invitation, Note, Seat
from games.models.games import GAME_TOPIC
from notifications.services import player_notices

from . import clocks, lobby, turns

MAX_RESIGN_ATTEMPTS = 5  # when the game moves on concurrently
RESIGNED_GAMES_PER_BATCH = 20


def leave_games(*, player: Player, now: datetime, after_id: int) -> int | None:
    """Leave open games, cancel the player's own open games, and resign from the next running ones.

    Each in its own transaction. Returns the last game's id if there may be more, None if all are left.
    """
    open_games = Game.objects.open()
    for code in open_games.filter(seats__player=player).values_list("code", flat=True):
        with suppress(ServiceError):  # it started or was cancelled meanwhile
            lobby.leave_game(player=player, code=code, now=now)
    for code in open_games.filter(creator=player).values_list("code", flat=True):
        with suppress(ServiceError):
            lobby.cancel_game_by_host(player=player, code=code, now=now)
    running_games = Game.objects.in_play().filter(pk__gt=after_id, seats__player=player).order_by("pk")
    game_rows = list(running_games.values_list("pk", "code")[:RESIGNED_GAMES_PER_BATCH])
    for _pk, code in game_rows:
        for _attempt in range(MAX_RESIGN_ATTEMPTS):
            try:
                turns.play_action(player=player, code=code, text="resign", seq=None, key="", now=now)
                break
            except (ServiceError, ActionError):
                continue  # the game moved on; if it is over, retrying changes nothing
    return game_rows[-1][0] if len(game_rows) == RESIGNED_GAMES_PER_BATCH else None


def lock_games_of(players: Sequence[Player]) -> None:
    """Lock the games that players created and, of guests, those with a seat of theirs.

    Games before players, the lock order of a move; otherwise the two could deadlock.
    """
    guests = [player for player in players if player.is_guest]  # their seats may go to an account
    games = Game.objects.filter(Q(creator__in=players) | Q(seats__player__in=guests))
    list(Game.objects.select_for_update().filter(pk__in=games.values("pk")).order_by("pk"))


def erase_player_from_games(player: Player) -> None:
    """Delete invitations to a player's address, and replace their name in notices about games to others."""
    games = Game.objects.filter(Q(seats__player=player) | Q(creator=player) | Q(invitations__inviter=player))
    games_invited_to = Game.objects.filter(invitations__player=player)
    about_their_games = Q(topic__in=games.values_list(GAME_TOPIC)) | Q(
        topic__in=games_invited_to.values_list(GAME_TOPIC)
    )
    player_notices.anonymise_name(player, about=about_their_games)
    Invitation.objects.filter(email=player.email).delete()


def merge_guest(*, guest: Player, player: Player, now: datetime) -> None:
    """Give an account the games of a guest. Running ones continue.

    No time is given or taken where the calendars of guest and account differ.
    """
    clocks.change_player_of_games(player=guest, now=now, change=partial(give_games_to_account, guest, player))


def give_games_to_account(guest: Player, player: Player) -> None:
    """Give an account the seats, games, notes and notices of a guest; the caller holds the guest's games."""
    Seat.objects.filter(player=guest).update(player=player)
    Game.objects.filter(creator=guest).update(creator=player)
    for note in Note.objects.filter(player=guest):
        account_note, is_new = Note.objects.get_or_create(
            game_id=note.game_id, player=player, defaults={"text": note.text, "updated_at": note.updated_at}
        )
        if not is_new:  # both have notes on a game that they watched
            account_note.text = f"{account_note.text}\n\n{note.text}".strip()
            account_note.save(update_fields=["text"])
    playing_games = Game.objects.in_play().filter(seats__player=player)
    is_current = Q(topic__in=playing_games.values_list(GAME_TOPIC)) | Q(notify_at__isnull=False)
    player_notices.copy_feed_entries(guest, player, is_current & ~Q(topic=""))
