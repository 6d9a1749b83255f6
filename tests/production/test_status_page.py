"""The status page: plain words, no secrets, and available without the database."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.tasks import sweep_due_games
from otto_site import health, status_page
from otto_site.outages import Outage
from tests.factories.cast import player

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clear_cache() -> None:
    cache.clear()


def read_page(client: Client, **headers: str) -> str:
    answer = client.get("/status/", headers=headers)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_it_says_what_works_and_what_does_not(client: Client) -> None:
    page = read_page(client)
    assert "Something does not work." in page
    assert "Deadlines and bots: <b >does not work</b>" in page
    assert "no sweep has run yet" not in page  # this sentence is for operators
    cache.clear()
    sweep_due_games()
    page = read_page(client)
    assert "Everything works." in page
    assert page.count(": works</li>") == 4


def test_every_check_has_a_title() -> None:
    from django.utils import timezone

    assert set(health.check_health(timezone.now()).problems) == set(status_page.CHECK_TITLES)


def test_many_who_look_are_one_check(client: Client) -> None:
    read_page(client)
    with CaptureQueriesContext(connection) as queries:
        read_page(client)
    assert len(queries) == 0


def test_it_answers_those_who_are_signed_in_when_the_database_does_not(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(player("ada"))
    monkeypatch.setattr(health, "check_database", lambda: str(Outage.DATABASE_AWAY))
    with CaptureQueriesContext(connection) as queries:
        page = read_page(client)
    assert len(queries) == 0
    assert "Games and accounts: <b >does not work</b>" in page
    assert "ada" not in page


def test_it_names_no_address_no_password_and_no_machine(client: Client, settings: Any) -> None:
    page = read_page(client)
    for secret in (settings.SECRET_KEY, settings.REDIS_URL or "-", str(connection.settings_dict["NAME"])):
        assert secret not in page or secret == "-"
    assert "Traceback" not in page


def test_a_foreign_host_is_refused() -> None:
    assert Client(headers={"host": "evil.example"}).get("/status/").status_code == 400


def test_only_reading_is_possible(client: Client) -> None:
    assert client.post("/status/").status_code == 405
