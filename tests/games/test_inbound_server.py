"""The door for a mail server: a process of its own, real SMTP and LMTP, the database of these tests."""

from __future__ import annotations

import asyncio
import os
import signal
import smtplib
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games import signed_links
from games.mail import inbound, inbound_server
from games.models import Delivery, InboundMail
from tests.games.cast import NOW, player
from tests.games.mailing import (
    DOMAIN,
    address,
    letter,
    log_of,
    mover,
    owner,
    raw,
    set_domain,
    two_lines,
    well,
    with_cards,
)
from tests.services import Service, free_port, require

ROOT = Path(__file__).resolve().parent.parent.parent
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def domain(settings: Any) -> None:
    """Replies come in."""
    set_domain(settings)


def command(*words: str, port: int, database: str) -> list[str]:
    environment = {"REPLY_DOMAIN": DOMAIN, "DATABASE_URL": database, "PYTHONPATH": str(ROOT)}
    named = [f"{name}={value}" for name, value in environment.items()]
    return [
        "env",
        *named,
        sys.executable,
        str(ROOT / "manage.py"),
        "inbound_mail",
        "--port",
        str(port),
        *words,
    ]


def our_database() -> str:
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}").geturl()


def listening(port: int) -> Callable[[], bool]:
    def answers() -> bool:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1) as line:
                return line.recv(3) == b"220"
        except OSError:
            return False

    return answers


@pytest.fixture(scope="module")
def servers(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, int]]:
    """The ports of an SMTP and an LMTP server, and of one whose database is away."""
    require("PostgreSQL")
    folder = tmp_path_factory.mktemp("inbound")
    ours, away = our_database(), "postgres://nobody@127.0.0.1:1/nowhere"
    kinds = {"smtp": (ours, ()), "lmtp": (ours, ("--lmtp",)), "away": (away, ())}
    ports = {kind: free_port() for kind in kinds}

    running: list[Service] = []

    def start(kind: str) -> None:
        database, words = kinds[kind]
        started = command(*words, port=ports[kind], database=database)
        running.append(Service(kind, started, listening(ports[kind]), folder / f"{kind}.log"))

    with ThreadPoolExecutor() as pool:
        try:
            list(pool.map(start, kinds))
            yield ports
        finally:
            pool.shutdown(wait=True)
            for server in running:
                server.stop()


def deliver(port: int, content: bytes, *to: str, sender: str = "ada@example.org", lmtp: bool = False) -> Any:
    """Hand over a mail as an MTA does; gives the recipients that were refused."""
    with (smtplib.LMTP if lmtp else smtplib.SMTP)("127.0.0.1", port, timeout=60) as server:
        return server.sendmail(sender, list(to), content)


def test_a_reply_by_smtp_is_played(servers: dict[str, int]) -> None:
    game = with_cards()
    place = mover(game)
    to = address(game, place)
    lines = two_lines(game, place)
    content = letter("\n".join(lines), owner(place).email, to)
    assert deliver(servers["smtp"], content, to) == {}
    assert log_of(game) == lines
    assert InboundMail.objects.get().outcome == "played"
    assert Delivery.objects.get(kind="reply").player == owner(place)
    assert deliver(servers["smtp"], content, to) == {}  # the other server did not hear our answer
    assert log_of(game) == lines
    assert InboundMail.objects.count() == Delivery.objects.filter(kind="reply").count() == 1
    well(game)


def test_lmtp_answers_for_each_recipient(servers: dict[str, int]) -> None:
    game = with_cards()
    place = mover(game)
    to = address(game, place)
    resign = address(game, place, signed_links.RESIGN_PURPOSE)
    content = letter("draw", owner(place).email, to)
    with smtplib.LMTP("127.0.0.1", servers["lmtp"], timeout=60) as server:
        server.ehlo()  # which says LHLO
        assert server.mail("ada@example.org")[0] == 250
        assert [server.rcpt(one)[0] for one in (to, resign, "x@example.org")] == [250, 250, 550]
        assert server.data(content)[0] == 250
        assert server.getreply()[0] == 250  # the second one's
        assert server.noop()[0] == 250  # and no more than that
    assert log_of(game) == ["draw"]
    assert sorted(InboundMail.objects.values_list("outcome", flat=True)) == ["played", "refused"]


