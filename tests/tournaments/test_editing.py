"""What an organiser lays down anew, and until when."""

from __future__ import annotations

from typing import Any

import pytest

from games.models import FeedEntry
from games.services.errors import Conflict, Denied, Invalid, NotFound
from tournaments.models import Decision, Tournament
from tournaments.services import co_organisers, entries, sweep, tournaments

from .play import DAY, HOUR, NOW, add_organiser, entrant, host, play_round, published, someone, started

pytestmark = pytest.mark.django_db


def edit(event: Tournament, **changes: Any) -> Tournament:
    tournaments.edit_tournament(by=host(), code=event.code, now=NOW, **changes)
    event.refresh_from_db()
    return event


def test_a_draft_is_changed_in_everything_and_nothing_is_logged() -> None:
    event = tournaments.create_tournament(
        organiser=host(), name="x", format="knockout", now=NOW, third_place=True
    )
    assert (event.allowance, event.short_allowance, event.vacation) == (172800, 43200, True)
    edit(
        event, name=" The cup ", text="Come!", format="swiss", table=3, third_place=False, rounds=4,
        capacity=9, starts_at=NOW + DAY, clock_name="live", late=True, review=True,
    )  # fmt: skip
    assert (event.name, event.text, event.format, event.table) == ("The cup", "Come!", "swiss", 3)
    assert (event.rounds, event.capacity, event.starts_at, event.late) == (4, 9, NOW + DAY, True)
    # What was left to the clock follows it.
    assert (event.allowance, event.short_allowance, event.vacation) == (180, 60, False)
    edit(event, clock_name="custom", allowance=7200, bank=0, short_allowance=600)
    edit(event, clock_name="custom", allowance=9600)
    assert (event.allowance, event.short_allowance) == (9600, 600)
    assert not Decision.objects.exists()
    assert event.due_at is None
    with pytest.raises(NotFound):
        tournaments.edit_tournament(by=someone("p1"), code=event.code, now=NOW, name="mine")


@pytest.mark.parametrize(
    "wrong",
    [{"name": " "}, {"format": "ladder"}, {"table": 5}, {"capacity": 1}, {"target": 0}, {"late": True},
     {"clock_name": "sand"}, {"allowance": 600}, {"starts_at": NOW, "closes_at": NOW + HOUR}],
    ids=str,
)  # fmt: skip
def test_what_cannot_be_made_cannot_be_made_of_something_else(wrong: dict[str, Any]) -> None:
    event = tournaments.create_tournament(organiser=host(), name="x", format="knockout", now=NOW)
    before = Tournament.objects.values().get()
    with pytest.raises(Invalid):
        edit(event, **wrong)
    assert Tournament.objects.values().get() == before


def test_what_is_played_stays_once_somebody_has_entered() -> None:
    event = edit(published("swiss", 0), format="knockout", target=2)
    assert (event.format, event.target) == ("knockout", 2)
    entries.enter_tournament(player=someone("p1"), code=event.code, now=NOW)
    for change in ({"format": "swiss"}, {"mode": "pairs"}, {"table": 3}, {"target": 1}, {"clock_name": "7d"}):
        with pytest.raises(Conflict):
            edit(event, **change)
    edit(event, format="knockout", target=2, third_place=True, round_length=2 * 86400, chat=False)
    assert (event.third_place, event.round_length, event.chat) == (True, 2 * 86400, False)
    with pytest.raises(Denied):
        tournaments.edit_tournament(by=someone("p1"), code=event.code, now=NOW, name="mine")


def test_a_change_is_logged_once_and_only_if_it_is_one() -> None:
    event = published("swiss", 0)
    for _ in range(2):
        edit(event, name="The other cup", starts_at=NOW + DAY)
    line = event.decisions.get()
    assert (line.what, line.by) == ("edit", host())
    assert line.before == {"name": "The cup", "starts_at": None}
    assert line.after == {"name": "The other cup", "starts_at": (NOW + DAY).isoformat()}


