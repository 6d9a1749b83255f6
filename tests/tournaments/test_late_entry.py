"""Late entries, and previews of unpublished rounds, including the first round before the start."""

from __future__ import annotations

import pytest

from common.service_errors import Conflict, Denied
from notifications.models import FeedEntry
from tests.factories.events import (
    DAY,
    HOUR,
    NOW,
    create_started_tournament,
    entrant,
    get_host,
    get_player,
    play_round,
    play_to_end,
    published,
)
from tournaments.models import Entrant, Rating, Tournament
from tournaments.pairing import PlannedRound
from tournaments.selectors import TournamentState, get_tournament_for, list_seated_entrant_ids
from tournaments.services import decisions, entries, sweep, tournaments

pytestmark = pytest.mark.django_db


def enter_tournament(tournament: Tournament, name: str, now=NOW) -> Entrant:
    return entries.enter_tournament(player=get_player(name), code=tournament.code, now=now)


def test_a_swiss_event_lets_people_in_for_the_next_round() -> None:
    tournament = create_started_tournament(
        "swiss", 4, round_count=3, late_entry=True, confirmation=False, closes_at=NOW + 2 * DAY
    )
    before = TournamentState(tournament).build_standings()
    late = enter_tournament(tournament, "late")
    assert (late.status, late.first_round) == ("entered", 2)
    assert not sweep.sweep_tournaments(now=NOW)["paired"]  # the current round does not change
    assert [line.entrant for line in TournamentState(tournament).build_standings()][:4] == [
        line.entrant for line in before
    ]
    play_round(tournament, NOW + DAY)
    rounds = set(
        tournament.pairings.filter(pairing_seats__entrant=late).values_list("bracket_round", flat=True)
    )
    assert rounds == {2}
    with pytest.raises(Conflict):
        enter_tournament(tournament, "later", NOW + 2 * DAY)  # entries are closed
    play_to_end(tournament, NOW + DAY)
    assert tournament.rounds.count() == 3
    late.refresh_from_db()
    assert late.rank is not None


def test_nobody_comes_in_where_it_was_not_said_or_when_no_round_follows() -> None:
    with pytest.raises(Conflict):
        enter_tournament(create_started_tournament("swiss", 2), "late")
    tournament = create_started_tournament("swiss", 4, round_count=1, late_entry=True)
    with pytest.raises(Conflict):
        enter_tournament(tournament, "late")
    assert not tournament.entrant_players.filter(player=get_player("late")).exists()


def test_places_and_limits_hold_for_who_comes_later() -> None:
    tournament = create_started_tournament(
        "swiss", 5, capacity=4, round_count=4, late_entry=True, max_rating=1600
    )
    assert enter_tournament(tournament, "late").status == "waiting"
    Rating.objects.create(player=get_player("strong"), mode="singles", mu=30, sigma=2, game_count=9)
    with pytest.raises(Denied):
        enter_tournament(tournament, "strong")
    with pytest.raises(Conflict):
        entries.withdraw_from_tournament(player=get_player("late"), code=tournament.code, now=NOW)
    entries.withdraw_from_tournament(player=get_player("p1"), code=tournament.code, now=NOW)
    assert (entrant(tournament, "p5").status, entrant(tournament, "p5").first_round) == ("entered", 2)
    assert [line.player.name for line in FeedEntry.objects.filter(kind="tournament-place")] == ["p5"]
    entries.leave_tournament(player=get_player("late"), code=tournament.code, now=NOW)
    with pytest.raises(Conflict):
        entries.leave_tournament(player=get_player("p5"), code=tournament.code, now=NOW)
    play_to_end(tournament)
    assert tournament.pairings.filter(
        bracket_round=2, pairing_seats__entrant=entrant(tournament, "p5")
    ).exists()


def test_who_waits_does_not_move_up_in_an_event_that_is_not_open_any_more() -> None:
    tournament = create_started_tournament("swiss", 5, capacity=4)
    entries.withdraw_from_tournament(player=get_player("p1"), code=tournament.code, now=NOW)
    assert entrant(tournament, "p5").status == "waiting"


def test_every_round_waits_for_an_organiser_who_wants_to_see_it() -> None:
    tournament = create_started_tournament("swiss", 4, manual_approval=True, round_count=2)
    assert (tournament.hold_reason, tournament.pairings.count()) == ("review", 0)
    assert FeedEntry.objects.filter(kind="tournament-held", player=get_host()).count() == 1
    next_round = decisions.preview_next_round(by=get_host(), code=tournament.code, now=NOW)
    assert not sweep.sweep_tournaments(now=NOW)
    decisions.approve_round(by=get_host(), code=tournament.code, now=NOW)
    with pytest.raises(Conflict):
        decisions.approve_round(by=get_host(), code=tournament.code, now=NOW)
    assert sweep.sweep_tournaments(now=NOW)["opened"] == 2
    assert isinstance(next_round, PlannedRound)
    assert [list(pairing.seats) for pairing in next_round.pairings] == [
        list_seated_entrant_ids(pairing) for pairing in tournament.pairings.order_by("pk")
    ]
    play_round(tournament, NOW + DAY)
    assert tournament.hold_reason == "review"
    decisions.approve_round(by=get_host(), code=tournament.code, now=NOW + DAY)
    sweep.sweep_tournaments(now=NOW + DAY)
    assert tournament.pairings.count() == 4


def test_who_comes_in_while_a_round_is_looked_at_is_in_it() -> None:
    tournament = create_started_tournament("swiss", 3, manual_approval=True, late_entry=True)
    assert tournament.hold_reason == "review"
    assert tournament.warnings
    assert enter_tournament(tournament, "late").first_round == 1
    sweep.sweep_tournaments(now=NOW)
    tournament.refresh_from_db()
    assert (tournament.hold_reason, tournament.warnings) == ("review", [])
    decisions.approve_round(by=get_host(), code=tournament.code, now=NOW)
    assert sweep.sweep_tournaments(now=NOW)["opened"] == 2


def test_the_first_round_can_be_seen_before_the_start() -> None:
    tournament = published("knockout", 6, capacity=5, confirmation=True, seeding="rating")
    for name in ("p1", "p2", "p3", "p4", "p6"):
        entries.confirm_entry(player=get_player(name), code=tournament.code, now=NOW)
    Rating.objects.create(player=get_player("p4"), mode="singles", mu=28, sigma=2, game_count=9)
    before = list(tournament.entrants.order_by("pk").values())
    next_round = decisions.preview_next_round(by=get_host(), code=tournament.code, now=NOW)
    assert isinstance(next_round, PlannedRound)
    assert list(tournament.entrants.order_by("pk").values()) == before
    assert not FeedEntry.objects.filter(kind="tournament-place").exists()
    with pytest.raises(Denied):
        decisions.preview_next_round(by=get_player("p1"), code=tournament.code, now=NOW)
    tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW + HOUR)
    sweep.sweep_tournaments(now=NOW + HOUR)
    assert [list(pairing.seats) for pairing in next_round.pairings] == [
        list_seated_entrant_ids(pairing) for pairing in tournament.pairings.order_by("pk")
    ]
    assert entrant(tournament, "p4").seed == 1


def test_there_is_no_first_round_of_one() -> None:
    tournament = published("swiss", 1)
    with pytest.raises(Conflict):
        decisions.preview_next_round(by=get_host(), code=tournament.code, now=NOW)
    assert get_tournament_for(None, tournament.code).entrants.count() == 1
