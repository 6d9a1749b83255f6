"""Editing a tournament: which settings can change, and until when."""

from __future__ import annotations

from typing import Any

import pytest

from common.service_errors import Conflict, Denied, Invalid, NotFound
from notifications.models import FeedEntry
from tests.factories.events import (
    DAY,
    HOUR,
    NOW,
    add_organiser,
    create_started_tournament,
    entrant,
    get_host,
    get_player,
    play_round,
    published,
)
from tournaments.models import Decision, Tournament
from tournaments.services import co_organisers, entries, sweep, tournaments

pytestmark = pytest.mark.django_db


def edit_tournament(tournament: Tournament, **changes: Any) -> Tournament:
    tournaments.edit_tournament(by=get_host(), code=tournament.code, now=NOW, **changes)
    tournament.refresh_from_db()
    return tournament


def test_a_draft_is_changed_in_everything_and_nothing_is_logged() -> None:
    tournament = tournaments.create_tournament(
        organiser=get_host(), name="x", format="knockout", now=NOW, third_place=True
    )
    assert (tournament.allowance, tournament.rematch_allowance, tournament.vacation) == (172800, 43200, True)
    edit_tournament(
        tournament, name=" The cup ", text="Come!", format="swiss", table_size=3, third_place=False,
        round_count=4, capacity=9, starts_at=NOW + DAY, time_control="live", late_entry=True,
        manual_approval=True,
    )  # fmt: skip
    assert (tournament.name, tournament.text, tournament.format) == ("The cup", "Come!", "swiss")
    assert tournament.table_size == 3
    assert (tournament.round_count, tournament.capacity, tournament.starts_at) == (4, 9, NOW + DAY)
    assert tournament.late_entry is True
    # Settings that depend on the time control follow it.
    assert (tournament.allowance, tournament.rematch_allowance, tournament.vacation) == (180, 60, False)
    edit_tournament(tournament, time_control="custom", allowance=7200, bank=0, rematch_allowance=600)
    edit_tournament(tournament, time_control="custom", allowance=9600)
    assert (tournament.allowance, tournament.rematch_allowance) == (9600, 600)
    assert not Decision.objects.exists()
    assert tournament.next_sweep_at is None
    with pytest.raises(NotFound):
        tournaments.edit_tournament(by=get_player("p1"), code=tournament.code, now=NOW, name="mine")


@pytest.mark.parametrize(
    "wrong",
    [{"name": " "}, {"format": "ladder"}, {"table_size": 5}, {"capacity": 1}, {"target": 0},
     {"late_entry": True}, {"time_control": "sand"},
     {"allowance": 600}, {"starts_at": NOW, "closes_at": NOW + HOUR}],
    ids=str,
)  # fmt: skip
def test_what_cannot_be_made_cannot_be_made_of_something_else(wrong: dict[str, Any]) -> None:
    tournament = tournaments.create_tournament(organiser=get_host(), name="x", format="knockout", now=NOW)
    before = Tournament.objects.values().get()
    with pytest.raises(Invalid):
        edit_tournament(tournament, **wrong)
    assert Tournament.objects.values().get() == before


def test_what_is_played_stays_once_somebody_has_entered() -> None:
    tournament = edit_tournament(published("swiss", 0), format="knockout", target=2)
    assert (tournament.format, tournament.target) == ("knockout", 2)
    entries.enter_tournament(player=get_player("p1"), code=tournament.code, now=NOW)
    for change in (
        {"format": "swiss"},
        {"mode": "pairs"},
        {"table_size": 3},
        {"target": 1},
        {"time_control": "7d"},
    ):
        with pytest.raises(Conflict):
            edit_tournament(tournament, **change)
    edit_tournament(
        tournament, format="knockout", target=2, third_place=True, round_length=2 * 86400, chat=False
    )
    assert (tournament.third_place, tournament.round_length, tournament.chat) == (True, 2 * 86400, False)
    with pytest.raises(Denied):
        tournaments.edit_tournament(by=get_player("p1"), code=tournament.code, now=NOW, name="mine")


def test_a_change_is_logged_once_and_only_if_it_is_one() -> None:
    tournament = published("swiss", 0)
    for _ in range(2):
        edit_tournament(tournament, name="The other cup", starts_at=NOW + DAY)
    line = tournament.decisions.get()
    assert (line.action, line.created_by) == ("edit", get_host())
    assert line.before == {"name": "The cup", "starts_at": None}
    assert line.after == {"name": "The other cup", "starts_at": (NOW + DAY).isoformat()}


