"""Inbound mail costs little: few recipients, no unsigned addresses, and each mail is parsed once."""

from __future__ import annotations

import asyncio
import os
import smtplib
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from email.message import EmailMessage
from ipaddress import ip_network
from typing import Any

import pytest
from anymail.inbound import AnymailInboundMessage
from anymail.signals import AnymailInboundEvent
from django.db import connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from common import rate_limits
from games import signed_links
from games.models import Game
from notifications.inbound import anymail, mail_processing, mail_rate_limits, mail_server, mime
from notifications.inbound.addresses import BOUNCE_PURPOSE, build_address, make_bounce_token
from notifications.models import InboundMail
from tests.factories.cast import player, start_cast_game
from tests.helpers.reply_helpers import (
    build_mail,
    get_owner,
    get_seat_to_act,
    list_log,
    make_reply_address,
    set_domain,
)
from tests.services import free_port

MAX = mail_processing.MAX_RECIPIENTS_PER_MAIL
SENDER = "somebody@example.net"


@pytest.fixture(autouse=True)
def set_reply_domain(settings: Any) -> None:
    """Enable replies by mail."""
    set_domain(settings)


@pytest.fixture
def forbid_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail on every database query."""
    monkeypatch.setattr(connection, "cursor", lambda *args: pytest.fail("the database was asked"))


@contextmanager
def run_server(*, lmtp: bool = False) -> Iterator[int]:
    """Run the real server in a thread; yield its port."""
    port = free_port()
    loop = asyncio.new_event_loop()
    handler = mail_server.InboundServerHandler(lmtp=lmtp)
    handler.pool = ThreadPoolExecutor(1)
    kind = mail_server.GuardedLMTP if lmtp else mail_server.GuardedSMTP
    options = {
        "data_size_limit": mail_processing.MAX_MAIL_BYTES,
        "enable_SMTPUTF8": True,
        "hostname": "x",
        "loop": loop,
    }
    server = loop.run_until_complete(loop.create_server(lambda: kind(handler, **options), "127.0.0.1", port))
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield port
    finally:
        loop.call_soon_threadsafe(server.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(20)
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0.05))
        loop.run_until_complete(loop.shutdown_asyncgens())
        handler.pool.submit(connections.close_all).result()
        handler.pool.shutdown()
        loop.close()


def invent_addresses(count: int) -> list[str]:
    """Return unsigned addresses in the form of turn addresses."""
    return [
        f"play-abcdefghjk{number:02}-1-{number}-aaaaaaaaaaaaaaaa-bbbbbbbbbb@{mail_processing.settings.REPLY_DOMAIN}"
        for number in range(count)
    ]


def sign_addresses(count: int) -> list[str]:
    """Return signed addresses of games that do not exist."""
    token = signed_links.make_turn_token
    token_fields = {
        "purpose": signed_links.REPLY_PURPOSE,
        "game_code": "abcdefghjkmn",
        "seat_no": 1,
        "player_id": 7,
    }
    return [
        build_address(signed_links.REPLY_PURPOSE, token(turn_seq=turn, **token_fields))
        for turn in range(count)
    ]


@contextmanager
def open_dialogue(port: int, *, lmtp: bool = False, host: str = "127.0.0.1") -> Iterator[Any]:
    """Open an SMTP or LMTP connection from a loopback address."""
    kind = smtplib.LMTP if lmtp else smtplib.SMTP
    server = kind("127.0.0.1", port, timeout=30, source_address=(host, 0))
    try:
        server.ehlo()
        yield server
    finally:
        server.close()


# ------------------------------------------------------------------------------------------------- recipients


@pytest.mark.usefixtures("forbid_database")
def test_an_invented_address_is_refused_without_a_query() -> None:
    strange = [
        *invent_addresses(2),
        f"bounce-1-aaaaaaaaaaaaaaaa@{mail_processing.settings.REPLY_DOMAIN}",
        "x@example.org",
    ]
    with run_server() as port:
        for to in strange:
            with open_dialogue(port) as server:
                assert server.mail(SENDER)[0] == 250
                assert server.rcpt(to)[0] == 550
                assert server.rcpt(sign_addresses(1)[0])[0] == 250


@pytest.mark.usefixtures("forbid_database")
def test_a_mail_has_ten_recipients_and_no_more() -> None:
    with run_server() as port, open_dialogue(port) as server:
        server.mail(SENDER)
        answers = [server.rcpt(to)[0] for to in sign_addresses(MAX + 3)]
        assert answers == [250] * MAX + [452] * 3
        assert server.rset()[0] == 250
        server.mail(SENDER)
        assert server.rcpt(sign_addresses(1)[0])[0] == 250


@pytest.mark.usefixtures("forbid_database")
def test_whoever_makes_error_after_error_is_left() -> None:
    with run_server() as port, open_dialogue(port) as server:
        server.mail(SENDER)
        answers = [server.rcpt(to)[0] for to in invent_addresses(mail_server.MAX_ERRORS_IN_A_ROW)]
        assert answers == [550] * (len(answers) - 1) + [421]
        assert server.sock.recv(1) == b""


@pytest.mark.usefixtures("forbid_database")
def test_errors_between_good_answers_come_to_an_end_too() -> None:
    with run_server() as port, open_dialogue(port) as server:
        server.mail(SENDER)
        answers: list[int] = []
        while 421 not in answers and len(answers) < 3 * mail_server.MAX_ERRORS_PER_CONNECTION:
            answers.append(server.rcpt(invent_addresses(1)[0])[0])
            if answers[-1] == 550:
                server.noop()
        assert len(answers) == mail_server.MAX_ERRORS_PER_CONNECTION


@pytest.mark.usefixtures("forbid_database")
def test_a_host_brings_so_many_mails_a_minute(settings: Any) -> None:
    settings.INBOUND_RATE = 3
    codes = list_reply_codes(8, lambda number: f"sender{number}@example.net")
    assert codes[:3] == [250, 250, 250]
    assert codes.count(451) >= 2  # a minute may have ended in between


def list_reply_codes(
    count: int, sender: Callable[[int], str], to: Callable[[int], str] | None = None
) -> list[int]:
    """Send mails over one connection each; return the reply codes."""
    addresses = sign_addresses(count)
    codes = []
    with run_server() as port:
        for number in range(count):
            with open_dialogue(port) as server:
                assert server.mail(sender(number))[0] == 250
                codes.append(server.rcpt(to(number) if to else addresses[number])[0])
    return codes


@pytest.fixture
def use_relay(settings: Any) -> None:
    """All mail comes from our own relay on loopback."""
    settings.INBOUND_RATE, settings.INBOUND_RATE_ADDRESS = 3, 4
    settings.INBOUND_RELAYS = [ip_network("127.0.0.0/8"), ip_network("10.1.0.0/16")]


FLOOD = ["Flood@Example.net", "flood@EXAMPLE.net", "FLOOD@example.net", "flood@example.net"]


@pytest.mark.usefixtures("forbid_database", "use_relay")
def test_one_flood_behind_our_mail_server_does_not_keep_the_others_out() -> None:
    own, *other_addresses = sign_addresses(3)
    codes = list_reply_codes(
        10,
        lambda number: FLOOD[number % 4] if number < 8 else f"sender{number}@example.net",
        lambda number: own if number < 8 else other_addresses[number - 8],
    )
    assert codes[:4] == [250] * 4
    assert 451 in codes[4:8]
    assert codes[8:] == [250, 250], "more mails than one host may bring, and two senders who brought one each"


@pytest.mark.usefixtures("forbid_database")
def test_one_sender_at_one_host_brings_so_many_mails_to_whichever_addresses(settings: Any) -> None:
    settings.INBOUND_RATE_ADDRESS = 4
    codes = list_reply_codes(
        10, lambda number: FLOOD[number % 4] if number < 8 else f"sender{number}@example.net"
    )
    assert codes[:4] == [250] * 4
    assert 451 in codes[4:8]
    assert codes[8:] == [250, 250]


def forge_senders(port: int, to: str, *, times: int, host: str = "127.0.0.1") -> list[int]:
    """Announce mails from a forged sender without sending any; return the reply codes."""
    codes = []
    for _ in range(times):
        with open_dialogue(port, host=host) as server:
            server.mail(SENDER)
            codes.append(server.rcpt(to)[0])
            server.rset()
    return codes


@pytest.mark.usefixtures("forbid_database")
def test_who_names_another_as_the_sender_does_not_keep_their_replies_out(settings: Any) -> None:
    settings.INBOUND_RATE_ADDRESS = 4
    own, other_address = sign_addresses(2)
    with run_server() as port:
        assert 451 in forge_senders(port, own, times=9, host="127.0.0.2")
        with open_dialogue(port) as server:
            server.mail(SENDER)
            assert server.rcpt(other_address)[0] == 250


@pytest.mark.usefixtures("forbid_database", "use_relay")
def test_nor_do_they_through_our_mail_server() -> None:
    own, other_address = sign_addresses(2)
    with run_server() as port:
        assert 451 in forge_senders(port, own, times=9)
        with open_dialogue(port) as server:
            server.mail(SENDER)
            assert server.rcpt(other_address)[0] == 250


@pytest.mark.usefixtures("forbid_database", "use_relay")
def test_one_address_of_ours_takes_so_many_mails_whoever_sends_them() -> None:
    to = sign_addresses(1)[0]
    codes = list_reply_codes(9, lambda number: f"sender{number}@example.net", lambda number: to.upper())
    assert codes[:4] == [250] * 4
    assert 451 in codes


@pytest.mark.usefixtures("forbid_database", "use_relay")
def test_what_comes_back_has_no_sender_and_is_not_counted_as_one() -> None:
    def make_bounce_address(number: int) -> str:
        return build_address(BOUNCE_PURPOSE, make_bounce_token(number + 1))

    assert list_reply_codes(9, lambda number: "", make_bounce_address) == [250] * 9


@pytest.mark.usefixtures("forbid_database")
def test_mails_to_invented_addresses_use_up_nothing(settings: Any) -> None:
    settings.INBOUND_RATE = 3
    with run_server() as port:
        for _ in range(6):
            with open_dialogue(port) as server:
                server.mail(SENDER)
                assert server.rcpt(invent_addresses(1)[0])[0] == 550
        with open_dialogue(port) as server:
            server.mail(SENDER)
            assert server.rcpt(sign_addresses(1)[0])[0] == 250


@pytest.mark.parametrize(
    ("host", "is_ours"),
    [
        ("127.0.0.1", True),
        ("::ffff:10.1.2.3", True),
        ("10.2.0.1", False),
        ("2001:db8::1", False),
        ("", False),
        ("somewhere", False),
    ],
)
@pytest.mark.usefixtures("use_relay")
def test_which_hosts_are_mail_servers_of_ours(host: str, is_ours: bool) -> None:
    assert mail_rate_limits.is_relay(host) is is_ours


def test_wrong_names_of_relays_end_the_start() -> None:
    environment = os.environ | {"INBOUND_RELAYS": "10.0.0.0/8, nowhere"}
    ran = subprocess.run(
        [sys.executable, "-c", "import otto_site.settings"], env=environment, capture_output=True, text=True
    )
    assert ran.returncode == 1
    assert "INBOUND_RELAYS" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1


# ----------------------------------------------------------------------------------------------- processing


@pytest.fixture
def read_counts(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Count how often a mail is parsed and how often its lines are extracted."""
    counts = {"read": 0, "lines": 0}
    read, lines = mime.parse_mail, mail_processing.extract_reply_lines

    def count_read(raw: bytes) -> Any:
        counts["read"] += 1
        return read(raw)

    def count_line_search(mail: Any) -> list[str]:
        counts["lines"] += 1
        return lines(mail)

    monkeypatch.setattr(mime, "parse_mail", count_read)
    monkeypatch.setattr(mail_processing, "extract_reply_lines", count_line_search)
    return counts


