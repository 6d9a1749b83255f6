"""What an organiser lays down anew, and until when."""

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


def edit_tournament(event: Tournament, **changes: Any) -> Tournament:
    tournaments.edit_tournament(by=get_host(), code=event.code, now=NOW, **changes)
    event.refresh_from_db()
    return event


def test_a_draft_is_changed_in_everything_and_nothing_is_logged() -> None:
    event = tournaments.create_tournament(
        organiser=get_host(), name="x", format="knockout", now=NOW, third_place=True
    )
    assert (event.allowance, event.rematch_allowance, event.vacation) == (172800, 43200, True)
    edit_tournament(
        event, name=" The cup ", text="Come!", format="swiss", table_size=3, third_place=False, round_count=4,
        capacity=9, starts_at=NOW + DAY, time_control="live", late_entry=True, manual_approval=True,
    )  # fmt: skip
    assert (event.name, event.text, event.format, event.table_size) == ("The cup", "Come!", "swiss", 3)
    assert (event.round_count, event.capacity, event.starts_at, event.late_entry) == (4, 9, NOW + DAY, True)
    # What was left to the clock follows it.
    assert (event.allowance, event.rematch_allowance, event.vacation) == (180, 60, False)
    edit_tournament(event, time_control="custom", allowance=7200, bank=0, rematch_allowance=600)
    edit_tournament(event, time_control="custom", allowance=9600)
    assert (event.allowance, event.rematch_allowance) == (9600, 600)
    assert not Decision.objects.exists()
    assert event.next_sweep_at is None
    with pytest.raises(NotFound):
        tournaments.edit_tournament(by=get_player("p1"), code=event.code, now=NOW, name="mine")


@pytest.mark.parametrize(
    "wrong",
    [{"name": " "}, {"format": "ladder"}, {"table_size": 5}, {"capacity": 1}, {"target": 0},
     {"late_entry": True}, {"time_control": "sand"},
     {"allowance": 600}, {"starts_at": NOW, "closes_at": NOW + HOUR}],
    ids=str,
)  # fmt: skip
def test_what_cannot_be_made_cannot_be_made_of_something_else(wrong: dict[str, Any]) -> None:
    event = tournaments.create_tournament(organiser=get_host(), name="x", format="knockout", now=NOW)
    before = Tournament.objects.values().get()
    with pytest.raises(Invalid):
        edit_tournament(event, **wrong)
    assert Tournament.objects.values().get() == before


def test_what_is_played_stays_once_somebody_has_entered() -> None:
    event = edit_tournament(published("swiss", 0), format="knockout", target=2)
    assert (event.format, event.target) == ("knockout", 2)
    entries.enter_tournament(player=get_player("p1"), code=event.code, now=NOW)
    for change in (
        {"format": "swiss"},
        {"mode": "pairs"},
        {"table_size": 3},
        {"target": 1},
        {"time_control": "7d"},
    ):
        with pytest.raises(Conflict):
            edit_tournament(event, **change)
    edit_tournament(event, format="knockout", target=2, third_place=True, round_length=2 * 86400, chat=False)
    assert (event.third_place, event.round_length, event.chat) == (True, 2 * 86400, False)
    with pytest.raises(Denied):
        tournaments.edit_tournament(by=get_player("p1"), code=event.code, now=NOW, name="mine")


def test_a_change_is_logged_once_and_only_if_it_is_one() -> None:
    event = published("swiss", 0)
    for _ in range(2):
        edit_tournament(event, name="The other cup", starts_at=NOW + DAY)
    line = event.decisions.get()
    assert (line.action, line.created_by) == ("edit", get_host())
    assert line.before == {"name": "The cup", "starts_at": None}
    assert line.after == {"name": "The other cup", "starts_at": (NOW + DAY).isoformat()}


def test_the_start_moves_with_its_time() -> None:
    event = published("swiss", 2, starts_at=NOW + DAY)
    edit_tournament(event, starts_at=NOW + 2 * DAY)
    assert event.next_sweep_at == NOW + 2 * DAY
    assert not sweep.sweep_tournaments(now=NOW + DAY)
    edit_tournament(event, starts_at=None, capacity=2, when_full=True)
    assert sweep.sweep_tournaments(now=NOW)["began"] == 1  # it is full already


