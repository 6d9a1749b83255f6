"""The status of a mail is true: one that a server may have accepted is never dropped."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from accounts.models import Player
from notifications.channels.email import mail_sender
from notifications.channels.webhook import webhook_http, webhook_sender
from notifications.models import Delivery, Webhook
from notifications.services import delivery_reports, outbox, webhooks
from notifications.services.delivery_handoff import mark_handed_over
from tests.helpers.listener import Listener, make_certificate
from tests.helpers.mail_server import MailServer
from tests.helpers.notice_helpers import DAY, HOUR, MINUTE, ONE_MINUTE_LATER, fan_out, play_turn, start_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def post_server(settings: LazySettings) -> Iterator[MailServer]:
    with MailServer() as started:
        for name, value in started.settings().items():
            setattr(settings, name, value)
        yield started


def read_state(delivery: Delivery) -> tuple[str, bool]:
    """Return the status of a delivery, and whether it may have arrived."""
    delivery.refresh_from_db()
    return delivery.status, delivery.submitted_at is not None


def start_turn_mail() -> tuple[Any, Delivery]:
    """Start a game; return it with the turn mail of the player to act."""
    game, mover, other = start_table()
    Player.objects.filter(pk=other.pk).update(mail_frequency="none")
    fan_out()
    return game, Delivery.objects.get(player=mover, kind="turn")


# ------------------------------------------------------------------------------------------------------ mails


def test_a_mail_that_arrived_before_the_server_hung_up_is_not_called_dropped(post_server: MailServer) -> None:
    game, delivery = start_turn_mail()
    post_server.mood = "hangs up"
    mail_sender.send_due_mails(now=ONE_MINUTE_LATER)
    assert len(post_server.mails) == 1, "it has arrived"
    assert read_state(delivery) == ("waiting", True)
    play_turn(game, ONE_MINUTE_LATER + MINUTE)
    post_server.mood = ""
    mail_sender.send_due_mails(now=ONE_MINUTE_LATER + HOUR)
    assert len(post_server.mails) == 1, "nobody needs it any more"
    assert read_state(delivery) == ("uncertain", True)
    assert delivery.status_reason == "The turn is over."
    assert delivery.submitted_at == ONE_MINUTE_LATER
    page = Client()
    page.force_login(delivery.player)
    assert "may have arrived" in page.get("/me/delivery/").text


def test_a_worker_that_died_after_the_server_had_it_leaves_no_wrong_word(post_server: MailServer) -> None:
    """The worker dies when the server has accepted the mail and nothing is recorded yet."""
    game, delivery = start_turn_mail()
    row = Delivery.objects.filter(pk=delivery.pk)
    claimed = outbox.claim_mail(
        pk=delivery.pk, seen_due_at=row.get().next_attempt_at or ONE_MINUTE_LATER, now=ONE_MINUTE_LATER
    )
    assert claimed

    class Died(BaseException):
        """Is not caught by `except Exception`, like a kill."""

    class Dying(mail_sender.MailSession):
        def send(self, mail: Any) -> None:
            super().send(mail)
            raise Died

    dying = Dying()
    with pytest.raises(Died):
        mail_sender.deliver_mail(claimed, dying, ONE_MINUTE_LATER)
    dying.close()
    assert len(post_server.mails) == 1
    assert read_state(delivery) == ("waiting", True)
    play_turn(game, ONE_MINUTE_LATER + MINUTE)
    mail_sender.send_due_mails(now=ONE_MINUTE_LATER + HOUR)
    assert read_state(delivery) == ("uncertain", True)


def test_a_mail_that_surely_did_not_arrive_is_dropped(post_server: MailServer) -> None:
    game, delivery = start_turn_mail()
    post_server.reject = lambda message: "451 4.7.1 come back later"
    mail_sender.send_due_mails(now=ONE_MINUTE_LATER)
    assert read_state(delivery) == ("waiting", False), "the server refused it"
    play_turn(game, ONE_MINUTE_LATER + MINUTE)
    mail_sender.send_due_mails(now=ONE_MINUTE_LATER + HOUR)
    assert read_state(delivery) == ("dropped", False)
    assert not post_server.mails


def test_a_server_that_hung_up_before_it_had_the_mail_has_not_got_it(post_server: MailServer) -> None:
    game, delivery = start_turn_mail()
    post_server.refuse = lambda address: "421 4.3.2 closing"
    mail_sender.send_due_mails(now=ONE_MINUTE_LATER)
    assert read_state(delivery) == ("waiting", False)
    post_server.stop()
    mail_sender.send_due_mails(now=ONE_MINUTE_LATER + 10 * MINUTE)
    assert read_state(delivery) == ("waiting", False), "nobody took the call"
    post_server.start()
    play_turn(game, ONE_MINUTE_LATER + HOUR)
    mail_sender.send_due_mails(now=ONE_MINUTE_LATER + 2 * HOUR)
    assert read_state(delivery) == ("dropped", False)


def test_what_an_earlier_try_may_have_brought_stays_true_when_a_later_one_is_refused(
    post_server: MailServer,
) -> None:
    game, delivery = start_turn_mail()
    post_server.mood = "hangs up"
    mail_sender.send_due_mails(now=ONE_MINUTE_LATER)
    post_server.mood, post_server.reject = "", lambda message: "451 4.7.1 come back later"
    mail_sender.send_due_mails(now=ONE_MINUTE_LATER + 10 * MINUTE)
    assert read_state(delivery) == ("waiting", True)
    play_turn(game, ONE_MINUTE_LATER + 11 * MINUTE)
    mail_sender.send_due_mails(now=ONE_MINUTE_LATER + DAY)
    assert read_state(delivery) == ("uncertain", True)


def test_one_that_is_tried_to_the_end_may_have_arrived(post_server: MailServer) -> None:
    _game, delivery = start_turn_mail()
    post_server.mood = "hangs up"
    now = ONE_MINUTE_LATER
    for _try in range(len(outbox.MAIL_RETRY_DELAYS) + 1):
        mail_sender.send_due_mails(now=now)
        delivery.refresh_from_db()
        now = delivery.next_attempt_at or now
    assert len(post_server.mails) == len(outbox.MAIL_RETRY_DELAYS) + 1
    assert read_state(delivery) == ("uncertain", True)
    # An operator may retry it; then its status is certain.
    post_server.mood = ""
    assert outbox.retry_delivery(delivery=delivery, now=now)
    mail_sender.send_due_mails(now=now)
    assert read_state(delivery)[0] == "sent"


def test_a_slow_server_that_takes_it_at_last_has_the_last_word(post_server: MailServer) -> None:
    """Another worker handles the mail after the lease, while the first one still waits for the answer."""
    game, delivery = start_turn_mail()
    claimed = outbox.claim_mail(
        pk=delivery.pk, seen_due_at=delivery.next_attempt_at or ONE_MINUTE_LATER, now=ONE_MINUTE_LATER
    )
    assert claimed
    taken_over = threading.Event()

    class Slow(mail_sender.MailSession):
        def send(self, mail: Any) -> None:
            super().send(mail)
            late = ONE_MINUTE_LATER + outbox.MAIL_LEASE + MINUTE
            play_turn(game, late)
            mail_sender.send_due_mails(now=late)
            assert read_state(delivery) == ("uncertain", True)
            taken_over.set()

    slow = Slow()
    assert mail_sender.deliver_mail(claimed, slow, ONE_MINUTE_LATER)
    slow.close()
    assert taken_over.is_set()
    assert read_state(delivery)[0] == "sent"
    assert delivery.sent_at == ONE_MINUTE_LATER
    assert delivery.message_id
    assert len(post_server.mails) == 1


@pytest.mark.parametrize("status", ["dropped", "failed", "uncertain"])
@pytest.mark.parametrize("report", [delivery_reports.record_delivered, delivery_reports.record_opened])
def test_a_provider_who_reports_that_it_arrived_is_believed(status: str, report: Any) -> None:
    _game, delivery = start_turn_mail()
    Delivery.objects.filter(pk=delivery.pk).update(
        status=status,
        next_attempt_at=None,
        status_reason="The turn is over.",
        submitted_at=ONE_MINUTE_LATER,
    )
    report(delivery=delivery, at=ONE_MINUTE_LATER + MINUTE, now=ONE_MINUTE_LATER + HOUR)
    delivery.refresh_from_db()
    assert (delivery.status, delivery.status_reason, delivery.sent_at) == ("sent", "", ONE_MINUTE_LATER)


def test_programs_see_it() -> None:
    _game, delivery = start_turn_mail()
    Delivery.objects.filter(pk=delivery.pk).update(
        status="uncertain", next_attempt_at=None, submitted_at=ONE_MINUTE_LATER
    )
    client = Client()
    client.force_login(delivery.player)
    (row,) = client.get("/api/v1/me/deliveries/").json()
    assert row["status"] == "uncertain"
    assert row["submitted_at"] == f"{ONE_MINUTE_LATER.isoformat()[:19]}Z"


# -------------------------------------------------------------------------------------------------- providers


@pytest.fixture(autouse=True)
def bypass_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Call providers directly, without a proxy of this machine."""
    monkeypatch.setenv("no_proxy", "*")


