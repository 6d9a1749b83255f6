"""With `lenient`, the best strategy may be never to score: such games are unrated and not in tournaments."""

from __future__ import annotations

import random
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection

from common.service_errors import Invalid
from games.models import Game
from games.services import invitations, lobby, system_games
from tests.factories.cast import Api, open_browser, player, start_cast_game
from tests.factories.events import (
    NOW,
    QUICK,
    create_started_tournament,
    get_host,
    get_player,
    list_running_pairings,
    published,
)
from tests.factories.pairing_tables import open_tournament_game
from tests.helpers.tournament_programs import Program
from tournaments.leagues.services import leagues
from tournaments.models import League, RatedGame, Rating, RatingChange, Tournament
from tournaments.ratings import services as ratings
from tournaments.services import game_settings, simulation, tournaments

pytestmark = pytest.mark.django_db
NEW_TOURNAMENT = {"name": "The cup", "format": "swiss"}
NEW_LEAGUE = {"name": "The league", "division_size": 4}


def finish_game(*names: str, **fields: Any) -> Game:
    """Play a game to its end and set fields that no entry point would accept."""
    game = open_tournament_game([get_player(name) for name in names], now=NOW, rated=True, **QUICK)
    simulation.play_game(game.code, policy="random", rng=random.Random(3), now=NOW)
    Game.objects.filter(pk=game.pk).update(**fields)
    game.refresh_from_db()
    return game


def test_the_api_refuses_a_rated_lenient_game_and_names_the_field() -> None:
    answer = Api("ada").post("games/", {"rated": True, "obligation": "lenient"})
    assert answer.status_code == 422
    assert answer["Content-Type"] == "application/problem+json"
    assert set(answer.json()["errors"]) == {"rated"}
    assert not Game.objects.exists()


@pytest.mark.parametrize("terms", [{"rated": True}, {"obligation": "lenient"}])
def test_each_of_the_two_alone_is_fine(terms: dict[str, Any]) -> None:
    assert Api("ada").post("games/", terms).status_code == 201


def test_the_page_refuses_it_beside_its_field() -> None:
    form = {"preset": "open", "seats": "2", "rated": "on", "obligation": "lenient"}
    answer = open_browser("ada").post("/games/new/", form)
    assert answer.status_code == 422
    assert answer.context["form"].errors == {"rated": ["A rated game needs the duty to close figures."]}
    assert not Game.objects.exists()


def test_against_a_bot_a_tick_that_was_left_over_is_in_nobodys_way() -> None:
    form = {"preset": "bot", "bot": "greedy", "seats": "2", "rated": "on", "obligation": "lenient"}
    assert open_browser("ada").post("/games/new/", form).status_code == 302
    assert not Game.objects.get().rated


@pytest.mark.parametrize(("path", "fields"), [("tournaments/", NEW_TOURNAMENT), ("leagues/", NEW_LEAGUE)])
@pytest.mark.parametrize("rated", [True, False])
def test_no_tournament_and_no_league_is_lenient(path: str, fields: dict[str, Any], rated: bool) -> None:
    answer = Program("ada").send("POST", path, fields | {"obligation": "lenient", "rated": rated})
    assert answer.status_code == 400
    assert set(answer.json()["errors"]) == {"obligation"}
    assert not Tournament.objects.exists()
    assert not League.objects.exists()
    assert Program("ada").send("POST", path, fields | {"obligation": "strict"}).status_code == 201


def test_a_draft_cannot_be_made_lenient() -> None:
    program = Program("ada")
    tournament = program.do("tournaments/", NEW_TOURNAMENT)
    answer = program.send("PATCH", f"tournaments/{tournament['id']}/", {"obligation": "lenient"})
    assert answer.status_code == 400
    assert set(answer.json()["errors"]) == {"obligation"}


