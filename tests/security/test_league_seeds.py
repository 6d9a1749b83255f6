"""The seed of a league reveals no tiles of a running game."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.test import Client

from games.engine import fairness
from games.models import Game
from games.models.games import PLAYING_STATUSES
from tests.factories.events import DAY, NOW, get_host, get_player
from tests.factories.leagues import create_started_league, finish_games, play_season
from tests.helpers.tournament_programs import Program
from tournaments.leagues.services import leagues
from tournaments.models import League, LeagueSecret, Proposal, Tournament
from tournaments.services import proposals, simulation, sweep

pytestmark = pytest.mark.django_db


def get_seed(league: League) -> str:
    return bytes(LeagueSecret.objects.get(league=league).seed).hex()


def list_running_games(league: League) -> list[Game]:
    games = Game.objects.filter(
        pairing__tournament__division__season__league=league, status__in=PLAYING_STATUSES
    )
    return list(games.order_by("pk"))


def test_the_seed_of_a_league_waits_for_the_last_game_that_is_played_on() -> None:
    league = create_started_league(8, season_limit=1)
    play_season(league)  # by corrected results: the games are played on without effect
    league.refresh_from_db()
    assert (league.status, league.seed) == ("closed", "")
    games = list_running_games(league)
    assert len(games) > 2
    for number, game in enumerate(games):
        later = NOW + (number + 1) * DAY
        assert Program(None).ask(f"leagues/{league.code}/")["seed"] is None
        assert get_seed(league) not in Client().get(f"/leagues/{league.code}/").text
        simulation.play_game(game.code, policy="random", rng=random.Random(number), now=later)
        sweep.sweep_tournaments(now=later)
    assert not Tournament.objects.filter(seed="").exists()
    data = Program(None).ask(f"leagues/{league.code}/")
    assert data["seed"] == get_seed(league)
    assert fairness.compute_commitment(bytes.fromhex(data["seed"])) == data["commitment"]


def test_a_league_without_a_running_game_publishes_its_seed_at_once() -> None:
    league = leagues.create_league(organiser=get_host(), name="The league", division_size=4, now=NOW)
    leagues.close_league(by=get_host(), code=league.code, now=NOW)
    league.refresh_from_db()
    assert (league.status, league.seed) == ("closed", get_seed(league))


def test_a_league_that_is_closed_between_seasons_waits_for_the_games_of_before() -> None:
    league = create_started_league(4, season_pause=86400)
    play_season(league)
    leagues.close_league(by=get_host(), code=league.code, now=NOW)
    league.refresh_from_db()
    assert (league.status, league.seed) == ("closed", "")
    finish_games(league, NOW + DAY)
    league.refresh_from_db()
    assert league.seed == get_seed(league)


# ------------------------------------------------------------------------------------- partners in a league


def ask_partner(**fields: Any) -> Proposal:
    league = leagues.create_league(
        organiser=get_host(),
        name="Pairs",
        division_size=4,
        promotion_count=1,
        mode="pairs",
        now=NOW,
        **fields,
    )
    return leagues.ask_partner(player=get_player("a1"), partner=get_player("b1"), code=league.code, now=NOW)


def test_whoever_is_asked_to_be_a_partner_sees_what_is_sealed_before_they_bring_a_seed() -> None:
    request = ask_partner()
    assert request.league
    next_season = Program(None).ask(f"leagues/{request.league.code}/")["next_season"]["commitment"]
    browser = Client()
    browser.force_login(get_player("b1"))
    for path in (f"/proposals/{request.pk}/", "/proposals/", f"/leagues/{request.league.code}/"):
        assert browser.get(path).text.count(next_season) >= 1, path
    page = browser.get(f"/proposals/{request.pk}/").text
    assert 'name="client_seed"' in page
    (line,) = Program("b1").list_all("proposals/")
    assert line["commitment"] == next_season
    proposals.accept_proposal(player=get_player("b1"), proposal_id=request.pk, client_seed="mine", now=NOW)
    request.refresh_from_db()
    assert request.commitment == next_season, "what was sealed then is kept with the answer"
    assert request.league.league_members.get(player=get_player("b1")).client_seed == "mine"


def test_an_answer_keeps_the_commitment_of_its_season_when_others_follow() -> None:
    request = ask_partner(season_limit=3)
    proposals.accept_proposal(player=get_player("b1"), proposal_id=request.pk, now=NOW)
    (first,) = Program("b1").list_all("proposals/")
    assert request.league
    request.league.seasons.create(number=1, started_at=NOW)
    assert Program("b1").list_all("proposals/") == [first]
    next_commitment = Program(None).ask(f"leagues/{request.league.code}/")["next_season"]["commitment"]
    assert next_commitment != first["commitment"]
