"""Targets of webhooks: certificates are checked, and no private address is called by any name."""

from __future__ import annotations

import ipaddress
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from common.service_errors import Invalid
from notifications.channels.webhook import webhook_http, webhook_sender
from notifications.models import Webhook
from notifications.services import webhooks
from otto_site.errors import load_error_codes
from tests.factories.cast import NOW
from tests.helpers.listener import Listener, create_delivery, create_webhook, make_certificate, read_state

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def allow_private_webhooks(settings: Any) -> None:
    """Allow calls to the local server; tests of private addresses forbid them again."""
    settings.WEBHOOKS_TO_PRIVATE = True


@pytest.fixture
def server() -> Iterator[Listener]:
    with Listener() as listener:
        yield listener


# ------------------------------------------------------------------------------------------------------- TLS


@pytest.fixture
def secure_server(tmp_path: Path, monkeypatch: Any) -> Iterator[Listener]:
    """Start a server with a trusted certificate for hook.example.org."""
    certificate = make_certificate(tmp_path / "one.pem", "hook.example.org")
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    webhook_http.get_ssl_context.cache_clear()
    with Listener(certificate=certificate) as listener:
        yield listener
    webhook_http.get_ssl_context.cache_clear()


def fake_name_lookup(monkeypatch: Any, *answers: list[str]) -> list[str]:
    """Let each name lookup return the next of these lists. Returns the names that are looked up."""
    hosts: list[str] = []
    real = socket.getaddrinfo

    def getaddrinfo(host: str, port: int, *args: Any, **kwargs: Any) -> list[Any]:
        if re.fullmatch(r"[\d.:a-f]+", host):
            return real(host, port, *args, **kwargs)
        hosts.append(host)
        addresses = answers[min(len(hosts), len(answers)) - 1]
        if not addresses:
            raise socket.gaierror("no such name")
        return [entry for address in addresses for entry in real(address, port, *args, **kwargs)]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return hosts


def test_over_tls_the_name_is_checked_though_the_address_is_pinned(
    secure_server: Listener, monkeypatch: Any
) -> None:
    hosts = fake_name_lookup(monkeypatch, ["127.0.0.1"])
    fine = create_delivery(create_webhook(f"https://hook.example.org:{secure_server.port}/in"))
    other = create_delivery(create_webhook(f"https://other.example.org:{secure_server.port}/in"))
    webhook_sender.send_due_webhooks(now=NOW)
    assert read_state(fine)[0] == "sent"
    assert [call.headers["Host"] for call in secure_server.calls] == [
        f"hook.example.org:{secure_server.port}"
    ]
    assert read_state(other) == ("waiting", "The host’s certificate is not valid.")
    assert sorted(hosts) == ["hook.example.org", "other.example.org"], "each name is asked for once"


def test_a_certificate_that_nobody_trusts_is_not_trusted(secure_server: Listener, monkeypatch: Any) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    webhook_http.get_ssl_context.cache_clear()
    fake_name_lookup(monkeypatch, ["127.0.0.1"])
    assert (
        webhook_http.post_webhook(f"https://hook.example.org:{secure_server.port}/", b"", {}).failure
        == "certificate"
    )
    assert secure_server.calls == []


