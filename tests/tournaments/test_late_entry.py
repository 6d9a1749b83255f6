"""Coming in later, looking at rounds before they are published, and at the first one before the start."""

from __future__ import annotations

import pytest

from games.models import FeedEntry
from games.services.errors import Conflict, Denied
from tournaments.models import Entrant, Rating, Tournament
from tournaments.pairing import PlannedRound
from tournaments.selectors import TournamentState, get_tournament_for, list_seated_entrant_ids
from tournaments.services import decisions, entries, sweep, tournaments

from .play import DAY, HOUR, NOW, entrant, host, play_round, play_to_end, published, someone, started

pytestmark = pytest.mark.django_db


def enter(event: Tournament, name: str, now=NOW) -> Entrant:
    return entries.enter_tournament(player=someone(name), code=event.code, now=now)


def test_a_swiss_event_lets_people_in_for_the_next_round() -> None:
    event = started("swiss", 4, rounds=3, late=True, confirmation=False, closes_at=NOW + 2 * DAY)
    before = TournamentState(event).build_standings()
    late = enter(event, "late")
    assert (late.status, late.joined) == ("entered", 2)
    assert not sweep.sweep_tournaments(now=NOW)["paired"]  # the round that is played stays as it is
    assert [line.entrant for line in TournamentState(event).build_standings()][:4] == [
        line.entrant for line in before
    ]
    play_round(event, NOW + DAY)
    rounds = set(event.tables.filter(sittings__entrant=late).values_list("round", flat=True))
    assert rounds == {2}
    with pytest.raises(Conflict):
        enter(event, "later", NOW + 2 * DAY)  # entries are closed
    play_to_end(event, NOW + DAY)
    assert event.published.count() == 3
    late.refresh_from_db()
    assert late.rank is not None


def test_nobody_comes_in_where_it_was_not_said_or_when_no_round_follows() -> None:
    with pytest.raises(Conflict):
        enter(started("swiss", 2), "late")
    event = started("swiss", 4, rounds=1, late=True)
    with pytest.raises(Conflict):
        enter(event, "late")
    assert not event.members.filter(player=someone("late")).exists()


def test_places_and_limits_hold_for_who_comes_later() -> None:
    event = started("swiss", 5, capacity=4, rounds=4, late=True, most_rating=1600)
    assert enter(event, "late").status == "waiting"
    Rating.objects.create(player=someone("strong"), mode="singles", mu=30, sigma=2, games=9)
    with pytest.raises(Denied):
        enter(event, "strong")
    with pytest.raises(Conflict):
        entries.withdraw_from_tournament(player=someone("late"), code=event.code, now=NOW)
    entries.withdraw_from_tournament(player=someone("p1"), code=event.code, now=NOW)
    assert (entrant(event, "p5").status, entrant(event, "p5").joined) == ("entered", 2)
    assert [line.player.name for line in FeedEntry.objects.filter(kind="event-place")] == ["p5"]
    entries.leave_tournament(player=someone("late"), code=event.code, now=NOW)
    with pytest.raises(Conflict):
        entries.leave_tournament(player=someone("p5"), code=event.code, now=NOW)
    play_to_end(event)
    assert event.tables.filter(round=2, sittings__entrant=entrant(event, "p5")).exists()


def test_who_waits_does_not_move_up_in_an_event_that_is_not_open_any_more() -> None:
    event = started("swiss", 5, capacity=4)
    entries.withdraw_from_tournament(player=someone("p1"), code=event.code, now=NOW)
    assert entrant(event, "p5").status == "waiting"


def test_every_round_waits_for_an_organiser_who_wants_to_see_it() -> None:
    event = started("swiss", 4, review=True, rounds=2)
    assert (event.held, event.tables.count()) == ("review", 0)
    assert FeedEntry.objects.filter(kind="event-held", player=host()).count() == 1
    seen = decisions.preview_next_round(by=host(), code=event.code, now=NOW)
    assert not sweep.sweep_tournaments(now=NOW)
    decisions.approve_round(by=host(), code=event.code, now=NOW)
    with pytest.raises(Conflict):
        decisions.approve_round(by=host(), code=event.code, now=NOW)
    assert sweep.sweep_tournaments(now=NOW)["opened"] == 2
    assert isinstance(seen, PlannedRound)
    assert [list(one.seats) for one in seen.pairings] == [
        list_seated_entrant_ids(one) for one in event.tables.order_by("pk")
    ]
    play_round(event, NOW + DAY)
    assert event.held == "review"
    decisions.approve_round(by=host(), code=event.code, now=NOW + DAY)
    sweep.sweep_tournaments(now=NOW + DAY)
    assert event.tables.count() == 4


def test_who_comes_in_while_a_round_is_looked_at_is_in_it() -> None:
    event = started("swiss", 3, review=True, late=True)
    assert event.held == "review"
    assert event.warnings
    assert enter(event, "late").joined == 1
    sweep.sweep_tournaments(now=NOW)
    event.refresh_from_db()
    assert (event.held, event.warnings) == ("review", [])
    decisions.approve_round(by=host(), code=event.code, now=NOW)
    assert sweep.sweep_tournaments(now=NOW)["opened"] == 2


def test_the_first_round_can_be_seen_before_the_start() -> None:
    event = published("knockout", 6, capacity=5, confirmation=True, seeding="rating")
    for name in ("p1", "p2", "p3", "p4", "p6"):
        entries.confirm_entry(player=someone(name), code=event.code, now=NOW)
    Rating.objects.create(player=someone("p4"), mode="singles", mu=28, sigma=2, games=9)
    before = list(event.entrants.order_by("pk").values())
    seen = decisions.preview_next_round(by=host(), code=event.code, now=NOW)
    assert isinstance(seen, PlannedRound)
    assert list(event.entrants.order_by("pk").values()) == before
    assert not FeedEntry.objects.filter(kind="event-place").exists()
    with pytest.raises(Denied):
        decisions.preview_next_round(by=someone("p1"), code=event.code, now=NOW)
    tournaments.start_tournament(by=host(), code=event.code, now=NOW + HOUR)
    sweep.sweep_tournaments(now=NOW + HOUR)
    assert [list(one.seats) for one in seen.pairings] == [
        list_seated_entrant_ids(one) for one in event.tables.order_by("pk")
    ]
    assert entrant(event, "p4").seed == 1


def test_there_is_no_first_round_of_one() -> None:
    event = published("swiss", 1)
    with pytest.raises(Conflict):
        decisions.preview_next_round(by=host(), code=event.code, now=NOW)
    assert get_tournament_for(None, event.code).entrants.count() == 1
