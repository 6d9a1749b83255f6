"""Nobody learns the tiles of a running game from the seed of its league."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.test import Client

from games.engine import fairness
from games.models import Game
from games.services import system_games
from tests.tournaments.play import DAY, NOW, host, someone
from tests.tournaments.programs import Program
from tests.tournaments.test_leagues import begun, finish_games, played
from tournaments.models import League, LeagueSecret, Proposal, Tournament
from tournaments.services import leagues, proposals, simulation, sweep

pytestmark = pytest.mark.django_db


def seed_of(league: League) -> str:
    return bytes(LeagueSecret.objects.get(league=league).seed).hex()


def running(league: League) -> list[Game]:
    found = Game.objects.filter(
        table__event__division__season__league=league, status__in=system_games.PLAYING_STATUSES
    )
    return list(found.order_by("pk"))


def test_the_seed_of_a_league_waits_for_the_last_game_that_is_played_on() -> None:
    league = begun(8, seasons=1)
    played(league)  # by corrected results: the games themselves go on for nothing
    league.refresh_from_db()
    assert (league.status, league.seed) == ("closed", "")
    games = running(league)
    assert len(games) > 2
    for number, game in enumerate(games):
        later = NOW + (number + 1) * DAY
        assert Program(None).ask(f"leagues/{league.code}/")["seed"] is None
        assert seed_of(league) not in Client().get(f"/leagues/{league.code}/").text
        simulation.play_game(game.code, policy="random", rng=random.Random(number), now=later)
        sweep.sweep_tournaments(now=later)
    assert not Tournament.objects.filter(seed="").exists()
    seen = Program(None).ask(f"leagues/{league.code}/")
    assert seen["seed"] == seed_of(league)
    assert fairness.compute_commitment(bytes.fromhex(seen["seed"])) == seen["commitment"]


def test_a_league_without_a_running_game_publishes_its_seed_at_once() -> None:
    league = leagues.create_league(organiser=host(), name="The league", size=4, now=NOW)
    leagues.close_league(by=host(), code=league.code, now=NOW)
    league.refresh_from_db()
    assert (league.status, league.seed) == ("closed", seed_of(league))


def test_a_league_that_is_closed_between_seasons_waits_for_the_games_of_before() -> None:
    league = begun(4, pause=86400)
    played(league)
    leagues.close_league(by=host(), code=league.code, now=NOW)
    league.refresh_from_db()
    assert (league.status, league.seed) == ("closed", "")
    finish_games(league, NOW + DAY)
    league.refresh_from_db()
    assert league.seed == seed_of(league)


# ------------------------------------------------------------------------------------- partners in a league


def ask_partner(**fields: Any) -> Proposal:
    league = leagues.create_league(
        organiser=host(), name="Pairs", size=4, moves=1, mode="pairs", now=NOW, **fields
    )
    return leagues.ask_partner(player=someone("a1"), partner=someone("b1"), code=league.code, now=NOW)


def test_whoever_is_asked_to_be_a_partner_sees_what_is_sealed_before_they_bring_a_seed() -> None:
    asked = ask_partner()
    assert asked.league
    next_season = Program(None).ask(f"leagues/{asked.league.code}/")["next_season"]["commitment"]
    browser = Client()
    browser.force_login(someone("b1"))
    for path in (f"/proposals/{asked.pk}/", "/proposals/", f"/leagues/{asked.league.code}/"):
        assert browser.get(path).text.count(next_season) >= 1, path
    page = browser.get(f"/proposals/{asked.pk}/").text
    assert 'name="client_seed"' in page
    (line,) = Program("b1").every("proposals/")
    assert line["commitment"] == next_season
    proposals.accept_proposal(player=someone("b1"), proposal_id=asked.pk, client_seed="mine", now=NOW)
    asked.refresh_from_db()
    assert asked.commitment == next_season, "what was sealed then is kept with the answer"
    assert asked.league.memberships.get(player=someone("b1")).client_seed == "mine"


def test_an_answer_keeps_the_commitment_of_its_season_when_others_follow() -> None:
    asked = ask_partner(seasons=3)
    proposals.accept_proposal(player=someone("b1"), proposal_id=asked.pk, now=NOW)
    (first,) = Program("b1").every("proposals/")
    assert asked.league
    asked.league.played.create(number=1, started_at=NOW)
    assert Program("b1").every("proposals/") == [first]
    again = Program(None).ask(f"leagues/{asked.league.code}/")["next_season"]["commitment"]
    assert again != first["commitment"]
