"""Entries: who may enter, the waitlist, and the start of a tournament."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Player
from accounts.services import players
from common.service_errors import Conflict, Denied, Invalid, NotFound
from notifications.models import Delivery, FeedEntry
from tests.factories.events import (
    DAY,
    HOUR,
    NOW,
    add_organiser,
    create_started_tournament,
    enter_pair,
    entrant,
    get_host,
    get_player,
    play_to_end,
    published,
)
from tournaments.mail import announcements
from tournaments.models import Entrant, EntrantPlayer, Rating, Tournament
from tournaments.selectors import NoSuchTournament, get_tournament_for, list_tournaments, list_tournaments_of
from tournaments.services import decisions, entries, simulation, sweep, tournaments

pytestmark = pytest.mark.django_db


def enter_tournament(tournament: Tournament, name: str, **more: Any) -> Entrant:
    return entries.enter_tournament(
        **{"player": get_player(name), "code": tournament.code, "now": NOW} | more
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"format": "ladder"},
        {"format": "double", "table_size": 3},
        {"name": " "},
        {"table_size": 5},
        {"mode": "solo"},
        {"mode": "pairs", "table_size": 4},
        {"capacity": 1},
        {"when_full": True},
        {"advancing_count": 2},
        {"table_size": 4, "advancing_count": 3},
        {"round_count": 0},
        {"starts_at": NOW, "closes_at": NOW + HOUR},
        {"min_rating": 1600, "max_rating": 1500},
        {"seeding": "looks"},
        {"time_control": "sand"},
        {"target": 0},
        {"timeout_policy": "never"},
        {"round_length": 5},
        {"rematch_allowance": 1},
        {"blind_allowance": 1},
    ],
    ids=str,
)
def test_what_cannot_be_played_cannot_be_made(wrong: dict[str, Any]) -> None:
    with pytest.raises(Invalid):
        tournaments.create_tournament(
            **{"organiser": get_host(), "name": "x", "format": "knockout", "now": NOW} | wrong
        )
    assert not Tournament.objects.exists()


def test_a_draft_is_its_organisers() -> None:
    tournament = tournaments.create_tournament(organiser=get_host(), name="x", format="swiss", now=NOW)
    assert get_tournament_for(get_host(), tournament.code) == tournament
    for viewer in (None, get_player("p1")):
        with pytest.raises(NoSuchTournament):
            get_tournament_for(viewer, tournament.code)
    with pytest.raises(NotFound):
        enter_tournament(tournament, "p1")
    with pytest.raises(NotFound):
        tournaments.publish_tournament(by=get_player("p1"), code=tournament.code, now=NOW)
    assert not list_tournaments()
    tournaments.publish_tournament(by=get_host(), code=tournament.code, now=NOW)
    assert get_tournament_for(None, tournament.code) == tournament
    assert list(list_tournaments("published")) == [tournament]
    with pytest.raises(Conflict):
        tournaments.publish_tournament(by=get_host(), code=tournament.code, now=NOW)
    with pytest.raises(Denied):
        tournaments.start_tournament(by=get_player("p1"), code=tournament.code, now=NOW)


def test_a_helper_may_do_what_the_organiser_may() -> None:
    tournament = published("swiss", 2)
    with pytest.raises(Denied):
        tournaments.start_tournament(by=get_player("h"), code=tournament.code, now=NOW)
    add_organiser(tournament, "h")
    tournaments.start_tournament(by=get_player("h"), code=tournament.code, now=NOW)
    assert (
        list(list_tournaments_of(get_player("h")))
        == [tournament]
        == list(list_tournaments_of(get_player("p1")))
    )


def test_one_enters_once_and_not_as_a_guest() -> None:
    tournament = published("swiss", 1)
    with pytest.raises(Conflict):
        enter_tournament(tournament, "p1")
    guest = Player.objects.create_user(email="g@guest.invalid", name="g", joined_at=NOW, is_guest=True)
    with pytest.raises(Denied):
        entries.enter_tournament(player=guest, code=tournament.code, now=NOW)
    with pytest.raises(Invalid):
        entries.ask_partner(player=get_player("p2"), partner=get_player("p3"), code=tournament.code, now=NOW)
    with pytest.raises(Denied):
        tournaments.create_tournament(organiser=guest, name="x", format="swiss", now=NOW)


def test_a_pair_is_two_players_of_whom_neither_plays_elsewhere_in_it() -> None:
    tournament = published("knockout", 1, mode="pairs")
    with pytest.raises(Invalid):
        enter_tournament(tournament, "c")
    for first, two in (("a1", "c"), ("c", "b1"), ("c", "c")):
        with pytest.raises(Conflict):
            entries.ask_partner(
                player=get_player(first), partner=get_player(two), code=tournament.code, now=NOW
            )
    assert enter_pair(tournament, "c", "d").entrant_players.count() == 2
    assert FeedEntry.objects.filter(kind="tournament-partner", player=get_player("d")).count() == 1
    entries.leave_tournament(player=get_player("d"), code=tournament.code, now=NOW)
    assert not tournament.entrant_players.filter(player=get_player("c")).exists()


def test_entries_have_a_window() -> None:
    tournament = published("swiss", 0, opens_at=NOW + HOUR, closes_at=NOW + 2 * HOUR, starts_at=NOW + DAY)
    for now in (NOW, NOW + 2 * HOUR):
        with pytest.raises(Conflict):
            enter_tournament(tournament, "p1", now=now)
    enter_tournament(tournament, "p1", now=NOW + HOUR)


def test_an_event_by_invitation_is_for_those_invited() -> None:
    tournament = published("swiss", 0, by_invitation=True)
    with pytest.raises(Denied):
        enter_tournament(tournament, "p1")
    tournaments.invite_player(by=get_host(), code=tournament.code, player=get_player("p1"), now=NOW)
    tournaments.invite_player(by=get_host(), code=tournament.code, player=get_player("p1"), now=NOW)
    enter_tournament(tournament, "p1")
    assert FeedEntry.objects.filter(kind="tournament-invited").count() == 1


def test_an_event_may_be_for_some_ratings_only() -> None:
    tournament = published("swiss", 0, min_rating=1400, max_rating=1600)
    enter_tournament(tournament, "new")
    Rating.objects.create(player=get_player("strong"), mode="singles", mu=30, sigma=2, game_count=9)
    Rating.objects.create(player=get_player("weak"), mode="singles", mu=20, sigma=2, game_count=9)
    for name in ("strong", "weak"):
        with pytest.raises(Denied):
            enter_tournament(tournament, name)


def test_who_waits_longest_moves_up_when_somebody_leaves() -> None:
    tournament = published("swiss", 4, capacity=2)
    assert [entrant(tournament, f"p{n}").status for n in range(1, 5)] == ["entered"] * 2 + ["waiting"] * 2
    entries.leave_tournament(player=get_player("p1"), code=tournament.code, now=NOW)
    assert [entrant(tournament, f"p{n}").status for n in range(2, 5)] == ["entered", "entered", "waiting"]
    assert [line.player.name for line in FeedEntry.objects.filter(kind="tournament-place")] == ["p3"]
    enter_tournament(tournament, "p1")  # may enter again, at the end of the waitlist
    assert entrant(tournament, "p1").status == "waiting"
    with pytest.raises(Denied):
        entries.leave_tournament(player=get_player("p9"), code=tournament.code, now=NOW)


def test_who_is_still_waiting_does_not_play() -> None:
    tournament = create_started_tournament("swiss", 5, capacity=4)
    play_to_end(tournament)
    assert entrant(tournament, "p5").rank is None
    assert tournament.entrants.filter(rank__isnull=False).count() == 4


def test_an_event_starts_when_it_is_full() -> None:
    tournament = published("knockout", 2, capacity=3, when_full=True)
    sweep.sweep_tournaments(now=NOW)
    tournament.refresh_from_db()
    assert tournament.status == "published"
    enter_tournament(tournament, "p3")
    assert sweep.sweep_tournaments(now=NOW)["began"] == 1


def test_an_event_starts_at_its_time() -> None:
    tournament = published("knockout", 2, starts_at=NOW + DAY)
    assert not sweep.sweep_tournaments(now=NOW + DAY - timedelta(seconds=1))
    assert sweep.sweep_tournaments(now=NOW + DAY)["began"] == 1
    with pytest.raises(Conflict):
        enter_tournament(tournament, "p3")
    with pytest.raises(Conflict):
        entries.leave_tournament(player=get_player("p1"), code=tournament.code, now=NOW)


def test_too_few_entrants_wait_for_the_organiser() -> None:
    tournament = published("knockout", 1, starts_at=NOW + DAY)
    assert sweep.sweep_tournaments(now=NOW + DAY) == {"held": 1}
    tournament.refresh_from_db()
    assert (tournament.hold_reason, tournament.status) == ("too-few", "published")
    assert tournament.next_sweep_at is None
    assert [line.player for line in FeedEntry.objects.filter(kind="tournament-held")] == [get_host()]
    enter_tournament(tournament, "p2")
    assert not sweep.sweep_tournaments(now=NOW + DAY)
    tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW + DAY)
    assert sweep.sweep_tournaments(now=NOW + DAY)["began"] == 1


def test_only_who_confirmed_plays_if_the_event_says_so() -> None:
    tournament = published("swiss", 4, capacity=3, confirmation=True)
    for name in ("p1", "p2", "p4"):  # p4 is on the waitlist
        entries.confirm_entry(player=get_player(name), code=tournament.code, now=NOW)
    tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    assert [entrant(tournament, f"p{n}").status for n in range(1, 5)] == [
        "entered", "entered", "withdrawn", "entered",
    ]  # fmt: skip
    assert not tournament.pairings.filter(pairing_seats__entrant=entrant(tournament, "p3")).exists()


def test_where_too_few_have_confirmed_nobody_is_out_yet() -> None:
    tournament = published("swiss", 3, confirmation=True)
    entries.confirm_entry(player=get_player("p1"), code=tournament.code, now=NOW)
    for hours in (0, 1):
        tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW + hours * HOUR)
        sweep.sweep_tournaments(now=NOW + hours * HOUR)
        tournament.refresh_from_db()
        assert (tournament.status, tournament.hold_reason) == ("published", "too-few")
        assert tournament.entrants.filter(status="entered", left_after_round=None).count() == 3
    assert FeedEntry.objects.filter(kind="tournament-held").count() == 2  # one per attempt to start
    entries.confirm_entry(player=get_player("p2"), code=tournament.code, now=NOW)
    tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW + DAY)
    assert sweep.sweep_tournaments(now=NOW + DAY)["began"] == 1
    assert [entrant(tournament, f"p{n}").status for n in (1, 2, 3)] == ["entered", "entered", "withdrawn"]


def test_what_starts_when_it_is_full_waits_until_all_have_confirmed() -> None:
    tournament = published("swiss", 2, confirmation=True, when_full=True, capacity=3)
    enter_tournament(tournament, "late")
    enter_tournament(tournament, "later")  # on the waitlist
    assert not sweep.sweep_tournaments(now=NOW)["began"]
    for name in ("p1", "p2"):
        entries.confirm_entry(player=get_player(name), code=tournament.code, now=NOW)
        assert not sweep.sweep_tournaments(now=NOW)["began"]
    entries.confirm_entry(player=get_player("late"), code=tournament.code, now=NOW)
    assert sweep.sweep_tournaments(now=NOW)["began"] == 1
    assert [entrant(tournament, name).status for name in ("late", "later")] == ["entered", "waiting"]


def test_seeds_by_rating_leave_out_what_somebody_has_who_did_not_confirm() -> None:
    tournament = published("knockout", 3, seeding="rating", confirmation=True)
    Rating.objects.create(player=get_player("p2"), mode="singles", mu=28, sigma=2, game_count=9)
    entries.set_seeds(by=get_host(), code=tournament.code, order=[entrant(tournament, "p3").pk], now=NOW)
    for name in ("p1", "p2"):
        entries.confirm_entry(player=get_player(name), code=tournament.code, now=NOW)
    tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW)
    assert sweep.sweep_tournaments(now=NOW)["opened"] == 1
    assert [entrant(tournament, f"p{n}").seed for n in (1, 2, 3)] == [None, 2, 1]


def test_whose_partner_leaves_is_notified() -> None:
    tournament = published("swiss", 3, mode="pairs")
    entries.leave_tournament(player=get_player("a1"), code=tournament.code, now=NOW)
    players.remove_player(player=get_player("a2"), now=NOW)
    for number in (4, 5):
        enter_pair(tournament, f"a{number}", f"b{number}")
    tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    entries.withdraw_from_tournament(player=get_player("b3"), code=tournament.code, now=NOW)
    feed_entries = FeedEntry.objects.filter(kind="tournament-out").order_by("pk")
    assert [line.player.name for line in feed_entries] == ["b1", "b2", "a3"]
    delivery = Delivery(player=get_player("b1"), kind="tournament-out", data=feed_entries[0].data)
    assert announcements.build_exclusion_notice(delivery, NOW).headline == "Your partner has left"


def test_seeds_are_the_organisers_then_by_rating_then_by_lot() -> None:
    tournament = published("knockout", 5, seeding="rating")
    for name, mu in (("p2", 22), ("p3", 28)):
        Rating.objects.create(player=get_player(name), mode="singles", mu=mu, sigma=2, game_count=9)
    entries.set_seeds(by=get_host(), code=tournament.code, order=[entrant(tournament, "p5").pk], now=NOW)
    with pytest.raises(Invalid):
        entries.set_seeds(by=get_host(), code=tournament.code, order=[0], now=NOW)
    tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    assert {n: entrant(tournament, f"p{n}").seed for n in range(1, 6)} == {1: None, 2: 3, 3: 2, 4: None, 5: 1}


def test_an_event_that_is_given_up_leaves_its_games_to_their_players() -> None:
    tournament = create_started_tournament("swiss", 4)
    tournaments.cancel_tournament(by=get_host(), code=tournament.code, now=NOW, reason="rain")
    tournament.refresh_from_db()
    assert (tournament.status, tournament.next_sweep_at, tournament.seed) == ("cancelled", NOW + HOUR, "")
    games = [table.game for table in tournament.pairings.select_related("game")]
    assert [(game.status, game.rated) for game in games if game] == [("running", False)] * 2
    later = NOW + 100 * DAY
    assert not sweep.sweep_tournaments(now=later)  # running games have hands that the seed would reveal
    for game in games:
        assert game
        simulation.play_game(game.code, policy="random", rng=random.Random(1), now=later)
    assert sweep.sweep_tournaments(now=later + HOUR) == {"seed-published": 1}
    tournament.refresh_from_db()
    assert (tournament.next_sweep_at, bool(tournament.seed)) == (None, True)
    assert not sweep.sweep_tournaments(now=later + 100 * DAY)
    with pytest.raises(Conflict):
        tournaments.cancel_tournament(by=get_host(), code=tournament.code, now=NOW)
    assert tournament.decisions.get().reason == "rain"


def test_whoever_deletes_their_account_is_out() -> None:
    tournament = create_started_tournament("swiss", 4)
    leaver = get_player("p1")
    own_entrant = entrant(tournament, "p1")
    players.remove_player(player=leaver, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    play_to_end(tournament)
    own_entrant.refresh_from_db()
    assert (own_entrant.status, own_entrant.left_after_round) == ("withdrawn", 1)
    assert own_entrant.pairing_seats.count() == 1


def test_the_place_of_a_deleted_account_is_for_who_waits() -> None:
    tournament = published("swiss", 2, capacity=3, when_full=True)
    players.remove_player(player=get_player("p1"), now=NOW)
    enter_tournament(tournament, "p3")
    assert not sweep.sweep_tournaments(now=NOW)
    EntrantPlayer.objects.filter(player=get_player("p2")).update(player=None)  # erased without withdrawing
    enter_tournament(tournament, "p4")
    assert not sweep.sweep_tournaments(now=NOW)["began"]  # two of three places are taken
    enter_tournament(tournament, "p5")
    assert sweep.sweep_tournaments(now=NOW)["began"] == 1
    assert sorted(tournament.entrants.values_list("entrant_players__player__name", "status")) == [
        ("p3", "entered"), ("p4", "entered"), ("p5", "entered"),
    ]  # fmt: skip


def test_one_may_sit_out_a_round_of_a_swiss_event() -> None:
    tournament = create_started_tournament("swiss", 5, hold_on_warnings=True)
    assert tournament.hold_reason == "odd-number"
    decisions.approve_round(by=get_host(), code=tournament.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    with pytest.raises(Conflict):
        entries.sit_out_round(player=get_player("p1"), code=tournament.code, round=1, now=NOW)
    entries.sit_out_round(player=get_player("p1"), code=tournament.code, round=2, now=NOW)
    play_to_end(tournament)
    assert not tournament.pairings.filter(
        bracket_round=2, pairing_seats__entrant=entrant(tournament, "p1")
    ).exists()
    assert tournament.pairings.filter(
        bracket_round=3, pairing_seats__entrant=entrant(tournament, "p1")
    ).exists()
    assert tournament.rounds.get(number=2).warnings[0]["code"] == "absent"


def test_a_round_that_all_sit_out_is_played_all_the_same() -> None:
    tournament = create_started_tournament("swiss", 2, round_count=2)
    for name in ("p1", "p2"):
        entries.sit_out_round(player=get_player(name), code=tournament.code, round=2, now=NOW)
    play_to_end(tournament)
    assert tournament.pairings.filter(bracket_round=2, game__isnull=False).count() == 1