def start_several_games(count: int) -> tuple[list[Game], list[str], str]:
    """Start games in which ada is to move; return them with the reply addresses and her address."""
    games = []
    while len(games) < count:
        game = start_cast_game("ada", "bob")
        if get_owner(get_seat_to_act(game)).name == "ada":
            games.append(game)
    return games, [make_reply_address(game, get_seat_to_act(game)) for game in games], player("ada").email


@pytest.mark.django_db(transaction=True)
def test_a_mail_to_several_addresses_is_read_once_and_played_in_each(read_counts: dict[str, int]) -> None:
    games, to, email = start_several_games(3)
    content = build_mail("draw", email, to[0])
    answers = mail_server.receive_for_recipients(content, [*to, to[0]], email)
    assert answers == dict.fromkeys(to, mail_server.REPLY_ACCEPTED)
    assert read_counts == {"read": 1, "lines": 1}
    assert [list_log(game) for game in games] == [["draw"]] * 3
    assert InboundMail.objects.count() == 3
    mail_server.receive_for_recipients(content, to, email)  # delivered again
    assert [list_log(game) for game in games] == [["draw"]] * 3
    assert InboundMail.objects.count() == 3


@pytest.mark.django_db(transaction=True)
def test_a_mail_to_a_thousand_invented_addresses_leaves_nothing(read_counts: dict[str, int]) -> None:
    with run_server() as port:
        for start in range(0, 39, 3):
            with open_dialogue(port) as server:
                server.mail(SENDER)
                assert {server.rcpt(to)[0] for to in invent_addresses(39)[start : start + 3]} == {550}
                assert server.docmd("DATA")[0] == 503
    assert read_counts["read"] == 0
    assert not InboundMail.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_one_address_that_fails_does_not_hold_up_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    games, to, email = start_several_games(2)
    take = mail_processing.process_mail

    def fail_for_one(read: Any, recipient: str, *rest: Any) -> InboundMail:
        if recipient == to[0]:
            raise RuntimeError("no room")
        return take(read, recipient, *rest)

    monkeypatch.setattr(mail_processing, "process_mail", fail_for_one)
    answers = mail_server.receive_for_recipients(build_mail("draw", email, to[0]), to, email)
    assert answers == {to[0]: mail_server.REPLY_TRY_AGAIN, to[1]: mail_server.REPLY_ACCEPTED}
    assert [list_log(game) for game in games] == [[], ["draw"]]