def read_reason(delivery: Delivery) -> str:
    delivery.refresh_from_db()
    return delivery.status_reason


def use_provider(settings: LazySettings, url: str) -> None:
    """Send mails through a provider at this URL with the backend of django-anymail."""
    settings.EMAIL_BACKEND = "anymail.backends.postmark.EmailBackend"
    settings.ANYMAIL = {
        "POSTMARK_SERVER_TOKEN": "t",
        "POSTMARK_API_URL": url,
        "REQUESTS_TIMEOUT": 0.3,
    }


def test_a_provider_whom_no_call_reached_has_not_got_the_mail(settings: LazySettings) -> None:
    game, delivery = start_turn_mail()
    with socket.create_server(("127.0.0.1", 0)) as probe:
        free = probe.getsockname()[1]
    with listen_without_answer() as port:
        urls = (f"http://127.0.0.1:{free}/", "http://provider.invalid/", f"http://127.0.0.1:{port}/")
        for number, url in enumerate(urls):
            use_provider(settings, url)
            mail_sender.send_due_mails(now=ONE_MINUTE_LATER + number * HOUR)
            assert read_state(delivery) == ("waiting", False), url
            assert delivery.attempts == number + 1
    play_turn(game, ONE_MINUTE_LATER + 4 * HOUR)
    mail_sender.send_due_mails(now=ONE_MINUTE_LATER + DAY)
    assert read_state(delivery) == ("dropped", False)


