"""Without the duty to close figures it pays never to score: not rated, and not played in tournaments."""

from __future__ import annotations

import random
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.test import Client

from games.models import Game
from games.services import house, invitations, lobby
from games.services.errors import Invalid
from tests.games.cast import Api, browser, game_of, player
from tests.tables import open_table
from tournaments.models import Event, League, RatedGame, Rating, RatingChange
from tournaments.services import events, leagues, ratings, simulation
from tournaments.services import terms as game_terms

from .play import NOW, QUICK, host, playing, someone, started
from .programs import Program

pytestmark = pytest.mark.django_db
NEW_EVENT = {"name": "The cup", "format": "swiss"}
NEW_LEAGUE = {"name": "The league", "size": 4}


def finished(*names: str, **fields: Any) -> Game:
    """A game of theirs that is over; what it says of itself now, no door would take."""
    made = open_table([someone(name) for name in names], now=NOW, rated=True, **QUICK)
    simulation.play_out(made.code, policy="random", rng=random.Random(3), now=NOW)
    Game.objects.filter(pk=made.pk).update(**fields)
    made.refresh_from_db()
    return made


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
    answer = browser("ada").post("/games/new/", form)
    assert answer.status_code == 422
    assert answer.context["form"].errors == {
        "rated": ["Games in which nobody has to close figures are not rated."]
    }
    assert not Game.objects.exists()


def test_against_a_bot_a_tick_that_was_left_over_is_in_nobodys_way() -> None:
    form = {"preset": "bot", "bot": "greedy", "seats": "2", "rated": "on", "obligation": "lenient"}
    assert browser("ada").post("/games/new/", form).status_code == 302
    assert not Game.objects.get().rated


@pytest.mark.parametrize(("path", "fields"), [("tournaments/", NEW_EVENT), ("leagues/", NEW_LEAGUE)])
@pytest.mark.parametrize("rated", [True, False])
def test_no_tournament_and_no_league_is_lenient(path: str, fields: dict[str, Any], rated: bool) -> None:
    answer = Program("ada").send("POST", path, fields | {"obligation": "lenient", "rated": rated})
    assert answer.status_code == 400
    assert set(answer.json()["errors"]) == {"obligation"}
    assert not Event.objects.exists()
    assert not League.objects.exists()
    assert Program("ada").send("POST", path, fields | {"obligation": "strict"}).status_code == 201


def test_a_draft_cannot_be_made_lenient() -> None:
    program = Program("ada")
    event = program.do("tournaments/", NEW_EVENT)
    answer = program.send("PATCH", f"tournaments/{event['id']}/", {"obligation": "lenient"})
    assert answer.status_code == 400
    assert set(answer.json()["errors"]) == {"obligation"}


def test_the_services_refuse_it_too() -> None:
    with pytest.raises(Invalid):
        events.create(organiser=host(), now=NOW, obligation="lenient", **NEW_EVENT)
    with pytest.raises(Invalid):
        leagues.create(organiser=host(), now=NOW, obligation="lenient", **NEW_LEAGUE)
    with pytest.raises(Invalid):
        lobby.create(player=host(), now=NOW, obligation="lenient", rated=True)


@pytest.mark.parametrize("path", ["/tournaments/new/", "/leagues/new/"])
def test_the_pages_of_organisers_do_not_offer_it(path: str) -> None:
    text = browser("ada").get(path).content.decode()
    assert 'name="target"' in text
    assert "lenient" not in text
    assert 'name="obligation"' not in text


def test_a_tournament_that_was_lenient_before_is_played_on_unrated() -> None:
    event = started("swiss", 2)
    Event.objects.filter(pk=event.pk).update(obligation="lenient")
    event.refresh_from_db()
    fields = game_terms.of_game(event, rematch=False)
    assert (fields["obligation"], fields["rated"]) == ("lenient", False)
    assert game_terms.of_game(event, rematch=True)["rated"] is False
    assert game_terms.changed(event, {"target": 5})["obligation"] == "lenient"
    assert playing(event)


def test_a_sweep_counts_no_lenient_game() -> None:
    game = finished("ada", "bob", obligation="lenient")
    assert ratings.sweep(now=NOW) == 0
    assert not RatingChange.objects.filter(game=game).exists()


def test_ratings_that_are_worked_out_anew_leave_lenient_games_out() -> None:
    strict, lenient = finished("ada", "bob"), finished("ada", "bob")
    ratings.sweep(now=NOW)
    only_strict = RatingChange.objects.get(game=strict, rating__player=someone("ada"))
    Game.objects.filter(pk=lenient.pk).update(obligation="lenient")
    call_command("rebuild_ratings")
    rating = Rating.objects.get(player=someone("ada"))
    assert (rating.mu, rating.games) == (only_strict.mu, 1)
    assert not RatingChange.objects.filter(game=lenient).exists()
    assert RatedGame.objects.get(game=lenient).number is None
    assert ratings.sweep(now=NOW) == 0
    assert ratings.rebuild(now=NOW) == (1, 0)


def test_a_released_game_is_not_made_a_rated_one_again() -> None:
    game = finished("ada", "bob", obligation="lenient", rated=False)
    house.reclaim(code=game.code, now=NOW)
    game.refresh_from_db()
    assert not game.rated


def test_a_rematch_of_such_a_game_is_unrated() -> None:
    game = game_of("ada", "bob")
    Game.objects.filter(pk=game.pk).update(status=Game.Status.OVER, rated=True, obligation="lenient")
    again = invitations.rematch(player=player("ada"), code=game.code, now=NOW)
    assert (again.obligation, again.rated) == ("lenient", False)


def test_the_migrations_take_what_is_there_out_of_the_ratings(client: Client) -> None:
    game, strict = finished("ada", "bob", obligation="lenient"), finished("ada", "bob")
    running = started("swiss", 2)
    draft = events.create(organiser=host(), now=NOW, **NEW_EVENT)
    league = leagues.create(organiser=host(), now=NOW, **NEW_LEAGUE)
    Event.objects.update(obligation="lenient")
    League.objects.update(obligation="lenient")
    import_module("games.migrations.0020_lenient_games_unrated").unrate_lenient_games(apps, None)
    import_module("tournaments.migrations.0010_lenient_terms_unrated").unrate_lenient_terms(apps, None)
    for row in (game, strict, running, draft, league):
        row.refresh_from_db()
    assert (game.rated, strict.rated) == (False, True)
    assert (running.obligation, running.rated) == ("lenient", False)
    assert (draft.obligation, draft.rated) == ("strict", False)
    assert (league.obligation, league.rated) == ("strict", False)
