"""The inbound mail server: a separate process, real SMTP and LMTP, the database of these tests."""

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
from notifications.inbound import mail_processing, mail_server
from notifications.inbound.addresses import BOUNCE_PURPOSE, build_address, make_bounce_token
from notifications.models import Delivery, InboundMail
from tests.factories.cast import NOW, player
from tests.helpers.reply_helpers import (
    DOMAIN,
    build_mail,
    build_two_lines,
    check_game_is_sound,
    get_owner,
    get_seat_to_act,
    list_log,
    make_reply_address,
    read_mail_file,
    set_domain,
    start_game_with_cards,
)
from tests.services import Service, free_port, require

ROOT = Path(__file__).resolve().parent.parent.parent
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def set_reply_domain(settings: Any) -> None:
    """Set the domain for replies."""
    set_domain(settings)


def build_command(*words: str, port: int, database: str) -> list[str]:
    environment = {"REPLY_DOMAIN": DOMAIN, "DATABASE_URL": database, "PYTHONPATH": str(ROOT)}
    assignments = [f"{name}={value}" for name, value in environment.items()]
    return [
        "env",
        *assignments,
        sys.executable,
        str(ROOT / "manage.py"),
        "inbound_mail",
        "--port",
        str(port),
        *words,
    ]


def build_database_url() -> str:
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}").geturl()


def make_listening_check(port: int) -> Callable[[], bool]:
    def is_answering() -> bool:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1) as line:
                return line.recv(3) == b"220"
        except OSError:
            return False

    return is_answering


@pytest.fixture(scope="module")
def servers(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, int]]:
    """Start an SMTP server, an LMTP server, and one without a reachable database; yield their ports."""
    require("PostgreSQL")
    folder = tmp_path_factory.mktemp("inbound")
    database, away = build_database_url(), "postgres://nobody@127.0.0.1:1/nowhere"
    kinds = {"smtp": (database, ()), "lmtp": (database, ("--lmtp",)), "away": (away, ())}
    ports = {kind: free_port() for kind in kinds}

    running: list[Service] = []

    def start_server(kind: str) -> None:
        database, words = kinds[kind]
        started = build_command(*words, port=ports[kind], database=database)
        running.append(Service(kind, started, make_listening_check(ports[kind]), folder / f"{kind}.log"))

    with ThreadPoolExecutor() as pool:
        try:
            list(pool.map(start_server, kinds))
            yield ports
        finally:
            pool.shutdown(wait=True)
            for server in running:
                server.stop()


def deliver_mail(
    port: int, content: bytes, *to: str, sender: str = "ada@example.org", lmtp: bool = False
) -> Any:
    """Deliver a mail as an MTA does; return the refused recipients."""
    with (smtplib.LMTP if lmtp else smtplib.SMTP)("127.0.0.1", port, timeout=60) as server:
        return server.sendmail(sender, list(to), content)


def test_a_reply_by_smtp_is_played(servers: dict[str, int]) -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    to = make_reply_address(game, place)
    lines = build_two_lines(game, place)
    content = build_mail("\n".join(lines), get_owner(place).email, to)
    assert deliver_mail(servers["smtp"], content, to) == {}
    assert list_log(game) == lines
    assert InboundMail.objects.get().outcome == "played"
    assert Delivery.objects.get(kind="reply").player == get_owner(place)
    assert deliver_mail(servers["smtp"], content, to) == {}  # a repeated delivery, as after a lost answer
    assert list_log(game) == lines
    assert InboundMail.objects.count() == Delivery.objects.filter(kind="reply").count() == 1
    check_game_is_sound(game)