def test_too_few_may_wait_for_another_time() -> None:
    event = published("swiss", 1, starts_at=NOW)
    assert sweep.sweep_tournaments(now=NOW)["held"] == 1
    edit_tournament(event, starts_at=NOW + DAY)
    assert (event.hold_reason, event.next_sweep_at) == ("", NOW + DAY)


def test_more_places_are_for_those_who_wait() -> None:
    event = published("swiss", 4, capacity=2)
    edit_tournament(event, capacity=3)
    assert [entrant(event, f"p{n}").status for n in (2, 3, 4)] == ["entered", "entered", "waiting"]
    edit_tournament(event, capacity=2)  # and nobody loses a place
    assert entrant(event, "p3").status == "entered"
    edit_tournament(event, capacity=None)
    assert entrant(event, "p4").status == "entered"
    assert [
        line.player.name for line in FeedEntry.objects.filter(kind="tournament-place").order_by("pk")
    ] == [
        "p3",
        "p4",
    ]


def test_what_runs_is_changed_for_rounds_to_come() -> None:
    event = create_started_tournament("swiss", 4, closes_at=NOW + DAY, starts_at=NOW + DAY)
    edit_tournament(event, name="New", text="?", round_length=2 * 86400, chat=False, hold_on_warnings=True)
    assert event.pairings.filter(game__chat=True).count() == 2
    assert event.rounds.get().ends_at is None
    for change in ({"round_count": 9}, {"capacity": 9}, {"target": 3}, {"starts_at": NOW + HOUR}):
        with pytest.raises(Conflict):
            edit_tournament(event, **change)
    play_round(event, NOW + HOUR)
    assert event.rounds.get(number=2).ends_at == NOW + HOUR + 2 * DAY
    assert event.pairings.filter(bracket_round=2, game__chat=False).count() == 2
    tournaments.cancel_tournament(by=get_host(), code=event.code, now=NOW)
    with pytest.raises(Conflict):
        edit_tournament(event, name="Old")


def test_helpers_come_and_go() -> None:
    event = published("swiss", 0)
    add_organiser(event, "h")
    with pytest.raises(Conflict):
        add_organiser(event, "h")
    for _ in range(2):
        co_organisers.remove_tournament_co_organiser(
            by=get_host(), code=event.code, player=get_player("h"), now=NOW
        )
    with pytest.raises(Denied):
        tournaments.start_tournament(by=get_player("h"), code=event.code, now=NOW)
    assert [line.action for line in event.decisions.all()] == ["co-organiser", "co-organiser"]


def test_an_invitation_is_taken_back_until_somebody_has_entered() -> None:
    event = published("swiss", 0, by_invitation=True)
    for name in ("p1", "p2"):
        tournaments.invite_player(by=get_host(), code=event.code, player=get_player(name), now=NOW)
    entries.enter_tournament(player=get_player("p1"), code=event.code, now=NOW)
    with pytest.raises(Conflict):
        tournaments.withdraw_invite(by=get_host(), code=event.code, player=get_player("p1"), now=NOW)
    for _ in range(2):
        tournaments.withdraw_invite(by=get_host(), code=event.code, player=get_player("p2"), now=NOW)
    with pytest.raises(Denied):
        entries.enter_tournament(player=get_player("p2"), code=event.code, now=NOW)


def test_only_a_draft_is_deleted() -> None:
    event = tournaments.create_tournament(organiser=get_host(), name="x", format="swiss", now=NOW)
    tournaments.delete_draft(
        by=get_player("p1"), code=event.code, now=NOW
    )  # who may not know of it changes nothing
    assert Tournament.objects.exists()
    for _ in range(2):
        tournaments.delete_draft(by=get_host(), code=event.code, now=NOW)
    assert not Tournament.objects.exists()
    with pytest.raises(Conflict):
        tournaments.delete_draft(by=get_host(), code=published("swiss", 0).code, now=NOW)
