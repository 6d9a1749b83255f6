"""The mail server refuses, is slow, stops or lies, or the disk is full: the status of each mail is true."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest

from tests.cluster.world import World
from tests.helpers.polling import wait_for

from .small_room import Room, small_room


def list_mail_rows(world: World) -> list[dict[str, Any]]:
    mails: list[dict[str, Any]] = world.clerk("list_mails", codes=world.codes)
    return mails


def wait_for_rows(world: World, true_of: Callable[[dict[str, Any]], bool], number: int = 2) -> None:
    """Wait until there are so many mails and a condition is true of all of them."""
    wait_for(
        lambda: len(mail_rows := list_mail_rows(world)) >= number and all(map(true_of, mail_rows)),
        lambda: f"{list_mail_rows(world)}",
    )


def send_on_time(world: World) -> None:
    """Restore the mail server and make mails due: now every mail goes out once."""
    world.post.mood, world.post.slow = "", 0.0
    world.post.refuse, world.post.reject = (lambda address: ""), (lambda message: "")

    def is_sent() -> bool:
        if all(row["status"] == "sent" for row in list_mail_rows(world)):
            return True
        world.clerk("hurry_mails", codes=world.codes)
        return False

    wait_for(is_sent, lambda: f"{list_mail_rows(world)}")
    world.check()


def test_a_mail_refused_for_now_waits_and_gives_the_reason_and_then_goes_out_once(world: World) -> None:
    world.post.reject = lambda message: "451 4.7.1 come back later"
    world.seat(1, 0)
    wait_for_rows(world, lambda row: row["tries"] == 1 and "451 4.7.1 come back later" in row["why"])
    send_on_time(world)


def test_a_mail_refused_every_time_is_given_up_for_all_to_see(world: World) -> None:
    before = world.figure('otto_deliveries_total{by="mail",result="failed"}')
    world.post.reject = lambda message: "554 5.7.1 nothing from you"
    world.seat(1, 0)

    def has_failed() -> bool:
        world.clerk("hurry_mails", codes=world.codes)
        mail_rows = list_mail_rows(world)
        return len(mail_rows) == 2 and all(row["status"] == "failed" for row in mail_rows)

    wait_for(has_failed, lambda: f"{list_mail_rows(world)}")
    assert all("554 5.7.1 nothing from you" in row["why"] for row in list_mail_rows(world))
    assert world.figure('otto_deliveries_total{by="mail",result="failed"}') == before + 2
    world.check()


def test_an_address_that_does_not_exist_comes_back_at_once(world: World) -> None:
    world.post.refuse = lambda address: "550 5.1.1 nobody of that name"
    world.seat(1, 0)
    wait_for_rows(world, lambda row: row["status"] == "bounced" and "550 5.1.1" in row["why"])
    world.check()


def test_while_there_is_no_mail_server_mails_wait_and_no_try_is_counted(world: World) -> None:
    world.post.stop()
    try:
        world.seat(1, 0)
        wait_for(
            lambda: any(
                row["why"].startswith("We could not reach the mail server") for row in list_mail_rows(world)
            ),
            lambda: f"{list_mail_rows(world)}",
        )
        assert all(row["tries"] <= 1 and row["status"] == "waiting" for row in list_mail_rows(world))
    finally:
        world.post.start()
    send_on_time(world)


def test_a_server_that_takes_its_time_gets_every_mail_once(world: World) -> None:
    world.post.slow = 1.0
    world.seat(2, 0)
    wait_for_rows(world, lambda row: row["status"] == "sent", 4)
    world.check()


def test_a_server_that_never_answers_is_given_up_on_for_now(world: World) -> None:
    world.post.slow = 30
    world.seat(1, 0)
    wait_for_rows(world, lambda row: row["tries"] >= 1 and bool(row["why"]))
    assert {row["status"] for row in list_mail_rows(world)} == {"waiting"}
    send_on_time(world)


def test_a_server_that_takes_a_mail_and_hangs_up_gets_it_again_under_the_same_name(world: World) -> None:
    """Such a mail may or may not have been taken. A second copy has the same Message-ID."""
    world.post.mood = "hangs up"
    world.seat(1, 0)
    wait_for_rows(world, lambda row: row["tries"] == 1 and bool(row["why"]))
    world.resent = 2
    send_on_time(world)
    assert [world.post.names()[row["known"]] for row in list_mail_rows(world)] == [2, 2]


def test_a_mail_that_came_before_its_worker_was_killed_is_not_called_dropped(world: World) -> None:
    """The server has the mail without confirming it; the worker dies, and the turn is played meanwhile."""
    world.post.mood = "is silent"
    world.seat(1, 0)
    wait_for(lambda: world.post.mails, "no mail came")
    (first, *_more_names) = world.post.names()
    world.post.mood = ""
    world.kill("mail")
    world.resent = 4
    with world.run_players():
        world.wait_for_moves(4)

    def is_settled() -> bool:
        world.clerk("hurry_mails", codes=world.codes)
        return all(row["status"] != "waiting" for row in list_mail_rows(world) if row["known"] == first)

    wait_for(is_settled, lambda: f"{list_mail_rows(world)}")
    assert next(row["status"] for row in list_mail_rows(world) if row["known"] == first) in (
        "uncertain",
        "sent",
    )
    world.check()


def test_what_a_server_said_it_took_is_sent_as_far_as_we_know(world: World) -> None:
    world.post.mood = "loses"
    world.seat(1, 0)
    wait_for_rows(world, lambda row: row["status"] == "sent")
    assert [(row["tries"], world.post.names()[row["known"]]) for row in list_mail_rows(world)] == [
        (1, 0),
        (1, 0),
    ]
    assert world.post.lost == 2


# ------------------------------------------------------------------------------------------------ a full disk


@pytest.fixture
def room(world: World, tmp_path: Path) -> Iterator[Room]:
    """Let the mail worker store mails as files in a folder with hardly any space."""
    world.cluster.stop("mail")
    with small_room(tmp_path / "var") as room:
        world.cluster.service_environment["mail"] = {
            "EMAIL_BACKEND": "notifications.channels.email.mailbox.EmailBackend",
            "VAR_DIR": str(room.folder),
            "STATIC_ROOT": str(tmp_path / "static"),
        }
        world.cluster.command_prefix["mail"] = room.before
        world.cluster.start("mail")
        yield room
        world.cluster.kill("mail", keep_stopped=True)


def test_a_mail_for_which_the_disk_has_no_room_waits_and_leaves_no_piece_behind(
    world: World, room: Room
) -> None:
    world.seat(1, 0)
    wait_for_rows(world, lambda row: row["tries"] >= 1 and bool(row["why"]))
    assert {row["status"] for row in list_mail_rows(world)} == {"waiting"}
    assert list((room.folder / "mail").iterdir()) == []
    if not room.widen():
        world.cluster.stop("mail")
        world.cluster.command_prefix["mail"] = []
        world.cluster.start("mail")

    def is_sent() -> bool:
        world.clerk("hurry_mails", codes=world.codes)
        return all(row["status"] == "sent" for row in list_mail_rows(world))

    wait_for(is_sent, lambda: f"{list_mail_rows(world)}")
    mails = [message_from_bytes(path.read_bytes()) for path in (room.folder / "mail").glob("*.eml")]
    assert sorted(mail["Message-ID"] for mail in mails) == sorted(
        row["known"] for row in list_mail_rows(world)
    )
    world.check_turns()