@pytest.mark.parametrize("kind", ["smtp", "lmtp"])
def test_addresses_that_are_not_ours_are_refused_at_the_door(servers: dict[str, int], kind: str) -> None:
    game = with_cards()
    place = mover(game)
    token = address(game, place).partition("@")[0]
    strange = [
        "ada@example.org",
        f"{token}@example.org",
        f"otto@{DOMAIN}",
        f"play@{DOMAIN}",
        f"play-x@{DOMAIN}",
        f"bounce-1-aaaaaaaaaaaaaaaa@{DOMAIN}",
        "postmaster",
    ]
    for to in strange:
        with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
            deliver(servers[kind], letter("draw", "ada@example.org", to), to, lmtp=kind == "lmtp")
        assert [code for code, _said in refused.value.recipients.values()] == [550]
    assert not InboundMail.objects.exists()


def test_a_bounce_by_smtp_has_no_sender_and_is_noted(servers: dict[str, int]) -> None:
    delivery = Delivery.objects.create(player=player("ada"), kind="turn", reason="x", made_at=NOW)
    to = signed_links.build_address(signed_links.BOUNCE_PURPOSE, signed_links.make_bounce_token(delivery.pk))
    deliver(servers["smtp"], raw("report-no-such-user"), to, sender="")
    assert InboundMail.objects.get().outcome == "bounce"
    assert player("ada").dead_at is not None


def test_a_reply_without_a_sender_is_a_machines(servers: dict[str, int]) -> None:
    game = with_cards()
    place = mover(game)
    to = address(game, place)
    deliver(servers["smtp"], letter("draw", owner(place).email, to), to, sender="")
    assert (InboundMail.objects.get().why, log_of(game)) == ("no sender", [])


def test_a_mail_of_almost_20_mb_is_read_and_a_larger_one_refused(servers: dict[str, int]) -> None:
    game = with_cards()
    place = mover(game)
    to = address(game, place)
    head = (
        f"From: {owner(place).email}\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\ndraw\r\n"
    )
    attached = b"--x\r\nContent-Type: image/png\r\n\r\n" + (b"QUJD" * 18 + b"\r\n") * 260_000
    assert 19_000_000 < len(attached) < inbound.MAX_MAIL_BYTES
    assert deliver(servers["smtp"], head.encode() + attached, to) == {}
    assert log_of(game) == ["draw"]
    with smtplib.SMTP("127.0.0.1", servers["smtp"], timeout=60) as server:
        server.ehlo()
        assert server.esmtp_features["size"] == str(inbound.MAX_MAIL_BYTES)
        assert server.mail("ada@example.org", [f"SIZE={inbound.MAX_MAIL_BYTES + 1}"])[0] == 552
    with pytest.raises(smtplib.SMTPResponseException) as refused:
        say_nothing_of_size(servers["smtp"], head.encode() + attached + attached[:2_000_000], to)
    assert refused.value.smtp_code == 552
    assert InboundMail.objects.count() == 1


def say_nothing_of_size(port: int, content: bytes, to: str) -> None:
    with smtplib.SMTP("127.0.0.1", port, timeout=60) as server:
        server.helo()
        server.mail("ada@example.org")
        server.rcpt(to)
        code, said = server.data(content)
        if code != 250:
            raise smtplib.SMTPResponseException(code, said)


