"""Mails are sent through a real mail server: once, in time, and with every reply of that server."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.conf import LazySettings
from django.db import connection
from django.utils import timezone

from accounts.models import Player
from games import tasks
from games.models import Game, Seat
from games.services import seat_settings
from notifications.channels.email import mail_sender
from notifications.models import Delivery, FeedEntry
from notifications.services import notices, outbox
from tests.factories.cast import NOW, player, start_cast_game
from tests.helpers.notice_helpers import (
    DAY,
    HOUR,
    MINUTE,
    ONE_MINUTE_LATER,
    fan_out,
    get_seat_clock,
    play_turn,
    set_wishes,
    start_table,
)
from tests.smtp import Sink

pytestmark = pytest.mark.django_db


@pytest.fixture
def sink(settings: LazySettings) -> Iterator[Sink]:
    """Start a mail server and configure the site to use it."""
    with Sink() as started:
        for name, value in started.settings().items():
            setattr(settings, name, value)
        settings.REPLY_DOMAIN = "play.example.org"
        settings.DEFAULT_FROM_EMAIL = "OTTO online <otto@example.org>"
        yield started


def send_mails(now: Any = ONE_MINUTE_LATER, **limit: int) -> int:
    return mail_sender.send_due_mails(now=now, **limit)


def get_mail(who: Player, kind: str = "turn") -> Delivery:
    return Delivery.objects.get(player=who, kind=kind, webhook=None)


def create_test_mails(*names: str) -> list[Delivery]:
    """Create a test mail, which needs no game, for each of these players."""
    return [notices.create_test_mail(player=player(name), now=NOW) for name in names]


# --------------------------------------------------------------------------------------------------- sending


def test_a_mail_goes_out_once_and_its_row_says_when_and_where(sink: Sink) -> None:
    _, first, _ = start_table()
    fan_out()
    assert send_mails() == 2
    assert send_mails() == 0
    (mail,) = [mail for mail in sink.mails if mail.recipients == [first.email]]
    row = get_mail(first)
    assert (row.status, row.status_reason, row.next_attempt_at, row.sent_at, row.attempts) == (
        "sent",
        "",
        None,
        ONE_MINUTE_LATER,
        1,
    )
    assert (row.address, row.message_id) == (first.email, mail.message["Message-ID"])
    assert mail.sender.startswith(f"bounce-{row.pk}-")
    assert mail.sender.endswith("@play.example.org")
    assert mail.message["From"] == "OTTO online <otto@example.org>"
    first.refresh_from_db()
    assert first.last_turn_mail_at == ONE_MINUTE_LATER


def test_a_mail_about_no_turn_does_not_count_as_one(sink: Sink) -> None:
    _, _, second = start_table()
    fan_out()
    send_mails()
    assert get_mail(second, "started").status == "sent"
    second.refresh_from_db()
    assert second.last_turn_mail_at is None


def test_without_a_place_for_replies_mails_come_from_our_own_address(
    sink: Sink, settings: LazySettings
) -> None:
    settings.REPLY_DOMAIN = ""
    _, first, _ = start_table()
    fan_out()
    send_mails()
    (mail,) = [mail for mail in sink.mails if mail.recipients == [first.email]]
    assert mail.sender == "otto@example.org"
    assert mail.message["Reply-To"] is None
    assert mail.message["Message-ID"].endswith("@example.org>")
    assert "reply to this mail" not in mail.message.get_body(("plain",)).get_content()


def test_many_mails_share_one_connection(sink: Sink) -> None:
    create_test_mails("ada", "bob", "cleo", "dirk")
    assert send_mails() == 4
    assert sink.connections == 1


def test_a_limit_leaves_the_rest_for_the_next_batch_oldest_first(sink: Sink) -> None:
    for minutes, name in ((3, "cleo"), (1, "ada"), (2, "bob")):
        (row,) = create_test_mails(name)
        Delivery.objects.filter(pk=row.pk).update(next_attempt_at=NOW - minutes * MINUTE)
    assert send_mails(limit=2) == 2
    assert [mail.recipients[0] for mail in sink.mails] == ["cleo@example.org", "bob@example.org"]


# ------------------------------------------------------------------------------------------- dropped mails


def get_drop_reason(who: Player, kind: str = "turn") -> str:
    """Check that a mail is dropped; return the reason."""
    assert send_mails() == 0
    row = get_mail(who, kind)
    assert (row.status, row.next_attempt_at) == ("dropped", None)
    return row.status_reason


def test_a_notice_of_a_turn_that_has_passed_is_not_sent(sink: Sink) -> None:
    game, first, second = start_table()
    fan_out()
    play_turn(game, ONE_MINUTE_LATER)
    Delivery.objects.filter(player=second).delete()
    assert get_drop_reason(first) == "The turn is over."
    assert sink.mails == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda game, who: set_wishes(who.name, mail_frequency="none"), "You turned off mails."),
        (lambda game, who: set_wishes(who.name, is_active=False), "The account is closed."),
        (
            lambda game, who: notices.mark_email_bounced(player=who, reason="550 nobody", now=NOW),
            "Your address does not accept mail: 550 nobody",
        ),
        (
            lambda game, who: seat_settings.set_game_muted(player=who, code=game.code, muted=True, now=NOW),
            "You muted this game.",
        ),
        (
            lambda game, who: Seat.objects.filter(game=game, player=who).update(player=None),
            "You no longer play in this game.",
        ),
        (lambda game, who: Game.objects.filter(pk=game.pk).update(status="over"), "The turn is over."),
    ],
)
def test_what_changes_while_a_mail_waits_counts(sink: Sink, change: Any, reason: str) -> None:
    game, first, second = start_table()
    fan_out()
    Delivery.objects.filter(player=second).delete()
    change(game, first)
    assert get_drop_reason(first) == reason
    assert sink.mails == []


def test_a_digest_without_waiting_turns_is_not_sent(sink: Sink) -> None:
    for name in ("ada", "bob"):
        set_wishes(name, mail_frequency="digest", digest_hour=13)
    game, first, _ = start_table()
    fan_out()
    play_turn(game, NOW + 10 * MINUTE)
    Delivery.objects.exclude(player=first).delete()
    assert send_mails(NOW + HOUR) == 0
    assert (get_mail(first, "digest").status, get_mail(first, "digest").status_reason) == (
        "dropped",
        "No game is waiting for you.",
    )


# ---------------------------------------------------------------------------------------- one mail until seen


def start_two_turns(name: str) -> list[Game]:
    """Start two games in which it is this player's turn, with a turn mail for each."""
    who = player(name)
    games = [start_cast_game(name, "bob"), start_cast_game(name, "cleo")]
    for game in games:
        if not get_seat_clock(game, who).is_on_turn:
            play_turn(game, NOW)
    fan_out()
    Delivery.objects.exclude(player=who, kind="turn").delete()
    return games


