"""Sentences on the pages of tournaments that were not true: each says now what is so."""

from __future__ import annotations

import pytest

from tests.pairing.play import event as paired_event
from tournaments import text
from tournaments.models import Entrant, Tournament
from tournaments.pairing import PairingResult, plan_next_round
from tournaments.pairing.league import LeagueSpec, Newcomer, plan_next_season
from tournaments.selectors import organiser_dashboard
from tournaments.services import entries, sweep, tournaments

from .play import DAY, NOW, decide, entrant, host, name_at, playing, published, someone, started, table_of
from .test_leagues import begun
from .test_pages import at, browser, text_of_page

pytestmark = pytest.mark.django_db


def played_with_byes(rounds: int) -> Tournament:
    """Swiss rounds of an odd number, in which whoever is named first wins."""
    found = started("swiss", 5, rounds=rounds)
    for day in range(1, rounds):
        for table in playing(found):
            decide(table, *sorted(name_at(table, place) for place in range(2)), now=NOW + day * DAY)
        sweep.sweep_tournaments(now=NOW + day * DAY)
    return found


def test_whoever_was_passed_over_for_a_bye_is_named_on_every_page() -> None:
    event = played_with_byes(4)
    found = [
        (table, note["had"])
        for table in event.tables.order_by("pk")
        for note in table.reasons
        if note["code"] == "bye-passed-over" and note["had"]
    ]
    assert found  # somebody low in the standings has had a bye before
    for table, had in found:
        names = [organiser_dashboard.load_entrant_names(had)[pk] for pk in had]
        for page in (f"tables/{table.pk}/", f"rounds/{table.round}/"):
            text = text_of_page(browser(), at(event, page))
            assert "Lower, but had a bye already" in text
            assert "already: –" not in text
            assert all(name in text.partition("had a bye already:")[2] for name in names)


def test_a_game_that_somebody_left_is_not_called_played_to_the_end() -> None:
    event = started("knockout", 2)
    entries.withdraw_from_tournament(player=someone("p1"), code=event.code, now=NOW)
    for _ in range(3):
        sweep.sweep_tournaments(now=NOW + DAY)
    table = table_of(event, "p1")
    assert table.result["forfeits"] == [entrant(event, "p1").pk]
    for client, page in ((browser(), f"tables/{table.pk}/"), (browser("host"), "organise/tables/")):
        text = text_of_page(client, at(event, page))
        assert "Played to the end." not in text
        assert "It was not played to the end." in text


def test_where_the_others_of_a_table_played_on_that_is_said() -> None:
    seats = [{"forfeit": number == 1, "timeout": False} for number in range(3)]
    assert text.describe_ending("game", seats) == "The others played to the end."
    assert text.describe_ending("game", seats[::2]) == "Played to the end."
    assert text.describe_ending("organiser", seats) == text.describe_ending("organiser")


def test_why_somebody_sits_first_is_the_true_reason() -> None:
    """Worked out from who sat where before, in all rounds of an event with byes: no count is told as less."""
    for count in (5, 6, 7):
        spec, results = paired_event("swiss", count, round_count=6), []
        sat: dict[int, list[int]] = {one.id: [] for one in spec.entrants}
        seen = set()
        for number in range(1, 7):
            for pairing in plan_next_round(spec, results).pairings:
                if len(pairing.seats) == 2:
                    note = pairing.reasons[-1].as_dict()
                    seen.add(note["code"])
                    check_reason(note, sat[pairing.seats[0]], sat[pairing.seats[1]])
                results.append(
                    PairingResult(
                        pairing.match, number, pairing.seats, (1, 2) if len(pairing.seats) == 2 else None
                    )
                )
            for result in results:
                if result.round == number and len(result.seats) == 2:
                    for seat, id in enumerate(result.seats):
                        sat[id].append(seat)
        assert {"seat-lot", "seat-balance"} <= seen


