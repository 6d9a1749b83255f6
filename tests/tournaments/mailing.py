"""What tests of a tournament's mails share: the worker, what was sent, what players want."""

from __future__ import annotations

from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Any

from django.core import mail as outgoing

from games.mail import mail_sender
from games.models import Delivery, Player
from games.services import notices
from tests.games.telling import part, read

from .play import NOW, someone

MINUTE = timedelta(minutes=1)
SOON = NOW + 2 * MINUTE


def send(now: datetime = SOON) -> None:
    """What the worker does, twice: whatever runs twice sends once."""
    for _round in range(2):
        while notices.fan_out_notices(now=now):
            pass
        mail_sender.send_due_mails(now=now)


def sent(name: str) -> list[tuple[str, str]]:
    """What a player got, in order: kind and subject."""
    kinds_of = {
        row.message_id: row.kind
        for row in Delivery.objects.filter(player=someone(name), status="sent", webhook=None)
    }
    return [
        (kinds_of[one.extra_headers["Message-ID"]], one.subject)
        for one in outgoing.outbox
        if one.to == [someone(name).email]
    ]


def kinds_sent(name: str) -> list[str]:
    return [kind for kind, _subject in sent(name)]


def last(name: str) -> EmailMessage:
    """The last mail to a player, as it is read."""
    return read([one for one in outgoing.outbox if one.to == [someone(name).email]][-1])  # type: ignore[arg-type]


def body(name: str) -> str:
    return " ".join(part(last(name), "plain").split())


def wish(name: str, **fields: Any) -> Player:
    found = someone(name)
    Player.objects.filter(pk=found.pk).update(**fields)
    found.refresh_from_db()
    return found


def only(*names: str) -> None:
    """Nobody else gets mails: what a test does not read need not be made."""
    Player.objects.exclude(name__in=names).update(mails="none")


def dropped(name: str) -> dict[str, str]:
    found = Delivery.objects.filter(player=someone(name), status="dropped")
    return dict(found.values_list("kind", "why"))


def entrants_at(table: Any) -> list[Any]:
    """Who plays at a table, each alone."""
    return [one.entrant.members.get() for one in table.sittings.all()]
