"""Celery tasks: ids in, one service called. What they do is safe to do twice."""

from __future__ import annotations

import logging

from celery import shared_task
from django.utils import timezone
from kombu.exceptions import OperationalError

from games.mail import deliver, invitations, webhooks
from games.models import Game
from games.services import bots, guests, lobby, notices, presence, sweep

log = logging.getLogger(__name__)


@shared_task(name="bots.answer", acks_late=True, time_limit=120)
def bots_answer(code: str) -> None:
    """The bots of a game act."""
    bots.answer(code=code, now=timezone.now())


@shared_task(name="bots.sweep", acks_late=True, time_limit=120)
def bots_sweep() -> None:
    """Bots whose worker was lost act all the same."""
    for code in bots.waiting(now=timezone.now()):
        bots.answer(code=code, now=timezone.now())


@shared_task(name="turns.sweep", acks_late=True, time_limit=300)
def turns_sweep() -> None:
    """Timeouts, answers that need nobody, tie-breaks: what time demands of games."""
    sweep.sweep(now=timezone.now())


@shared_task(name="lobby.expire", acks_late=True, time_limit=120)
def lobby_expire() -> None:
    """Open games whose time has come are given up."""
    lobby.expire(now=timezone.now())


@shared_task(name="lobby.guests", acks_late=True, time_limit=120)
def lobby_guests() -> None:
    """Guests who stayed away too long are forgotten, and sessions that have run out."""
    guests.prune(now=timezone.now())
    presence.forget_sessions(now=timezone.now())


@shared_task(name="mail.deliver", acks_late=True, time_limit=300)
def mail_deliver() -> None:
    """Events become mails and calls, and mails go out; invitations, too."""
    now = timezone.now()
    for _round in range(notices.ROUNDS):
        if not notices.spread(now=now):
            break
    deliver.send_due(now=timezone.now())
    invitations.send_due(now=timezone.now())


@shared_task(name="mail.webhooks", acks_late=True, time_limit=120)
def mail_webhooks() -> None:
    """Webhooks are called, round after round while there are any that are due."""
    for _round in range(webhooks.ROUNDS):
        if not webhooks.send_due(now=timezone.now()):
            break


def nudge(game: Game) -> None:
    """Wake a worker if a bot is to act."""
    if game.bot_turn:
        nudge_code(game.code)


def nudge_code(code: str) -> None:
    """Wake a worker for a game; without a broker the sweep finds it."""
    try:
        bots_answer.apply_async((code,), retry=False)
    except (OperationalError, OSError):
        log.warning("no broker: the sweep will find the bots of %s", code, exc_info=True)