def check_reason(note: dict, first: list[int], second: list[int]) -> None:
    """Hold a sentence to where the two have sat; 0 is the first seat."""
    said = text.describe_reason(note, {note["first"]: "Vik"})
    balances = [one.count(0) - one.count(1) for one in (first, second)]
    if note["code"] == "seat-lot":
        assert balances[0] == balances[1]
        assert first[-1:] == second[-1:]
    elif note["code"] == "seat-turn":
        assert balances[0] == balances[1]
        assert first[-1:] == [1] if "having sat second" in said else second[-1:] == [0]
    elif note["code"] == "seat-run":
        assert first[-2:] == [1, 1] or second[-2:] == [0, 0]
    else:
        assert balances[0] < balances[1]
        assert str(first.count(0)) in said
        if first.count(0) >= second.count(0):
            assert f"{first.count(0)}× first and {first.count(1)}× second" in said
            assert f"{second.count(0)}× first and {second.count(1)}× second" in said


def test_a_reason_of_before_that_counts_alike_claims_no_difference() -> None:
    note = {"code": "seat-balance", "first": 1, "times": 1, "other": 1}
    assert "1×" not in text.describe_reason(note, {1: "Vik"})


def test_who_waits_does_not_count_as_taking_part() -> None:
    event = published("swiss", 3, capacity=2)
    assert entrant(event, "p3").status == Entrant.Status.WAITING
    for page in ("", "entrants/"):
        text = text_of_page(browser(), at(event, page))
        taking_part, _waiting, behind = text.partition("On the waiting list")
        assert "Who takes part 2" in taking_part
        assert "p3" not in taking_part.partition("Who takes part")[2]
        assert behind.strip().startswith("1")
        assert "p3" in behind


def test_whoever_wants_no_mails_is_not_promised_any() -> None:
    event = published("swiss", 3, capacity=2)
    for name, sentence in (("p1", "your games are under “My games”"), ("p3", "you move up")):
        player = someone(name)
        player.mails = player.tournament_mails = "none"
        player.save()
        text = text_of_page(browser(name), at(event))
        assert sentence in text
        assert "told" not in text.partition("Who takes part")[0]


def test_a_tournament_by_invitation_offers_joining_only_to_those_invited() -> None:
    event = published("swiss", 0, by_invitation=True)
    for client in (browser(), browser("p7")):
        page = client.get(at(event)).content.decode()
        assert ">Join<" not in page
        assert "By invitation" in page
        assert "account_signup" not in page
    tournaments.invite_player(by=host(), code=event.code, player=someone("p7"), now=NOW)
    assert ">Join<" in browser("p7").get(at(event)).content.decode()
    assert ">Join<" not in browser("p8").get(at(event)).content.decode()
    everybody = published("swiss", 0)
    assert ">Join<" in browser().get(at(everybody)).content.decode()


def test_nobody_of_a_first_season_came_from_the_bottom() -> None:
    league = begun(6, size=3)
    text = text_of_page(browser(), f"/leagues/{league.code}/")
    assert "Division 2" in text
    assert "from the bottom" not in text
    assert text.count("starts here") == 6


def test_a_first_season_stored_before_is_told_truly_too() -> None:
    league = begun(6, size=3)
    season = league.played.get()
    for place in season.places.all():
        place.why = {"code": "newcomer", "division": 1, "by": "bottom"}
        place.save()
    assert "from the bottom" not in text_of_page(browser(), f"/leagues/{league.code}/")
    answer = browser().get(f"/api/v1/leagues/{league.code}/seasons/1/").json()
    assert {place["words"] for one in answer["divisions"] for place in one["places"]} == {"starts here"}


def test_only_whom_the_rating_has_placed_is_told_so() -> None:
    rules = LeagueSpec(4, 1, newcomer_policy="rating")
    ratings = dict.fromkeys("abcd", 1500.0)
    new = [Newcomer("x", 1600.0), Newcomer("y", None)]
    notes = plan_next_season(rules, ["abcd"], newcomers=new, ratings=ratings, key=bytes(32)).notes
    assert (notes["x"].as_dict()["by"], notes["y"].as_dict()["by"]) == ("rating", "bottom")
