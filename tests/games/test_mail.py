"""Mails go out through a real mail server: once, in time, and whatever that server says."""

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

from games import tasks
from games.mail import mail_sender
from games.models import Delivery, FeedEntry, Game, Player, Seat
from games.services import notices, outbox
from tests.smtp import Sink

from .cast import NOW, game_of, player
from .telling import DAY, HOUR, MINUTE, SOON, play_turn, spread, table, waiting_since, wishes

pytestmark = pytest.mark.django_db


@pytest.fixture
def sink(settings: LazySettings) -> Iterator[Sink]:
    """A mail server, and settings that send there."""
    with Sink() as started:
        for name, value in started.settings().items():
            setattr(settings, name, value)
        settings.REPLY_DOMAIN = "play.example.org"
        settings.DEFAULT_FROM_EMAIL = "OTTO online <otto@example.org>"
        yield started


def send(now: Any = SOON, **limit: int) -> int:
    return mail_sender.send_due_mails(now=now, **limit)


def mail_of(who: Player, kind: str = "turn") -> Delivery:
    return Delivery.objects.get(player=who, kind=kind, webhook=None)


def trials(*names: str) -> list[Delivery]:
    """A mail that needs no game, for each of them."""
    return [notices.create_test_mail(player=player(name), now=NOW) for name in names]


# ------------------------------------------------------------------------------------------------- going out


def test_a_mail_goes_out_once_and_its_row_says_when_and_where(sink: Sink) -> None:
    _, first, _ = table()
    spread()
    assert send() == 2
    assert send() == 0
    (mail,) = [mail for mail in sink.mails if mail.recipients == [first.email]]
    row = mail_of(first)
    assert (row.status, row.why, row.due_at, row.sent_at, row.tries) == ("sent", "", None, SOON, 1)
    assert (row.address, row.message_id) == (first.email, mail.message["Message-ID"])
    assert mail.sender.startswith(f"bounce-{row.pk}-")
    assert mail.sender.endswith("@play.example.org")
    assert mail.message["From"] == "OTTO online <otto@example.org>"
    first.refresh_from_db()
    assert first.mailed_at == SOON


def test_what_tells_of_no_turn_does_not_count_as_being_told_of_one(sink: Sink) -> None:
    _, _, second = table()
    spread()
    send()
    assert mail_of(second, "started").status == "sent"
    second.refresh_from_db()
    assert second.mailed_at is None


def test_without_a_place_for_replies_mails_come_from_our_own_address(
    sink: Sink, settings: LazySettings
) -> None:
    settings.REPLY_DOMAIN = ""
    _, first, _ = table()
    spread()
    send()
    (mail,) = [mail for mail in sink.mails if mail.recipients == [first.email]]
    assert mail.sender == "otto@example.org"
    assert mail.message["Reply-To"] is None
    assert mail.message["Message-ID"].endswith("@example.org>")
    assert "reply to this mail" not in mail.message.get_body(("plain",)).get_content()


def test_many_mails_share_one_connection(sink: Sink) -> None:
    trials("ada", "bob", "cleo", "dirk")
    assert send() == 4
    assert sink.connections == 1


def test_a_limit_leaves_the_rest_for_the_next_batch_oldest_first(sink: Sink) -> None:
    for minutes, name in ((3, "cleo"), (1, "ada"), (2, "bob")):
        (row,) = trials(name)
        Delivery.objects.filter(pk=row.pk).update(due_at=NOW - minutes * MINUTE)
    assert send(limit=2) == 2
    assert [mail.recipients[0] for mail in sink.mails] == ["cleo@example.org", "bob@example.org"]


# -------------------------------------------------------------------------------------- what is not needed


def dropped(who: Player, kind: str = "turn") -> str:
    """Why a mail was not sent. Fails if it was."""
    assert send() == 0
    row = mail_of(who, kind)
    assert (row.status, row.due_at) == ("dropped", None)
    return row.why