def test_the_start_moves_with_its_time() -> None:
    tournament = published("swiss", 2, starts_at=NOW + DAY)
    edit_tournament(tournament, starts_at=NOW + 2 * DAY)
    assert tournament.next_sweep_at == NOW + 2 * DAY
    assert not sweep.sweep_tournaments(now=NOW + DAY)
    edit_tournament(tournament, starts_at=None, capacity=2, when_full=True)
    assert sweep.sweep_tournaments(now=NOW)["began"] == 1  # the tournament is already full


def test_too_few_may_wait_for_another_time() -> None:
    tournament = published("swiss", 1, starts_at=NOW)
    assert sweep.sweep_tournaments(now=NOW)["held"] == 1
    edit_tournament(tournament, starts_at=NOW + DAY)
    assert (tournament.hold_reason, tournament.next_sweep_at) == ("", NOW + DAY)


def test_more_places_are_for_those_who_wait() -> None:
    tournament = published("swiss", 4, capacity=2)
    edit_tournament(tournament, capacity=3)
    assert [entrant(tournament, f"p{n}").status for n in (2, 3, 4)] == ["entered", "entered", "waiting"]
    edit_tournament(tournament, capacity=2)  # no entrant loses a place
    assert entrant(tournament, "p3").status == "entered"
    edit_tournament(tournament, capacity=None)
    assert entrant(tournament, "p4").status == "entered"
    assert [
        line.player.name for line in FeedEntry.objects.filter(kind="tournament-place").order_by("pk")
    ] == [
        "p3",
        "p4",
    ]


def test_what_runs_is_changed_for_rounds_to_come() -> None:
    tournament = create_started_tournament("swiss", 4, closes_at=NOW + DAY, starts_at=NOW + DAY)
    edit_tournament(
        tournament, name="New", text="?", round_length=2 * 86400, chat=False, hold_on_warnings=True
    )
    assert tournament.pairings.filter(game__chat=True).count() == 2
    assert tournament.rounds.get().ends_at is None
    for change in ({"round_count": 9}, {"capacity": 9}, {"target": 3}, {"starts_at": NOW + HOUR}):
        with pytest.raises(Conflict):
            edit_tournament(tournament, **change)
    play_round(tournament, NOW + HOUR)
    assert tournament.rounds.get(number=2).ends_at == NOW + HOUR + 2 * DAY
    assert tournament.pairings.filter(bracket_round=2, game__chat=False).count() == 2
    tournaments.cancel_tournament(by=get_host(), code=tournament.code, now=NOW)
    with pytest.raises(Conflict):
        edit_tournament(tournament, name="Old")


def test_helpers_come_and_go() -> None:
    tournament = published("swiss", 0)
    add_organiser(tournament, "h")
    with pytest.raises(Conflict):
        add_organiser(tournament, "h")
    for _ in range(2):
        co_organisers.remove_tournament_co_organiser(
            by=get_host(), code=tournament.code, player=get_player("h"), now=NOW
        )
    with pytest.raises(Denied):
        tournaments.start_tournament(by=get_player("h"), code=tournament.code, now=NOW)
    assert [line.action for line in tournament.decisions.all()] == ["co-organiser", "co-organiser"]


def test_an_invitation_is_taken_back_until_somebody_has_entered() -> None:
    tournament = published("swiss", 0, by_invitation=True)
    for name in ("p1", "p2"):
        tournaments.invite_player(by=get_host(), code=tournament.code, player=get_player(name), now=NOW)
    entries.enter_tournament(player=get_player("p1"), code=tournament.code, now=NOW)
    with pytest.raises(Conflict):
        tournaments.withdraw_invite(by=get_host(), code=tournament.code, player=get_player("p1"), now=NOW)
    for _ in range(2):
        tournaments.withdraw_invite(by=get_host(), code=tournament.code, player=get_player("p2"), now=NOW)
    with pytest.raises(Denied):
        entries.enter_tournament(player=get_player("p2"), code=tournament.code, now=NOW)


def test_only_a_draft_is_deleted() -> None:
    tournament = tournaments.create_tournament(organiser=get_host(), name="x", format="swiss", now=NOW)
    tournaments.delete_draft(
        by=get_player("p1"), code=tournament.code, now=NOW
    )  # a player who cannot see the draft cannot change it
    assert Tournament.objects.exists()
    for _ in range(2):
        tournaments.delete_draft(by=get_host(), code=tournament.code, now=NOW)
    assert not Tournament.objects.exists()
    with pytest.raises(Conflict):
        tournaments.delete_draft(by=get_host(), code=published("swiss", 0).code, now=NOW)