def test_lmtp_answers_for_each_recipient(servers: dict[str, int]) -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    to = make_reply_address(game, place)
    resign = make_reply_address(game, place, signed_links.RESIGN_PURPOSE)
    content = build_mail("draw", get_owner(place).email, to)
    with smtplib.LMTP("127.0.0.1", servers["lmtp"], timeout=60) as server:
        server.ehlo()  # smtplib.LMTP sends LHLO
        assert server.mail("ada@example.org")[0] == 250
        assert [server.rcpt(address)[0] for address in (to, resign, "x@example.org")] == [250, 250, 550]
        assert server.data(content)[0] == 250
        assert server.getreply()[0] == 250  # the reply for the second recipient
        assert server.noop()[0] == 250  # there is no third reply
    assert list_log(game) == ["draw"]
    assert sorted(InboundMail.objects.values_list("outcome", flat=True)) == ["played", "refused"]


@pytest.mark.parametrize("kind", ["smtp", "lmtp"])
def test_addresses_that_are_not_ours_are_refused_at_the_door(servers: dict[str, int], kind: str) -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    token = make_reply_address(game, place).partition("@")[0]
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
            deliver_mail(servers[kind], build_mail("draw", "ada@example.org", to), to, lmtp=kind == "lmtp")
        assert [code for code, _text in refused.value.recipients.values()] == [550]
    assert not InboundMail.objects.exists()


def test_a_bounce_by_smtp_has_no_sender_and_is_noted(servers: dict[str, int]) -> None:
    delivery = Delivery.objects.create(player=player("ada"), kind="turn", dedup_key="x", created_at=NOW)
    to = build_address(BOUNCE_PURPOSE, make_bounce_token(delivery.pk))
    deliver_mail(servers["smtp"], read_mail_file("report-no-such-user"), to, sender="")
    assert InboundMail.objects.get().outcome == "bounce"
    assert player("ada").email_bounced_at is not None


def test_a_reply_without_a_sender_is_a_machines(servers: dict[str, int]) -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    to = make_reply_address(game, place)
    deliver_mail(servers["smtp"], build_mail("draw", get_owner(place).email, to), to, sender="")
    assert (InboundMail.objects.get().outcome_reason, list_log(game)) == ("no sender", [])


def test_a_mail_of_almost_20_mb_is_read_and_a_larger_one_refused(servers: dict[str, int]) -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    to = make_reply_address(game, place)
    sender = get_owner(place).email
    head = f"From: {sender}\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\ndraw\r\n"
    attached = b"--x\r\nContent-Type: image/png\r\n\r\n" + (b"QUJD" * 18 + b"\r\n") * 260_000
    assert 19_000_000 < len(attached) < mail_processing.MAX_MAIL_BYTES
    assert deliver_mail(servers["smtp"], head.encode() + attached, to) == {}
    assert list_log(game) == ["draw"]
    with smtplib.SMTP("127.0.0.1", servers["smtp"], timeout=60) as server:
        server.ehlo()
        assert server.esmtp_features["size"] == str(mail_processing.MAX_MAIL_BYTES)
        assert server.mail("ada@example.org", [f"SIZE={mail_processing.MAX_MAIL_BYTES + 1}"])[0] == 552
    with pytest.raises(smtplib.SMTPResponseException) as refused:
        send_without_size(servers["smtp"], head.encode() + attached + attached[:2_000_000], to)
    assert refused.value.smtp_code == 552
    assert InboundMail.objects.count() == 1


def send_without_size(port: int, content: bytes, to: str) -> None:
    with smtplib.SMTP("127.0.0.1", port, timeout=60) as server:
        server.helo()
        server.mail("ada@example.org")
        server.rcpt(to)
        code, reply_text = server.data(content)
        if code != 250:
            raise smtplib.SMTPResponseException(code, reply_text)


def test_lines_longer_than_they_may_be_are_read_all_the_same(servers: dict[str, int]) -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    to = make_reply_address(game, place)
    html = f"<p>draw</p><!-- {'x' * 20_000} -->"
    content = f"From: {get_owner(place).email}\r\nContent-Type: text/html\r\n\r\n{html}\r\n"
    assert deliver_mail(servers["smtp"], content.encode(), to) == {}
    assert list_log(game) == ["draw"]