def test_a_notice_of_a_turn_that_has_passed_is_not_sent(sink: Sink) -> None:
    game, first, second = table()
    spread()
    play_turn(game, SOON)
    Delivery.objects.filter(player=second).delete()
    assert dropped(first) == "The turn has passed."
    assert sink.mails == []


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda game, who: wishes(who.name, mails="none"), "You want no mails."),
        (lambda game, who: wishes(who.name, is_active=False), "The account is closed."),
        (
            lambda game, who: notices.mark_email_bounced(player=who, reason="550 nobody", now=NOW),
            "Your address takes no mail: 550 nobody",
        ),
        (
            lambda game, who: notices.set_game_muted(player=who, code=game.code, muted=True, now=NOW),
            "You muted this game.",
        ),
        (
            lambda game, who: Seat.objects.filter(game=game, player=who).update(player=None),
            "You are not in this game any more.",
        ),
        (lambda game, who: Game.objects.filter(pk=game.pk).update(status="over"), "The turn has passed."),
    ],
)
def test_what_changes_while_a_mail_waits_counts(sink: Sink, change: Any, why: str) -> None:
    game, first, second = table()
    spread()
    Delivery.objects.filter(player=second).delete()
    change(game, first)
    assert dropped(first) == why
    assert sink.mails == []


def test_a_digest_without_waiting_turns_is_not_sent(sink: Sink) -> None:
    for name in ("ada", "bob"):
        wishes(name, mails="digest", digest_hour=13)
    game, first, _ = table()
    spread()
    play_turn(game, NOW + 10 * MINUTE)
    Delivery.objects.exclude(player=first).delete()
    assert send(NOW + HOUR) == 0
    assert (mail_of(first, "digest").status, mail_of(first, "digest").why) == (
        "dropped",
        "No game waits for you.",
    )


# ------------------------------------------------------------------------------ one mail until they come back


def waiting_twice(name: str) -> list[Game]:
    """Two games in which it is this player's turn, both told."""
    who = player(name)
    games = [game_of(name, "bob"), game_of(name, "cleo")]
    for game in games:
        if not waiting_since(game, who).is_on_turn:
            play_turn(game, NOW)
    spread()
    Delivery.objects.exclude(player=who, kind="turn").delete()
    return games


def test_of_several_turns_one_is_mailed_until_the_player_comes_back(sink: Sink) -> None:
    ada = wishes("ada", mails="once")
    games = waiting_twice("ada")
    assert send() == 1
    one, two = Delivery.objects.order_by("pk")
    assert (one.status, two.status) == ("sent", "dropped")
    assert two.why == "You want one mail until you come back, and have had it."
    wishes("ada", seen_at=SOON + MINUTE)
    play_turn(games[0], SOON + MINUTE)
    play_turn(games[0], SOON + 2 * MINUTE)
    assert spread(SOON + 4 * MINUTE) > 0
    assert send(SOON + 4 * MINUTE) >= 1
    assert [mail.recipients for mail in sink.mails].count([ada.email]) == 2


def test_a_mail_that_did_not_go_out_is_not_the_one(sink: Sink) -> None:
    ada = wishes("ada", mails="once")
    waiting_twice("ada")
    sink.refuse = lambda address: "" if sink.connections > 1 else "451 4.3.0 not now"
    assert send() == 1
    one, two = Delivery.objects.order_by("pk")
    assert (one.status, two.status) == ("waiting", "sent")
    assert "only" not in one.data
    assert send(SOON + HOUR) == 0
    one.refresh_from_db()
    assert one.status == "dropped"
    ada.refresh_from_db()
    assert ada.mailed_at == SOON


def test_the_one_mail_whose_worker_died_is_still_the_one(sink: Sink) -> None:
    wishes("ada", mails="once")
    waiting_twice("ada")
    (pk, seen), *_ = outbox.find_due_mails(now=SOON, limit=1)
    claimed = outbox.claim_mail(pk=pk, seen_due_at=seen, now=SOON)
    assert claimed
    assert outbox.claim_single_mail(delivery=claimed, now=SOON)
    # Here the worker dies. The other mail must not go, this one must, once its lease is over.
    assert send(SOON + MINUTE) == 0
    assert send(SOON + outbox.MAIL_LEASE) == 1
    assert Delivery.objects.get(pk=pk).status == "sent"