def test_the_start_moves_with_its_time() -> None:
    event = published("swiss", 2, starts_at=NOW + DAY)
    edit(event, starts_at=NOW + 2 * DAY)
    assert event.due_at == NOW + 2 * DAY
    assert not sweep.sweep_tournaments(now=NOW + DAY)
    edit(event, starts_at=None, capacity=2, when_full=True)
    assert sweep.sweep_tournaments(now=NOW)["began"] == 1  # it is full already


def test_too_few_may_wait_for_another_time() -> None:
    event = published("swiss", 1, starts_at=NOW)
    assert sweep.sweep_tournaments(now=NOW)["held"] == 1
    edit(event, starts_at=NOW + DAY)
    assert (event.held, event.due_at) == ("", NOW + DAY)


def test_more_places_are_for_those_who_wait() -> None:
    event = published("swiss", 4, capacity=2)
    edit(event, capacity=3)
    assert [entrant(event, f"p{n}").status for n in (2, 3, 4)] == ["entered", "entered", "waiting"]
    edit(event, capacity=2)  # and nobody loses a place
    assert entrant(event, "p3").status == "entered"
    edit(event, capacity=None)
    assert entrant(event, "p4").status == "entered"
    assert [line.player.name for line in FeedEntry.objects.filter(kind="event-place").order_by("pk")] == [
        "p3",
        "p4",
    ]


def test_what_runs_is_changed_for_rounds_to_come() -> None:
    event = started("swiss", 4, closes_at=NOW + DAY, starts_at=NOW + DAY)
    edit(event, name="New", text="?", round_length=2 * 86400, chat=False, ask=True)
    assert event.tables.filter(game__chat=True).count() == 2
    assert event.published.get().ends_at is None
    for change in ({"rounds": 9}, {"capacity": 9}, {"target": 3}, {"starts_at": NOW + HOUR}):
        with pytest.raises(Conflict):
            edit(event, **change)
    play_round(event, NOW + HOUR)
    assert event.published.get(number=2).ends_at == NOW + HOUR + 2 * DAY
    assert event.tables.filter(round=2, game__chat=False).count() == 2
    tournaments.cancel_tournament(by=host(), code=event.code, now=NOW)
    with pytest.raises(Conflict):
        edit(event, name="Old")


def test_helpers_come_and_go() -> None:
    event = published("swiss", 0)
    add_organiser(event, "h")
    with pytest.raises(Conflict):
        add_organiser(event, "h")
    for _ in range(2):
        co_organisers.remove_tournament_co_organiser(by=host(), code=event.code, player=someone("h"), now=NOW)
    with pytest.raises(Denied):
        tournaments.start_tournament(by=someone("h"), code=event.code, now=NOW)
    assert [line.what for line in event.decisions.all()] == ["helper", "helper"]


def test_an_invitation_is_taken_back_until_somebody_has_entered() -> None:
    event = published("swiss", 0, by_invitation=True)
    for name in ("p1", "p2"):
        tournaments.invite_player(by=host(), code=event.code, player=someone(name), now=NOW)
    entries.enter_tournament(player=someone("p1"), code=event.code, now=NOW)
    with pytest.raises(Conflict):
        tournaments.withdraw_invite(by=host(), code=event.code, player=someone("p1"), now=NOW)
    for _ in range(2):
        tournaments.withdraw_invite(by=host(), code=event.code, player=someone("p2"), now=NOW)
    with pytest.raises(Denied):
        entries.enter_tournament(player=someone("p2"), code=event.code, now=NOW)


def test_only_a_draft_is_deleted() -> None:
    event = tournaments.create_tournament(organiser=host(), name="x", format="swiss", now=NOW)
    tournaments.delete_draft(
        by=someone("p1"), code=event.code, now=NOW
    )  # who may not know of it changes nothing
    assert Tournament.objects.exists()
    for _ in range(2):
        tournaments.delete_draft(by=host(), code=event.code, now=NOW)
    assert not Tournament.objects.exists()
    with pytest.raises(Conflict):
        tournaments.delete_draft(by=host(), code=published("swiss", 0).code, now=NOW)
