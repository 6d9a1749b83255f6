"""The organiser's pages about a result that is corrected after the end."""

from __future__ import annotations

import re

import pytest

from tests.factories.events import create_started_tournament, get_host, list_running_pairings, play
from tests.helpers.organiser_pages import action_path, dashboard_path, look, send, settle, sign_in_as

pytestmark = pytest.mark.django_db


def test_a_result_that_was_played_is_shown_and_can_be_corrected_after_the_end() -> None:
    browser = sign_in_as(get_host())
    tournament = create_started_tournament("swiss", 2, round_count=1)
    table = list_running_pairings(tournament)[0]
    play(table)
    settle(tournament)
    assert tournament.status == "finished"
    assert "Final places are public." in look(browser, dashboard_path(tournament)).html
    assert "Played to the end." in look(browser, dashboard_path(tournament, "tables")).html
    table.refresh_from_db()
    assert table.result
    turned = {f"rank-{place}": str(3 - rank) for place, rank in enumerate(table.result["ranks"])}
    points = table.result["points"]
    path = action_path(tournament, "correct", pairing=table.pk)
    response = browser.post(path, {"pairing": table.pk} | turned)
    assert response.status_code == 409
    seal = re.search(r'name="confirmed" value="(\w+)"', response.content.decode())
    assert seal
    send(browser, path, "Result saved.", **turned, confirmed=seal[1])
    table.refresh_from_db()
    assert table.result["points"] == points
    assert table.result["by"] == "organiser"