# -------------------------------------------------------------------------------------- what servers refuse


def test_what_a_server_does_not_take_is_tried_again_later_and_later_then_given_up(sink: Sink) -> None:
    (row,) = trials("ada")
    sink.refuse = lambda address: "450 4.2.0 try\r\n later"
    now, waits = NOW, []
    while True:
        assert send(now) == 0
        row.refresh_from_db()
        assert "450 4.2.0 try" in row.why
        if row.due_at is None:
            break
        waits.append(row.due_at - now)
        assert send(row.due_at - timedelta(seconds=1)) == 0
        now = row.due_at
    assert waits == list(outbox.MAIL_RETRY_DELAYS)
    assert waits == sorted(waits)
    assert (row.status, row.tries) == ("failed", len(outbox.MAIL_RETRY_DELAYS) + 1)
    player("ada").refresh_from_db()
    assert player("ada").dead_at is None


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
    trials("ada", "bob")
    sink.refuse = lambda address: answer if address.startswith("ada") else ""
    assert send() == 1, "the other mail goes out all the same"
    ada = player("ada")
    row = mail_of(ada, "test")
    assert row.status == status
    assert row.why == answer
    assert (ada.dead_at, ada.dead_why) == ((SOON, answer) if status == "bounced" else (None, ""))


def test_a_mail_that_is_refused_after_its_text_is_tried_again_and_the_next_ones_go(sink: Sink) -> None:
    trials("ada", "bob", "cleo")
    sink.reject = lambda mail: "554 5.6.0 bad words" if "bob" in mail["To"] else ""
    assert send() == 2
    assert mail_of(player("bob"), "test").why == "554 5.6.0 bad words"
    assert player("bob").dead_at is None
    sink.reject = lambda mail: "550 5.1.1 nobody after all"
    assert send(SOON + MINUTE) == 0
    assert player("bob").dead_at == SOON + MINUTE


def test_while_no_server_answers_mails_wait_and_it_counts_as_no_try(
    sink: Sink, caplog: pytest.LogCaptureFixture
) -> None:
    one, two = trials("ada", "bob")
    sink.stop()
    assert send() == 0
    one.refresh_from_db()
    two.refresh_from_db()
    assert (one.status, one.tries, one.due_at) == ("waiting", 0, SOON + outbox.SERVER_OUTAGE_RETRY_DELAY)
    assert one.why.startswith("The mail server cannot be reached:")
    assert (two.tries, two.due_at) == (0, NOW), "the others were not even asked for"
    assert "no mail server" in caplog.text
    sink.start()
    assert send(SOON + MINUTE) == 2
    assert [mail.recipients for mail in sink.mails] == [["bob@example.org"], ["ada@example.org"]]


def test_a_server_that_stays_away_is_given_up_some_day(sink: Sink) -> None:
    (row,) = trials("ada")
    sink.stop()
    assert send(NOW + outbox.MAX_SERVER_OUTAGE_WAIT) == 0
    row.refresh_from_db()
    assert row.status == "waiting"
    assert send(NOW + outbox.MAX_SERVER_OUTAGE_WAIT + 2 * MINUTE) == 0
    row.refresh_from_db()
    assert row.status == "failed"
    sink.start()


def test_a_connection_that_was_lost_between_two_mails_is_replaced(sink: Sink) -> None:
    post = mail_sender.MailSession()
    rows = trials("ada", "bob")
    post.send(mail_sender.compose.compose_mail(rows[0], now=SOON))
    sink.stop()
    sink.start()
    post.send(mail_sender.compose.compose_mail(rows[1], now=SOON))
    post.close()
    assert len(sink.mails) == 2


# ----------------------------------------------------------------------------------------------- accidents


def test_one_broken_row_is_pushed_ahead_and_the_rest_go_out(
    sink: Sink, caplog: pytest.LogCaptureFixture
) -> None:
    game, first, _ = table()
    spread()
    secret = game.secret
    secret.state = "not a state"
    secret.save()
    trials("cleo")
    assert send() == 1
    row = mail_of(first)
    assert (row.status, row.due_at) == ("waiting", SOON + outbox.MAIL_RETRY_DELAYS[0])
    assert row.why == "Our mistake; it has been noted."
    assert "cannot be composed" in caplog.text


