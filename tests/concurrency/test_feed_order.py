"""A feed that is read by cursor misses no entry, whatever the order of ids and commits."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection, transaction

from accounts.models import Player
from notifications.models import FeedEntry
from notifications.selectors.feed import FEED_START, find_feed_position, load_feed_page
from tests.factories.cast import NOW, player
from tests.helpers.races import run_at_once

pytestmark = pytest.mark.django_db(transaction=True)


def write_entry(owner: Player, key: str) -> int:
    return FeedEntry.objects.create(player=owner, kind="chat", dedup_key=key, at=NOW).pk


def take_transaction_id() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_xact_id()")


@contextmanager
def begin_elsewhere(owner: Player, key: str) -> Iterator[int]:
    """Write an entry in a transaction on another connection, which commits when the block ends."""
    entry_ids: list[int] = []
    written, release = threading.Event(), threading.Event()

    def write_and_wait() -> None:
        try:
            with transaction.atomic():
                entry_ids.append(write_entry(owner, key))
                written.set()
                release.wait(30)
        finally:
            connection.close()

    thread = threading.Thread(target=write_and_wait)
    thread.start()
    try:
        assert written.wait(30)
        yield entry_ids[0]
    finally:
        release.set()
        thread.join()


def read_to_end(owner: Player, after: int, wanted: int) -> list[int]:
    """Read so many entries by cursor, as a client does; other transactions may hold the feed back."""
    entry_ids: list[int] = []
    stop_by = time.monotonic() + 30
    while len(entry_ids) < wanted and time.monotonic() < stop_by:
        page = load_feed_page(owner, find_feed_position(owner, after), 3)
        entry_ids += [entry.pk for entry in page.entries]
        after = entry_ids[-1] if entry_ids else after
    return entry_ids


def test_an_entry_with_a_lower_id_whose_transaction_began_later_and_committed_last_is_not_lost() -> None:
    ada = player("ada")
    first_began, may_write, first_done = threading.Event(), threading.Event(), threading.Event()
    higher_ids: list[int] = []

    def begin_first_and_write_last() -> None:
        try:
            with transaction.atomic():
                take_transaction_id()
                first_began.set()
                may_write.wait(30)
                higher_ids.append(write_entry(ada, "began first"))
            first_done.set()
        finally:
            connection.close()

    thread = threading.Thread(target=begin_first_and_write_last)
    thread.start()
    assert first_began.wait(30)
    with begin_elsewhere(ada, "began later") as lower_id:
        may_write.set()
        thread.join()
        assert first_done.is_set()
        (higher_id,) = higher_ids
        assert lower_id < higher_id
        assert read_to_end(ada, 0, 1) == [higher_id], "nothing that still runs can come before it"
    assert read_to_end(ada, higher_id, 1) == [lower_id], "and what comes after it is not lost"
    assert read_to_end(ada, 0, 2) == [higher_id, lower_id]


def test_a_page_says_that_an_entry_is_held_back_by_a_running_transaction() -> None:
    ada = player("ada")
    with begin_elsewhere(ada, "first"):
        write_entry(ada, "second")
        page = load_feed_page(ada, FEED_START, 10)
        assert (page.entries, page.is_held_back) == ([], True)
    assert len(read_to_end(ada, 0, 2)) == 2
    last_id = FeedEntry.objects.order_by("-transaction_id", "-pk").values_list("pk", flat=True)[0]
    page = load_feed_page(ada, find_feed_position(ada, last_id), 10)
    assert (page.entries, page.is_held_back) == ([], False)


def test_readers_by_cursor_get_everything_once_while_many_write() -> None:
    ada, bob = player("ada"), player("bob")
    writer_count, entries_each = 6, 25

    def write_many(writer: int) -> None:
        for n in range(entries_each):
            with transaction.atomic():
                take_transaction_id()
                time.sleep((writer * 7 + n) % 5 / 1000)  # the order of ids differs from that of transactions
                write_entry(ada, f"{writer}:{n}")
                time.sleep((writer + n) % 3 / 1000)
                write_entry(bob, f"{writer}:{n}")

    def read_all() -> list[int]:
        entry_ids: list[int] = []
        stop_by = time.monotonic() + 60
        while len(entry_ids) < writer_count * entries_each and time.monotonic() < stop_by:
            position = find_feed_position(ada, entry_ids[-1] if entry_ids else 0)
            entry_ids += [entry.pk for entry in load_feed_page(ada, position, 4).entries]
        return entry_ids

    *_writers, first_read, second_read = run_at_once(
        *[lambda writer=writer: write_many(writer) for writer in range(writer_count)], read_all, read_all
    )
    assert sorted(first_read) == sorted(FeedEntry.objects.filter(player=ada).values_list("pk", flat=True))
    assert first_read == second_read
