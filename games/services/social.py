"""Notes, chat and reports."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import IntegrityError, connection, transaction
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.services import players
from common.refusals import check_allowed
from common.service_errors import Conflict, Invalid, NotFound
from games import permissions
from games.game_notice_kinds import GameNoticeKind
from games.models import Game, Message, Note, Report
from games.models.limits import MAX_MESSAGE_LENGTH, MAX_NOTE_LENGTH, MAX_REPORT_LENGTH
from games.permissions import PermissionContext
from notifications.services import notices

from . import wake_ups
from .turns import load_game_and_seat, load_visible_game

MESSAGE_LOCK_CLASS = 1  # of PostgreSQL's advisory locks: the messages of a game
MAX_MESSAGES_PER_PERIOD, MESSAGE_LIMIT_PERIOD = 30, timedelta(hours=1)  # per player and game


def clean_text(text: str, max_length: int) -> str:
    """Remove control characters. Raises Invalid if the text is too long."""
    cleaned_text = "".join(
        c for c in text if c == "\n" or (c.isprintable() and not 0xD800 <= ord(c) <= 0xDFFF)
    ).strip()
    if len(cleaned_text) > max_length:
        raise Invalid(
            _("too long: use at most %(longest)d characters") % {"longest": max_length}, field="text"
        )
    return cleaned_text


def write_note(*, player: Player, code: str, text: str, now: datetime) -> Note:
    """Save a player's note on a game they may see. Raises NotFound or Invalid."""
    loaded_game = load_visible_game(player, code)
    note, _created = Note.objects.update_or_create(
        game=loaded_game.game,
        player=player,
        defaults={"text": clean_text(text, MAX_NOTE_LENGTH), "updated_at": now},
    )
    return note


def post_chat_message(*, player: Player, code: str, text: str, now: datetime) -> Message:
    """Post a chat message as a seated player. Raises NotFound, Denied, Invalid or Conflict."""
    loaded_game, _seat = load_game_and_seat(player, code)
    game = loaded_game.game
    check_allowed(permissions.find_chat_refusal(PermissionContext(loaded_game, player)))
    cleaned_text = clean_text(text, MAX_MESSAGE_LENGTH)
    if not cleaned_text:
        raise Invalid(_("write a message first"), field="text")
    with transaction.atomic():
        players.lock_player(player)
        recent_count = Message.objects.filter(
            game=game, player=player, created_at__gt=now - MESSAGE_LIMIT_PERIOD
        ).count()
        if recent_count >= MAX_MESSAGES_PER_PERIOD:
            raise Conflict(_("you have sent many messages: wait a moment"), code="too-many-messages")
        serialize_messages(game)
        message = Message.objects.create(game=game, player=player, text=cleaned_text, created_at=now)
        reader_ids = [seat.player_id for seat in loaded_game.seats if seat.player_id != player.pk]
        notices.notify(
            {reader_id: None for reader_id in reader_ids if reader_id},
            topic=game.topic,
            kind=GameNoticeKind.CHAT,
            dedup_key=f"{code}:chat:{message.pk}",
            data={"game": code, "name": player.name},
            now=now,
        )
        wake_ups.wake_viewers_after_commit(game)
    return message


def serialize_messages(game: Game) -> None:
    """Let messages of a game commit in the order of their ids, so that a cursor by id misses none.

    A lock of its own: the row of the game is locked by moves, which no message should delay.
    """
    if connection.vendor == "postgresql":  # on SQLite the transaction holds the only write lock
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [MESSAGE_LOCK_CLASS, game.pk % 2**31])


def report_message(*, player: Player, code: str, message_id: int, reason: str, now: datetime) -> Report:
    """Report a message to the operators. Raises NotFound, Denied or Conflict."""
    loaded_game, _seat = load_game_and_seat(player, code)
    message = Message.objects.filter(pk=message_id, game=loaded_game.game).first()
    if message is None:
        raise NotFound(_("there is no such message"))
    check_allowed(permissions.find_report_refusal(PermissionContext(loaded_game, player), message))
    try:
        with transaction.atomic():
            return Report.objects.create(
                message=message, player=player, reason=clean_text(reason, MAX_REPORT_LENGTH), created_at=now
            )
    except IntegrityError:
        raise Conflict(_("you have already reported this message"), code="already-reported") from None
