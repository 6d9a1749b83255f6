"""The stream of a feed on a real server: opening, resuming, formats, heartbeats and credentials."""

from __future__ import annotations

import threading
import time

import httpx
import pytest
from django.db import connection, transaction

from accounts.models import Player, Token
from accounts.services import tokens
from notifications.models import FeedEntry
from notifications.services.notices import notify
from tests.factories.cast import NOW, open_browser, player, start_cast_game
from tests.helpers.feed_waiting import wait_for_feed
from tests.helpers.races import run_at_once
from tests.helpers.streams import StreamReader, create_bearer

SESSION = "sessionid"


@pytest.fixture
def site(stream_server: str, transactional_db: None) -> str:
    return stream_server


def notify_owner(owner: Player, key: str) -> None:
    notify({owner.pk: None}, kind="chat", dedup_key=key, data={"key": key}, now=NOW)


def open_feed(site: str, name: str, query: str = "", **headers: str) -> StreamReader:
    return StreamReader(f"{site}/api/v1/events/stream/{query}", create_bearer(name) | headers)


def test_a_feed_opens_with_a_snapshot_and_goes_on_with_each_entry(site: str) -> None:
    ada = player("ada")
    notify_owner(ada, "before")
    start_cast_game("ada", "bob")
    wait_for_feed("ada")
    with open_feed(site, "ada") as stream:
        assert stream.response_headers["Content-Type"] == "text/event-stream"
        assert stream.response_headers["Cache-Control"] == "no-store"
        snapshot = stream.read_event("snapshot")
        assert snapshot.data["turns_waiting"] in (0, 1)
        assert snapshot.id == str(snapshot.data["after"])
        notify_owner(ada, "one")
        notify_owner(player("bob"), "of another player")
        notify_owner(ada, "two")
        entries = [stream.read_event("entry"), stream.read_event("entry")]
    assert [entry.data["data"]["key"] for entry in entries] == ["one", "two"]
    listed = httpx.get(
        f"{site}/api/v1/events/?after={snapshot.id}", headers=create_bearer("ada"), verify=False
    ).json()["results"]
    assert [entry.data for entry in entries] == listed
    assert [entry.id for entry in entries] == [str(entry["id"]) for entry in listed]


@pytest.mark.parametrize("place", ["header", "query"])
def test_a_stream_resumes_after_the_last_event_without_loss_or_doubles(site: str, place: str) -> None:
    ada = player("ada")
    with open_feed(site, "ada") as stream:
        stream.read_event("snapshot")
        notify_owner(ada, "one")
        last = stream.read_event("entry")
    notify_owner(ada, "two")
    notify_owner(ada, "three")
    resumed = (
        open_feed(site, "ada", **{"Last-Event-ID": last.id})
        if place == "header"
        else open_feed(site, "ada", f"?after={last.id}")
    )
    with resumed as stream:
        assert stream.read_event("snapshot").data["after"] == int(last.id)
        keys = [stream.read_event("entry").data["data"]["key"] for _ in range(2)]
        notify_owner(ada, "four")
        keys.append(stream.read_event("entry").data["data"]["key"])
    assert keys == ["two", "three", "four"]


def test_readers_that_connect_again_and_again_get_everything_once_while_many_write(site: str) -> None:
    ada, bearer = player("ada"), create_bearer("ada")
    writer_count, entries_each = 4, 15
    wanted = writer_count * entries_each

    def write_many(writer: int) -> None:
        for n in range(entries_each):
            with transaction.atomic():
                with connection.cursor() as cursor:
                    cursor.execute("SELECT pg_current_xact_id()")
                time.sleep((writer * 7 + n) % 5 / 500)
                notify_owner(ada, f"{writer}:{n}")
                time.sleep((writer + n) % 3 / 500)

    def read_all() -> list[str]:
        keys: list[str] = []
        last_id = "0"
        while len(keys) < wanted:
            headers = bearer | {"Last-Event-ID": last_id}
            with StreamReader(f"{site}/api/v1/events/stream/", headers) as stream:
                for _ in range(min(7, wanted - len(keys))):
                    entry = stream.read_event("entry")
                    keys.append(entry.data["data"]["key"])
                    last_id = entry.id
        return keys

    *_, first, second = run_at_once(
        *[lambda writer=writer: write_many(writer) for writer in range(writer_count)], read_all, read_all
    )
    assert len(set(first)) == wanted
    assert first == second


def test_json_lines_come_to_who_accepts_them(site: str) -> None:
    ada = player("ada")
    with open_feed(site, "ada", Accept="application/x-ndjson") as stream:
        assert stream.response_headers["Content-Type"] == "application/x-ndjson"
        stream.read_event("snapshot")
        notify_owner(ada, "one")
        assert stream.read_event("entry").data["data"] == {"key": "one"}
    refused = httpx.get(
        f"{site}/api/v1/events/stream/", headers=create_bearer("ada") | {"Accept": "image/png"}, verify=False
    )
    assert (refused.status_code, refused.json()["code"]) == (406, "not-acceptable")


def test_signs_of_life_come_while_nothing_happens(site: str) -> None:
    for accept in ("text/event-stream", "application/x-ndjson"):
        with open_feed(site, "ada", Accept=accept) as stream:
            stop_by = time.monotonic() + 30
            while stream.keep_alives < 2 and time.monotonic() < stop_by:
                time.sleep(0.1)
            assert stream.keep_alives >= 2


