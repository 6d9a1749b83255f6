"""What is recorded of a mail is true: one that a server may have taken is never called dropped."""

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

from games.mail import mail_sender, webhook_http, webhook_sender
from games.models import Delivery, Player, Webhook
from games.services import delivery_reports, outbox, webhooks
from tests.faults.post import Post

from .listener import Listener, make_certificate
from .telling import DAY, HOUR, MINUTE, SOON, play_turn, spread, table

pytestmark = pytest.mark.django_db


@pytest.fixture
def post(settings: LazySettings) -> Iterator[Post]:
    with Post() as started:
        for name, value in started.settings().items():
            setattr(settings, name, value)
        yield started


def state_of(delivery: Delivery) -> tuple[str, bool]:
    """How a delivery stands, and whether the other side may have it."""
    delivery.refresh_from_db()
    return delivery.status, delivery.handed_over_at is not None


def turn_mail() -> tuple[Any, Delivery]:
    """A game, and the mail to whoever is to act in it."""
    game, mover, other = table()
    Player.objects.filter(pk=other.pk).update(mails="none")
    spread()
    return game, Delivery.objects.get(player=mover, kind="turn")


# ------------------------------------------------------------------------------------------------------ mails


def test_a_mail_that_arrived_before_the_server_hung_up_is_not_called_dropped(post: Post) -> None:
    game, delivery = turn_mail()
    post.mood = "hangs up"
    mail_sender.send_due_mails(now=SOON)
    assert len(post.mails) == 1, "it has arrived"
    assert state_of(delivery) == ("waiting", True)
    play_turn(game, SOON + MINUTE)
    post.mood = ""
    mail_sender.send_due_mails(now=SOON + HOUR)
    assert len(post.mails) == 1, "nobody needs it any more"
    assert state_of(delivery) == ("uncertain", True)
    assert delivery.why == "The turn has passed."
    assert delivery.handed_over_at == SOON
    page = Client()
    page.force_login(delivery.player)
    assert "may have arrived" in page.get("/me/delivery/").text


def test_a_worker_that_died_after_the_server_had_it_leaves_no_wrong_word(post: Post) -> None:
    """The worker is stopped where it hurts most: the server has the mail, and nothing is written of it."""
    game, delivery = turn_mail()
    row = Delivery.objects.filter(pk=delivery.pk)
    claimed = outbox.claim_mail(pk=delivery.pk, seen_due_at=row.get().due_at or SOON, now=SOON)
    assert claimed

    class Died(BaseException):
        """As a kill does, it runs past every `except Exception`."""

    class Dying(mail_sender.MailSession):
        def send(self, mail: Any) -> None:
            super().send(mail)
            raise Died

    dying = Dying()
    with pytest.raises(Died):
        mail_sender.deliver_mail(claimed, dying, SOON)
    dying.close()
    assert len(post.mails) == 1
    assert state_of(delivery) == ("waiting", True)
    play_turn(game, SOON + MINUTE)
    mail_sender.send_due_mails(now=SOON + HOUR)
    assert state_of(delivery) == ("uncertain", True)


def test_a_mail_that_surely_did_not_arrive_is_dropped(post: Post) -> None:
    game, delivery = turn_mail()
    post.reject = lambda message: "451 4.7.1 come back later"
    mail_sender.send_due_mails(now=SOON)
    assert state_of(delivery) == ("waiting", False), "the server refused it"
    play_turn(game, SOON + MINUTE)
    mail_sender.send_due_mails(now=SOON + HOUR)
    assert state_of(delivery) == ("dropped", False)
    assert not post.mails


def test_a_server_that_hung_up_before_it_had_the_mail_has_not_got_it(post: Post) -> None:
    game, delivery = turn_mail()
    post.refuse = lambda address: "421 4.3.2 closing"
    mail_sender.send_due_mails(now=SOON)
    assert state_of(delivery) == ("waiting", False)
    post.stop()
    mail_sender.send_due_mails(now=SOON + 10 * MINUTE)
    assert state_of(delivery) == ("waiting", False), "nobody took the call"
    post.start()
    play_turn(game, SOON + HOUR)
    mail_sender.send_due_mails(now=SOON + 2 * HOUR)
    assert state_of(delivery) == ("dropped", False)


def test_what_an_earlier_try_may_have_brought_stays_true_when_a_later_one_is_refused(post: Post) -> None:
    game, delivery = turn_mail()
    post.mood = "hangs up"
    mail_sender.send_due_mails(now=SOON)
    post.mood, post.reject = "", lambda message: "451 4.7.1 come back later"
    mail_sender.send_due_mails(now=SOON + 10 * MINUTE)
    assert state_of(delivery) == ("waiting", True)
    play_turn(game, SOON + 11 * MINUTE)
    mail_sender.send_due_mails(now=SOON + DAY)
    assert state_of(delivery) == ("uncertain", True)


