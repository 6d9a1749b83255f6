"""A Swiss round is paired once, by the sweep and with no row held; pages show what it worked out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client

from tournaments.models import Tournament
from tournaments.pairing import PlannedRound, swiss
from tournaments.selectors import TournamentState
from tournaments.services import decisions, entries, sweep

from .play import NOW, decide, host, play_to_end, playing, someone, started

pytestmark = pytest.mark.django_db


@pytest.fixture
def depths(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """For each round paired at tables of 3 and 4: how many transactions were open within the test's."""
    found: list[int] = []
    whole: Callable[..., Any] = swiss.pair_larger_tables

    def around(*args: Any) -> Any:
        found.append(len(connection.savepoint_ids))
        return whole(*args)

    cache.clear()
    monkeypatch.setattr(swiss, "pair_larger_tables", around)
    return found


def held(depths: list[int], **fields: Any) -> Tournament:
    """An event of nine whose second round waits for the organiser."""
    event = started("swiss", 9, table=3, rounds=3, ask=True, review=True, **fields)
    decisions.approve_round(by=host(), code=event.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    for table in playing(event):
        decide(table, *[one.entrant.members.get().player.name for one in table.sittings.order_by("number")])
    depths.clear()
    sweep.sweep_tournaments(now=NOW)
    event.refresh_from_db()
    assert event.held == "review"
    return event


def test_the_sweep_pairs_a_round_once_before_it_holds_the_event(depths: list[int]) -> None:
    outside = len(connection.savepoint_ids)
    event = held(depths)
    assert depths == [outside]
    coming = decisions.preview_next_round(by=host(), code=event.code, now=NOW)
    assert isinstance(coming, PlannedRound)
    browser = Client()
    browser.force_login(host())
    assert browser.get(f"/tournaments/{event.code}/preview/").status_code == 200
    decisions.approve_round(by=host(), code=event.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    assert depths == [outside]
    made = {tuple(one.entrant_id for one in table.sittings.order_by("number"))
            for table in event.tables.filter(round=2)}  # fmt: skip
    assert made == {one.seats for one in coming.pairings}


def test_a_round_is_paired_anew_once_something_has_changed(depths: list[int]) -> None:
    event = held(depths)
    before = decisions.preview_next_round(by=host(), code=event.code, now=NOW)
    entries.withdraw_from_tournament(player=someone("p1"), code=event.code, now=NOW)
    after = decisions.preview_next_round(by=host(), code=event.code, now=NOW)
    assert isinstance(before, PlannedRound)
    assert isinstance(after, PlannedRound)
    assert [sum(len(one.seats) for one in found.pairings) for found in (before, after)] == [9, 8]
    assert len(depths) == 2


def test_without_the_cache_the_same_round_is_worked_out_again(depths: list[int]) -> None:
    event = held(depths)
    before = decisions.preview_next_round(by=host(), code=event.code, now=NOW)
    cache.clear()
    assert decisions.preview_next_round(by=host(), code=event.code, now=NOW) == before
    assert len(depths) == 2


def test_a_bracket_and_a_question_whether_it_is_over_pair_nobody(depths: list[int]) -> None:
    event = held(depths)
    depths.clear()
    cache.clear()
    assert TournamentState(event).build_bracket().champion is None
    assert not TournamentState(event).is_over()
    assert depths == []
    decisions.approve_round(by=host(), code=event.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    event.refresh_from_db()
    play_to_end(event)
    depths.clear()
    assert TournamentState(event).is_over()
    assert TournamentState(event).build_bracket().champion is not None
    assert depths == []


def test_the_fairness_page_says_how_tables_are_drawn_and_a_table_whether_it_is_proved(
    depths: list[int],
) -> None:
    event = held(depths)
    browser = Client()
    browser.force_login(host())
    page = browser.get(f"/tournaments/{event.code}/fairness/").content.decode()
    assert "the fewest repeat meetings and, among these, the least difference between scores" in page
    page = browser.get(f"/tournaments/{event.code}/preview/").content.decode()
    assert "No other tables in this round would have fewer repeat meetings or closer scores." in page
