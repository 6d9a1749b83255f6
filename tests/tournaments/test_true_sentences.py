"""Regression tests of sentences on tournament pages that were once false."""

from __future__ import annotations

import pytest

from tests.factories.events import (
    DAY,
    NOW,
    create_started_tournament,
    decide,
    entrant,
    find_pairing_of,
    get_host,
    get_player,
    list_running_pairings,
    name_at,
    published,
)
from tests.factories.leagues import create_started_league
from tests.factories.planned_events import build_event as paired_event
from tests.helpers.tournament_pages import browser, build_tournament_path, text_of_page
from tests.markup import normalise_html
from tournaments import text
from tournaments.models import Entrant, Tournament
from tournaments.pairing import PairingResult, plan_next_round
from tournaments.pairing.league import LeagueSpec, Newcomer, plan_next_season
from tournaments.read_models.pairings import PairingSeatData
from tournaments.selectors import organiser_dashboard
from tournaments.services import entries, sweep, tournaments

pytestmark = pytest.mark.django_db


def play_with_byes(rounds: int) -> Tournament:
    """Play Swiss rounds of five entrants in which the first name in the alphabet wins."""
    tournament = create_started_tournament("swiss", 5, round_count=rounds)
    for day in range(1, rounds):
        for table in list_running_pairings(tournament):
            decide(table, *sorted(name_at(table, place) for place in range(2)), now=NOW + day * DAY)
        sweep.sweep_tournaments(now=NOW + day * DAY)
    return tournament


def test_whoever_was_passed_over_for_a_bye_is_named_on_every_page() -> None:
    tournament = play_with_byes(4)
    bye_rows = [
        (table, note["had"])
        for table in tournament.pairings.order_by("pk")
        for note in table.reasons
        if note["code"] == "bye-passed-over" and note["had"]
    ]
    assert bye_rows  # some entrant low in the standings already had a bye
    for table, had in bye_rows:
        names = [organiser_dashboard.load_entrant_names(had)[pk] for pk in had]
        for page in (f"tables/{table.pk}/", f"rounds/{table.bracket_round}/"):
            text = text_of_page(browser(), build_tournament_path(tournament, page))
            assert "Lower, but already had a bye" in text
            assert "a bye: –" not in text
            assert all(name in text.partition("already had a bye:")[2] for name in names)


def test_a_game_that_somebody_left_is_not_called_played_to_the_end() -> None:
    tournament = create_started_tournament("knockout", 2)
    entries.withdraw_from_tournament(player=get_player("p1"), code=tournament.code, now=NOW)
    for _ in range(3):
        sweep.sweep_tournaments(now=NOW + DAY)
    table = find_pairing_of(tournament, "p1")
    assert table.result["forfeits"] == [entrant(tournament, "p1").pk]
    for client, page in ((browser(), f"tables/{table.pk}/"), (browser("host"), "organise/tables/")):
        text = text_of_page(client, build_tournament_path(tournament, page))
        assert "Played to the end." not in text
        assert "Not played to the end." in text


def test_where_the_others_of_a_table_played_on_that_is_said() -> None:
    seats = [
        PairingSeatData(number, "", [], None, None, None, forfeit=number == 1, timeout=False)
        for number in range(3)
    ]
    assert text.describe_ending("game", seats) == "The others played to the end."
    assert text.describe_ending("game", seats[::2]) == "Played to the end."
    assert text.describe_ending("organiser", seats) == text.describe_ending("organiser")


def test_the_reason_somebody_sits_first_is_true() -> None:
    """Compare each reason with the seats of earlier rounds, in tournaments with byes; no count is too low."""
    for count in (5, 6, 7):
        spec, results = paired_event("swiss", count, round_count=6), []
        seats_by_id: dict[int, list[int]] = {entrant.id: [] for entrant in spec.entrants}
        codes = set()
        for number in range(1, 7):
            for pairing in plan_next_round(spec, results).pairings:
                if len(pairing.seats) == 2:
                    note = pairing.reasons[-1].as_dict()
                    codes.add(note["code"])
                    check_reason(note, seats_by_id[pairing.seats[0]], seats_by_id[pairing.seats[1]])
                results.append(
                    PairingResult(
                        pairing.match, number, pairing.seats, (1, 2) if len(pairing.seats) == 2 else None
                    )
                )
            for result in results:
                if result.round == number and len(result.seats) == 2:
                    for seat, id in enumerate(result.seats):
                        seats_by_id[id].append(seat)
        assert {"seat-lot", "seat-balance"} <= codes