def test_one_that_is_tried_to_the_end_may_have_arrived(post: Post) -> None:
    _game, delivery = turn_mail()
    post.mood = "hangs up"
    now = SOON
    for _try in range(len(outbox.MAIL_RETRY_DELAYS) + 1):
        mail_sender.send_due_mails(now=now)
        delivery.refresh_from_db()
        now = delivery.due_at or now
    assert len(post.mails) == len(outbox.MAIL_RETRY_DELAYS) + 1
    assert state_of(delivery) == ("uncertain", True)
    # An operator may have it tried once more; then it is known.
    post.mood = ""
    assert outbox.retry_delivery(delivery=delivery, now=now)
    mail_sender.send_due_mails(now=now)
    assert state_of(delivery)[0] == "sent"


def test_a_slow_server_that_takes_it_at_last_has_the_last_word(post: Post) -> None:
    """Another worker dropped it after the lease, while the first one still waited for the answer."""
    game, delivery = turn_mail()
    claimed = outbox.claim_mail(pk=delivery.pk, seen_due_at=delivery.due_at or SOON, now=SOON)
    assert claimed
    taken_over = threading.Event()

    class Slow(mail_sender.MailSession):
        def send(self, mail: Any) -> None:
            super().send(mail)
            late = SOON + outbox.MAIL_LEASE + MINUTE
            play_turn(game, late)
            mail_sender.send_due_mails(now=late)
            assert state_of(delivery) == ("uncertain", True)
            taken_over.set()

    slow = Slow()
    assert mail_sender.deliver_mail(claimed, slow, SOON)
    slow.close()
    assert taken_over.is_set()
    assert state_of(delivery)[0] == "sent"
    assert delivery.sent_at == SOON
    assert delivery.message_id
    assert len(post.mails) == 1


@pytest.mark.parametrize("status", ["dropped", "failed", "uncertain"])
@pytest.mark.parametrize("report", [delivery_reports.record_delivered, delivery_reports.record_opened])
def test_a_provider_who_reports_that_it_arrived_is_believed(status: str, report: Any) -> None:
    _game, delivery = turn_mail()
    Delivery.objects.filter(pk=delivery.pk).update(
        status=status, due_at=None, why="The turn has passed.", handed_over_at=SOON
    )
    report(delivery=delivery, at=SOON + MINUTE, now=SOON + HOUR)
    delivery.refresh_from_db()
    assert (delivery.status, delivery.why, delivery.sent_at) == ("sent", "", SOON)


def test_programs_see_it() -> None:
    _game, delivery = turn_mail()
    Delivery.objects.filter(pk=delivery.pk).update(status="uncertain", due_at=None, handed_over_at=SOON)
    client = Client()
    client.force_login(delivery.player)
    (row,) = client.get("/api/v1/me/deliveries/").json()
    assert row["status"] == "uncertain"
    assert row["handed_over_at"] == f"{SOON.isoformat()[:19]}Z"


# -------------------------------------------------------------------------------------------------- providers


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever this machine has between itself and the world, providers are called directly."""
    monkeypatch.setenv("no_proxy", "*")


def reason_of(delivery: Delivery) -> str:
    delivery.refresh_from_db()
    return delivery.why


def provider(settings: LazySettings, url: str) -> None:
    """A provider sends our mails, at this address, through django-anymail's own backend."""
    settings.EMAIL_BACKEND = "anymail.backends.postmark.EmailBackend"
    settings.ANYMAIL = {
        "POSTMARK_SERVER_TOKEN": "t",
        "POSTMARK_API_URL": url,
        "REQUESTS_TIMEOUT": 0.3,
    }


def test_a_provider_whom_no_call_reached_has_not_got_the_mail(settings: LazySettings) -> None:
    game, delivery = turn_mail()
    with socket.create_server(("127.0.0.1", 0)) as probe:
        free = probe.getsockname()[1]
    with unanswering() as port:
        urls = (f"http://127.0.0.1:{free}/", "http://provider.invalid/", f"http://127.0.0.1:{port}/")
        for number, url in enumerate(urls):
            provider(settings, url)
            mail_sender.send_due_mails(now=SOON + number * HOUR)
            assert state_of(delivery) == ("waiting", False), url
            assert delivery.tries == number + 1
    play_turn(game, SOON + 4 * HOUR)
    mail_sender.send_due_mails(now=SOON + DAY)
    assert state_of(delivery) == ("dropped", False)


