"""Bots in tournaments and leagues, and their separate list of ratings."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from accounts.models import Player
from accounts.services import bot_accounts
from common.service_errors import Conflict, ServiceError
from tests.factories.bots import declare_bot
from tests.factories.cast import NOW as CAST_NOW
from tests.factories.cast import Api, open_browser, player
from tests.factories.events import NOW, QUICK, get_player
from tests.factories.rated_games import game as play_rated_game
from tournaments.leagues.services import leagues
from tournaments.models import RatedGame, Rating, Tournament
from tournaments.ratings.services import rate_finished_games
from tournaments.selectors.tournament_state import get_entrant_name
from tournaments.services import entries, tournaments

pytestmark = pytest.mark.django_db


def publish(name: str = "The cup", **settings: Any) -> Tournament:
    host = player("host")
    cup = tournaments.create_tournament(
        organiser=host, now=NOW, name=name, format="swiss", **QUICK | settings
    )
    tournaments.publish_tournament(by=host, code=cup.code, now=NOW)
    return cup


def find_entry_code(name: str, cup: Tournament) -> str | None:
    try:
        entries.enter_tournament(player=player(name), code=cup.code, now=NOW)
    except ServiceError as error:
        return error.code
    return None


def test_a_bot_enters_only_a_tournament_that_allows_bots() -> None:
    declare_bot("robo")
    assert find_entry_code("robo", publish()) == "bots-not-allowed"
    cup = publish(bots_allowed=True, name="Another cup")
    assert find_entry_code("robo", cup) is None
    assert find_entry_code("ada", cup) is None
    assert {get_entrant_name(entrant) for entrant in cup.entrants.all()} == {"robo (bot)", "ada"}


def test_an_account_that_was_declared_since_it_was_read_enters_as_a_bot() -> None:
    person, cup = player("later"), publish()
    declare_bot("later")
    with pytest.raises(Conflict) as denied:
        entries.enter_tournament(player=person, code=cup.code, now=NOW)
    assert denied.value.code == "bots-not-allowed"


def test_the_pages_and_the_api_of_a_tournament_say_it() -> None:
    declare_bot("robo")
    cup = publish(bots_allowed=True)
    entries.enter_tournament(player=player("robo"), code=cup.code, now=NOW)
    assert Api(None).get(f"tournaments/{cup.code}/").json()["bots_allowed"] is True
    (entrant,) = Api(None).get(f"tournaments/{cup.code}/entrants/").json()["results"]
    assert (entrant["players"], entrant["bots"]) == (["robo"], ["robo"])
    page = open_browser("ada").get(f"/tournaments/{cup.code}/").content.decode()
    assert "If you enter, you agree to play against them" in page
    entrants = open_browser().get(f"/tournaments/{cup.code}/entrants/").content.decode()
    assert '<small class="chip">bot</small>' in entrants


def test_the_pages_of_the_organiser_mark_bots() -> None:
    bot = declare_bot("robo")
    cup = publish(bots_allowed=True, by_invitation=True)
    tournaments.invite_player(by=player("host"), code=cup.code, player=bot, now=NOW)
    entries.enter_tournament(player=bot, code=cup.code, now=NOW)
    host = open_browser("host")
    for page in ("tournament-organise-entrants", "tournament-organise-people"):
        text = host.get(reverse(page, args=[cup.code])).content.decode()
        assert '<small class="chip">bot</small>' in text, page


def test_bots_cannot_be_let_in_once_somebody_has_entered() -> None:
    cup = publish()
    entries.enter_tournament(player=player("ada"), code=cup.code, now=NOW)
    with pytest.raises(Conflict):
        tournaments.edit_tournament(by=player("host"), code=cup.code, now=NOW, bots_allowed=True)


def test_leagues_are_for_people() -> None:
    declare_bot("robo")
    league = leagues.create_league(organiser=player("host"), now=NOW, name="The league", division_size=4)
    refused = Api("robo").post(f"leagues/{league.code}/join/")
    assert (refused.status_code, refused.json()["code"]) == (409, "bots-not-allowed")
    assert Api("ada").post(f"leagues/{league.code}/join/").status_code < 300


def test_who_takes_part_as_a_person_does_not_become_a_bot() -> None:
    entries.enter_tournament(player=player("robo"), code=publish().code, now=NOW)
    with pytest.raises(Conflict) as conflict:
        declare_bot("robo")
    assert conflict.value.code == "has-unfinished-games"


# ---------------------------------------------------------------------------------------------------- ratings


def make_bot(name: str, owner: str) -> None:
    """Turn a player of a tournament into a bot account."""
    bot = get_player(name)
    code, _ = bot_accounts.make_owner_code(owner=player(owner), now=CAST_NOW)
    bot_accounts.declare_bot(player=bot, owner_code=code, confirmation=name, now=CAST_NOW)


def test_bots_and_people_have_lists_of_their_own() -> None:
    make_bot("robo", "dirk")
    make_bot("rival", "cleo")
    play_rated_game("robo", "rival")
    play_rated_game("ada", "bob")
    mixed = play_rated_game("robo", "ada")
    assert not mixed.rated
    assert mixed.bots_allowed
    rate_finished_games(now=NOW)
    people, bots = (
        {row["name"]: row["games"] for row in Api(None).get(f"ratings/?bots={is_bots}").json()["results"]}
        for is_bots in ("false", "true")
    )
    assert people == {"ada": 1, "bob": 1}
    assert bots == {"robo": 1, "rival": 1}
    pages = [open_browser().get(f"/ratings/{query}").content.decode() for query in ("", "?who=bots")]
    assert ["/players/robo/" in page for page in pages] == [False, True]
    assert ["/players/ada/" in page for page in pages] == [True, False]
    assert '<small class="chip">bot</small>' in pages[1]
    rating = Rating.objects.get(player__name="robo")
    assert Api(None).get("bots/").json()[1]["rating"] == round(500 + 40 * rating.mu)


def test_a_rated_game_in_which_a_bot_took_over_counts_for_nobody() -> None:
    new_game = play_rated_game("ada", "bob")
    assert new_game.rated
    Player.objects.filter(name="bob").update(is_bot=True, bot_owner=player("dirk"))
    rate_finished_games(now=NOW)
    assert RatedGame.objects.get(game=new_game).sequence_no is None
    assert not Rating.objects.filter(game_count__gt=0).exists()