def check_reason(note: dict, first: list[int], second: list[int]) -> None:
    """Compare a sentence with the earlier seats of both entrants; 0 is the first seat."""
    sentence = text.describe_reason(note, {note["first"]: "Vik"})
    balances = [division.count(0) - division.count(1) for division in (first, second)]
    if note["code"] == "seat-lot":
        assert balances[0] == balances[1]
        assert first[-1:] == second[-1:]
    elif note["code"] == "seat-turn":
        assert balances[0] == balances[1]
        assert first[-1:] == [1] if "having sat second" in sentence else second[-1:] == [0]
    elif note["code"] == "seat-run":
        assert first[-2:] == [1, 1] or second[-2:] == [0, 0]
    else:
        assert balances[0] < balances[1]
        assert str(first.count(0)) in sentence
        if first.count(0) >= second.count(0):
            assert f"{first.count(0)}× first and {first.count(1)}× second" in sentence
            assert f"{second.count(0)}× first and {second.count(1)}× second" in sentence


def test_a_reason_of_before_that_counts_alike_claims_no_difference() -> None:
    note = {"code": "seat-balance", "first": 1, "times": 1, "other": 1}
    assert "1×" not in text.describe_reason(note, {1: "Vik"})


def test_who_waits_does_not_count_as_taking_part() -> None:
    tournament = published("swiss", 3, capacity=2)
    assert entrant(tournament, "p3").status == Entrant.Status.WAITING
    for page in ("", "entrants/"):
        text = text_of_page(browser(), build_tournament_path(tournament, page))
        taking_part, _waiting, behind = text.partition("Waiting list")
        assert "Entrants 2" in taking_part
        assert "p3" not in taking_part.partition("Entrants")[2]
        assert behind.strip().startswith("1")
        assert "p3" in behind


def test_whoever_wants_no_mails_is_not_promised_any() -> None:
    tournament = published("swiss", 3, capacity=2)
    for name, sentence in (("p1", "your games are under “My games”"), ("p3", "you move up")):
        player = get_player(name)
        player.mail_frequency = player.tournament_mails = "none"
        player.save()
        text = text_of_page(browser(name), build_tournament_path(tournament))
        assert sentence in text
        assert "told" not in text.partition("Entrants 2")[0]
        assert "mail" not in text.partition("Entrants 2")[0]


def test_a_tournament_by_invitation_offers_joining_only_to_those_invited() -> None:
    tournament = published("swiss", 0, by_invitation=True)
    for client in (browser(), browser("p7")):
        page = normalise_html(client.get(build_tournament_path(tournament)).text)
        assert ">Enter<" not in page
        assert "Sign up to enter" not in page
        assert "By invitation" in page
        assert "account_signup" not in page
    tournaments.invite_player(by=get_host(), code=tournament.code, player=get_player("p7"), now=NOW)
    assert ">Enter<" in normalise_html(browser("p7").get(build_tournament_path(tournament)).text)
    assert ">Enter<" not in normalise_html(browser("p8").get(build_tournament_path(tournament)).text)
    everybody = published("swiss", 0)
    assert ">Sign up to enter<" in normalise_html(browser().get(build_tournament_path(everybody)).text)


def test_nobody_of_a_first_season_came_from_the_bottom() -> None:
    league = create_started_league(6, division_size=3)
    text = text_of_page(browser(), f"/leagues/{league.code}/")
    assert "Division 2" in text
    assert "from the bottom" not in text
    assert text.count("starts here") == 6


def test_a_first_season_stored_before_is_described_truly_too() -> None:
    league = create_started_league(6, division_size=3)
    season = league.seasons.get()
    for place in season.placements.all():
        place.reason = {"code": "newcomer", "division": 1, "by": "bottom"}
        place.save()
    assert "from the bottom" not in text_of_page(browser(), f"/leagues/{league.code}/")
    answer = browser().get(f"/api/v1/leagues/{league.code}/seasons/1/").json()
    assert {place["words"] for division in answer["divisions"] for place in division["placements"]} == {
        "starts here"
    }


def test_only_whom_the_rating_has_placed_is_notified() -> None:
    rules = LeagueSpec(4, 1, newcomer_policy="rating")
    ratings = dict.fromkeys("abcd", 1500.0)
    new = [Newcomer("x", 1600.0), Newcomer("y", None)]
    notes = plan_next_season(rules, ["abcd"], newcomers=new, ratings=ratings, key=bytes(32)).notes
    assert (notes["x"].as_dict()["by"], notes["y"].as_dict()["by"]) == ("rating", "bottom")
