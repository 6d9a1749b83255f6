"""Records of the games of tournaments and leagues as JSON lines."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from games.engine.record import verify_record
from games.models import Game
from tests.factories.cast import NOW
from tests.factories.events import create_started_tournament, get_player, play_round, published
from tests.factories.leagues import create_started_league, play_season
from tests.helpers.game_records import list_codes, read_records
from tests.helpers.tokens import check_problem
from tournaments.models import Tournament
from tournaments.services import sweep

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def ask(path: str, name: str | None = None) -> Any:
    client = Client()
    if name:
        client.force_login(get_player(name))
    return client.get(f"/api/v1/{path}")


def list_game_codes(tournament: Tournament) -> list[str]:
    return list(
        Game.objects.filter(pairing__tournament=tournament).order_by("pk").values_list("code", flat=True)
    )


def test_a_tournament_gives_the_records_of_its_games_with_where_their_seeds_come_from() -> None:
    tournament = create_started_tournament("swiss", 4)
    create_started_tournament("swiss", 4)
    path = f"tournaments/{tournament.code}/games/records/"
    codes = list_game_codes(tournament)
    assert len(codes) == 2
    running = read_records(ask(path))
    assert [record["game"] for record in running] == codes
    assert {record["fairness"]["server_seed"] for record in running} == {None}
    assert {record["fairness"]["event"]["id"] for record in running} == {tournament.code}
    assert list_codes(ask(f"{path}?finished=true")) == []
    play_round(tournament, tournament.created_at)
    finished = read_records(ask(f"{path}?finished=true"))
    assert [record["game"] for record in finished] == codes
    assert {verify_record(record).status for record in finished} == {"ok"}
    assert list_codes(ask(f"{path}?finished=true&after={codes[0]}")) == codes[1:]


def test_private_games_of_a_tournament_come_only_to_those_who_play_them() -> None:
    tournament = create_started_tournament("swiss", 4)
    Game.objects.filter(pairing__tournament=tournament).update(private=True, creator=None)
    path = f"tournaments/{tournament.code}/games/records/"
    assert list_codes(ask(path)) == []
    assert list_codes(ask(path, "stranger")) == []
    own_game = Game.objects.get(pairing__tournament=tournament, seats__player__name="p1")
    assert list_codes(ask(path, "p1")) == [own_game.code]


def test_a_draft_and_what_there_is_not_are_404() -> None:
    tournament = published("swiss", 4)
    Tournament.objects.filter(pk=tournament.pk).update(status=Tournament.Status.DRAFT)
    for path in (f"tournaments/{tournament.code}/games/records/", "tournaments/none/games/records/"):
        check_problem(ask(path, "stranger"), 404, "not-found")
    check_problem(ask("leagues/none/games/records/"), 404, "not-found")


def test_a_league_gives_the_games_of_all_its_seasons_and_divisions() -> None:
    league = create_started_league(8)
    create_started_tournament("swiss", 4)
    play_season(league)
    sweep.sweep_tournaments(now=NOW + DAY)
    sweep.sweep_tournaments(now=NOW + DAY)
    assert league.seasons.count() == 2
    games = Game.objects.filter(pairing__tournament__division__season__league=league).order_by("pk")
    seasons = set(games.values_list("pairing__tournament__division__season__number", flat=True))
    assert seasons == {1, 2}
    codes = list(games.values_list("code", flat=True))
    assert list_codes(ask(f"leagues/{league.code}/games/records/")) == codes
