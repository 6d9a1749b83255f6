"""Rate limits: every page and endpoint counts for a player or client address, expensive ones count more."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Player
from accounts.web import page_limits
from common import rate_limits
from games.services import bot_games
from tests.factories.cast import player, start_cast_game

from .route_walker import fill_address, list_routes
from .world import World

pytestmark = pytest.mark.django_db
NOON = datetime(2030, 5, 1, 12, 0, 10, tzinfo=UTC)
NOT_COUNTED = {"healthz", "readyz", "metrics", "status/"}  # polled every second; they use no database


@pytest.fixture
def request_times(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[datetime]]:
    """Freeze the time of the rate limits; a test may change it."""
    now = [NOON]
    monkeypatch.setattr(timezone, "now", lambda: now[0])
    rate_limits.reset_counts()
    yield now
    rate_limits.reset_counts()


@pytest.fixture
def three_pages_limit(settings: Any, request_times: list[datetime]) -> None:
    """Limit everybody to three pages a minute."""
    settings.PAGE_RATE = settings.PAGE_RATE_ANONYMOUS = 3


def open_signed_in_client(name: str) -> Client:
    client = Client()
    client.force_login(player(name))
    return client


def list_statuses(client: Client, path: str = "/rules/", times: int = 5, **how: Any) -> list[int]:
    return [client.get(path, **how).status_code for _ in range(times)]


def measure_cost(action_name: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> int:
    """Return the cost that an action adds to the rate limit."""
    costs: list[int] = []
    before = rate_limits.count_in_window

    def note_cost(who: str, limit: int, now: int, cost: int = 1) -> int:
        costs.append(cost)
        return before(who, limit, now, cost)

    with monkeypatch.context() as patch:  # short windows add to the window of a minute, too
        patch.setattr(rate_limits, "count_in_window", note_cost)
        action_name()
    return sum(costs)


# ----------------------------------------------------------------------------------------------------- pages


@pytest.mark.usefixtures("three_pages_limit")
def test_who_loads_too_many_pages_must_wait(request_times: list[datetime]) -> None:
    client = Client()
    assert list_statuses(client) == [200, 200, 200, 429, 429]
    refused = client.get("/lobby/")
    assert (refused.status_code, refused["Retry-After"], refused["Cache-Control"]) == (429, "50", "no-store")
    assert refused["Content-Type"].startswith("text/html")
    assert "Wait a minute" in refused.text
    assert "default-src 'none'" in refused["Content-Security-Policy"]
    request_times[0] = NOON.replace(minute=1)
    assert client.get("/lobby/").status_code == 200


@pytest.mark.usefixtures("three_pages_limit")
@pytest.mark.parametrize("language", ["it", "nl"])
def test_the_page_is_in_the_readers_language(language: str) -> None:
    english = page_limits.render_too_many_requests("en")
    ada = player("ada")
    Player.objects.filter(pk=ada.pk).update(language=language)
    browser, own = Client(headers={"Accept-Language": language}), open_signed_in_client("ada")
    for client in (browser, own):
        list_statuses(client, times=3)
        refused = client.get("/rules/")
        assert refused.status_code == 429
        assert f'lang="{language}"' in refused.text
        sentence = re.search(r'class="lead">([^<]+)', refused.text)[1]
        assert sentence not in english


@pytest.mark.usefixtures("three_pages_limit")
def test_players_are_counted_apart_from_their_address_and_from_one_another() -> None:
    assert list_statuses(Client())[-1] == 429
    ada, other_browser, bob = (
        open_signed_in_client("ada"),
        open_signed_in_client("ada"),
        open_signed_in_client("bob"),
    )
    assert list_statuses(ada, times=2) == [200, 200]
    assert list_statuses(other_browser, times=2) == [200, 429]
    assert list_statuses(bob, times=3) == [200, 200, 200]


@pytest.mark.usefixtures("three_pages_limit")
def test_guests_are_counted_with_their_address(request_times: list[datetime]) -> None:
    browsers = []
    for _ in range(2):
        guest, _game = bot_games.start_bot_game(player=None, language="en", now=request_times[0])
        browser = Client()
        browser.force_login(guest)
        browsers.append(browser)
    assert list_statuses(browsers[0], times=3) == [200, 200, 200]
    assert list_statuses(browsers[1], times=1) == list_statuses(Client(), times=1) == [429]


@pytest.mark.usefixtures("three_pages_limit")
def test_a_session_that_is_none_does_not_help() -> None:
    for number in range(4):
        client = Client()
        client.cookies["sessionid"] = f"{number:032}"
        status = client.get("/rules/").status_code
        assert status == (429 if number == 3 else 200)


@pytest.mark.usefixtures("three_pages_limit")
def test_who_is_refused_costs_no_query_of_ours() -> None:
    client = Client()
    list_statuses(client)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert client.get("/games/").status_code == 429
    assert not queries.captured_queries


@pytest.mark.usefixtures("three_pages_limit")
def test_pages_and_api_are_counted_apart(settings: Any) -> None:
    settings.API_RATE_ANONYMOUS = 2
    assert list_statuses(Client())[-1] == 429
    assert list_statuses(Client(), "/api/v1/games/", 3) == [200, 200, 429]


@pytest.mark.usefixtures("three_pages_limit")
def test_forms_count_like_pages() -> None:
    client = Client()
    answers = [client.post("/fairness/", {"record": "{}"}).status_code for _ in range(4)]
    assert answers == [422, 422, 422, 429]


def test_static_files_and_those_who_watch_are_not_counted(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in ("/static/otto.css", *(f"/{name}" for name in NOT_COUNTED)):
        assert measure_cost(lambda path=path: Client().get(path).getvalue(), monkeypatch) == 0


def test_every_other_address_counts(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    free = []
    routes = [route_row for route_row in list_routes() if not route_row[0].startswith("admin/")]
    addresses = [
        (route, fill_address(address, names, world, action_name="play")) for route, address, names in routes
    ]
    addresses.append(("admin/", "/admin/"))
    for route, path in [*addresses, ("nothing", "/nothing/"), ("api/nothing", "/api/v1/nothing/")]:
        client = Client(raise_request_exception=False)
        if route not in NOT_COUNTED and not measure_cost(lambda: client.get(path), monkeypatch):  # noqa: B023
            free.append(route)
    assert not free


def test_what_leads_to_no_door_of_the_api_is_refused_as_a_problem(
    settings: Any, request_times: list[datetime]
) -> None:
    settings.API_RATE_ANONYMOUS = 2
    assert list_statuses(Client(), "/api/v1/nothing/", 2) == [404, 404]
    refused = Client().get("/api/v1/nothing/")
    assert (refused.status_code, refused["Content-Type"]) == (429, "application/problem+json")
    assert (refused.json()["code"], refused["Retry-After"]) == ("throttled", "50")


# --------------------------------------------------------------------------------------------- short windows


def test_a_whole_minutes_requests_do_not_come_at_once(settings: Any, request_times: list[datetime]) -> None:
    settings.PAGE_RATE_ANONYMOUS = settings.API_RATE_ANONYMOUS = 300
    for path in ("/rules/", "/api/v1/games/"):
        answers = [Client().get(path) for _ in range(31)]
        assert [answer.status_code for answer in answers] == [200] * 30 + [429]
        assert answers[-1]["Retry-After"] == "5"
        request_times[0] += timedelta(seconds=5)
        assert Client().get(path).status_code == 200


def test_what_a_page_asks_for_itself_may_come_at_once(settings: Any, request_times: list[datetime]) -> None:
    settings.PAGE_RATE_ANONYMOUS = 300
    path = f"/games/{start_cast_game('ada', 'bob').code}/"
    assert list_statuses(Client(), f"{path}board.svg", 40) == [200] * 40
    assert list_statuses(Client(), f"{path}version/", 40) == [200] * 40
    assert Client().get("/rules/").status_code == 200


def test_evenly_over_the_minute_all_of_it_may_come(settings: Any, request_times: list[datetime]) -> None:
    settings.PAGE_RATE_ANONYMOUS = 60
    request_times[0] = NOON.replace(second=0)
    for _ in range(60):
        assert Client().get("/rules/").status_code == 200
        request_times[0] += timedelta(seconds=0.99)
    assert Client().get("/rules/").status_code == 429


def test_what_costs_more_than_a_moment_holds_is_done_all_the_same(
    settings: Any, request_times: list[datetime]
) -> None:
    settings.PAGE_RATE = 2 * rate_limits.EXPORT_COST
    assert open_signed_in_client("ada").get("/me/export/").status_code == 200


# ------------------------------------------------------------------------------------------------- addresses


@pytest.mark.parametrize(
    ("address", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("2001:DB8:1:2::1", "2001:db8:1:2:0:0:0:1", True),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
    ],
)
@pytest.mark.parametrize("path", ["/rules/", "/api/v1/games/"])
def test_who_has_a_whole_network_is_one(
    settings: Any, request_times: list[datetime], path: str, address: str, other: str, same: bool
) -> None:
    settings.API_RATE_ANONYMOUS = settings.PAGE_RATE_ANONYMOUS = 1
    assert list_statuses(Client(REMOTE_ADDR=address), path, 2) == [200, 429]
    assert list_statuses(Client(REMOTE_ADDR=other), path, 1) == [429 if same else 200]


def test_nobody_names_another_address_unless_a_proxy_is_trusted(request_times: list[datetime]) -> None:
    request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.1", headers={"X-Forwarded-For": "192.0.2.9"})
    assert rate_limits.client_network_of(request) == "192.0.2.1"


def test_what_is_no_address_is_one_all_the_same() -> None:
    for remote_address in ("", "unknown", "2001:db8::/129", "x" * 5000, "\ud800"):
        request = RequestFactory().get("/", REMOTE_ADDR=remote_address)
        count = rate_limits.count_request(request, bucket="page", user_id=None, limits=(1, 1))
        assert not count.is_exceeded


# ------------------------------------------------------------------------------------------------- counting


def test_threads_that_count_at_once_lose_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rate_limits.reset_counts()
    with ThreadPoolExecutor(8) as pool:
        counts = list(pool.map(lambda _: rate_limits.count_in_window("somebody", 400, 60), range(600)))
    assert sum(count <= 400 for count in counts) == 400
    rate_limits.reset_counts()


def test_processes_that_count_at_once_let_few_more_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """The processes have separate memory and share one Redis."""
    rate_limits.reset_counts()
    limit, memories, passed = 100, [({}, 1) for _ in range(4)], 0
    for turn in range(400):
        monkeypatch.setattr(rate_limits, "counts", memories[turn % 4][0])
        monkeypatch.setattr(rate_limits, "current_window", 1)
        passed += rate_limits.count_in_window("somebody", limit, 60) <= limit
    assert limit <= passed <= limit + 4 * rate_limits.MAX_UNSHARED_REQUESTS
    rate_limits.reset_counts()


def test_a_cost_counts_as_so_many_at_once() -> None:
    rate_limits.reset_counts()
    assert [rate_limits.count_in_window("somebody", 100, 0, cost) for cost in (1, 30, 30, 30)] == [
        1,
        31,
        61,
        91,
    ]
    assert rate_limits.count_in_window("somebody", 100, 0, 30) > 100
    assert rate_limits.count_in_window("somebody", 100, 0) > 100
    rate_limits.reset_counts()


def test_who_is_over_the_limit_asks_nothing_of_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    rate_limits.reset_counts()
    for _ in range(6):
        rate_limits.count_in_window("somebody", 4, 60)
    monkeypatch.setattr(rate_limits, "add_to_shared_count", lambda key, count: pytest.fail("Redis was asked"))
    assert rate_limits.count_in_window("somebody", 4, 60) > 4
    rate_limits.reset_counts()


# ----------------------------------------------------------------------------------------------------- costs


def test_what_hashes_a_password_costs_more(monkeypatch: pytest.MonkeyPatch) -> None:
    words = {"login": "nobody@example.net", "password": "wrong"}
    assert measure_cost(lambda: Client().get("/accounts/login/"), monkeypatch) == 1
    assert (
        measure_cost(lambda: Client().post("/accounts/login/", words), monkeypatch)
        == 1 + rate_limits.HASHING_COST
    )
    grant = {"grant_type": "authorization_code", "client_id": "x", "client_secret": "y", "code": "z"}
    assert (
        measure_cost(lambda: Client().post("/oauth/token/", grant), monkeypatch)
        == 1 + rate_limits.HASHING_COST
    )


def test_who_has_too_little_left_for_a_password_is_refused(
    settings: Any, request_times: list[datetime]
) -> None:
    settings.PAGE_RATE_ANONYMOUS = rate_limits.HASHING_COST
    assert Client().get("/lobby/").status_code == 200
    refused = Client().post("/accounts/login/", {"login": "nobody@example.net", "password": "wrong"})
    assert (refused.status_code, refused["Retry-After"]) == (429, "50")


def test_an_export_costs_more_on_the_page_and_over_the_api(
    settings: Any, request_times: list[datetime], monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = open_signed_in_client("ada")
    assert measure_cost(lambda: ada.get("/me/export/"), monkeypatch) == 1 + rate_limits.EXPORT_COST

    def export_by_api() -> Any:
        return ada.get("/api/v1/me/export/")

    assert measure_cost(export_by_api, monkeypatch) == 1 + rate_limits.EXPORT_COST
    settings.API_RATE = settings.PAGE_RATE = 2 * rate_limits.EXPORT_COST
    rate_limits.reset_counts()
    assert [export_by_api().status_code for _ in range(2)] == [200, 429]
    assert export_by_api().json()["code"] == "throttled"
    assert [ada.get("/me/export/").status_code for _ in range(2)] == [200, 429]


def test_a_long_record_costs_more_than_a_short_one(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from games import selectors
    from games.web import fairness

    record = selectors.build_record_for(player("ada"), start_cast_game("ada", "bob").code)
    line = {"seq": 1, "seat": 1, "action": "draw", "by": "player", "at": "2030-01-01T00:00:00Z"}
    record["actions"] = [line | {"seq": number} for number in range(1, 1001)]
    form = {"record": json.dumps(record)}
    cost = 1000 // fairness.ACTIONS_PER_REQUEST
    assert measure_cost(lambda: Client().post("/fairness/", form), monkeypatch) == 1 + cost


def test_a_large_event_costs_more_than_a_small_one(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from tournaments.api import request_costs

    ada = open_signed_in_client("ada")
    code = world.tournament.code
    paths = ["", "standings/"]
    small = [
        measure_cost(lambda path=path: ada.get(f"/tournaments/{code}/{path}"), monkeypatch) for path in paths
    ]
    assert small == [1, 1]
    monkeypatch.setattr(request_costs, "ROWS_PER_REQUEST", 1)
    monkeypatch.setattr(request_costs, "MAX_TOURNAMENT_COST", 3)
    headers = world.program("bob")
    addresses = [f"/tournaments/{code}/{path}" for path in paths]
    addresses += [f"/api/v1/tournaments/{code}/{path}" for path in ("standings/", "bracket/", "fairness/")]
    for path in addresses:
        own = headers if "/api/" in path else {}
        assert measure_cost(lambda path=path, own=own: ada.get(path, headers=own), monkeypatch) == 4, path


def test_a_round_that_is_paired_to_look_at_costs_more(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from tournaments.api import request_costs

    ada = open_signed_in_client("ada")
    path = f"/tournaments/{world.tournament.code}/preview/"
    assert measure_cost(lambda: ada.get(path), monkeypatch) == 1 + request_costs.PREVIEW_COST


def test_a_page_that_takes_long_counts_as_several(settings: Any, request_times: list[datetime]) -> None:
    """By processor time, so that expensive pages give a client no larger share of the machine."""
    settings.PAGE_RATE_ANONYMOUS = 60

    def count_pages_until_refused() -> int:
        rate_limits.reset_counts()
        client = Client()
        return next(number for number in range(100) if client.get("/rules/").status_code == 429)

    settings.PAGE_MILLISECONDS = 10**6
    assert count_pages_until_refused() == rate_limits.RequestCount("x", 60, 0).burst_limit
    settings.PAGE_MILLISECONDS = 1
    Client().get("/rules/")  # excludes work that only the first request does
    assert count_pages_until_refused() < 20