def test_an_entry_held_back_by_another_transaction_comes_when_that_ends(site: str) -> None:
    ada = player("ada")
    is_open, release = threading.Event(), threading.Event()

    def hold_back() -> None:
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("SELECT pg_current_xact_id()")
                is_open.set()
                release.wait(30)
        finally:
            connection.close()

    with open_feed(site, "ada") as stream:
        stream.read_event("snapshot")
        thread = threading.Thread(target=hold_back)
        thread.start()
        assert is_open.wait(30)
        notify_owner(ada, "held back")
        time.sleep(0.5)
        assert stream.arrived.empty()
        release.set()
        thread.join()
        released_at = time.monotonic()
        assert stream.read_event("entry").data["data"] == {"key": "held back"}
        assert time.monotonic() - released_at < 5


# -------------------------------------------------------------------------------------------------- access


def test_a_stream_needs_the_scope_read(site: str) -> None:
    url = f"{site}/api/v1/events/stream/"
    assert httpx.get(url, verify=False).status_code == 401
    refused = httpx.get(url, headers=create_bearer("ada", "play"), verify=False)
    assert (refused.status_code, refused.json()["code"]) == (403, "missing-scope")


@pytest.mark.parametrize("cursor", ["x", "-1", "1.5", str(2**63)])
def test_a_cursor_that_cannot_be_read_is_refused(site: str, cursor: str) -> None:
    for headers, query in (({"Last-Event-ID": cursor}, ""), ({}, f"?after={cursor}")):
        answer = httpx.get(
            f"{site}/api/v1/events/stream/{query}", headers=create_bearer("ada") | headers, verify=False
        )
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid")


def test_a_revoked_token_ends_its_streams_and_no_others(site: str) -> None:
    with open_feed(site, "ada") as stream:
        token = Token.objects.get()
        with open_feed(site, "ada") as other:
            other.read_event("snapshot")
            tokens.revoke_token(player=player("ada"), token_id=token.pk, now=NOW)
            stream.read_to_end()
            notify_owner(player("ada"), "still here")
            assert other.read_event("entry").data["data"] == {"key": "still here"}


def test_a_deactivated_player_s_streams_end(site: str) -> None:
    with open_feed(site, "ada") as stream:
        stream.read_event("snapshot")
        Player.objects.filter(name="ada").update(is_active=False)
        assert [event.name for event in stream.read_to_end()] == ["snapshot"]


def test_signing_out_ends_the_streams_of_a_session(site: str) -> None:
    browser = open_browser("ada")
    cookies = {SESSION: browser.cookies[SESSION].value}
    with StreamReader(f"{site}/api/v1/events/stream/", cookies=cookies) as stream:
        stream.read_event("snapshot")
        notify_owner(player("ada"), "signed in")
        stream.read_event("entry")
        browser.logout()
        stream.read_to_end()


def test_a_new_password_ends_the_streams_of_a_session(site: str) -> None:
    browser = open_browser("ada")
    with StreamReader(
        f"{site}/api/v1/events/stream/", cookies={SESSION: browser.cookies[SESSION].value}
    ) as stream:
        stream.read_event("snapshot")
        ada = player("ada")
        ada.set_password("another one 123")
        ada.save()
        stream.read_to_end()


# -------------------------------------------------------------------------------------------- long polling


def test_a_long_poll_answers_as_soon_as_there_is_an_entry(site: str) -> None:
    ada, bearer = player("ada"), create_bearer("ada")
    timer = threading.Timer(1.0, lambda: (notify_owner(ada, "one"), connection.close()))
    timer.start()
    began_at = time.monotonic()
    answer = httpx.get(f"{site}/api/v1/events/?wait=25", headers=bearer, timeout=40, verify=False)
    elapsed = time.monotonic() - began_at
    timer.join()
    assert [entry["data"] for entry in answer.json()["results"]] == [{"key": "one"}]
    assert answer.json()["after"] == FeedEntry.objects.get().pk
    assert 0.5 < elapsed < 20
    assert answer.headers["Content-Type"] == "application/json"


def test_a_long_poll_answers_at_once_if_there_is_something_and_ends_if_there_is_nothing(site: str) -> None:
    ada, bearer = player("ada"), create_bearer("ada")
    began_at = time.monotonic()
    answer = httpx.get(f"{site}/api/v1/events/?wait=1&after=0", headers=bearer, timeout=40, verify=False)
    assert answer.json() == {"results": [], "after": 0}
    assert time.monotonic() - began_at >= 1
    notify_owner(ada, "one")
    deadline = time.monotonic() + 20
    answer = httpx.get(f"{site}/api/v1/events/?wait=60", headers=bearer, timeout=40, verify=False)
    assert len(answer.json()["results"]) == 1
    assert time.monotonic() < deadline
    for wait in ("61", "-1", "x"):
        refused = httpx.get(f"{site}/api/v1/events/?wait={wait}", headers=bearer, verify=False)
        assert (refused.status_code, refused.json()["code"]) == (400, "invalid")


def test_head_opens_no_stream(site: str) -> None:
    answer = httpx.head(
        f"{site}/api/v1/events/stream/", headers=create_bearer("ada"), verify=False, timeout=10
    )
    assert answer.status_code == 200


def test_the_open_streams_are_a_metric(site: str) -> None:
    with open_feed(site, "ada") as stream:
        stream.read_event("snapshot")
        metrics = httpx.get(f"{site}/metrics", verify=False).text
        line = next(line for line in metrics.splitlines() if line.startswith("otto_streams_open"))
        assert float(line.split()[1]) >= 1
