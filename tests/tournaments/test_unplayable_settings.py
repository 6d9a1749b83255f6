"""Game settings that are no longer allowed block publication and the start of a tournament."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from common.service_errors import Invalid
from notifications.models import FeedEntry
from tests.factories.events import DAY, NOW, QUICK, add_organiser, get_host, get_player
from tests.factories.leagues import create_started_league, league_of, play_season
from tests.helpers.tournament_mails import get_last_body, list_sent_kinds, send_mails
from tests.helpers.tournament_programs import Program
from tournaments.leagues.services import leagues
from tournaments.models import League, Season, Tournament
from tournaments.services import sweep, tournaments

pytestmark = pytest.mark.django_db
LENIENT = {"obligation": "lenient"}
SHORT_ROUND = {"round_length": 600}  # shorter than a turn
WRONG = [
    (LENIENT, "invalid-value", "duty to close figures"),
    (SHORT_ROUND, "round-too-short", "shorter than one turn"),
]


@pytest.fixture(autouse=True)
def configure_site(settings: LazySettings) -> None:
    settings.SITE_URL = "https://otto.example.org"


def open_browser() -> Client:
    client = Client()
    client.force_login(get_host())
    return client


@pytest.mark.parametrize(("stored", "code", "words"), WRONG)
def test_a_draft_is_not_published_by_them(stored: dict[str, Any], code: str, words: str) -> None:
    tournament = tournaments.create_tournament(
        organiser=get_host(), name="The cup", format="swiss", now=NOW, **QUICK
    )
    Tournament.objects.filter(pk=tournament.pk).update(**stored)
    with pytest.raises(Invalid) as refused:
        tournaments.publish_tournament(by=get_host(), code=tournament.code, now=NOW)
    assert refused.value.code == code
    assert words in refused.value.detail
    assert Program("host").refused(f"tournaments/{tournament.code}/publish/", {}) == (422, code)
    page = open_browser().post(f"/tournaments/{tournament.code}/organise/publish/", follow=True)
    assert words in page.text
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.DRAFT
    tournaments.edit_tournament(by=get_host(), code=tournament.code, now=NOW, round_length=None)
    tournament.refresh_from_db()
    assert tournament.obligation == "strict", "whoever lays a draft down anew gets what can be played"
    tournaments.publish_tournament(by=get_host(), code=tournament.code, now=NOW)


@pytest.mark.parametrize(("stored", "code", "words"), WRONG)
def test_no_league_is_started_by_them(stored: dict[str, Any], code: str, words: str) -> None:
    league = league_of(4)
    League.objects.filter(pk=league.pk).update(**stored)
    with pytest.raises(Invalid) as refused:
        leagues.start_league(by=get_host(), code=league.code, now=NOW)
    assert refused.value.code == code
    assert Program("host").refused(f"leagues/{league.code}/start/", {}) == (422, code)
    page = open_browser().post(f"/leagues/{league.code}/start/", follow=True)
    assert words in page.text
    league.refresh_from_db()
    assert league.status == League.Status.OPEN


@pytest.mark.parametrize(("stored", "code", "words"), WRONG)
@pytest.mark.parametrize("number", [1, 2])
def test_a_season_waits_for_its_organisers(
    number: int, stored: dict[str, Any], code: str, words: str
) -> None:
    league, now = prepare_due_season(number)
    add_organiser(league, "ref", now=now)
    League.objects.filter(pk=league.pk).update(**stored)
    for _time in range(3):
        assert not sweep.sweep_tournaments(now=now)
        League.objects.filter(pk=league.pk).update(next_sweep_at=now)
    assert not sweep.sweep_tournaments(now=now)
    league.refresh_from_db()
    assert (league.last_error, league.next_sweep_at) == (leagues.UNPLAYABLE_SETTINGS, None), (
        "no sweep looks again"
    )
    assert not Season.objects.filter(league=league, number=number).exists()
    feed_entries = FeedEntry.objects.filter(kind="league-held")
    assert sorted(line.player.name for line in feed_entries) == ["host", "ref"], "each once"
    send_mails(now + DAY / 2)
    assert list_sent_kinds("host").count("league-held") == 1
    assert words in get_last_body("host")
    assert f"https://otto.example.org/leagues/{league.code}/organise/" in get_last_body("host")
    page_text = open_browser().get(f"/leagues/{league.code}/organise/").text
    assert "The next season cannot start with these settings." in page_text
    assert words in page_text
    leagues.edit_league(by=get_host(), code=league.code, now=now, round_length=None)
    assert sweep.sweep_tournaments(now=now)["season-began"] == 1
    league.refresh_from_db()
    assert (league.last_error, league.obligation) == ("", "strict")


def prepare_due_season(number: int) -> tuple[League, Any]:
    """Return a league whose first or second season is due, and the time at which it is due."""
    if number == 1:
        league = league_of(4)
        leagues.start_league(by=get_host(), code=league.code, now=NOW)
        return league, NOW
    league = create_started_league(4, season_pause=86_400)
    play_season(league)
    return league, NOW + DAY


def test_a_mail_about_a_league_that_goes_on_is_not_sent() -> None:
    league, now = prepare_due_season(1)
    League.objects.filter(pk=league.pk).update(**SHORT_ROUND)
    sweep.sweep_tournaments(now=now)
    assert FeedEntry.objects.filter(kind="league-held", player=get_player("host")).exists()
    leagues.edit_league(by=get_host(), code=league.code, now=now, round_length=None)
    sweep.sweep_tournaments(now=now)
    send_mails(now + DAY / 2)
    assert "league-held" not in list_sent_kinds("host")