def test_a_row_whose_worker_died_every_time_is_given_up(sink: Sink) -> None:
    (row,) = trials("ada")
    Delivery.objects.filter(pk=row.pk).update(tries=len(outbox.MAIL_RETRY_DELAYS) + 1)
    assert send() == 0
    row.refresh_from_db()
    assert (row.status, row.why) == ("failed", "It was interrupted too often.")


def test_what_somebody_else_has_claimed_is_left_to_them_until_their_lease_is_over(sink: Sink) -> None:
    (row,) = trials("ada")
    ((pk, seen),) = outbox.find_due_mails(now=SOON, limit=5)
    assert outbox.claim_mail(pk=pk, seen_due_at=seen, now=SOON)
    assert outbox.claim_mail(pk=pk, seen_due_at=seen, now=SOON) is None, "of two who saw it, one has it"
    assert send(SOON + outbox.MAIL_LEASE - timedelta(seconds=1)) == 0
    assert send(SOON + outbox.MAIL_LEASE) == 1
    row.refresh_from_db()
    assert row.tries == 2


def test_a_bounce_that_comes_before_the_row_is_marked_keeps_the_last_word(sink: Sink) -> None:
    (row,) = trials("ada")
    outbox.mark_mail_bounced(delivery=row, reason="550 nobody", now=NOW)
    outbox.mark_mail_sent(delivery=row, address="ada@example.org", message_id="<x@y>", now=NOW)
    row.refresh_from_db()
    assert (row.status, row.sent_at) == ("bounced", None)


@pytest.mark.django_db(transaction=True)
def test_any_number_of_workers_send_every_mail_once(sink: Sink) -> None:
    names = [f"player{i}" for i in range(24)]
    trials(*names)
    sink.slow = 0.02
    sent: list[int] = []

    def work() -> None:
        try:
            sent.append(send())
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
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
from games.mail import mail_sender
mail_sender.send_due_mails(now=parse_datetime({now!r}))
"""


@pytest.mark.django_db(transaction=True)
def test_after_a_worker_was_killed_the_same_mail_goes_out_again_and_the_others_once(sink: Sink) -> None:
    one, two = trials("ada", "bob")
    sink.slow = 60
    parts = urlsplit(os.environ["DATABASE_URL"])
    environment = os.environ | {
        "DATABASE_URL": urlunsplit(parts._replace(path=f"/{connection.settings_dict['NAME']}")),
        "DJANGO_SETTINGS_MODULE": "otto_site.settings",
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": sink.host,
        "EMAIL_PORT": str(sink.port),
    }
    worker = subprocess.Popen([sys.executable, "-c", WORKER.format(now=SOON.isoformat())], env=environment)
    try:
        patience = time.monotonic() + 60
        while sink.connections == 0 or Delivery.objects.filter(tries=0).count() != 1:
            assert time.monotonic() < patience
            assert worker.poll() is None
            time.sleep(0.02)
    finally:
        worker.send_signal(signal.SIGKILL)
        worker.wait()
    sink.slow = 0
    assert send() == 1, "what the dead worker had not claimed goes out at once"
    assert send(SOON + outbox.MAIL_LEASE) == 1
    one.refresh_from_db()
    two.refresh_from_db()
    assert (one.status, two.status, one.tries, two.tries) == ("sent", "sent", 2, 1)
    assert [mail.recipients[0] for mail in sink.mails] == ["bob@example.org", "ada@example.org"]


# -------------------------------------------------------------------------------------------------- the task


def test_the_task_takes_a_turn_all_the_way_to_the_mailbox_and_twice_does_nothing_twice(sink: Sink) -> None:
    _, first, second = table()
    now = timezone.now()
    FeedEntry.objects.filter(due_at__isnull=False).update(due_at=now - DAY)
    for _ in range(2):
        tasks.deliver_mail()
    assert sorted(mail.recipients[0] for mail in sink.mails) == sorted([first.email, second.email])
