"""What tests of unwanted mail share: who asks whom, the worker, and what was sent."""

from __future__ import annotations

from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from django.core import mail as outgoing

from games.mail import mail_sender
from games.models import Invitation, Player
from games.services import invitations, lobby, notices
from games.services.errors import LimitReached
from tests.games.telling import read
from tournaments.models import Tournament
from tournaments.services import tournaments

DAY = timedelta(days=1)
VICTIM = "victim@example.net"


def inviting(host: Player, now: datetime, **whom: str) -> Invitation:
    """A new game, and an invitation to it; the game is given up again, which takes no mail back."""
    game = lobby.create_game(player=host, now=now, seats=2)
    try:
        return invitations.invite_to_game(player=host, code=game.code, now=now, **whom)
    finally:
        lobby.cancel_game_by_host(player=host, code=game.code, now=now)


def refused_after(most: int, deed: Any) -> LimitReached:
    """A deed can be done so many times, and not once more."""
    for _time in range(most):
        deed()
    with pytest.raises(LimitReached) as refused:
        deed()
    assert refused.value.code == "too-many-mails"
    assert 0 < refused.value.retry_after <= DAY.total_seconds()
    return refused.value


def mails_to(address: str) -> list[EmailMessage]:
    return [read(one) for one in outgoing.outbox if one.to == [address]]  # type: ignore[arg-type]


def send(now: datetime) -> None:
    """What the worker does."""
    while notices.fan_out_notices(now=now):
        pass
    mail_sender.send_due_mails(now=now)


def cup(organiser: Player, now: datetime, **fields: Any) -> Tournament:
    made = tournaments.create_tournament(organiser=organiser, name="A cup", format="swiss", now=now, **fields)
    return tournaments.publish_tournament(by=organiser, code=made.code, now=now)
