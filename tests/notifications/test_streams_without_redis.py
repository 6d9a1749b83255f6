"""Streams while Redis is down or not configured, their limits, and their end when the server stops."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from notifications import stream_wake_ups
from notifications.services.notices import notify
from tests.factories.cast import NOW, player, start_cast_game
from tests.helpers.first_moves import play_any_action
from tests.helpers.streams import StreamReader, create_bearer, start_stream_server
from tests.services import free_port


@pytest.fixture(scope="module")
def lonely_server(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a server without Redis, as on a trial site, with low limits of streams."""
    folder = tmp_path_factory.mktemp("lonely")
    running = start_stream_server(
        folder, REDIS_URL="", STREAM_POLL="0.3", STREAMS_PER_PLAYER="2", STREAMS_PER_ADDRESS="4"
    )
    yield running.url
    running.stop()


@pytest.fixture
def site(lonely_server: str, transactional_db: None) -> str:
    return lonely_server


def notify_owner(name: str, key: str) -> None:
    notify({player(name).pk: None}, kind="chat", dedup_key=key, data={"key": key}, now=NOW)


def test_without_redis_one_poll_finds_what_other_processes_wrote(site: str) -> None:
    game = start_cast_game("ada", "bob")
    url = f"{site}/api/v1"
    with (
        StreamReader(f"{url}/events/stream/", create_bearer("ada")) as feed,
        StreamReader(f"{url}/games/{game.code}/stream/") as watching,
        StreamReader(f"{site}/live/?topic=lobby&topic=game:{game.code}") as page,
    ):
        feed.read_event("snapshot")
        watching.read_event("game")
        page.read_event("change")
        page.read_event("change")
        play_any_action(game)
        assert feed.read_event("entry").data["game"] == game.code
        assert watching.read_event("action").data["seq"] == 1
        assert page.read_event("change").data["topic"] == f"game:{game.code}"


def wait_until_closed(site: str) -> None:
    """Wait until the server has noticed the end of all streams of earlier tests."""
    stop_by = time.monotonic() + 30
    while time.monotonic() < stop_by:
        lines = httpx.get(f"{site}/metrics", verify=False).text.splitlines()
        if "otto_streams_open 0.0" in lines:
            return
        time.sleep(0.1)
    pytest.fail("streams are still open")


def test_a_player_has_a_limited_number_of_streams_and_gets_a_place_back(site: str) -> None:
    wait_until_closed(site)
    url, bearer = f"{site}/api/v1/events/stream/", create_bearer("ada")
    with StreamReader(url, bearer) as first, StreamReader(url, bearer) as second:
        first.read_event("snapshot")
        second.read_event("snapshot")
        refused = httpx.get(url, headers=bearer, verify=False)
        assert (refused.status_code, refused.json()["code"]) == (429, "too-many-streams")
        assert refused.headers["Retry-After"] == "30"
        waiting = httpx.get(f"{site}/api/v1/events/?wait=5", headers=bearer, verify=False)
        assert waiting.json()["code"] == "too-many-streams"
        assert httpx.get(f"{site}/api/v1/events/", headers=bearer, verify=False).status_code == 200
        with StreamReader(url, create_bearer("bob")) as of_another_player:
            of_another_player.read_event("snapshot")
    wait_until_closed(site)
    with StreamReader(url, bearer) as stream:
        stream.read_event("snapshot")


def test_an_address_has_a_limited_number_of_streams(site: str) -> None:
    wait_until_closed(site)
    code = start_cast_game("ada", "bob").code
    readers = [StreamReader(f"{site}/api/v1/games/{code}/stream/") for _ in range(4)]
    try:
        for reader in readers:
            reader.__enter__().read_event("game")
        refused = httpx.get(f"{site}/api/v1/games/{code}/stream/", verify=False)
        assert (refused.status_code, refused.json()["code"]) == (429, "too-many-streams")
        page = httpx.get(f"{site}/live/?topic=lobby", verify=False)
        assert (page.status_code, page.headers["Retry-After"]) == (429, "30")
    finally:
        for reader in readers:
            reader.__exit__()
    wait_until_closed(site)


def test_a_refused_request_takes_no_place(site: str) -> None:
    wait_until_closed(site)
    bearer = create_bearer("ada")
    for _ in range(6):
        assert httpx.get(f"{site}/api/v1/games/nosuchgame/stream/", headers=bearer, verify=False).is_error
    wait_until_closed(site)


@pytest.mark.django_db(transaction=True)
def test_streams_go_on_while_redis_is_away_and_close_when_the_server_stops(tmp_path: Path) -> None:
    stopping_file = tmp_path / "stopping"
    redis_url = f"redis://127.0.0.1:{free_port()}/0"  # a port without a listener
    running = start_stream_server(
        tmp_path, REDIS_URL=redis_url, STREAM_POLL="0.3", STOPPING=str(stopping_file)
    )
    try:
        with StreamReader(f"{running.url}/api/v1/events/stream/", create_bearer("ada")) as stream:
            stream.read_event("snapshot")
            notify_owner("ada", "one")
            assert stream.read_event("entry").data["data"] == {"key": "one"}
            stopping_file.touch()
            stream.read_to_end()
    finally:
        running.stop()


def test_a_failure_to_publish_fails_no_write_and_is_not_tried_again_at_once(
    transactional_db: None, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    try:
        notify_owner("ada", "one")
        notify_owner("ada", "two")
        assert player("ada").feed_entries.count() == 2
        warnings = [record for record in caplog.records if record.name == stream_wake_ups.__name__]
        assert len(warnings) == 1
    finally:
        stream_wake_ups.publisher.retry_redis_at = 0.0
