"""Pages of a large tournament stay small and need few queries."""

from __future__ import annotations

import random

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import large
from tests.helpers.tournament_pages import build_tournament_path

pytestmark = pytest.mark.django_db
MOST_QUERIES = 13  # one reads the version that live pages compare
MOST_BYTES = 100_000


@pytest.mark.parametrize("format", ["knockout", "swiss"])
def test_pages_of_a_large_event_stay_small_and_ask_little(format: str) -> None:
    """At most 13 queries and 100 kB in the middle of the second round of 512 entrants."""
    tournament = large.create_large_tournament(format, 512)
    for number in (1, 2):
        if format == "swiss":
            large.add_swiss_round(tournament, number)
        else:
            large.publish_round(tournament)
        if number == 1:
            large.settle_round(tournament, random.Random("crowd"))
    table = tournament.pairings.order_by("-pk")[0]
    parts = ["", "standings/?page=11", "entrants/", "rounds/1/", f"tables/{table.pk}/", "fairness/"]
    parts += ["bracket/", "bracket/?round=main-1"] if format == "knockout" else []
    client = Client()
    client.force_login(tournament.entrant_players.order_by("pk")[0].player)
    client.get("/lobby/")  # counts the turns for the menu, and caches the number for the pages below
    for part in parts:
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(build_tournament_path(tournament, part))
        statements = [query["sql"][:200] for query in queries]
        assert answer.status_code == 200, part
        assert len(statements) <= MOST_QUERIES, "\n".join([part, *statements])
        assert len(answer.content) < MOST_BYTES, part