def test_a_handshake_that_never_ends_is_left(monkeypatch: Any) -> None:
    monkeypatch.setattr(webhook_http, "REQUEST_TIMEOUT_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        started_at = time.monotonic()
        url = f"https://127.0.0.1:{silent.getsockname()[1]}/"
        assert webhook_http.post_webhook(url, b"", {}) == webhook_http.CallResult(failure="timeout")
        assert time.monotonic() - started_at < 0.8


def test_what_answers_a_handshake_with_other_words_got_nothing(server: Listener) -> None:
    url = server.url.replace("http:", "https:")
    assert webhook_http.post_webhook(url, b"", {}) == webhook_http.CallResult(
        failure="broken", maybe_delivered=False
    )
    assert server.calls == []


# ---------------------------------------------------------------------------------------- private addresses


PRIVATE = [
    "127.0.0.1", "127.1.2.3", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
    "0.0.0.0", "224.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "203.0.113.9",
    "::1", "::", "fe80::1", "fc00::1", "fd12:3456::1", "fec0::1", "ff02::1", "2001:db8::1",
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "2002:7f00:1::", "2002:c0a8:101::1",
    "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::808:808", "2001:0:53aa:64c::1",
]  # fmt: skip
PUBLIC = [
    "8.8.8.8",
    "1.1.1.1",
    "2606:4700:4700::1111",
    "::ffff:8.8.8.8",
    "2002:808:808::1",
    "64:ff9b::808:808",
]


@pytest.mark.parametrize("address", PRIVATE)
def test_no_private_address_is_called(address: str, settings: Any, monkeypatch: Any) -> None:
    assert not webhooks.is_public_address(ipaddress.ip_address(address))
    settings.WEBHOOKS_TO_PRIVATE = False
    literal = f"[{address}]" if ":" in address else address
    with pytest.raises(Invalid):
        webhooks.check_webhook_url(f"https://{literal}/")
    fake_name_lookup(monkeypatch, [address])
    assert webhook_http.post_webhook("https://hook.example.org/", b"", {}) == webhook_http.CallResult(
        failure="private"
    )
    fake_name_lookup(monkeypatch, ["8.8.8.8", address])
    assert webhook_http.post_webhook("https://hook.example.org/", b"", {}).failure == "private", (
        "one is enough to refuse all"
    )


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_may_be_called(address: str, settings: Any) -> None:
    settings.WEBHOOKS_TO_PRIVATE = False
    assert webhooks.is_public_address(ipaddress.ip_address(address))
    assert webhooks.check_webhook_url(f"https://[{address}]/" if ":" in address else f"https://{address}/")


def test_the_settings_open_this_machine_and_no_network_around_it() -> None:
    callable_addresses = [
        address for address in PRIVATE if webhooks.can_call_address(ipaddress.ip_address(address))
    ]
    assert callable_addresses == ["127.0.0.1", "127.1.2.3", "::1"]


def test_a_name_that_changes_its_address_between_check_and_call_gains_nothing(
    settings: Any, monkeypatch: Any
) -> None:
    """The first lookup returns a public address, a second would return this machine but is never made."""
    settings.WEBHOOKS_TO_PRIVATE = False
    dialled: list[str] = []

    def create_connection(address: tuple[str, int], timeout: float) -> socket.socket:
        dialled.append(address[0])
        raise ConnectionRefusedError

    hosts = fake_name_lookup(monkeypatch, ["93.184.215.14"], ["127.0.0.1"])
    monkeypatch.setattr(socket, "create_connection", create_connection)
    assert webhook_http.post_webhook("https://hook.example.org/", b"", {}) == webhook_http.CallResult(
        failure="unreachable"
    )
    assert (hosts, dialled) == (["hook.example.org"], ["93.184.215.14"])
    assert webhook_http.post_webhook("https://hook.example.org/", b"", {}) == webhook_http.CallResult(
        failure="private"
    )
    assert dialled == ["93.184.215.14"]


def test_if_the_first_address_is_silent_the_next_one_is_called(server: Listener, monkeypatch: Any) -> None:
    fake_name_lookup(monkeypatch, ["::1", "127.0.0.1"])
    assert webhook_http.post_webhook(f"http://hook.example.org:{server.port}/", b"", {}).status == 200


def test_a_name_that_does_not_exist_is_said_to(server: Listener, monkeypatch: Any) -> None:
    fake_name_lookup(monkeypatch, [])
    delivery = create_delivery(create_webhook("https://nowhere.example.org/"))
    webhook_sender.send_due_webhooks(now=NOW)
    assert read_state(delivery) == ("waiting", "This host does not exist.")


def test_a_webhook_made_under_other_rules_is_not_called(server: Listener, settings: Any) -> None:
    delivery = create_delivery(create_webhook(server.url))
    settings.WEBHOOKS_TO_PRIVATE = False
    webhook_sender.send_due_webhooks(now=NOW)
    assert read_state(delivery) == ("waiting", "The address is in a private network, which we do not call.")
    assert server.calls == []


WRONG = [
    "", "https://", "http://example.org/", "ftp://example.org/", "javascript:alert(1)", "example.org",
    "//example.org",
    "https://ada:secret@example.org/", "https://ada@example.org/", "https://example.org:22/",
    "https://example.org:0/",
    "https://example.org:25/", "https://example.org:99999/", "https://example.org:x/",
    "https://exa mple.org/",
    "https://example.org/\r\nX-Evil: 1", "https://example.org/\x00", "https://exämple.org/", "https://[::1/",
    "https://example.org\\@127.0.0.1/", "https://localhost/", "https://LOCALHOST./", "https://a.localhost/",
    "https://printer.local/", "https://router/", "https://db.internal/", "https://127.1/", "https://2130706433/",
    "https://0x7f.0.0.1/", "https://0177.0.0.1/", "https://1.1.in-addr.arpa/",
    "https://example.org/" + "x" * 500,
]  # fmt: skip


@pytest.mark.parametrize("url", WRONG)
def test_an_address_that_we_never_call_makes_no_webhook(url: str, settings: Any) -> None:
    settings.WEBHOOKS_TO_PRIVATE = False
    with pytest.raises(Invalid) as refused:
        create_webhook(url)
    assert refused.value.code == "bad-webhook"
    assert "bad-webhook" in load_error_codes()
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org",
        "https://example.org:8443/a?b=c",
        "https://xn--exmple-cua.org/",
        "https://8.8.8.8/",
    ],
)
def test_an_address_of_the_open_internet_makes_one(url: str, settings: Any) -> None:
    settings.WEBHOOKS_TO_PRIVATE = False
    assert (
        create_webhook(url).signing_secret
        != create_webhook(url + "x" if "?" in url else url + "/x").signing_secret
    )
