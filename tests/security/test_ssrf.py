"""Webhooks take addresses from strangers, but never call this machine or its private network.

tests/notifications/test_webhook_addresses.py covers private addresses, names that change between check and
call, and certificates; test_webhooks.py covers redirects. This file tests whole calls at every entry point.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from common.service_errors import Invalid
from notifications.channels.webhook import webhook_http, webhook_sender
from notifications.models import Delivery, Webhook
from notifications.services import webhooks
from tests.factories.cast import Api, open_browser, player
from tests.helpers.listener import Listener

from .world import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def internal_server() -> Iterator[Listener]:
    """An internal server that webhooks must not reach."""
    with Listener() as listener:
        yield listener


@pytest.fixture(autouse=True)
def forbid_private_webhooks(settings: Any) -> None:
    settings.WEBHOOKS_TO_PRIVATE = False


SPELLINGS = (
    *("https://127.0.0.1:{p}/", "https://127.1:{p}/", "https://2130706433:{p}/", "https://0x7f000001:{p}/"),
    *(
        "https://0177.0.0.1:{p}/",
        "https://0:{p}/",
        "https://0.0.0.0:{p}/",
        "https://[::1]:{p}/",
        "https://[::]:{p}/",
    ),
    *(
        "https://[::ffff:127.0.0.1]:{p}/",
        "https://[::ffff:7f00:1]:{p}/",
        "https://[0:0:0:0:0:ffff:127.0.0.1]:{p}/",
    ),
    *(
        "https://localhost:{p}/",
        "https://localhost.:{p}/",
        "https://LocalHost:{p}/",
        "https://x.localhost:{p}/",
    ),
    *(
        "https://169.254.169.254/latest/meta-data/",
        "https://[fd00:ec2::254]/latest/",
        "https://100.100.100.200/",
    ),
    *("https://metadata.google.internal/", "https://[fe80::1%25lo]:{p}/", "https://127.0.0.1.:{p}/"),
    *("http://127.0.0.1:{p}/", "gopher://127.0.0.1:{p}/", "file:///etc/passwd", "https://a@127.0.0.1:{p}/"),
    *(
        "https://127.0.0.1:{p}#@example.org/",
        "https://example.org@127.0.0.1:{p}/",
        "https://[::127.0.0.1]:{p}/",
    ),
)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_no_door_takes_an_address_of_this_machine(
    spelling: str, world: World, internal_server: Listener
) -> None:
    url = spelling.format(p=internal_server.port)
    before = Webhook.objects.count()
    answer = Api("eve", in_person=True).post("me/webhooks/", {"url": url})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-webhook")
    assert open_browser("eve").post("/me/webhooks/", {"url": url, "preset": "json"}).status_code == 200
    with pytest.raises(Invalid):
        webhooks.create_webhook(player=player("eve"), url=url, preset="json", now=world.now)
    assert Webhook.objects.count() == before
    assert webhook_http.post_webhook(url, b"{}", {}).failure == "private", "nor is it called if it were there"
    assert internal_server.calls == []


def test_a_name_that_turns_out_to_be_this_machine_is_not_called(
    world: World, internal_server: Listener, monkeypatch: Any
) -> None:
    """The name resolves to a public address first and to loopback later; the internal server gets no call."""
    real, answers = socket.getaddrinfo, iter(["8.8.8.8"])
    tried: list[str] = []

    def resolve(host: str, port: int, *args: Any, **kwargs: Any) -> Any:
        if host != "rebinding.example.org":
            return real(host, port, *args, **kwargs)
        return real(next(answers, "127.0.0.1"), port, *args, **kwargs)

    def connect(address: tuple[str, int], *args: Any) -> Any:
        tried.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(socket, "create_connection", connect)
    url = f"https://rebinding.example.org:{internal_server.port}/"
    hook = webhooks.create_webhook(player=player("eve"), url=url, preset="json", now=world.now)
    assert webhook_http.post_webhook(hook.url, b"{}", {}).failure == "unreachable"
    assert tried == ["8.8.8.8"], "what was looked at is what is called"
    assert webhook_http.post_webhook(hook.url, b"{}", {}).failure == "private"
    assert tried == ["8.8.8.8"]
    assert internal_server.calls == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_the_inside_is_not_followed(
    status: int, world: World, internal_server: Listener, settings: Any
) -> None:
    settings.WEBHOOKS_TO_PRIVATE = True  # the redirecting server plays a public one
    to = f"http://127.0.0.1:{internal_server.port}/admin"
    with Listener(status=status, headers={"Location": to, "Refresh": f"0; url={to}"}) as outside:
        assert webhook_http.post_webhook(f"http://127.0.0.1:{outside.port}/", b"{}", {}).status == status
        assert len(outside.calls) == 1
    assert internal_server.calls == []


def test_what_a_server_answers_is_shown_to_nobody(world: World, settings: Any) -> None:
    """The owner of a webhook sees only the status, so that webhooks cannot be used to read pages."""
    settings.WEBHOOKS_TO_PRIVATE = True
    with Listener(status=500, answer=b"the-words-of-the-inside", headers={"X-Inside": "yes"}) as inside:
        url = f"http://127.0.0.1:{inside.port}/"
        hook = webhooks.create_webhook(player=player("eve"), url=url, preset="json", now=world.now)
        webhooks.create_test_call(player=player("eve"), webhook_id=hook.pk, now=world.now)
        webhook_sender.send_due_webhooks(now=world.now)
        assert len(inside.calls) == 1
    api = Api("eve", in_person=True)
    texts = str(list(Delivery.objects.filter(webhook=hook).values())) + api.get("me/deliveries/").text
    texts += api.get("me/webhooks/").text + open_browser("eve").get("/me/delivery/").content.decode()
    assert "500" in texts
    assert "words-of-the-inside" not in texts
    assert "X-Inside" not in texts


def test_a_header_cannot_be_smuggled_into_a_call(world: World, settings: Any) -> None:
    settings.WEBHOOKS_TO_PRIVATE = True
    with Listener() as outside:
        for tail in ("/\r\nX-Evil: 1", "/ HTTP/1.1\r\nHost: evil", "/%0d%0aX-Evil:1"):
            webhook_http.post_webhook(f"http://127.0.0.1:{outside.port}{tail}", b"{}", {})
        assert all("X-Evil" not in call.headers for call in outside.calls)
        assert [call.path for call in outside.calls] == ["/%0d%0aX-Evil:1"]


def test_an_endless_answer_is_left(world: World, settings: Any, monkeypatch: Any) -> None:
    settings.WEBHOOKS_TO_PRIVATE = True
    monkeypatch.setattr(webhook_http, "REQUEST_TIMEOUT_SECONDS", 0.5)
    sent = [0]

    def answer_endlessly(handler: BaseHTTPRequestHandler) -> bool:
        handler.send_response(200)
        handler.end_headers()
        try:
            while sent[0] < 50_000_000:
                handler.wfile.write(b"x" * 10_000)
                sent[0] += 10_000
        except OSError:
            pass
        return True

    with Listener(act=answer_endlessly) as outside:
        assert webhook_http.post_webhook(f"http://127.0.0.1:{outside.port}/", b"{}", {}).status == 200
    assert sent[0] < 50_000_000
