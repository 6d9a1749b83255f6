"""Celery tasks: ids in, one service call each. All are safe to run twice."""

from __future__ import annotations

from collections import Counter

from celery import shared_task
from django.utils import timezone

from accounts.services import guests, names, player_sweep, presence, retention
from common.budget import Budget
from common.clock_skew import is_clock_accurate
from common.periodic_tasks import periodic_task
from games.services import bots, lobby, sweep, wake_ups
from notifications.channels.email import mail_sender
from notifications.channels.push import push_sender
from notifications.channels.webhook import webhook_sender
from notifications.services import notices

FAN_OUT_BUDGET_SECONDS = 5.0  # per run
MAIL_TASK_TIME_LIMIT_SECONDS = 300  # the last mail or call of a run may wait for a slow server


@shared_task(name="bots.answer", acks_late=True, time_limit=120)
def play_bots(code: str) -> None:
    """Play the turns of a game's bots; with a wrong clock, another machine's sweep does."""
    # If a bot is still to act, continue in a new task, behind those of other games.
    if (
        is_clock_accurate()
        and bots.play_bot_turns(code=code, now=timezone.now()) >= bots.MAX_BOT_ACTIONS_PER_RUN
    ):
        wake_ups.wake_bots(code)


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
    """Send notices and invitations by mail.

    1. Turn due feed entries into deliveries.
    2. Send due mails.
    3. Repeat while there is work and time.
    """
    # Repeat while mails wait: else beat's interval, not the number of workers, would limit throughput.
    while True:
        fan_out_budget = budget.share(FAN_OUT_BUDGET_SECONDS)
        notices.fan_out_all_notices(now=timezone.now(), budget=fan_out_budget)
        sent = mail_sender.send_due_mails(now=timezone.now(), budget=budget)
        if not (sent or fan_out_budget.work_left) or not budget.allows_more():
            break


@periodic_task("mail.webhooks")
def call_webhooks(budget: Budget) -> None:
    """Call due webhooks while any are due and there is time."""
    # Immediate webhooks do not wait until the mails are due.
    notices.fan_out_webhook_calls(now=timezone.now(), budget=budget.share(FAN_OUT_BUDGET_SECONDS))
    while webhook_sender.send_due_webhooks(now=timezone.now(), budget=budget):
        if not budget.allows_more():
            break


@periodic_task("mail.push")
def send_pushes(budget: Budget) -> None:
    """Send due push messages, in rounds while any are due and there is time."""
    while push_sender.send_due_pushes(now=timezone.now()):
        if not budget.allows_more():
            break


@periodic_task("mail.clear")
def clear_expired_data(budget: Budget) -> Counter[str]:
    """Fill in missing name skeletons, then delete data past its retention time."""
    names.assign_missing_skeletons(now=timezone.now())
    return retention.delete_expired_rows(now=timezone.now(), budget=budget)
