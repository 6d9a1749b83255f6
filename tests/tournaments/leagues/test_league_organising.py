"""Organising a league in a browser: creating, editing, starting and closing it."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from tests.factories.events import NOW, get_player
from tests.factories.leagues import league_of
from tests.helpers.league_pages import build_league_path, organiser, press, sign_in_as, status
from tests.helpers.league_pages import reset_limits as reset_limits
from tests.helpers.plain_browser import PlainBrowser
from tournaments.leagues.services import leagues
from tournaments.models import League
from tournaments.services import sweep

pytestmark = pytest.mark.django_db


def test_an_organiser_makes_a_league_starts_it_and_closes_it() -> None:
    client = organiser()
    browser_page = PlainBrowser(client, "/leagues/new/")
    form = next(form for form in browser_page.page.forms if "name" in form.fields)
    wanted = {
        "name": "Autumn",
        "division_size": "4",
        "promotion_count": "1",
        "time_control": "3d",
        "seats": "2",
        "target": "4",
    }
    answer = client.post(browser_page.path, form.fields | wanted | {"season_pause_1": "86400"})
    assert answer.status_code == 302, answer.content.decode()
    league = League.objects.get()
    assert (league.name, league.division_size, league.promotion_count, league.season_pause) == (
        "Autumn",
        4,
        1,
        3 * 86400,
    )
    dashboard_path = f"{build_league_path(league)}organise/"
    assert answer["Location"] == dashboard_path
    for name in ("ada", "bob", "cleo"):
        leagues.set_member_status(player=get_player(name), code=league.code, now=NOW)
    press(client, league, "start", dashboard_path)
    sweep.sweep_tournaments(now=timezone.now())
    sweep.sweep_tournaments(now=timezone.now())
    leagues.set_member_status(player=get_player("spare"), code=league.code, now=NOW, status="substitute")
    page = press(client, league, "substitute", dashboard_path, out="bob", reason="no time")
    assert "A substitute takes over from bob" in page.html
    assert (status(league, "spare"), status(league, "bob")) == ("member", "out")
    page = press(client, league, "close", dashboard_path)
    assert "Check the box" in page.html
    league.refresh_from_db()
    assert league.season_limit is None
    press(client, league, "close", dashboard_path, sure="1")
    league.refresh_from_db()
    assert league.season_limit == 1


def test_a_league_is_changed_by_its_organiser() -> None:
    client, league = organiser(), league_of(2, season_pause=86400)
    browser_page = PlainBrowser(client, f"{build_league_path(league)}edit/")
    form = next(form for form in browser_page.page.forms if "name" in form.fields)
    assert (form.fields["name"], form.fields["division_size"]) == ("The league", "4")
    chosen = {"seats": "2", "time_control": league.time_control, "season_pause_1": "86400"}
    answer = client.post(
        browser_page.path, form.fields | chosen | {"name": "Spring", "division_size": "6", "text": "Hello"}
    )
    assert answer.status_code == 302, answer.content.decode()
    league.refresh_from_db()
    assert (league.name, league.division_size, league.text, league.season_pause) == (
        "Spring",
        6,
        "Hello",
        86400,
    )


@pytest.mark.parametrize(
    "wrong",
    [{"name": ""}, {"division_size": "2"}, {"division_size": "x"}, {"promotion_count": "9"},
     {"groups_per_division": "99"}, {"seats": "5"}, {"time_control": "custom"}, {"name": "\0"},
     {"division_size": "9" * 40}, {"season_pause_0": "9" * 40}, {"season_limit": "0"}],
    ids=str,
)  # fmt: skip
def test_a_league_that_cannot_be_played_is_refused_with_a_reason(wrong: dict[str, str]) -> None:
    answer = organiser().post(
        "/leagues/new/", {"name": "Autumn", "division_size": "4", "promotion_count": "1"} | wrong
    )
    assert answer.status_code == 422
    assert b"errorlist" in answer.content
    assert not League.objects.exists()


def test_others_do_not_organise() -> None:
    league, client = league_of(3), sign_in_as("ada")
    for page in ("organise", "edit"):
        assert client.get(f"{build_league_path(league)}{page}/").status_code == 403
        assert Client().get(f"{build_league_path(league)}{page}/").status_code == 302
    for command in ("start", "close", "substitute"):
        answer = client.post(f"{build_league_path(league)}{command}/", {"sure": "1", "out": "p1"})
        assert answer.status_code == 403
    assert Client().get("/leagues/new/").status_code == 302
    league.refresh_from_db()
    assert league.status == "open"
