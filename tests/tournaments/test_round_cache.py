"""The sweep pairs a Swiss round once, without locking rows; pages show the stored pairings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client

from tests.factories.events import (
    NOW,
    create_started_tournament,
    decide,
    get_host,
    get_player,
    list_running_pairings,
    play_to_end,
)
from tournaments.models import Tournament
from tournaments.pairing import PlannedRound, swiss
from tournaments.selectors import TournamentState
from tournaments.services import decisions, entries, sweep

pytestmark = pytest.mark.django_db


@pytest.fixture
def savepoint_depths(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record the number of open savepoints whenever a round is paired at tables of 3 and 4."""
    savepoint_counts: list[int] = []
    whole: Callable[..., Any] = swiss.pair_larger_tables

    def note_depth(*args: Any) -> Any:
        savepoint_counts.append(len(connection.savepoint_ids))
        return whole(*args)

    cache.clear()
    monkeypatch.setattr(swiss, "pair_larger_tables", note_depth)
    return savepoint_counts


def hold_second_round(depths: list[int], **fields: Any) -> Tournament:
    """Start a tournament of nine whose second round is held for the organiser."""
    tournament = create_started_tournament(
        "swiss", 9, table_size=3, round_count=3, hold_on_warnings=True, manual_approval=True, **fields
    )
    decisions.approve_round(by=get_host(), code=tournament.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    for table in list_running_pairings(tournament):
        decide(
            table,
            *[
                pairing_seat.entrant.entrant_players.get().player.name
                for pairing_seat in table.pairing_seats.order_by("seat_no")
            ],
        )
    depths.clear()
    sweep.sweep_tournaments(now=NOW)
    tournament.refresh_from_db()
    assert tournament.hold_reason == "review"
    return tournament


def test_the_sweep_pairs_a_round_once_before_it_holds_the_event(savepoint_depths: list[int]) -> None:
    outside = len(connection.savepoint_ids)
    tournament = hold_second_round(savepoint_depths)
    assert savepoint_depths == [outside]
    coming = decisions.preview_next_round(by=get_host(), code=tournament.code, now=NOW)
    assert isinstance(coming, PlannedRound)
    browser = Client()
    browser.force_login(get_host())
    assert browser.get(f"/tournaments/{tournament.code}/preview/").status_code == 200
    decisions.approve_round(by=get_host(), code=tournament.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    assert savepoint_depths == [outside]
    seat_orders = {tuple(pairing_seat.entrant_id for pairing_seat in table.pairing_seats.order_by("seat_no"))
            for table in tournament.pairings.filter(bracket_round=2)}  # fmt: skip
    assert seat_orders == {pairing.seats for pairing in coming.pairings}


def test_a_round_is_paired_anew_once_something_has_changed(savepoint_depths: list[int]) -> None:
    tournament = hold_second_round(savepoint_depths)
    before = decisions.preview_next_round(by=get_host(), code=tournament.code, now=NOW)
    entries.withdraw_from_tournament(player=get_player("p1"), code=tournament.code, now=NOW)
    after = decisions.preview_next_round(by=get_host(), code=tournament.code, now=NOW)
    assert isinstance(before, PlannedRound)
    assert isinstance(after, PlannedRound)
    assert [sum(len(pairing.seats) for pairing in round_plan.pairings) for round_plan in (before, after)] == [
        9,
        8,
    ]
    assert len(savepoint_depths) == 2


def test_without_the_cache_the_same_round_is_worked_out_again(savepoint_depths: list[int]) -> None:
    tournament = hold_second_round(savepoint_depths)
    before = decisions.preview_next_round(by=get_host(), code=tournament.code, now=NOW)
    cache.clear()
    assert decisions.preview_next_round(by=get_host(), code=tournament.code, now=NOW) == before
    assert len(savepoint_depths) == 2


def test_a_bracket_and_a_question_whether_it_is_over_pair_nobody(savepoint_depths: list[int]) -> None:
    tournament = hold_second_round(savepoint_depths)
    savepoint_depths.clear()
    cache.clear()
    assert TournamentState(tournament).build_bracket().champion is None
    assert not TournamentState(tournament).is_over()
    assert savepoint_depths == []
    decisions.approve_round(by=get_host(), code=tournament.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    tournament.refresh_from_db()
    play_to_end(tournament)
    savepoint_depths.clear()
    assert TournamentState(tournament).is_over()
    assert TournamentState(tournament).build_bracket().champion is not None
    assert savepoint_depths == []


def test_the_fairness_page_says_how_tables_are_drawn_and_a_table_whether_it_is_proved(
    savepoint_depths: list[int],
) -> None:
    tournament = hold_second_round(savepoint_depths)
    browser = Client()
    browser.force_login(get_host())
    page = browser.get(f"/tournaments/{tournament.code}/fairness/").content.decode()
    assert "tables have the fewest repeat meetings, then the closest scores" in page
    page = browser.get(f"/tournaments/{tournament.code}/preview/").content.decode()
    assert "No other tables give fewer repeat meetings or closer scores." in page
