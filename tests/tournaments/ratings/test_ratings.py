"""Ratings count each game once, in one order, and come out equal when they are recomputed."""

from __future__ import annotations

import random

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from openskill.models import PlackettLuce

from accounts.services import players
from games.models import Game
from games.services import system_games
from tests.factories.events import DAY, HOUR, NOW, get_player
from tests.factories.rated_games import game
from tournaments.models import RatedGame, Rating, RatingChange, RatingCursor
from tournaments.ratings import services as ratings
from tournaments.ratings.selectors import display_rating, display_uncertainty, get_rating, list_best_ratings
from tournaments.services import simulation

pytestmark = pytest.mark.django_db


def get_rating_row(name: str, mode: str = "singles") -> Rating:
    return Rating.objects.get(player=get_player(name), mode=mode)


def test_a_game_is_counted_once() -> None:
    rated_game = game("ada", "bob")
    assert ratings.rate_finished_games(now=NOW) == 1
    before = list(Rating.objects.order_by("pk").values())
    assert ratings.rate_finished_games(now=NOW) == 0
    assert before == list(Rating.objects.order_by("pk").values())
    assert rated_game.result
    model = PlackettLuce()
    winner = rated_game.result["winner"]
    (a,), (b,) = model.rate(
        [[model.rating()], [model.rating()]],
        ranks=[1, 2] if winner == 1 else [2, 1] if winner == 2 else [1, 1],
    )
    assert (get_rating_row("ada").mu, get_rating_row("bob").mu) == (a.mu, b.mu)
    assert get_rating_row("ada").sigma == a.sigma < 25 / 3
    assert {change.rating.player for change in RatingChange.objects.filter(game=rated_game)} == {
        get_player("ada"), get_player("bob"),
    }  # fmt: skip


def test_tables_of_four_and_pairs_count_each_in_its_mode() -> None:
    game("ada", "bob", "cleo", "dirk")
    game("ada", "bob", "cleo", "dirk", mode="pairs")
    assert ratings.rate_finished_games(now=NOW) == 2
    assert Rating.objects.count() == 8
    assert get_rating_row("ada", "pairs").mu == get_rating_row("cleo", "pairs").mu
    assert get_rating_row("bob", "pairs").mu == get_rating_row("dirk", "pairs").mu
    assert len({get_rating_row(name).mu for name in ("ada", "bob", "cleo", "dirk")}) > 1
    assert [rating.mu for rating in list_best_ratings("singles")] == sorted(
        (rating.mu for rating in list_best_ratings("singles")), reverse=True
    )


def test_what_is_not_rated_or_has_not_ended_does_not_count() -> None:
    game("ada", "bob", rated=False)
    game("ada", "bob", to_the_end=False)
    assert ratings.rate_finished_games(now=NOW) == 0
    assert get_rating(get_player("ada"), "singles") == 1500 == display_rating(25)
    assert display_uncertainty(25 / 3) == 333


def test_who_leaves_without_a_move_is_not_rated() -> None:
    rated_game = game("ada", "bob", to_the_end=False)
    system_games.resign_seat(code=rated_game.code, seat_no=2, now=NOW)
    assert ratings.rate_finished_games(now=NOW) == 1
    assert not RatingChange.objects.exists()
    assert RatedGame.objects.get().sequence_no is None
    assert ratings.rate_finished_games(now=NOW) == 0
    table = game("ada", "bob", "cleo", to_the_end=False)
    system_games.resign_seat(code=table.code, seat_no=2, now=NOW)
    simulation.play_game(table.code, policy="random", rng=random.Random(1), now=NOW)
    ratings.rate_finished_games(now=NOW)
    assert set(RatingChange.objects.values_list("seat_no", flat=True)) == {1, 3}


def test_a_game_that_shows_up_late_is_counted_after_those_before() -> None:
    late = game("ada", "bob", now=NOW + HOUR / 2)
    Game.objects.filter(pk=late.pk).update(rated=False)  # as if its transaction were not committed yet
    game("ada", "bob", now=NOW + HOUR)
    assert ratings.rate_finished_games(now=NOW + DAY) == 1
    Game.objects.filter(pk=late.pk).update(rated=True)
    assert ratings.rate_finished_games(now=NOW + DAY) == 1
    assert RatedGame.objects.get(game=late).sequence_no == 2
    assert RatingCursor.objects.get().processed_until == NOW + HOUR


def test_playing_all_ratings_again_gives_the_same_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    names = ["ada", "bob", "cleo", "dirk"]
    rng = random.Random(5)
    for number in range(10):
        some = rng.sample(names, rng.choice([2, 3, 4]))
        game(*some, now=NOW + number * HOUR, mode="singles")
        if number % 3 == 0:
            ratings.rate_finished_games(now=NOW)
    game(*names, mode="pairs", now=NOW + DAY)
    ratings.rate_finished_games(now=NOW)
    players.remove_player(player=get_player("dirk"), now=NOW)  # other players' ratings still depend on theirs
    numbers = list(Rating.objects.order_by("pk").values())
    changes = list(RatingChange.objects.order_by("pk").values())
    call_command("rebuild_ratings")
    assert capsys.readouterr().out == "11 games, 0 ratings corrected\n"
    assert numbers == list(Rating.objects.order_by("pk").values())
    assert changes == list(RatingChange.objects.order_by("pk").values())
    Rating.objects.filter(player=get_player("ada")).update(mu=99)
    call_command("rebuild_ratings")
    assert ", 2 ratings corrected" in capsys.readouterr().out
    assert numbers == list(Rating.objects.order_by("pk").values())


def test_many_games_cost_as_many_queries_as_few() -> None:
    game("ada", "bob")
    ratings.rate_finished_games(now=NOW)
    costs = []
    for count in (2, 8):
        for _ in range(count):
            game("ada", "bob", "cleo")
        with CaptureQueriesContext(connection) as queries:
            assert ratings.rate_batch(now=NOW) == count
        costs.append(len(queries))
    assert costs[0] == costs[1]
