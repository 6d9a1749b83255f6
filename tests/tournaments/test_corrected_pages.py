"""The organiser's pages of a result that is corrected after the end."""

from __future__ import annotations

import re

import pytest

from .play import host, play, playing, started
from .test_organise_pages import action_path, at, dashboard_path, look, send, settle

pytestmark = pytest.mark.django_db


def test_a_result_that_was_played_is_shown_and_can_be_corrected_after_the_end() -> None:
    browser = at(host())
    event = started("swiss", 2, rounds=1)
    table = playing(event)[0]
    play(table)
    settle(event)
    assert event.status == "finished"
    assert "It is over" in look(browser, dashboard_path(event)).html
    assert "Played to the end." in look(browser, dashboard_path(event, "tables")).html
    table.refresh_from_db()
    assert table.result
    turned = {f"rank-{place}": str(3 - rank) for place, rank in enumerate(table.result["ranks"])}
    points = table.result["points"]
    path = action_path(event, "correct", table=table.pk)
    asked = browser.post(path, {"table": table.pk} | turned)
    assert asked.status_code == 409
    seal = re.search(r'name="confirmed" value="(\w+)"', asked.content.decode())
    assert seal
    send(browser, path, "The result is written.", **turned, confirmed=seal[1])
    table.refresh_from_db()
    assert table.result["points"] == points
    assert table.result["by"] == "organiser"