def test_a_provider_behind_a_proxy_that_is_away_has_not_got_the_mail(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    _game, delivery = turn_mail()
    with socket.create_server(("127.0.0.1", 0)) as probe:
        free = probe.getsockname()[1]
    monkeypatch.setenv("no_proxy", "")
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{free}")
    provider(settings, "http://provider.invalid/")
    mail_sender.send_due_mails(now=SOON)
    assert "ProxyError" in reason_of(delivery)
    assert (state_of(delivery), delivery.tries) == (("waiting", False), 1)


def test_a_provider_whose_certificate_is_not_trusted_has_not_got_the_mail(
    settings: LazySettings, tmp_path: Path
) -> None:
    _game, delivery = turn_mail()
    with Listener(certificate=make_certificate(tmp_path / "one.pem", "elsewhere.example.org")) as server:
        provider(settings, f"https://127.0.0.1:{server.port}/")
        mail_sender.send_due_mails(now=SOON)
        assert not server.calls
    assert (state_of(delivery), delivery.tries) == (("waiting", False), 1)


@pytest.mark.parametrize("way", ["silent", "hangs up"])
def test_a_provider_who_was_reached_and_answered_nothing_may_have_it(
    settings: LazySettings, way: str
) -> None:
    _game, delivery = turn_mail()

    def act(handler: Any) -> bool:
        if way == "silent":
            time.sleep(1)
        handler.connection.shutdown(socket.SHUT_RDWR)
        return True

    with Listener(act=act) as server:
        provider(settings, server.url)
        mail_sender.send_due_mails(now=SOON)
        assert server.calls
    assert state_of(delivery) == ("waiting", True)


# --------------------------------------------------------------------------------------------------- webhooks


@pytest.fixture
def hook(settings: LazySettings) -> Iterator[tuple[Listener, Webhook, Any]]:
    settings.WEBHOOKS_TO_PRIVATE = True
    with Listener() as server:
        game, mover, _other = table()
        made = Webhook.objects.create(player=mover, url=server.url, secret="s", at=SOON)
        spread()
        yield server, made, game


def call_of(webhook: Webhook) -> Delivery:
    return Delivery.objects.get(webhook=webhook, kind="turn")


def test_a_call_whose_answer_was_lost_may_have_arrived(hook: Any) -> None:
    server, made, game = hook
    server.act = lambda handler: handler.connection.shutdown(socket.SHUT_RDWR) is None
    webhook_sender.send_due_webhooks(now=SOON)
    assert server.calls
    assert state_of(call_of(made)) == ("waiting", True)
    play_turn(game, SOON + MINUTE)
    webhook_sender.send_due_webhooks(now=SOON + HOUR)
    assert state_of(call_of(made)) == ("uncertain", True)


@contextmanager
def unanswering() -> Iterator[int]:
    """A port of this machine that lets every call wait: its queue is full, and nobody takes from it."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as server, ExitStack() as waiting:
        for _ in range(4):
            call = waiting.enter_context(socket.socket())
            call.setblocking(False)
            call.connect_ex(server.getsockname())
        yield server.getsockname()[1]


def test_a_call_that_nobody_took_has_not_arrived(hook: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    _server, made, game = hook
    monkeypatch.setattr(webhook_http, "CONNECT_TIMEOUT_SECONDS", 0.3)
    with unanswering() as port:
        Webhook.objects.filter(pk=made.pk).update(url=f"http://127.0.0.1:{port}/")
        webhook_sender.send_due_webhooks(now=SOON)
    assert state_of(call_of(made)) == ("waiting", False)
    assert call_of(made).why == "The host took too long."
    play_turn(game, SOON + MINUTE)
    webhook_sender.send_due_webhooks(now=SOON + HOUR)
    assert state_of(call_of(made)) == ("dropped", False)


def test_a_call_that_got_no_further_than_the_handshake_has_not_arrived(
    hook: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    _server, made, _game = hook
    monkeypatch.setattr(webhook_http, "REQUEST_TIMEOUT_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        Webhook.objects.filter(pk=made.pk).update(url=f"https://127.0.0.1:{silent.getsockname()[1]}/")
        webhook_sender.send_due_webhooks(now=SOON)
    assert state_of(call_of(made)) == ("waiting", False)


def test_a_call_that_was_answered_with_an_error_has_not(hook: Any) -> None:
    server, made, game = hook
    server.status = 500
    webhook_sender.send_due_webhooks(now=SOON)
    assert state_of(call_of(made)) == ("waiting", False)
    play_turn(game, SOON + MINUTE)
    webhook_sender.send_due_webhooks(now=SOON + HOUR)
    assert state_of(call_of(made)) == ("dropped", False)


def test_a_call_under_way_while_its_webhook_is_switched_off_is_recorded_as_it_ended(hook: Any) -> None:
    _server, made, _game = hook
    (claimed,) = webhooks.claim_due_calls(now=SOON, limit=5)
    assert webhook_sender.prepare_call(claimed, SOON)
    webhook_sender.mark_handed_over(delivery=claimed, now=SOON)
    webhooks.set_webhook_active(player=made.player, webhook_id=made.pk, active=False, now=SOON)
    assert state_of(call_of(made)) == ("uncertain", True), "nobody knows yet"
    webhooks.mark_call_sent(delivery=claimed, now=SOON)
    assert state_of(call_of(made))[0] == "sent"