def test_the_services_refuse_it_too() -> None:
    with pytest.raises(Invalid):
        tournaments.create_tournament(organiser=get_host(), now=NOW, obligation="lenient", **NEW_TOURNAMENT)
    with pytest.raises(Invalid):
        leagues.create_league(organiser=get_host(), now=NOW, obligation="lenient", **NEW_LEAGUE)
    with pytest.raises(Invalid):
        lobby.create_game(player=get_host(), now=NOW, obligation="lenient", rated=True)


@pytest.mark.parametrize("path", ["/tournaments/new/", "/leagues/new/"])
def test_the_pages_of_organisers_do_not_offer_it(path: str) -> None:
    text = open_browser("ada").get(path).content.decode()
    assert 'name="target"' in text
    assert "lenient" not in text
    assert 'name="obligation"' not in text


def test_a_tournament_that_was_lenient_before_is_played_on_unrated() -> None:
    tournament = create_started_tournament("swiss", 2)
    Tournament.objects.filter(pk=tournament.pk).update(obligation="lenient")
    tournament.refresh_from_db()
    fields = game_settings.build_game_options(tournament, is_rematch=False)
    assert (fields["obligation"], fields["rated"]) == ("lenient", False)
    assert game_settings.build_game_options(tournament, is_rematch=True)["rated"] is False
    assert game_settings.merge_game_settings(tournament, {"target": 5})["obligation"] == "lenient"
    assert list_running_pairings(tournament)


def test_a_published_tournament_that_was_lenient_before_is_not_started() -> None:
    tournament = published("swiss", 2)
    Tournament.objects.filter(pk=tournament.pk).update(obligation="lenient")
    with pytest.raises(Invalid) as refusal:
        tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW)
    assert refusal.value.extra["field"] == "obligation"
    migration = import_module("tournaments.migrations.0004_duty_in_tournaments")
    migration.set_duty(apps, SimpleNamespace(connection=connection))
    tournament.refresh_from_db()
    assert tournament.obligation == "strict"
    tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW)


def test_a_migration_leaves_a_running_lenient_tournament_as_it_is() -> None:
    tournament = create_started_tournament("swiss", 2)
    Tournament.objects.filter(pk=tournament.pk).update(obligation="lenient")
    migration = import_module("tournaments.migrations.0004_duty_in_tournaments")
    migration.set_duty(apps, SimpleNamespace(connection=connection))
    tournament.refresh_from_db()
    assert tournament.obligation == "lenient"


def test_a_sweep_counts_no_lenient_game() -> None:
    game = finish_game("ada", "bob", obligation="lenient")
    assert ratings.rate_finished_games(now=NOW) == 0
    assert not RatingChange.objects.filter(game=game).exists()


def test_ratings_that_are_worked_out_anew_leave_lenient_games_out() -> None:
    strict, lenient = finish_game("ada", "bob"), finish_game("ada", "bob")
    ratings.rate_finished_games(now=NOW)
    only_strict = RatingChange.objects.get(game=strict, rating__player=get_player("ada"))
    Game.objects.filter(pk=lenient.pk).update(obligation="lenient")
    call_command("rebuild_ratings")
    rating = Rating.objects.get(player=get_player("ada"))
    assert (rating.mu, rating.game_count) == (only_strict.mu, 1)
    assert not RatingChange.objects.filter(game=lenient).exists()
    assert RatedGame.objects.get(game=lenient).sequence_no is None
    assert ratings.rate_finished_games(now=NOW) == 0
    assert ratings.rebuild_ratings(now=NOW) == (1, 0)


def test_a_released_game_is_not_made_a_rated_one_again() -> None:
    game = finish_game("ada", "bob", obligation="lenient", rated=False)
    system_games.reclaim_game(code=game.code, now=NOW)
    game.refresh_from_db()
    assert not game.rated


def test_a_rematch_of_such_a_game_is_unrated() -> None:
    game = start_cast_game("ada", "bob")
    Game.objects.filter(pk=game.pk).update(status=Game.Status.OVER, rated=True, obligation="lenient")
    rematch = invitations.request_rematch(player=player("ada"), code=game.code, now=NOW)
    assert (rematch.obligation, rematch.rated) == ("lenient", False)
