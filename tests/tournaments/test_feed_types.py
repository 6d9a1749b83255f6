"""Feed entries fit the types of the OpenAPI document."""

from __future__ import annotations

import pytest

from tests.helpers.feed_types import check_feed_types
from tests.helpers.tournament_programs import Cup, Program
from tournaments.services import sweep

pytestmark = pytest.mark.django_db


def test_every_entry_of_a_cup_and_a_league_fits_its_type() -> None:
    cup = Cup("swiss", 4, round_count=2, late_entry=True).start()
    table = cup.get_table_of("p1")["id"]
    cup.players["p1"].do(f"{cup.at}pairings/{table}/appeal/", {"text": "Look at this."})
    decision_id = cup.host.do(f"{cup.at}correct/", {"pairing": table, "ranks": [1, 2]})["id"]
    cup.host.do(f"{cup.at}decisions/{decision_id}/undo/", {})
    league = cup.host.do("leagues/", {"name": "The league", "division_size": 4, "promotion_count": 1})["id"]
    for player in cup.players.values():
        player.do(f"leagues/{league}/join/")
    cup.host.do(f"leagues/{league}/start/")
    sweep.sweep_tournaments(now=cup.now)
    Program("p9")
    entrant = cup.players["p4"].ask(cup.at)["you"]["entrant"]
    cup.host.do(f"{cup.at}replace/", {"entrant": entrant, "player": "p9"})
    cup.host.do(f"{cup.at}disqualify/", {"entrant": entrant})
    cup.host.do(f"{cup.at}cancel/", {})
    kinds = check_feed_types()
    assert {"turn", "started", "tournament-pairing", "tournament-result"} <= kinds
    assert {"tournament-appeal", "tournament-replacement", "tournament-out", "tournament-cancelled"} <= kinds