def test_of_several_turns_one_is_mailed_until_the_player_comes_back(sink: Sink) -> None:
    ada = set_wishes("ada", mail_frequency="once")
    games = start_two_turns("ada")
    assert send_mails() == 1
    first, two = Delivery.objects.order_by("pk")
    assert (first.status, two.status) == ("sent", "dropped")
    assert two.status_reason == "You asked for no more mails until your next visit."
    set_wishes("ada", last_seen_at=ONE_MINUTE_LATER + MINUTE)
    play_turn(games[0], ONE_MINUTE_LATER + MINUTE)
    play_turn(games[0], ONE_MINUTE_LATER + 2 * MINUTE)
    assert fan_out(ONE_MINUTE_LATER + 4 * MINUTE) > 0
    assert send_mails(ONE_MINUTE_LATER + 4 * MINUTE) >= 1
    assert [mail.recipients for mail in sink.mails].count([ada.email]) == 2


def test_a_mail_that_did_not_go_out_is_not_the_one(sink: Sink) -> None:
    ada = set_wishes("ada", mail_frequency="once")
    start_two_turns("ada")
    sink.refuse = lambda address: "" if sink.connections > 1 else "451 4.3.0 not now"
    assert send_mails() == 1
    first, two = Delivery.objects.order_by("pk")
    assert (first.status, two.status) == ("waiting", "sent")
    assert "only" not in first.data
    assert send_mails(ONE_MINUTE_LATER + HOUR) == 0
    first.refresh_from_db()
    assert first.status == "dropped"
    ada.refresh_from_db()
    assert ada.last_turn_mail_at == ONE_MINUTE_LATER


