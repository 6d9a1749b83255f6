"""Replies while the inbound mail process is killed or the database is full: none is lost or played twice."""

from __future__ import annotations

import os
import smtplib
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from email.utils import make_msgid
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from tests.cluster.world import World
from tests.example_counts import pick_example_count
from tests.helpers.polling import STEP_TIMEOUT_SECONDS, wait_for

from .small_room import Room, small_room


def build_reply(answer: dict[str, Any]) -> EmailMessage:
    """Build the reply of a player to the mail about their turn."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = answer["from"], answer["to"], "Re: Your turn"
    mail["Message-ID"] = make_msgid(domain="mail.example.net")
    mail.set_content(answer["action"])
    return mail


def hand_over(world: World, mail: EmailMessage) -> str:
    """Deliver a mail once, as a mail server does; return the error, or an empty string if it was accepted."""
    try:
        with smtplib.SMTP("127.0.0.1", world.cluster.ports["inbound"], timeout=20) as server:
            server.send_message(mail)
    except smtplib.SMTPResponseException as refused:
        return f"{refused.smtp_code} {refused.smtp_error!r}"
    except (OSError, smtplib.SMTPException) as error:
        return repr(error)
    return ""


def deliver_until_taken(world: World, mail: EmailMessage) -> None:
    """Deliver a mail, as a mail server does, until it is accepted."""
    until = time.monotonic() + STEP_TIMEOUT_SECONDS
    while reply := hand_over(world, mail):
        assert not reply.startswith("5"), reply
        assert time.monotonic() < until, reply
        time.sleep(0.05)


def check_replies(world: World, answers: list[dict[str, Any]]) -> None:
    """Check that each reply was played once and answered with no other mail."""
    for table, answer in zip(world.tables, answers, strict=True):
        lines = [(seq - 1, action) for seq, _seat, action, _by in world.clerk("list_log", code=table.code)]
        assert lines == [(answer["seq"], answer["action"])]
    assert world.clerk("count_inbound_mails", codes=world.codes) == {"played": len(answers)}
    assert world.clerk("list_audit_findings") == []
    world.check_notices()


def test_a_reply_that_comes_while_its_door_is_killed_is_played_once(world: World) -> None:
    world.seat(4, 0)
    answers = [world.clerk("build_reply", code=code) for code in world.codes]
    wait_for(lambda: "taken" in read_greeting(world), "nobody takes mail in")
    mails = [build_reply(answer) for answer in answers]
    threads = [threading.Thread(target=deliver_until_taken, args=(world, mail)) for mail in mails]
    for thread in threads:
        thread.start()
    for _ in range(pick_example_count(2, 20)):
        world.kill("inbound")
    for thread in threads:
        thread.join(STEP_TIMEOUT_SECONDS)
    for mail in mails:  # a second delivery, as by a server that lost the answer to the first
        deliver_until_taken(world, mail)
    check_replies(world, answers)


def read_greeting(world: World) -> str:
    try:
        with smtplib.SMTP("127.0.0.1", world.cluster.ports["inbound"], timeout=20) as server:
            return "taken" if server.noop()[0] == 250 else ""
    except (OSError, smtplib.SMTPException) as error:
        return repr(error)


# ------------------------------------------------------------------------------------------------ a full disk


@contextmanager
def fill_inbound_storage(world: World) -> Iterator[str]:
    """Leave the database no space for inbound mails; yield its error message.

    If a small file system can be mounted, their table is moved there and filled. Otherwise the database is
    read-only, as managed databases are when their disk is full.
    """
    url = world.cluster.database_url
    folder = world.cluster.folder / "disk"  # readable for the user of the database
    with (
        psycopg.connect(url, autocommit=True) as admin,
        small_room(folder, "256k", full=False) as room,
        fill_tablespace(admin, room) if room.mounted else set_read_only(url) as error_text,
    ):
        yield error_text


@contextmanager
def fill_tablespace(admin: psycopg.Connection[Any], room: Room) -> Iterator[str]:
    owner = admin.execute("SHOW data_directory").fetchone()
    assert owner
    place = room.folder / "table"
    place.mkdir()
    os.chown(place, Path(owner[0]).stat().st_uid, -1)
    admin.execute(sql.SQL("CREATE TABLESPACE small LOCATION {}").format(str(place)))
    try:
        admin.execute("ALTER TABLE notifications_inboundmail SET TABLESPACE small")
        fill = (
            "INSERT INTO notifications_inboundmail"
            " (digest, received_at, sender, recipient, topic, outcome, outcome_reason)"
            " VALUES (gen_random_uuid(), now(), '', '', '', 'filler', '')"
        )
        with suppress(psycopg.errors.DiskFull):
            while True:
                admin.execute(fill)
        yield "No space left on device"
    finally:
        admin.execute("DELETE FROM notifications_inboundmail WHERE outcome = 'filler'")
        admin.execute("ALTER TABLE notifications_inboundmail SET TABLESPACE pg_default")
        admin.execute("DROP TABLESPACE small")


@contextmanager
def set_read_only(url: str) -> Iterator[str]:
    def change_setting(words: str) -> None:
        with psycopg.connect(url, autocommit=True, options="-c default_transaction_read_only=off") as admin:
            admin.execute(f"ALTER DATABASE otto {words}")
            # Close all connections: the setting applies to new ones.
            admin.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )

    change_setting("SET default_transaction_read_only = on")
    try:
        yield "read-only transaction"
    finally:
        change_setting("RESET default_transaction_read_only")


def test_a_reply_for_which_the_database_has_no_room_is_to_come_again(world: World) -> None:
    world.seat(1, 0)
    answer = world.clerk("build_reply", code=world.codes[0])
    wait_for(lambda: "taken" in read_greeting(world), "nobody takes mail in")
    mail = build_reply(answer)
    with fill_inbound_storage(world) as error_text:
        reply = hand_over(world, mail)
        assert reply.startswith("451"), reply
        assert error_text in world.cluster.read_log("inbound")
        assert world.clerk("list_log", code=world.codes[0]) == []
    deliver_until_taken(world, mail)
    check_replies(world, [answer])
