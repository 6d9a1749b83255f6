"""Guests in races: games that change hands while they are played."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.db import transaction

from accounts.models import Player
from accounts.services import guests
from common.service_errors import Conflict, ServiceError
from games import selectors
from games.models import Game, Seat
from games.selectors import load_game
from games.services import bot_games, bots, limits, turns
from notifications.models import FeedEntry
from tests.factories.cast import NOW, player
from tests.helpers.races import again_and_again, check_game_is_sound, run_at_once, start_blocked

pytestmark = pytest.mark.django_db(transaction=True)


def seat_guest() -> tuple[Player, Game]:
    """Return a guest who is to act, and the game."""
    guest, game = bot_games.start_bot_game(player=None, language="en", now=NOW)
    bots.play_bot_turns(code=game.code, now=NOW)
    return guest, game


def play_next_action(guest: Player, code: str) -> str:
    """Play the next action of a guest and of the bot; return the outcome."""
    try:
        game_view = selectors.load_view_for(guest, code)
        turns.play_action(
            player=guest,
            code=code,
            text=game_view.legal_actions[0],
            seq=game_view.view["seq"],
            key="",
            now=NOW,
        )
    except (ServiceError, selectors.NoSuchGame):
        return "refused"
    bots.play_bot_turns(code=code, now=NOW)
    return "played"


@again_and_again
def test_a_game_is_handed_over_once_while_its_guest_plays_it(run: int) -> None:
    guest, game = seat_guest()
    ada = player("ada")
    guests.claim_guest(guest=guest, player=ada, now=NOW)
    hand_over = partial(guests.merge_claimed_guests, player=ada, now=NOW)
    moved = run_at_once(hand_over, partial(play_next_action, guest, game.code), hand_over)
    assert sorted((moved[0], moved[2])) == [0, 1]
    assert not Player.objects.filter(is_guest=True).exists()
    assert Seat.objects.get(game=game, bot_policy="").player == ada
    check_game_is_sound(game.code)
    bots.play_bot_turns(code=game.code, now=NOW)
    assert play_next_action(ada, game.code) == "played"
    check_game_is_sound(game.code)


def test_a_move_of_the_bot_that_waited_for_the_new_owner_is_made_again() -> None:
    guest, game = seat_guest()
    ada = player("ada")
    for _ in range(200):
        game_view = selectors.load_view_for(guest, game.code)
        turns.play_action(
            player=guest,
            code=game.code,
            text=game_view.legal_actions[0],
            seq=game_view.view["seq"],
            key="",
            now=NOW,
        )
        game.refresh_from_db()
        if game.bot_to_act:
            break
    guests.claim_guest(guest=guest, player=ada, now=NOW)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            guests.merge_claimed_guests(player=ada, now=NOW)
            [answer] = start_blocked(pool, partial(bots.play_bot_turns, code=game.code, now=NOW))
        assert answer.result(30) == 0, "its line would have told a guest who is gone"
    assert bots.play_bot_turns(code=game.code, now=NOW) > 0
    assert (
        FeedEntry.objects.filter(player=ada, topic=game.topic).latest("pk").data["seq"]
        == load_game(game.code).game.seq
    )
    check_game_is_sound(game.code)


@again_and_again
def test_two_games_begun_at_once_count_each_other(run: int) -> None:
    guest, _game = seat_guest()
    for _ in range(limits.MAX_RUNNING_GAMES_PER_GUEST - 2):
        bot_games.start_bot_game(player=guest, language="en", now=NOW)

    def start_one_more() -> str:
        try:
            bot_games.start_bot_game(player=guest, language="en", now=NOW)
        except Conflict as error:
            return error.code
        return "begun"

    assert sorted(run_at_once(*[start_one_more] * 3)) == ["begun", "too-many-games", "too-many-games"]
    assert Game.objects.count() == limits.MAX_RUNNING_GAMES_PER_GUEST