def test_the_one_mail_whose_worker_died_is_still_the_one(sink: Sink) -> None:
    set_wishes("ada", mail_frequency="once")
    start_two_turns("ada")
    (pk, due_at), *_ = outbox.find_due_mails(now=ONE_MINUTE_LATER, limit=1)
    claimed = outbox.claim_mail(pk=pk, seen_due_at=due_at, now=ONE_MINUTE_LATER)
    assert claimed
    assert outbox.claim_single_mail(delivery=claimed, now=ONE_MINUTE_LATER)
    # The worker dies here. The other mail must not be sent; this one must be, after its lease.
    assert send_mails(ONE_MINUTE_LATER + MINUTE) == 0
    assert send_mails(ONE_MINUTE_LATER + outbox.MAIL_LEASE) == 1
    assert Delivery.objects.get(pk=pk).status == "sent"


# ------------------------------------------------------------------------------------------------- refusals


def test_what_a_server_does_not_take_is_tried_again_later_and_later_then_given_up(sink: Sink) -> None:
    (row,) = create_test_mails("ada")
    sink.refuse = lambda address: "450 4.2.0 try\r\n later"
    now, delays = NOW, []
    while True:
        assert send_mails(now) == 0
        row.refresh_from_db()
        assert "450 4.2.0 try" in row.status_reason
        if row.next_attempt_at is None:
            break
        delays.append(row.next_attempt_at - now)
        assert send_mails(row.next_attempt_at - timedelta(seconds=1)) == 0
        now = row.next_attempt_at
    assert delays == list(outbox.MAIL_RETRY_DELAYS)
    assert delays == sorted(delays)
    assert (row.status, row.attempts) == ("failed", len(outbox.MAIL_RETRY_DELAYS) + 1)
    player("ada").refresh_from_db()
    assert player("ada").email_bounced_at is None


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("550 no such user", "bounced"),
        ("550 5.1.1 no such user", "bounced"),
        ("553 5.1.3 what an address", "bounced"),
        ("551 user not local", "bounced"),
        ("550 5.2.1 mailbox disabled", "bounced"),
        ("552 5.2.2 mailbox full", "waiting"),
        ("554 5.7.1 relay access denied", "waiting"),
        ("550 5.7.1 we do not like you", "waiting"),
        ("554 transaction failed", "waiting"),
        ("450 4.1.1 who knows", "waiting"),
    ],
)
def test_only_an_address_that_does_not_exist_is_dead(sink: Sink, answer: str, status: str) -> None:
    create_test_mails("ada", "bob")
    sink.refuse = lambda address: answer if address.startswith("ada") else ""
    assert send_mails() == 1, "the other mail goes out all the same"
    ada = player("ada")
    row = get_mail(ada, "test")
    assert row.status == status
    assert row.status_reason == answer
    assert (ada.email_bounced_at, ada.email_bounce_reason) == (
        (ONE_MINUTE_LATER, answer) if status == "bounced" else (None, "")
    )


