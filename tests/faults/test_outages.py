"""While PostgreSQL or Redis is down, responses and status pages say so, and the logs stay small."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator

import httpx
import pytest

from docker.cluster import Cluster
from otto_site.outages import Outage
from tests.cluster.world import HEADERS, World
from tests.example_counts import pick_example_count
from tests.helpers.polling import STEP_TIMEOUT_SECONDS, wait_for
from tests.helpers.sampling import sample_combinations

# The server may close a kept-alive connection just when the next request is sent.
ONE_REQUEST_EACH = httpx.Limits(max_keepalive_connections=0)
OURS = ("web1", "web2", "turns", "tournaments", "mail", "beat", "inbound")
ASKED = pick_example_count(4, 15)  # requests of each kind at each web server: several for each process
PAGES = ("/", "/games/", "/tournaments/", "/me/profile/", "/api/", "/no/such/page/")
KINDLY = {
    "en": "We cannot answer right now.",
    "it": "Al momento non possiamo rispondere.",
    "nl": "We kunnen nu even niet antwoorden.",
}


def log_sizes(cluster: Cluster) -> dict[str, int]:
    return {name: len(cluster.read_log(name)) for name in OURS}


def new_lines(cluster: Cluster, since: dict[str, int]) -> dict[str, list[str]]:
    """Return the lines that each process has logged since these sizes."""
    return {name: cluster.read_log(name)[size:].splitlines() for name, size in since.items()}


def database_is_back(world: World) -> bool:
    return all(world.cluster.get_from_server(name, "/readyz").status_code == 200 for name in ("web1", "web2"))


@pytest.fixture
def without_database(world: World) -> Iterator[tuple[World, dict[str, int]]]:
    """Stop PostgreSQL during a game of two; yield the world and the sizes of the logs before."""
    world.seat(1, 0)
    before = log_sizes(world.cluster)
    store = world.cluster.stores["db"].process
    store.send_signal(signal.SIGINT)
    store.wait(STEP_TIMEOUT_SECONDS)
    yield world, before
    world.cluster.start_store("db")
    wait_for(lambda: database_is_back(world), "the site does not come back")


def test_without_a_database_programs_and_people_are_asked_to_come_again(
    without_database: tuple[World, dict[str, int]],
) -> None:
    world, before = without_database
    table = world.tables[0]
    headers = HEADERS | {"Authorization": f"Bearer {table.tokens[0]}"}
    session_headers = HEADERS | {"Cookie": f"__Host-sessionid={'x' * 32}; sessionid={'x' * 32}"}
    move = {"action": "resign", "seq": 1}
    with httpx.Client(timeout=30, verify=False, limits=ONE_REQUEST_EACH) as http:
        for number, url in enumerate(world.list_servers()):
            for _ in range(ASKED):
                answers = [
                    http.get(f"{url}/api/v1/games/", headers=HEADERS),
                    http.get(f"{url}/api/v1/me/", headers=headers),
                    http.get(f"{url}/api/v1/me/", headers=session_headers),
                    http.post(f"{url}/api/v1/games/{table.code}/actions/", headers=headers, json=move),
                ]
                for answer in answers:
                    assert answer.status_code == 503, answer.text
                    assert answer.headers["Content-Type"] == "application/problem+json"
                    assert int(answer.headers["Retry-After"]) > 0
                    assert (answer.json()["code"], answer.json()["status"]) == ("unavailable", 503)
                    assert "mistake" not in answer.text
            for path, language in sample_combinations(f"pages of {number}", PAGES, list(KINDLY)):
                page = http.get(url + path, headers=session_headers | {"Accept-Language": language})
                assert page.status_code == 503, (path, page.text)
                assert int(page.headers["Retry-After"]) > 0
                assert KINDLY[language] in page.text, (path, language)
                assert "no-store" in page.headers["Cache-Control"]
    time.sleep(3)  # several runs of the workers
    for name, lines in new_lines(world.cluster, before).items():
        assert not [line for line in lines if "Traceback" in line], name
        about = [line for line in lines if Outage.DATABASE_AWAY in line]
        processes = 2  # per web server and worker; each logs the outage once
        assert len(about) <= processes, (name, about)
        assert len(lines) <= 3 * processes, (name, lines)
        if name.startswith("web"):
            # After an outage in an earlier test less than a minute ago, no second line is logged.
            outage_lines = [
                line for line in world.cluster.read_log(name).splitlines() if Outage.DATABASE_AWAY in line
            ]
            assert outage_lines, "nobody is told"
            assert json.loads(outage_lines[-1])["level"] == "error"
    wait_for(
        lambda: any(Outage.DATABASE_AWAY in line for line in new_lines(world.cluster, before)["turns"]),
        "the worker does not say what it waits for",
    )


def test_when_the_database_is_back_everything_goes_on(world: World) -> None:
    world.seat(1, 1)
    with world.run_players():
        world.wait_for_moves(2)
        world.resent += 2
        store = world.cluster.stores["db"].process
        store.send_signal(signal.SIGINT)
        store.wait(STEP_TIMEOUT_SECONDS)
        time.sleep(2)
        world.cluster.start_store("db")
        world.wait_for_moves(2, *world.list_servers())
    world.check()


def test_without_redis_people_play_and_bots_clocks_and_mails_wait_until_it_is_back(world: World) -> None:
    world.seat(1, 1)
    people, with_bot = world.tables
    before = log_sizes(world.cluster)
    with world.run_players():
        world.wait_for_moves(2)
        store = world.cluster.stores["redis"].process
        store.kill()
        store.wait()
        time.sleep(2)  # workers finish the tasks they have taken
        sweeps, action_count = world.figure("otto_sweep_runs_total"), len(with_bot.acknowledged)
        mails = len(world.post.names())
        world.wait_for_moves(5, tables=[people])
        assert world.figure("otto_sweep_runs_total") == sweeps, "sweeps run without Redis"
        assert len(with_bot.acknowledged) <= action_count + 1, "a bot answers without Redis"
        assert len(world.post.names()) == mails, "mails go out without Redis"
        broker_status = world.cluster.get_from_server("web1", "/readyz").json()["broker"]
        assert broker_status == Outage.REDIS_AWAY
        for part in ("bots", "clocks", "mails", "tournaments", "wait until"):
            assert part in broker_status
        world.cluster.start_store("redis")
        world.wait_for_moves(2)
    assert world.figure("otto_sweep_runs_total") > sweeps
    world.check()
    for name, lines in new_lines(world.cluster, before).items():
        # Celery may fail when it loses its connection: its worker then ends once and is replaced.
        error_lines = [line for line in lines if "Unrecoverable error" in line or "Error on stopping" in line]
        assert len([line for line in error_lines if "Unrecoverable error" in line]) <= 1, name
        assert len([line for line in error_lines if "Error on stopping" in line]) <= 1, name
        assert not [line for line in lines if "Traceback" in line and line not in error_lines], name
        assert len([line for line in lines if Outage.REDIS_AWAY in line]) <= 4, name
