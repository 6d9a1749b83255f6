"""Helpers for tests of tournament mails: the worker, sent mails, preferences of players."""

from __future__ import annotations

from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Any

from django.core import mail as outgoing

from accounts.models import Player
from notifications.channels.email import mail_sender
from notifications.models import Delivery
from notifications.services import notices
from tests.factories.events import NOW, get_player
from tests.helpers.notice_helpers import get_part, parse_mail

MINUTE = timedelta(minutes=1)
TWO_MINUTES_LATER = NOW + 2 * MINUTE


def send_mails(now: datetime = TWO_MINUTES_LATER) -> None:
    """Run the mail worker twice: the second run must send nothing again."""
    for _round in range(2):
        while notices.fan_out_notices(now=now):
            pass
        mail_sender.send_due_mails(now=now)


def list_sent(name: str) -> list[tuple[str, str]]:
    """List kind and subject of a player's mails, in order."""
    kinds_of = {
        row.message_id: row.kind
        for row in Delivery.objects.filter(player=get_player(name), status="sent", webhook=None)
    }
    return [
        (kinds_of[message.extra_headers["Message-ID"]], message.subject)
        for message in outgoing.outbox
        if message.to == [get_player(name).email]
    ]


def list_sent_kinds(name: str) -> list[str]:
    return [kind for kind, _subject in list_sent(name)]


def get_last_mail(name: str) -> EmailMessage:
    """Return the last mail to a player, parsed."""
    return parse_mail([message for message in outgoing.outbox if message.to == [get_player(name).email]][-1])  # type: ignore[arg-type]


def get_last_body(name: str) -> str:
    return " ".join(get_part(get_last_mail(name), "plain").split())


def set_wishes(name: str, **fields: Any) -> Player:
    player_row = get_player(name)
    Player.objects.filter(pk=player_row.pk).update(**fields)
    player_row.refresh_from_db()
    return player_row


def mail_only_to(*names: str) -> None:
    """Turn off mails to all other players, so that a test composes only the mails it reads."""
    Player.objects.exclude(name__in=names).update(mail_frequency="none")


def map_drop_reasons(name: str) -> dict[str, str]:
    deliveries = Delivery.objects.filter(player=get_player(name), status="dropped")
    return dict(deliveries.values_list("kind", "status_reason"))


def list_entrants_at(table: Any) -> list[Any]:
    """List the players of a pairing of single entrants."""
    return [pairing_seat.entrant.entrant_players.get() for pairing_seat in table.pairing_seats.all()]
