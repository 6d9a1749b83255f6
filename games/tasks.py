"""Celery tasks: ids in, one service called. What they do is safe to do twice."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any

from celery import shared_task
from django.conf import settings
from django.utils import timezone
from kombu.exceptions import OperationalError

from games.mail import deliver, invitations, webhooks
from games.models import Game
from games.selectors.clocks import ASTRAY, astray
from games.services import (
    bots,
    clearing,
    guests,
    lobby,
    names,
    notices,
    player_sweep,
    presence,
    sweep,
    tallies,
)
from games.services.budget import Budget

log = logging.getLogger(__name__)
# A run ends by itself when its budget is used up. Whoever takes longer hangs, and its process is replaced.
TIME_LIMIT = 120
HELD_BACK: ContextVar[list[str] | None] = ContextVar("games whose wake-ups wait for a commit", default=None)
SPREAD_SECONDS, INVITATION_SECONDS = 5.0, 5.0  # for events that become mails, and for invitations
MAIL_TIME_LIMIT = 300  # the last mail or call of a run may wait for each answer of somebody's server


def on_time() -> bool:
    """Whether this machine's clock is right; one that is wrong would take everybody's time away."""
    off = astray(timezone.now())
    if off > ASTRAY:
        log.error("this clock and the database's differ by %s: nothing is done here", off)
    return off <= ASTRAY


def chore(
    name: str, time_limit: int = TIME_LIMIT
) -> Callable[[Callable[[Budget], Counter[str] | None]], Any]:
    """A task that beat asks for again and again: how often, how long and what was done is counted.

    Each run has a budget of time. One that leaves work asks for the next one at once, behind whatever else
    waits for a worker. Nothing is done where the clock is wrong.
    """

    def made(work: Callable[[Budget], Counter[str] | None]) -> Any:
        @wraps(work)
        def counted() -> None:
            if not on_time():
                return
            budget, began = Budget(), time.monotonic()
            done = work(budget) or Counter()
            now, seconds = timezone.now(), time.monotonic() - began
            tallies.add(name=name, now=now, seconds=seconds)
            for what, count in done.items():
                tallies.add(name=f"{name}:{what}", now=now, count=count)
            if budget.work_left:
                run_again(task)

        task = shared_task(name=name, acks_late=True, time_limit=time_limit)(counted)
        return task

    return made


def run_again(task: Any) -> None:
    """Ask for the next run of a sweep; without a broker beat does, when there is one again."""
    try:
        # Beat asks at its own pace, too: what nobody takes by then would only pile up.
        task.apply_async(retry=False, expires=max(settings.SWEEP_EVERY, 1.0))
    except (OperationalError, OSError):
        log.warning("no broker: %s goes on when beat asks", task.name, exc_info=True)


@shared_task(name="bots.answer", acks_late=True, time_limit=120)
def bots_answer(code: str) -> None:
    """The bots of a game act; where the clock is wrong, a sweep of another machine finds them."""
    # A bot that is to act still goes on behind the games of others.
    if on_time() and bots.answer(code=code, now=timezone.now()) >= bots.MAX_ACTIONS_AT_ONCE:
        nudge_code(code)


@chore("bots.sweep")
def bots_sweep(budget: Budget) -> None:
    """Bots whose worker was lost act all the same."""
    bots.answer_waiting(now=timezone.now(), budget=budget)


@chore("turns.sweep")
def turns_sweep(budget: Budget) -> Counter[str]:
    """Timeouts, answers that need nobody, tie-breaks: what time demands of games."""
    return sweep.sweep(now=timezone.now(), budget=budget)


@chore("turns.players")
def turns_players(budget: Budget) -> Counter[str]:
    """What a request left to be done in all games of a player: deadlines anew, or leaving them."""
    return player_sweep.sweep(now=timezone.now(), budget=budget)


@chore("lobby.expire")
def lobby_expire(budget: Budget) -> None:
    """Open games whose time has come are given up."""
    lobby.expire(now=timezone.now(), budget=budget)


@chore("lobby.guests")
def lobby_guests(budget: Budget) -> None:
    """Guests who stayed away too long are forgotten, and sessions that have run out."""
    guests.prune(now=timezone.now(), budget=budget)
    presence.forget_sessions(now=timezone.now())


@chore("mail.deliver", time_limit=MAIL_TIME_LIMIT)
def mail_deliver(budget: Budget) -> None:
    """Events become mails and calls, and mails go out; invitations, too."""
    # On and on while mails wait: else the beat, and not the number of workers, would say how many go out.
    while True:
        spreading = budget.share(SPREAD_SECONDS)
        notices.spread_all(now=timezone.now(), budget=spreading)
        sent = deliver.send_due(now=timezone.now(), budget=budget)
        if not (sent or spreading.work_left) or not budget.allows_more():
            break
    # Their turn comes however many other mails wait.
    invitations.send_due(now=timezone.now(), budget=Budget(INVITATION_SECONDS))


@chore("mail.webhooks")
def mail_webhooks(budget: Budget) -> None:
    """Webhooks are called, round after round while there are any that are due."""
    # Programs do not wait until mails are due.
    notices.spread_calls(now=timezone.now(), budget=budget.share(SPREAD_SECONDS))
    while webhooks.send_due(now=timezone.now()):
        if not budget.allows_more():
            break


@chore("mail.clear")
def mail_clear(budget: Budget) -> Counter[str]:
    """What nobody needs any more goes; names that look like no other get their skeleton."""
    names.settle_skeletons(now=timezone.now())
    return clearing.clear(now=timezone.now(), budget=budget)


@contextmanager
def wake_ups_held_back() -> Iterator[None]:
    """Wake nobody before the end of this block, which is behind the commit; and nobody if it fails."""
    codes: list[str] = []
    token = HELD_BACK.set(codes)
    try:
        yield
    finally:
        HELD_BACK.reset(token)
    for code in codes:
        nudge_code(code)


def nudge(game: Game) -> None:
    """Wake a worker if a bot is to act."""
    if game.bot_turn:
        nudge_code(game.code)


def nudge_code(code: str) -> None:
    """Wake a worker for a game; without a broker the sweep finds it."""
    held_back = HELD_BACK.get()
    if held_back is not None:
        held_back.append(code)
        return
    try:
        bots_answer.apply_async((code,), retry=False)
    except (OperationalError, OSError):
        log.warning("no broker: the sweep will find the bots of %s", code, exc_info=True)