def test_while_the_database_is_away_mails_are_to_come_again(servers: dict[str, int]) -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    to = make_reply_address(game, place)
    content = build_mail("draw", get_owner(place).email, to)
    with pytest.raises(smtplib.SMTPDataError) as refused:
        deliver_mail(servers["away"], content, to)
    assert refused.value.smtp_code == 451
    assert list_log(game) == []
    assert deliver_mail(servers["smtp"], content, to) == {}  # a repeated delivery is played
    assert list_log(game) == ["draw"]


def test_many_mails_at_once_are_each_read_once(servers: dict[str, int]) -> None:
    games = [start_game_with_cards() for _number in range(6)]
    seats = [get_seat_to_act(game) for game in games]
    mails = [
        (
            build_mail("draw", get_owner(place).email, make_reply_address(game, place)),
            make_reply_address(game, place),
        )
        for game, place in zip(games, seats, strict=True)
    ]
    threads = [
        threading.Thread(target=deliver_mail, args=(servers["smtp"], content, to))
        for content, to in mails * 2
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [list_log(game) for game in games] == [["draw"]] * 6
    assert InboundMail.objects.filter(outcome="played").count() == 6


def test_nonsense_in_the_dialogue_does_no_harm(servers: dict[str, int]) -> None:
    for words in (b"\x00\xff\xfe\r\n", b"MAIL FROM:<" + b"a" * 600 + b">\r\n", b"RCPT TO:<\r\n", b"DATA\r\n"):
        with smtplib.SMTP("127.0.0.1", servers["smtp"], timeout=10) as server:
            server.ehlo()
            assert server.sock
            server.sock.sendall(words)
            assert 500 <= server.getreply()[0] < 600
    assert make_listening_check(servers["smtp"])()


def test_it_says_where_it_listens_and_ends_when_asked(django_db_setup: None) -> None:
    port = free_port()
    started = build_command(port=port, database=build_database_url())
    process = subprocess.Popen(started, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout
    assert process.stderr
    with process.stdout, process.stderr:
        assert process.stdout.readline() == f"SMTP for {DOMAIN} on 127.0.0.1:{port}\n"
        with socket.create_connection(("127.0.0.1", port)):  # an idle connection
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0
        assert process.stdout.read() == "Stopped.\n"
        assert process.stderr.read() == ""


def test_a_mail_that_is_being_read_is_finished_before_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs in this process, where receiving can be slowed down."""
    read: list[bytes] = []

    def receive_slowly(content: bytes, recipients: list[str], sender: str) -> dict[str, str]:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0.5)
        read.append(content)
        return dict.fromkeys(recipients, mail_server.REPLY_ACCEPTED)

    monkeypatch.setattr(mail_server, "receive_for_recipients", receive_slowly)
    game = start_game_with_cards()
    to = make_reply_address(game, get_seat_to_act(game))
    ports: list[int] = []
    answers: list[Any] = []

    def start_thread(host: str, port: int) -> None:
        ports.append(port)
        thread.start()

    thread = threading.Thread(
        target=lambda: answers.append(deliver_mail(ports[0], b"Subject: x\r\n\r\ndraw", to))
    )
    asyncio.run(mail_server.serve_inbound_mail("127.0.0.1", 0, lmtp=False, on_ready=start_thread))
    thread.join(20)
    assert answers == [{}]
    assert len(read) == 1


def test_without_a_domain_or_with_a_port_that_is_taken_it_gives_the_reason(settings: Any) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        pytest.raises(CommandError, match="Cannot listen"),
    ):
        call_command("inbound_mail", port=listener.getsockname()[1])
    settings.REPLY_DOMAIN = ""
    with pytest.raises(CommandError, match="REPLY_DOMAIN"):
        call_command("inbound_mail", port=0)
