"""The page about a player's time: forecast losses, every clock, vacation."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.formats import date_format

from accounts.models import Player
from games import clock
from games.selectors.player_clocks import forecast_absence
from games.services import incidents, pauses, turns
from tests.factories.cast import player
from tests.factories.linking import start_game

pytestmark = pytest.mark.django_db


def open_browser(name: str = "ada") -> Client:
    client = Client()
    client.force_login(player(name))
    return client


def read_page(client: Client | None = None) -> str:
    answer = (client or open_browser()).get("/me/time/")
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def format_day(n: int) -> str:
    return (timezone.now() + timedelta(days=n)).date().isoformat()


def test_the_page_is_for_whoever_is_signed_in() -> None:
    answer = Client().get("/me/time/")
    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/login/")


def test_without_a_game_there_is_none_to_lose() -> None:
    assert "No timed games right now" in read_page()
    start_game("ada", mode="solo")
    assert "No timed games right now" in read_page()


def test_the_page_names_the_first_game_that_is_lost_and_when() -> None:
    calm, urgent = start_game("ada", "bob", time_control="7d"), start_game("ada", "cleo", time_control="12h")
    Player.objects.filter(name="ada").update(time_zone="Asia/Tokyo")
    # Computed before and after the request, in case a minute ends in between.
    before = forecast_absence(player("ada"), timezone.now())
    html = read_page()
    times = []
    for stop in (before, forecast_absence(player("ada"), timezone.now())):
        assert stop.first_loss
        assert stop.first_loss.seat.game == urgent
        assert stop.first_loss.loses_at
        local = stop.first_loss.loses_at.astimezone(ZoneInfo("Asia/Tokyo"))
        times.append(date_format(local, "DATETIME_FORMAT"))
    assert f'you lose <a href="/games/{urgent.code}/">{urgent.code}</a> first' in html
    assert any(" ".join(at.split()) in html for at in times)
    assert "Times are shown in Asia/Tokyo" in html
    assert html.index(urgent.code) < html.index(calm.code)
    assert "against bob" in html
    assert "against cleo" in html


def test_a_turn_shows_what_is_left_of_it_and_the_others_that_it_is_not_yours() -> None:
    game = start_game("ada", "bob", time_control="2d")
    seat = next(
        place for place in game.seats.all() if place.seat_no and game.to_act_mask >> place.seat_no & 1
    )
    assert seat.player
    other = "bob" if seat.player.name == "ada" else "ada"
    # Two days for the turn and seven in the bank; the clock may not have started yet.
    html = read_page(open_browser(seat.player.name))
    assert re.search(r">1\s*week, [12]\s*days?</time>", html)
    assert "not your turn" in read_page(open_browser(other))


def test_a_vacation_is_planned_from_morning_to_morning_in_the_players_zone() -> None:
    Player.objects.filter(pk=player("ada").pk).update(time_zone="America/New_York")
    client = open_browser()
    answer = client.post("/me/time/plan/", {"first": format_day(3), "back": format_day(6)}, follow=True)
    assert "Your vacation is planned" in answer.content.decode()
    ada = player("ada")
    zone = ZoneInfo("America/New_York")
    assert ada.vacation_start == datetime.fromisoformat(format_day(3)).replace(tzinfo=zone)
    assert ada.vacation_end == datetime.fromisoformat(format_day(6)).replace(tzinfo=zone)
    html = read_page(client)
    assert "Your vacation runs from" in html
    assert "Cancel vacation" in html
    client.post("/me/time/end/")
    assert "Plan vacation" in read_page(client)


def test_during_a_vacation_the_clocks_rest_until_one_comes_back() -> None:
    start_game("ada", "bob")
    client = open_browser()
    client.post("/me/time/plan/", {"first": format_day(0), "back": format_day(3)})
    html = read_page(client)
    assert "You are on vacation until" in html
    assert "stopped: vacation" in html
    answer = client.post("/me/time/end/", follow=True)
    assert "Welcome back" in answer.content.decode()
    assert "stopped:" not in read_page(client)


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"first": "nonsense", "back": "2026-99-99"}, "Enter a valid date"),
        ({"first": "", "back": "9999-12-31"}, "This field is required"),
        ({"action_name": "end"}, "This field is required"),
        ({}, "Plan vacation"),
    ],
)
def test_what_cannot_be_meant_is_answered_and_changes_nothing(sent: dict[str, str], sentence: str) -> None:
    client = open_browser()
    read_page(client)
    before = Player.objects.values().get(name="ada")
    answer = client.post("/me/time/plan/", sent)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert Player.objects.values().get(name="ada") == before


def test_the_commands_of_a_vacation_have_a_url_each() -> None:
    client = open_browser()
    assert client.post("/me/time/", {"action_name": "end"}).status_code == 405
    answer = client.post("/me/time/end/", follow=True)
    assert answer.redirect_chain == [("/me/time/", 302)]
    assert "notice error" in answer.content.decode(), "there is no vacation to end"
    for path in ("/me/time/plan/", "/me/time/end/"):
        assert client.get(path)["Location"] == "/me/time/"


@pytest.mark.parametrize(("first", "back"), [(3, 3), (6, 3), (1, 60), (1, 3650), (-5, -2)])
def test_a_vacation_that_is_too_short_or_too_long_is_refused_on_the_page(first: int, back: int) -> None:
    answer = open_browser().post("/me/time/plan/", {"first": format_day(first), "back": format_day(back)})
    assert answer.status_code == 422
    assert "notice error" in answer.content.decode()
    assert player("ada").vacation_end is None


@pytest.mark.parametrize("date", ["0001-01-01", "9999-12-31"])
def test_the_ends_of_the_calendar_break_nothing(date: str) -> None:
    Player.objects.filter(pk=player("ada").pk).update(time_zone="Pacific/Kiritimati")
    client = open_browser()
    for sent in ({"first": date, "back": format_day(2)}, {"first": format_day(2), "back": date}):
        assert client.post("/me/time/plan/", sent).status_code in (302, 422)
    Player.objects.filter(pk=player("ada").pk).update(time_zone="America/Adak")
    for sent in ({"first": date, "back": format_day(2)}, {"first": format_day(2), "back": date}):
        assert client.post("/me/time/plan/", sent).status_code in (302, 422)


def test_a_pause_that_all_agreed_on_and_an_incident_are_announced() -> None:
    game = start_game("ada", "bob")
    now = timezone.now()
    until = now + timedelta(days=5)
    pauses.propose_pause(player=player("ada"), code=game.code, until=until, now=now)
    pauses.agree_to_pause(player=player("bob"), code=game.code, now=now)
    html = read_page()
    assert "stopped: an agreed pause" in html
    assert "paused until" in html
    incidents.start_incident(now=timezone.now())
    html = read_page()
    assert "All clocks are stopped until we fix it" in html
    assert "not known yet" in html


def test_many_games_cost_no_more_queries_than_one() -> None:
    start_game("ada", "bob")
    client = open_browser()
    read_page(client)
    with CaptureQueriesContext(connection) as queries:
        read_page(client)
    for _ in range(5):
        start_game("ada", "cleo")
    with CaptureQueriesContext(connection) as many:
        read_page(client)
    assert len(many) == len(queries) <= 12


def test_a_game_that_is_over_has_no_clock() -> None:
    game = start_game("ada", "bob")
    assert game.code in read_page()
    turns.play_action(
        player=player("bob"), code=game.code, text="resign", seq=None, key="", now=timezone.now()
    )
    assert game.code not in read_page()


def test_the_list_of_games_leads_to_the_page() -> None:
    assert 'href="/me/time/"' in open_browser().get("/games/").content.decode()


def test_the_longest_pause_is_one_limit_for_the_page_and_the_service(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "MAX_PAUSE_LENGTH", timedelta(days=9))
    game, client = start_game("ada", "bob"), open_browser()
    assert 'max="9"' in client.get(f"/games/{game.code}/").content.decode()
    for days in ("10", "9999999999"):
        answer = client.post(f"/games/{game.code}/pause/", {"days": days}, follow=True)
        assert "at most 9 days" in answer.content.decode()
