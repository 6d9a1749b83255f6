"""Celery tasks: ids in, one service call each. All are safe to run twice."""

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

from games.mail import invitation_mails, mail_sender, webhook_sender
from games.models import Game
from games.selectors.clocks import MAX_CLOCK_SKEW, measure_clock_skew
from games.services import (
    bots,
    counters,
    guests,
    lobby,
    names,
    notices,
    player_sweep,
    presence,
    retention,
    sweep,
)
from games.services.budget import Budget

log = logging.getLogger(__name__)
# A run ends when its budget is used up. One that takes longer hangs, and its process is replaced.
TASK_TIME_LIMIT_SECONDS = 120
DEFERRED_WAKE_UPS: ContextVar[list[str] | None] = ContextVar("deferred_wake_ups", default=None)
FAN_OUT_BUDGET_SECONDS, INVITATION_BUDGET_SECONDS = 5.0, 5.0  # per run, for notices and for invitations
MAIL_TASK_TIME_LIMIT_SECONDS = 300  # the last mail or call of a run may wait for a slow server


def is_clock_accurate() -> bool:
    """Whether this machine's clock agrees with the database's; a wrong one would cost players their time."""
    skew = measure_clock_skew(timezone.now())
    if skew > MAX_CLOCK_SKEW:
        log.error("this clock and the database's differ by %s: tasks do nothing on this machine", skew)
    return skew <= MAX_CLOCK_SKEW


def periodic_task(
    name: str, time_limit: int = TASK_TIME_LIMIT_SECONDS
) -> Callable[[Callable[[Budget], Counter[str] | None]], Any]:
    """Decorator for a periodic task, which beat schedules.

    Each run:
    1. does nothing if this machine's clock is wrong;
    2. works within a time budget;
    3. counts the run, its duration and what was done;
    4. requests the next run at once if work is left, queued behind other tasks.
    """

    def decorate(work: Callable[[Budget], Counter[str] | None]) -> Any:
        @wraps(work)
        def run_and_count() -> None:
            if not is_clock_accurate():
                return
            budget, started = Budget(), time.monotonic()
            counts = work(budget) or Counter()
            now, seconds = timezone.now(), time.monotonic() - started
            counters.increment_counter(name=name, now=now, seconds=seconds)
            for outcome, count in counts.items():
                counters.increment_counter(name=f"{name}:{outcome}", now=now, count=count)
            if budget.work_left:
                request_next_run(task)

        task = shared_task(name=name, acks_late=True, time_limit=time_limit)(run_and_count)
        return task

    return decorate


def request_next_run(task: Any) -> None:
    """Request the next run of a task; without a broker, beat does so once the broker is back."""
    try:
        # Beat sends the task at its own pace, too; without an expiry, unclaimed runs would pile up.
        task.apply_async(retry=False, expires=max(settings.SWEEP_EVERY, 1.0))
    except (OperationalError, OSError):
        log.warning("no broker: %s continues at its next scheduled run", task.name, exc_info=True)


@shared_task(name="bots.answer", acks_late=True, time_limit=120)
def play_bots(code: str) -> None:
    """Play the turns of a game's bots; with a wrong clock, another machine's sweep does."""
    # If a bot is still to act, continue in a new task, behind those of other games.
    if (
        is_clock_accurate()
        and bots.play_bot_turns(code=code, now=timezone.now()) >= bots.MAX_BOT_ACTIONS_PER_RUN
    ):
        wake_bots(code)


@periodic_task("bots.sweep")
def sweep_bots(budget: Budget) -> None:
    """Play for bots whose task was lost."""
    bots.play_waiting_bot_turns(now=timezone.now(), budget=budget)


@periodic_task("turns.sweep")
def sweep_due_games(budget: Budget) -> Counter[str]:
    """Process games that are due: timeouts, automatic answers, tie-breaks."""
    return sweep.sweep_games(now=timezone.now(), budget=budget)


@periodic_task("turns.players")
def sweep_player_tasks(budget: Budget) -> Counter[str]:
    """Continue player tasks: recompute deadlines in, or leave, all games of a player."""
    return player_sweep.sweep_player_tasks(now=timezone.now(), budget=budget)


@periodic_task("lobby.expire")
def expire_open_games(budget: Budget) -> None:
    """Cancel open games that have expired."""
    lobby.expire_open_games(now=timezone.now(), budget=budget)


@periodic_task("lobby.guests")
def prune_guests(budget: Budget) -> None:
    """Delete guests who stayed away too long, and expired sessions."""
    guests.remove_stale_guests(now=timezone.now(), budget=budget)
    presence.delete_expired_sessions(now=timezone.now())


@periodic_task("mail.deliver", time_limit=MAIL_TASK_TIME_LIMIT_SECONDS)
def deliver_mail(budget: Budget) -> None:
    """Send notices and invitations.

    1. Turn due feed entries into deliveries.
    2. Send due mails.
    3. Repeat while there is work and time.
    4. Send due invitations, with a budget of their own.
    """
    # Repeat while mails wait: else beat's interval, not the number of workers, would limit throughput.
    while True:
        fan_out_budget = budget.share(FAN_OUT_BUDGET_SECONDS)
        notices.fan_out_all_notices(now=timezone.now(), budget=fan_out_budget)
        sent = mail_sender.send_due_mails(now=timezone.now(), budget=budget)
        if not (sent or fan_out_budget.work_left) or not budget.allows_more():
            break
    # With a budget of their own, so that other mails cannot starve them.
    invitation_mails.send_due_invitations(now=timezone.now(), budget=Budget(INVITATION_BUDGET_SECONDS))


@periodic_task("mail.webhooks")
def call_webhooks(budget: Budget) -> None:
    """Call due webhooks, in rounds while any are due and there is time."""
    # Webhooks do not wait until the mails are due.
    notices.fan_out_webhook_calls(now=timezone.now(), budget=budget.share(FAN_OUT_BUDGET_SECONDS))
    while webhook_sender.send_due_webhooks(now=timezone.now()):
        if not budget.allows_more():
            break


@periodic_task("mail.clear")
def clear_expired_data(budget: Budget) -> Counter[str]:
    """Fill in missing name skeletons, then delete data past its retention time."""
    names.assign_missing_skeletons(now=timezone.now())
    return retention.delete_expired_rows(now=timezone.now(), budget=budget)


@contextmanager
def defer_wake_ups() -> Iterator[None]:
    """Defer the wake-ups of this block to its end, after the commit; an exception discards them."""
    codes: list[str] = []
    token = DEFERRED_WAKE_UPS.set(codes)
    try:
        yield
    finally:
        DEFERRED_WAKE_UPS.reset(token)
    for code in codes:
        wake_bots(code)


def wake_bots_if_to_act(game: Game) -> None:
    """Wake a worker if a bot is to act."""
    if game.bot_turn:
        wake_bots(game.code)


def wake_bots(code: str) -> None:
    """Wake a worker for a game's bots; without a broker, the bot sweep finds the game."""
    deferred_codes = DEFERRED_WAKE_UPS.get()
    if deferred_codes is not None:
        deferred_codes.append(code)
        return
    try:
        play_bots.apply_async((code,), retry=False)
    except (OperationalError, OSError):
        log.warning("no broker: the sweep will find the bots of %s", code, exc_info=True)