@pytest.mark.django_db(transaction=True)
def test_lmtp_answers_for_an_address_that_is_named_twice_twice() -> None:
    games, to, email = start_several_games(1)
    with run_server(lmtp=True) as port, open_dialogue(port, lmtp=True) as server:
        server.mail(email)
        assert [server.rcpt(address)[0] for address in (to[0], to[0])] == [250, 250]
        assert server.data(build_mail("draw", email, to[0]))[0] == 250
        assert server.getreply()[0] == 250
        assert server.noop()[0] == 250
    assert [list_log(game) for game in games] == [["draw"]]
    assert InboundMail.objects.count() == 1


# --------------------------------------------------------------------------- the webhook of a mail provider


def build_event(to: list[str], email: str) -> AnymailInboundEvent:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = email, ", ".join(to), "Re: Your turn"
    mail.set_content("draw")
    message = AnymailInboundMessage.parse_raw_mime_bytes(mail.as_bytes())
    return AnymailInboundEvent(event_type="inbound", message=message)


@pytest.mark.django_db
def test_a_provider_that_names_many_addresses_makes_us_read_once_and_store_once(
    read_counts: dict[str, int],
) -> None:
    with CaptureQueriesContext(connection) as queries:
        anymail.handle_inbound_event(build_event(invent_addresses(500), SENDER))
    assert InboundMail.objects.count() == 1
    assert InboundMail.objects.get().outcome == "unknown"
    assert read_counts["read"] == 1
    assert len(queries) < 12


