"""Notes, chat and reports."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from games.models import Event, Message, Note, Player, Report
from games.models.limits import MAX_MESSAGE_LENGTH, MAX_NOTE_LENGTH, MAX_REPORT_LENGTH
from games.selectors.tables import has_company

from . import limits
from .errors import Conflict, Denied, Invalid, NotFound
from .turns import seated, visible

MOST_MESSAGES, PERIOD = 30, timedelta(hours=1)  # of one player in one game


def clean(text: str, longest: int) -> str:
    """A text without control characters. Raises Invalid if it is too long."""
    kept = "".join(
        c for c in text if c == "\n" or (c.isprintable() and not 0xD800 <= ord(c) <= 0xDFFF)
    ).strip()
    if len(kept) > longest:
        raise Invalid(_("this is longer than %(longest)d characters") % {"longest": longest})
    return kept


def write_note(*, player: Player, code: str, text: str, now: datetime) -> Note:
    """Keep a player's own notes on a game they may see. Raises NotFound or Invalid."""
    found = visible(player, code)
    note, _made = Note.objects.update_or_create(
        game=found.game, player=player, defaults={"text": clean(text, MAX_NOTE_LENGTH), "at": now}
    )
    return note


def say(*, player: Player, code: str, text: str, now: datetime) -> Message:
    """A line of chat, from somebody at the table. Raises NotFound, Denied, Invalid or Conflict."""
    found, _place = seated(player, code)
    game = found.game
    if not game.chat:
        raise Denied(_("there is no chat in this game"), code="no-chat")
    if not has_company(found, player):
        raise Conflict(_("only bots play with you: nobody would read it"), code="only-bots")
    words = clean(text, MAX_MESSAGE_LENGTH)
    if not words:
        raise Invalid(_("say something"))
    with transaction.atomic():
        limits.hold(player)
        recent = Message.objects.filter(game=game, player=player, at__gt=now - PERIOD).count()
        if recent >= MOST_MESSAGES:
            raise Conflict(_("that is a lot of messages: wait a little"), code="too-many-messages")
        message = Message.objects.create(game=game, player=player, text=words, at=now)
        Event.objects.bulk_create(
            [
                Event(
                    player_id=place.player_id,
                    game=game,
                    kind="chat",
                    reason=f"{code}:chat:{message.pk}",
                    data={"game": code, "name": player.name},
                    at=now,
                )
                for place in found.places
                if place.player_id and place.player_id != player.pk
            ]
        )
    return message


def report(*, player: Player, code: str, message_id: int, why: str, now: datetime) -> Report:
    """Tell the operator of a message. Raises NotFound, Denied or Conflict."""
    found, _place = seated(player, code)
    message = Message.objects.filter(pk=message_id, game=found.game).first()
    if message is None:
        raise NotFound(_("there is no such message"))
    if message.player_id == player.pk:
        raise Denied(_("this is your own message"), code="own-message")
    try:
        with transaction.atomic():
            return Report.objects.create(
                message=message, player=player, why=clean(why, MAX_REPORT_LENGTH), at=now
            )
    except IntegrityError:
        raise Conflict(_("you have reported this message already"), code="already-reported") from None