def test_a_mail_that_is_refused_after_its_text_is_tried_again_and_the_next_ones_go(sink: Sink) -> None:
    create_test_mails("ada", "bob", "cleo")
    sink.reject = lambda mail: "554 5.6.0 bad words" if "bob" in mail["To"] else ""
    assert send_mails() == 2
    assert get_mail(player("bob"), "test").status_reason == "554 5.6.0 bad words"
    assert player("bob").email_bounced_at is None
    sink.reject = lambda mail: "550 5.1.1 nobody after all"
    assert send_mails(ONE_MINUTE_LATER + MINUTE) == 0
    assert player("bob").email_bounced_at == ONE_MINUTE_LATER + MINUTE


def test_while_no_server_answers_mails_wait_and_it_counts_as_no_try(
    sink: Sink, caplog: pytest.LogCaptureFixture
) -> None:
    first, two = create_test_mails("ada", "bob")
    sink.stop()
    assert send_mails() == 0
    first.refresh_from_db()
    two.refresh_from_db()
    assert (first.status, first.attempts, first.next_attempt_at) == (
        "waiting",
        0,
        ONE_MINUTE_LATER + outbox.SERVER_OUTAGE_RETRY_DELAY,
    )
    assert first.status_reason.startswith("We could not reach the mail server:")
    assert (two.attempts, two.next_attempt_at) == (0, NOW), "the others were not even asked for"
    assert "the mail server cannot be reached" in caplog.text
    sink.start()
    assert send_mails(ONE_MINUTE_LATER + MINUTE) == 2
    assert [mail.recipients for mail in sink.mails] == [["bob@example.org"], ["ada@example.org"]]


def test_a_server_that_stays_away_is_given_up_some_day(sink: Sink) -> None:
    (row,) = create_test_mails("ada")
    sink.stop()
    assert send_mails(NOW + outbox.MAX_SERVER_OUTAGE_WAIT) == 0
    row.refresh_from_db()
    assert row.status == "waiting"
    assert send_mails(NOW + outbox.MAX_SERVER_OUTAGE_WAIT + 2 * MINUTE) == 0
    row.refresh_from_db()
    assert row.status == "failed"
    sink.start()


def test_a_connection_that_was_lost_between_two_mails_is_replaced(sink: Sink) -> None:
    post = mail_sender.MailSession()
    rows = create_test_mails("ada", "bob")
    post.send(mail_sender.compose_mail(rows[0], now=ONE_MINUTE_LATER))
    sink.stop()
    sink.start()
    post.send(mail_sender.compose_mail(rows[1], now=ONE_MINUTE_LATER))
    post.close()
    assert len(sink.mails) == 2


# ----------------------------------------------------------------------------------------------- accidents


def test_one_broken_row_is_pushed_ahead_and_the_rest_go_out(
    sink: Sink, caplog: pytest.LogCaptureFixture
) -> None:
    game, first, _ = start_table()
    fan_out()
    secret = game.secrets
    secret.state = "not a state"
    secret.save()
    create_test_mails("cleo")
    assert send_mails() == 1
    row = get_mail(first)
    assert (row.status, row.next_attempt_at) == ("waiting", ONE_MINUTE_LATER + outbox.MAIL_RETRY_DELAYS[0])
    assert row.status_reason == "An error on our side. We have logged it."
    assert "cannot be composed" in caplog.text


def test_a_row_whose_worker_died_every_time_is_given_up(sink: Sink) -> None:
    (row,) = create_test_mails("ada")
    Delivery.objects.filter(pk=row.pk).update(attempts=len(outbox.MAIL_RETRY_DELAYS) + 1)
    assert send_mails() == 0
    row.refresh_from_db()
    assert (row.status, row.status_reason) == ("failed", "Sending was interrupted too often.")