@pytest.mark.django_db
def test_a_provider_brings_a_mail_to_so_many_addresses(read_counts: dict[str, int]) -> None:
    anymail.handle_inbound_event(build_event(sign_addresses(MAX + 5), SENDER))
    assert InboundMail.objects.count() == MAX
    assert read_counts["read"] == 1


@pytest.fixture
def enable_provider(settings: Any) -> Iterator[None]:
    """Enable the webhook; requests with its secret are counted separately."""
    settings.ANYMAIL = {"WEBHOOK_SECRET": "name:password"}
    settings.PAGE_RATE_ANONYMOUS, settings.INBOUND_RATE = 2, 5
    rate_limits.reset_counts()
    yield
    rate_limits.reset_counts()


@pytest.mark.django_db
@pytest.mark.usefixtures("enable_provider")
def test_calls_with_the_secret_are_counted_apart_and_limited_too() -> None:
    client = Client(headers={"Authorization": "Basic bmFtZTpwYXNzd29yZA=="})
    answers = [client.post("/anymail/nothing/", "{}", "application/json").status_code for _ in range(12)]
    assert answers[:5] == [404] * 5  # no provider is configured; requests are counted before that is checked
    assert 429 in answers
    strangers = [Client().post("/anymail/nothing/", "{}", "application/json").status_code for _ in range(6)]
    assert strangers[:2] == [404, 404]
    assert 429 in strangers