def test_a_provider_behind_a_proxy_that_is_away_has_not_got_the_mail(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    _game, delivery = start_turn_mail()
    with socket.create_server(("127.0.0.1", 0)) as probe:
        free = probe.getsockname()[1]
    monkeypatch.setenv("no_proxy", "")
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{free}")
    use_provider(settings, "http://provider.invalid/")
    mail_sender.send_due_mails(now=ONE_MINUTE_LATER)
    assert "ProxyError" in read_reason(delivery)
    assert (read_state(delivery), delivery.attempts) == (("waiting", False), 1)


def test_a_provider_whose_certificate_is_not_trusted_has_not_got_the_mail(
    settings: LazySettings, tmp_path: Path
) -> None:
    _game, delivery = start_turn_mail()
    with Listener(certificate=make_certificate(tmp_path / "one.pem", "elsewhere.example.org")) as server:
        use_provider(settings, f"https://127.0.0.1:{server.port}/")
        mail_sender.send_due_mails(now=ONE_MINUTE_LATER)
        assert not server.calls
    assert (read_state(delivery), delivery.attempts) == (("waiting", False), 1)


@pytest.mark.parametrize("behaviour", ["silent", "hangs up"])
def test_a_provider_who_was_reached_and_answered_nothing_may_have_it(
    settings: LazySettings, behaviour: str
) -> None:
    _game, delivery = start_turn_mail()

    def handle_call(handler: Any) -> bool:
        if behaviour == "silent":
            time.sleep(1)
        handler.connection.shutdown(socket.SHUT_RDWR)
        return True

    with Listener(act=handle_call) as server:
        use_provider(settings, server.url)
        mail_sender.send_due_mails(now=ONE_MINUTE_LATER)
        assert server.calls
    assert read_state(delivery) == ("waiting", True)


# --------------------------------------------------------------------------------------------------- webhooks


@pytest.fixture
def webhook_and_game(settings: LazySettings) -> Iterator[tuple[Listener, Webhook, Any]]:
    settings.WEBHOOKS_TO_PRIVATE = True
    with Listener() as server:
        game, mover, _other = start_table()
        webhook = Webhook.objects.create(
            player=mover, url=server.url, signing_secret="c2VjcmV0", created_at=ONE_MINUTE_LATER
        )
        fan_out()
        yield server, webhook, game


def get_call(webhook: Webhook) -> Delivery:
    return Delivery.objects.get(webhook=webhook, kind="turn")


def test_a_call_whose_answer_was_lost_may_have_arrived(webhook_and_game: Any) -> None:
    server, webhook, game = webhook_and_game
    server.act = lambda handler: handler.connection.shutdown(socket.SHUT_RDWR) is None
    webhook_sender.send_due_webhooks(now=ONE_MINUTE_LATER)
    assert server.calls
    assert read_state(get_call(webhook)) == ("waiting", True)
    play_turn(game, ONE_MINUTE_LATER + MINUTE)
    webhook_sender.send_due_webhooks(now=ONE_MINUTE_LATER + HOUR)
    assert read_state(get_call(webhook)) == ("uncertain", True)


@contextmanager
def listen_without_answer() -> Iterator[int]:
    """Open a port whose accept queue is full, so that every connection attempt hangs."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as server, ExitStack() as waiting:
        for _ in range(4):
            call = waiting.enter_context(socket.socket())
            call.setblocking(False)
            call.connect_ex(server.getsockname())
        yield server.getsockname()[1]


def test_a_call_that_nobody_took_has_not_arrived(
    webhook_and_game: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    _server, webhook, game = webhook_and_game
    monkeypatch.setattr(webhook_http, "CONNECT_TIMEOUT_SECONDS", 0.3)
    with listen_without_answer() as port:
        Webhook.objects.filter(pk=webhook.pk).update(url=f"http://127.0.0.1:{port}/")
        webhook_sender.send_due_webhooks(now=ONE_MINUTE_LATER)
    assert read_state(get_call(webhook)) == ("waiting", False)
    assert get_call(webhook).status_reason == "The host took too long to answer."
    play_turn(game, ONE_MINUTE_LATER + MINUTE)
    webhook_sender.send_due_webhooks(now=ONE_MINUTE_LATER + HOUR)
    assert read_state(get_call(webhook)) == ("dropped", False)


def test_a_call_that_got_no_further_than_the_handshake_has_not_arrived(
    webhook_and_game: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    _server, webhook, _game = webhook_and_game
    monkeypatch.setattr(webhook_http, "REQUEST_TIMEOUT_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        Webhook.objects.filter(pk=webhook.pk).update(url=f"https://127.0.0.1:{silent.getsockname()[1]}/")
        webhook_sender.send_due_webhooks(now=ONE_MINUTE_LATER)
    assert read_state(get_call(webhook)) == ("waiting", False)


def test_a_call_that_was_answered_with_an_error_has_not(webhook_and_game: Any) -> None:
    server, webhook, game = webhook_and_game
    server.status = 500
    webhook_sender.send_due_webhooks(now=ONE_MINUTE_LATER)
    assert read_state(get_call(webhook)) == ("waiting", False)
    play_turn(game, ONE_MINUTE_LATER + MINUTE)
    webhook_sender.send_due_webhooks(now=ONE_MINUTE_LATER + HOUR)
    assert read_state(get_call(webhook)) == ("dropped", False)


def test_a_call_under_way_while_its_webhook_is_switched_off_is_recorded_as_it_ended(
    webhook_and_game: Any,
) -> None:
    _server, webhook, _game = webhook_and_game
    (claimed,) = webhooks.claim_due_calls(now=ONE_MINUTE_LATER, limit=5)
    assert webhook_sender.prepare_call(claimed, ONE_MINUTE_LATER)
    mark_handed_over(delivery=claimed, now=ONE_MINUTE_LATER)
    webhooks.set_webhook_active(
        player=webhook.player, webhook_id=webhook.pk, active=False, now=ONE_MINUTE_LATER
    )
    assert read_state(get_call(webhook)) == ("uncertain", True), "nobody knows yet"
    webhooks.mark_call_sent(delivery=claimed, now=ONE_MINUTE_LATER)
    assert read_state(get_call(webhook))[0] == "sent"