def test_lines_longer_than_they_may_be_are_read_all_the_same(servers: dict[str, int]) -> None:
    game = with_cards()
    place = mover(game)
    to = address(game, place)
    html = f"<p>draw</p><!-- {'x' * 20_000} -->"
    content = f"From: {owner(place).email}\r\nContent-Type: text/html\r\n\r\n{html}\r\n"
    assert deliver(servers["smtp"], content.encode(), to) == {}
    assert log_of(game) == ["draw"]


def test_while_the_database_is_away_mails_are_to_come_again(servers: dict[str, int]) -> None:
    game = with_cards()
    place = mover(game)
    to = address(game, place)
    content = letter("draw", owner(place).email, to)
    with pytest.raises(smtplib.SMTPDataError) as refused:
        deliver(servers["away"], content, to)
    assert refused.value.smtp_code == 451
    assert log_of(game) == []
    assert deliver(servers["smtp"], content, to) == {}  # and when they do, they are played
    assert log_of(game) == ["draw"]


def test_many_mails_at_once_are_each_read_once(servers: dict[str, int]) -> None:
    games = [with_cards() for _number in range(6)]
    seats = [mover(game) for game in games]
    mails = [
        (letter("draw", owner(place).email, address(game, place)), address(game, place))
        for game, place in zip(games, seats, strict=True)
    ]
    threads = [
        threading.Thread(target=deliver, args=(servers["smtp"], content, to)) for content, to in mails * 2
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [log_of(game) for game in games] == [["draw"]] * 6
    assert InboundMail.objects.filter(outcome="played").count() == 6


def test_nonsense_in_the_dialogue_does_no_harm(servers: dict[str, int]) -> None:
    for words in (b"\x00\xff\xfe\r\n", b"MAIL FROM:<" + b"a" * 600 + b">\r\n", b"RCPT TO:<\r\n", b"DATA\r\n"):
        with smtplib.SMTP("127.0.0.1", servers["smtp"], timeout=10) as server:
            server.ehlo()
            assert server.sock
            server.sock.sendall(words)
            assert 500 <= server.getreply()[0] < 600
    assert listening(servers["smtp"])()


def test_it_says_where_it_listens_and_ends_when_asked(django_db_setup: None) -> None:
    port = free_port()
    started = command(port=port, database=our_database())
    process = subprocess.Popen(started, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout
    assert process.stderr
    with process.stdout, process.stderr:
        assert process.stdout.readline() == f"SMTP for {DOMAIN} on 127.0.0.1:{port}\n"
        with socket.create_connection(("127.0.0.1", port)):  # somebody is connected and says nothing
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0
        assert process.stdout.read() == "no longer listening\n"
        assert process.stderr.read() == ""


def test_a_mail_that_is_being_read_is_finished_before_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process, where reading can be made slow."""
    read: list[bytes] = []

    def slowly(content: bytes, recipients: list[str], sender: str) -> dict[str, str]:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0.5)
        read.append(content)
        return dict.fromkeys(recipients, inbound_server.REPLY_ACCEPTED)

    monkeypatch.setattr(inbound_server, "receive_for_recipients", slowly)
    game = with_cards()
    to = address(game, mover(game))
    ports: list[int] = []
    answers: list[Any] = []

    def ready(host: str, port: int) -> None:
        ports.append(port)
        thread.start()

    thread = threading.Thread(target=lambda: answers.append(deliver(ports[0], b"Subject: x\r\n\r\ndraw", to)))
    asyncio.run(inbound_server.serve_inbound_mail("127.0.0.1", 0, lmtp=False, on_ready=ready))
    thread.join(20)
    assert answers == [{}]
    assert len(read) == 1


def test_without_a_domain_or_with_a_port_that_is_taken_it_says_why(settings: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(CommandError, match="cannot listen"):
        call_command("inbound_mail", port=taken.getsockname()[1])
    settings.REPLY_DOMAIN = ""
    with pytest.raises(CommandError, match="REPLY_DOMAIN"):
        call_command("inbound_mail", port=0)
