"""Celery tasks: ids in, one service called. What they do is safe to do twice."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable
from functools import wraps
from typing import Any

from celery import shared_task
from django.utils import timezone
from kombu.exceptions import OperationalError

from games.mail import deliver, invitations, webhooks
from games.models import Game
from games.selectors.clocks import ASTRAY, astray
from games.services import bots, clearing, guests, lobby, names, notices, presence, sweep, tallies

log = logging.getLogger(__name__)


def on_time() -> bool:
    """Whether this machine's clock is right; one that is wrong would take everybody's time away."""
    off = astray(timezone.now())
    if off > ASTRAY:
        log.error("this clock and the database's differ by %s: nothing is done here", off)
    return off <= ASTRAY


def chore(name: str, time_limit: int) -> Callable[[Callable[[], Counter[str] | None]], Any]:
    """A task that beat asks for again and again: how often, how long and what was done is counted.

    Nothing is done where the clock is wrong.
    """

    def made(work: Callable[[], Counter[str] | None]) -> Any:
        @wraps(work)
        def counted() -> None:
            if not on_time():
                return
            began = time.monotonic()
            done = work() or Counter()
            now, seconds = timezone.now(), time.monotonic() - began
            tallies.add(name=name, now=now, seconds=seconds)
            for what, count in done.items():
                tallies.add(name=f"{name}:{what}", now=now, count=count)

        return shared_task(name=name, acks_late=True, time_limit=time_limit)(counted)

    return made


@shared_task(name="bots.answer", acks_late=True, time_limit=120)
def bots_answer(code: str) -> None:
    """The bots of a game act; where the clock is wrong, a sweep of another machine finds them."""
    if on_time():
        bots.answer(code=code, now=timezone.now())


@chore("bots.sweep", time_limit=120)
def bots_sweep() -> None:
    """Bots whose worker was lost act all the same."""
    for code in bots.waiting(now=timezone.now()):
        bots.answer(code=code, now=timezone.now())


@chore("turns.sweep", time_limit=300)
def turns_sweep() -> Counter[str]:
    """Timeouts, answers that need nobody, tie-breaks: what time demands of games."""
    return sweep.sweep(now=timezone.now())


@chore("lobby.expire", time_limit=120)
def lobby_expire() -> None:
    """Open games whose time has come are given up."""
    lobby.expire(now=timezone.now())


@chore("lobby.guests", time_limit=120)
def lobby_guests() -> None:
    """Guests who stayed away too long are forgotten, and sessions that have run out."""
    guests.prune(now=timezone.now())
    presence.forget_sessions(now=timezone.now())


@chore("mail.deliver", time_limit=300)
def mail_deliver() -> None:
    """Events become mails and calls, and mails go out; invitations, too."""
    began = time.monotonic()
    while True:
        for _round in range(notices.ROUNDS):
            if not notices.spread(now=timezone.now()):
                break
        sent = deliver.send_due(now=timezone.now())
        # On and on while mails wait: else the beat, and not the number of workers, would say how many go out.
        if not sent or time.monotonic() - began > deliver.PATIENCE:
            break
    invitations.send_due(now=timezone.now())


@chore("mail.webhooks", time_limit=120)
def mail_webhooks() -> None:
    """Webhooks are called, round after round while there are any that are due."""
    for _round in range(webhooks.ROUNDS):
        if not webhooks.send_due(now=timezone.now()):
            break


@chore("mail.clear", time_limit=1800)
def mail_clear() -> Counter[str]:
    """What nobody needs any more goes; names that look like no other get their skeleton."""
    names.settle_skeletons(now=timezone.now())
    return clearing.clear(now=timezone.now())


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
