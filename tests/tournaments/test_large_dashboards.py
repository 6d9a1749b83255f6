"""The organiser's pages cost no more for a large tournament than for a small one."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Player
from tests import database
from tests.factories.events import get_host
from tests.helpers.organiser_pages import MOST_BYTES, MOST_QUERIES, action_path, dashboard_path, look
from tests.helpers.organiser_pages import browser as browser
from tournaments.models import Appeal, Entrant, EntrantPlayer, Tournament
from tournaments.services import sweep, tournaments

pytestmark = pytest.mark.django_db


def test_the_dashboard_of_a_large_event_costs_no_more_than_that_of_a_small_one(browser: Client) -> None:
    tournament = tournaments.create_tournament(
        organiser=get_host(), name="Large", format="swiss", now=timezone.now()
    )
    tournaments.publish_tournament(by=get_host(), code=tournament.code, now=timezone.now())
    many = Player.objects.bulk_create(
        [Player(name=f"guest{n}", email=f"g{n}@example.org", joined_at=timezone.now()) for n in range(511)]
    )
    entrant_rows = Entrant.objects.bulk_create(
        [Entrant(tournament=tournament, entered_at=timezone.now()) for _player in many]
    )
    EntrantPlayer.objects.bulk_create(
        [
            EntrantPlayer(tournament=tournament, entrant=entrant_row, player=who)
            for entrant_row, who in zip(entrant_rows, many, strict=True)
        ]
    )
    database.analyse_tables()
    with CaptureQueriesContext(connection) as queries:
        answer = browser.get(f"/tournaments/{tournament.code}/preview/")
    assert "Page 1 of 11" in answer.content.decode()
    assert len(answer.content) < MOST_BYTES
    assert len(queries) <= MOST_QUERIES, [query["sql"] for query in queries]
    tournaments.start_tournament(by=get_host(), code=tournament.code, now=timezone.now())
    assert sweep.run_next_step(tournament.pk, timezone.now()) == "began"
    assert sweep.run_next_step(tournament.pk, timezone.now()) == "held"
    check_pages(browser, tournament)
    browser.post(action_path(tournament, "proceed"))
    assert sweep.run_next_step(tournament.pk, timezone.now()) == "paired"
    Appeal.objects.bulk_create(
        [
            Appeal(pairing=table, created_by=many[n], created_at=timezone.now(), text="Look at this. " * 60)
            for n, table in enumerate(tournament.pairings.all()[:60])
        ]
    )
    database.analyse_tables()
    check_pages(browser, tournament)
    assert "guest77" in look(browser, dashboard_path(tournament, "entrants") + "?name=guest77").html
    assert "guest77" in look(browser, dashboard_path(tournament, "tables") + "?name=guest77").html


def check_pages(browser: Client, tournament: Tournament) -> None:
    paths = [
        dashboard_path(tournament, part) for part in ("", "entrants", "tables", "appeals", "log", "people")
    ]
    paths += [
        dashboard_path(tournament, "tables") + "?playing&page=3",
        f"/tournaments/{tournament.code}/preview/",
    ]
    for path in paths:
        with CaptureQueriesContext(connection) as queries:
            answer = browser.get(path)
        assert answer.status_code == 200
        assert len(queries) <= MOST_QUERIES, (path, [query["sql"] for query in queries])
        assert len(answer.content) < MOST_BYTES, path
