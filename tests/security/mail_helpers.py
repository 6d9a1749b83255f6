"""Helpers of tests of unwanted mail: invitations, the worker, and the mails sent."""

from __future__ import annotations

from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from django.core import mail as outgoing

from accounts.models import Player
from common.service_errors import LimitReached
from games.models import Invitation
from games.services import invitations, lobby
from notifications.channels.email import mail_sender
from notifications.services import notices
from tests.helpers.notice_helpers import parse_mail
from tournaments.models import Tournament
from tournaments.services import tournaments

DAY = timedelta(days=1)
VICTIM = "victim@example.net"


def create_invitation(host: Player, now: datetime, **whom: str) -> Invitation:
    """Create a game with an invitation, and cancel the game, which does not cancel the mail."""
    game = lobby.create_game(player=host, now=now, seat_count=2)
    try:
        return invitations.invite_to_game(player=host, code=game.code, now=now, **whom)
    finally:
        lobby.cancel_game_by_host(player=host, code=game.code, now=now)


def expect_limit(most: int, action_name: Any) -> LimitReached:
    """Check that an action succeeds this many times and then raises LimitReached."""
    for _time in range(most):
        action_name()
    with pytest.raises(LimitReached) as refused:
        action_name()
    assert refused.value.code == "too-many-mails"
    assert 0 < refused.value.retry_after <= DAY.total_seconds()
    return refused.value


def list_mails_to(address: str) -> list[EmailMessage]:
    return [parse_mail(message) for message in outgoing.outbox if message.to == [address]]  # type: ignore[arg-type]


def send_mails(now: datetime) -> None:
    """Fan out and send all due mails, as the worker does."""
    while notices.fan_out_notices(now=now):
        pass
    mail_sender.send_due_mails(now=now)


def publish_tournament(organiser: Player, now: datetime, **fields: Any) -> Tournament:
    tournament = tournaments.create_tournament(
        organiser=organiser, name="A cup", format="swiss", now=now, **fields
    )
    return tournaments.publish_tournament(by=organiser, code=tournament.code, now=now)