def test_what_somebody_else_has_claimed_is_left_to_them_until_their_lease_is_over(sink: Sink) -> None:
    (row,) = create_test_mails("ada")
    ((pk, due_at),) = outbox.find_due_mails(now=ONE_MINUTE_LATER, limit=5)
    assert outbox.claim_mail(pk=pk, seen_due_at=due_at, now=ONE_MINUTE_LATER)
    assert outbox.claim_mail(pk=pk, seen_due_at=due_at, now=ONE_MINUTE_LATER) is None, (
        "of two who saw it, one has it"
    )
    assert send_mails(ONE_MINUTE_LATER + outbox.MAIL_LEASE - timedelta(seconds=1)) == 0
    assert send_mails(ONE_MINUTE_LATER + outbox.MAIL_LEASE) == 1
    row.refresh_from_db()
    assert row.attempts == 2


def test_a_bounce_that_comes_before_the_row_is_marked_keeps_the_last_word(sink: Sink) -> None:
    (row,) = create_test_mails("ada")
    outbox.mark_mail_bounced(delivery=row, reason="550 nobody", now=NOW)
    outbox.mark_mail_sent(delivery=row, address="ada@example.org", message_id="<x@y>", now=NOW)
    row.refresh_from_db()
    assert (row.status, row.sent_at) == ("bounced", None)


@pytest.mark.django_db(transaction=True)
def test_any_number_of_workers_send_every_mail_once(sink: Sink) -> None:
    names = [f"player{i}" for i in range(24)]
    create_test_mails(*names)
    sink.slow = 0.02
    sent: list[int] = []

    def run_worker() -> None:
        try:
            sent.append(send_mails())
        finally:
            connection.close()

    threads = [threading.Thread(target=run_worker) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(sent) == 24
    assert sorted(mail.recipients[0] for mail in sink.mails) == sorted(
        f"{name}@example.org" for name in names
    )


WORKER = """
import django
django.setup()
from django.utils.dateparse import parse_datetime
from notifications.channels.email import mail_sender
mail_sender.send_due_mails(now=parse_datetime({now!r}))
"""


@pytest.mark.django_db(transaction=True)
def test_after_a_worker_was_killed_the_same_mail_goes_out_again_and_the_others_once(sink: Sink) -> None:
    first, two = create_test_mails("ada", "bob")
    sink.slow = 60
    parts = urlsplit(os.environ["DATABASE_URL"])
    environment = os.environ | {
        "DATABASE_URL": urlunsplit(parts._replace(path=f"/{connection.settings_dict['NAME']}")),
        "DJANGO_SETTINGS_MODULE": "otto_site.settings",
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": sink.host,
        "EMAIL_PORT": str(sink.port),
    }
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER.format(now=ONE_MINUTE_LATER.isoformat())], env=environment
    )
    try:
        stop_by = time.monotonic() + 60
        while sink.connections == 0 or Delivery.objects.filter(attempts=0).count() != 1:
            assert time.monotonic() < stop_by
            assert worker.poll() is None
            time.sleep(0.02)
    finally:
        worker.send_signal(signal.SIGKILL)
        worker.wait()
    sink.slow = 0
    assert send_mails() == 1, "what the dead worker had not claimed goes out at once"
    assert send_mails(ONE_MINUTE_LATER + outbox.MAIL_LEASE) == 1
    first.refresh_from_db()
    two.refresh_from_db()
    assert (first.status, two.status, first.attempts, two.attempts) == ("sent", "sent", 2, 1)
    assert [mail.recipients[0] for mail in sink.mails] == ["bob@example.org", "ada@example.org"]


# -------------------------------------------------------------------------------------------------- the task


def test_the_task_takes_a_turn_all_the_way_to_the_mailbox_and_twice_does_nothing_twice(sink: Sink) -> None:
    _, first, second = start_table()
    now = timezone.now()
    FeedEntry.objects.filter(notify_at__isnull=False).update(notify_at=now - DAY)
    for _ in range(2):
        tasks.deliver_mail()
    assert sorted(mail.recipients[0] for mail in sink.mails) == sorted([first.email, second.email])
