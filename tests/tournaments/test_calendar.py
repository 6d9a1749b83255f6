"""Calendars with dates of tournaments and leagues: each player's own, and a public one per tournament."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Player
from games.selectors import load_game
from tests.factories.events import (
    DAY,
    NOW,
    create_started_tournament,
    get_host,
    get_player,
    list_running_pairings,
    play_round,
    published,
)
from tests.factories.leagues import create_started_league, play_season
from tests.helpers.calendars import unfold_lines
from tournaments.leagues.services import leagues
from tournaments.models import Tournament
from tournaments.services import decisions, entries, tournaments

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def configure_site(settings: Any) -> None:
    settings.SITE_URL = "https://otto.example.org"


def list_dates(answer: Any) -> list[dict[str, str]]:
    """List the events of a calendar, without deadlines of turns."""
    assert answer.status_code == 200
    entries: list[dict[str, str]] = []
    for name, value in unfold_lines(answer.content.decode()):
        if (name, value) == ("BEGIN", "VEVENT"):
            entries.append({})
        elif entries:
            entries[-1][name] = value
    return [entry for entry in entries if "/games/" not in entry["URL"]]


def read_own_calendar(client: Client, name: str) -> list[dict[str, str]]:
    return list_dates(client.get(f"/feeds/{Player.objects.get(name=name).feed_token}/deadlines.ics"))


def read_tournament_calendar(client: Client, tournament: Tournament) -> list[dict[str, str]]:
    return list_dates(client.get(f"/tournaments/{tournament.code}/calendar.ics"))


def get_name_on_turn(tournament: Tournament) -> str:
    """Return the name of the player on turn in the only game of a tournament."""
    (table,) = list_running_pairings(tournament)
    assert table.game
    seat = load_game(table.game.code).to_act[0]
    player = table.game.seats.get(seat_no=seat).player
    assert player
    return player.name


def list_summaries_and_starts(entries: list[dict[str, str]]) -> list[tuple[str, str]]:
    return [(entry["SUMMARY"], entry["DTSTART"]) for entry in entries]


def test_my_calendar_has_starts_ends_of_rounds_and_seasons(client: Client) -> None:
    to_come = published("knockout", 3, capacity=2, starts_at=NOW + 9 * DAY)
    running = create_started_tournament("swiss", 2, round_count=2, round_length=86_400, time_control="12h")
    assert list_summaries_and_starts(read_own_calendar(client, "p1")) == [
        ("The cup: round 1 ends", "20260302T120000Z"),
        ("The cup starts", "20260310T120000Z"),
    ]
    assert [entry["UID"] for entry in read_own_calendar(client, "p1")] == [
        f"{running.code}-round-1@otto.example.org",
        f"{to_come.code}-start@otto.example.org",
    ]
    assert read_own_calendar(client, "p3") == [], "who waits for a place has no date yet"
    before = [entry["UID"] for entry in read_own_calendar(client, "p1")]
    decisions.extend_round(by=get_host(), code=running.code, round_number=1, until=NOW + 2 * DAY, now=NOW)
    tournaments.edit_tournament(by=get_host(), code=to_come.code, now=NOW, starts_at=NOW + 10 * DAY)
    assert [entry["DTSTART"] for entry in read_own_calendar(client, "p1")] == [
        "20260303T120000Z",
        "20260311T120000Z",
    ]
    assert [entry["UID"] for entry in read_own_calendar(client, "p1")] == before, (
        "a date that moves stays the same date"
    )
    entries.leave_tournament(player=get_player("p1"), code=to_come.code, now=NOW)
    play_round(running, NOW)
    assert list_summaries_and_starts(read_own_calendar(client, "p1")) == [
        ("The cup: round 2 ends", "20260302T120000Z")
    ]


def test_the_next_season_has_a_date_for_those_who_stay(client: Client) -> None:
    league = create_started_league(4, season_pause=86_400)
    assert not [entry for entry in read_own_calendar(client, "p1") if "season" in entry["SUMMARY"]]
    play_season(league)
    (date,) = read_own_calendar(client, "p1")
    assert (date["SUMMARY"], date["DTSTART"]) == ("The league: season 2 starts", "20260302T120000Z")
    assert date["UID"] == f"{league.code}-season-2@otto.example.org"
    assert date["URL"] == f"https://otto.example.org/leagues/{league.code}/"
    leagues.set_member_status(player=get_player("p1"), code=league.code, now=NOW, status="out")
    assert read_own_calendar(client, "p1") == []


def test_a_tournament_has_a_calendar_for_everybody(client: Client) -> None:
    tournament = published(
        "swiss",
        4,
        round_count=2,
        round_length=86_400,
        time_control="12h",
        opens_at=NOW - DAY,
        closes_at=NOW + DAY,
        starts_at=NOW + 2 * DAY,
    )
    assert list_summaries_and_starts(read_tournament_calendar(client, tournament)) == [
        ("The cup: entries open", "20260228T120000Z"),
        ("The cup: entries close", "20260302T120000Z"),
        ("The cup starts", "20260303T120000Z"),
    ]
    tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW)
    play_round(tournament, NOW)
    assert [entry["SUMMARY"] for entry in read_tournament_calendar(client, tournament)][
        -1
    ] == "The cup: round 1 ends"
    answer = client.get(f"/tournaments/{tournament.code}/calendar.ics")
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    response = client.get(
        f"/tournaments/{tournament.code}/calendar.ics", headers={"If-None-Match": answer["ETag"]}
    )
    assert (response.status_code, response.content) == (304, b"")
    tournaments.cancel_tournament(by=get_host(), code=tournament.code, now=NOW)
    assert read_tournament_calendar(client, tournament) == []


def test_a_draft_is_its_organisers_and_others_find_nothing(client: Client) -> None:
    tournament = tournaments.create_tournament(organiser=get_host(), name="Secret", format="swiss", now=NOW)
    path = f"/tournaments/{tournament.code}/calendar.ics"
    assert client.get(path).status_code == 404
    assert client.get("/tournaments/nothing/calendar.ics").status_code == 404
    assert client.post(path).status_code == 405
    client.force_login(get_host())
    answer = client.get(path)
    assert answer.status_code == 200
    assert "private" in answer["Cache-Control"]


def test_no_name_can_break_out_of_its_line(client: Client) -> None:
    tournament = published("knockout", 2, starts_at=NOW + DAY)
    Tournament.objects.filter(pk=tournament.pk).update(name="a, b; c\\\r\nEND:VEVENT\r\nX-EVIL:1")
    for calendar_entries in (read_tournament_calendar(client, tournament), read_own_calendar(client, "p1")):
        (date,) = calendar_entries
        assert "X-EVIL" not in date
        assert date["SUMMARY"].startswith("a\\, b\\; c\\\\\\nEND:VEVENT")


def test_many_dates_cost_few_questions(client: Client) -> None:
    def count_queries() -> int:
        with CaptureQueriesContext(connection) as queries:
            read_own_calendar(client, name)
        return len(queries)

    published("knockout", 2, starts_at=NOW + DAY)
    name = get_name_on_turn(
        create_started_tournament("swiss", 2, round_count=1, round_length=86_400, time_control="12h")
    )  # deadlines are queried, too
    before = count_queries()
    for _more in range(2):
        published("knockout", 2, starts_at=NOW + DAY)
        create_started_tournament("swiss", 2, round_count=1, round_length=86_400, time_control="12h")
    assert count_queries() == before


# ------------------------------------------------------------------------------------ calendars without dates


def list_components(text: str) -> list[str]:
    """List the components of a calendar; RFC 5545, 3.6 requires at least one."""
    return [value for name, value in unfold_lines(text) if name == "BEGIN" and value != "VCALENDAR"]


def test_a_tournament_without_dates_offers_no_calendar(client: Client) -> None:
    tournament = published("knockout", 2, capacity=4, when_full=True)
    assert "calendar.ics" not in client.get(f"/tournaments/{tournament.code}/").text
    answer = client.get(f"/tournaments/{tournament.code}/calendar.ics").content.decode()
    assert "VEVENT" not in list_components(answer)
    assert list_components(answer), "who has subscribed to it gets a valid one"
    assert dict(unfold_lines(answer))["X-WR-CALDESC"] == "This tournament has no dates yet."
    tournaments.edit_tournament(by=get_host(), code=tournament.code, now=NOW, starts_at=NOW + DAY)
    assert (
        f"/tournaments/{tournament.code}/calendar.ics" in client.get(f"/tournaments/{tournament.code}/").text
    )
    answer = client.get(f"/tournaments/{tournament.code}/calendar.ics").content.decode()
    assert list_components(answer) == ["VEVENT"]
    assert "X-WR-CALDESC" not in answer


def test_a_cancelled_tournament_says_so_in_its_calendar(client: Client) -> None:
    tournament = published("knockout", 2, starts_at=NOW + DAY)
    tournaments.cancel_tournament(by=get_host(), code=tournament.code, now=NOW)
    assert "calendar.ics" not in client.get(f"/tournaments/{tournament.code}/").text
    answer = client.get(f"/tournaments/{tournament.code}/calendar.ics").content.decode()
    assert dict(unfold_lines(answer))["X-WR-CALDESC"] == "This tournament was cancelled."


def test_a_player_with_nothing_to_come_has_an_honest_calendar(client: Client) -> None:
    ada = get_player("p1")
    answer = client.get(f"/feeds/{ada.feed_token}/deadlines.ics").content.decode()
    assert "VEVENT" not in list_components(answer)
    assert list_components(answer)
    description = dict(unfold_lines(answer))["X-WR-CALDESC"].replace("\\,", ",")
    assert description == "You have no deadlines and no tournament dates right now."
