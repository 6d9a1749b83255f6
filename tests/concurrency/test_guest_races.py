"""Guests, at the same moment: games that change hands while they are played."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.db import transaction

from games import selectors
from games.models import FeedEntry, Game, Player, Seat
from games.selectors import load_game
from games.services import bots, guests, limits, turns
from games.services.errors import Conflict, ServiceError
from tests.concurrency.test_races import again_and_again, at_once, blocked, well
from tests.games.cast import NOW, player

pytestmark = pytest.mark.django_db(transaction=True)


def at_table() -> tuple[Player, Game]:
    """A guest who is to act."""
    guest, game = guests.start_bot_game(player=None, language="en", now=NOW)
    bots.play_bot_turns(code=game.code, now=NOW)
    return guest, game


def play(guest: Player, code: str) -> str:
    """The next action of a guest, with the bot's answer; gives what became of it."""
    try:
        shown = selectors.load_view_for(guest, code)
        turns.play_action(
            player=guest, code=code, text=shown.legal_actions[0], seq=shown.view["seq"], key="", now=NOW
        )
    except (ServiceError, selectors.NoSuchGame):
        return "refused"
    bots.play_bot_turns(code=code, now=NOW)
    return "played"


@again_and_again
def test_a_game_is_handed_over_once_while_its_guest_plays_it(run: int) -> None:
    guest, game = at_table()
    ada = player("ada")
    guests.claim_guest(guest=guest, player=ada, now=NOW)
    hand_over = partial(guests.merge_claimed_guests, player=ada, now=NOW)
    moved = at_once(hand_over, partial(play, guest, game.code), hand_over)
    assert sorted((moved[0], moved[2])) == [0, 1]
    assert not Player.objects.filter(guest=True).exists()
    assert Seat.objects.get(game=game, bot="").player == ada
    well(game.code)
    bots.play_bot_turns(code=game.code, now=NOW)
    assert play(ada, game.code) == "played"
    well(game.code)


def test_a_move_of_the_bot_that_waited_for_the_new_owner_is_made_again() -> None:
    guest, game = at_table()
    ada = player("ada")
    for _ in range(200):
        shown = selectors.load_view_for(guest, game.code)
        turns.play_action(
            player=guest, code=game.code, text=shown.legal_actions[0], seq=shown.view["seq"], key="", now=NOW
        )
        game.refresh_from_db()
        if game.bot_turn:
            break
    guests.claim_guest(guest=guest, player=ada, now=NOW)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            guests.merge_claimed_guests(player=ada, now=NOW)
            [answer] = blocked(pool, partial(bots.play_bot_turns, code=game.code, now=NOW))
        assert answer.result(30) == 0, "its line would have told a guest who is gone"
    assert bots.play_bot_turns(code=game.code, now=NOW) > 0
    assert (
        FeedEntry.objects.filter(player=ada, game=game).latest("pk").data["seq"]
        == load_game(game.code).game.seq
    )
    well(game.code)


@again_and_again
def test_two_games_begun_at_once_count_each_other(run: int) -> None:
    guest, _game = at_table()
    for _ in range(limits.MAX_RUNNING_GAMES_PER_GUEST - 2):
        guests.start_bot_game(player=guest, language="en", now=NOW)

    def one_more() -> str:
        try:
            guests.start_bot_game(player=guest, language="en", now=NOW)
        except Conflict as refusal:
            return refusal.code
        return "begun"

    assert sorted(at_once(*[one_more] * 3)) == ["begun", "too-many-games", "too-many-games"]
    assert Game.objects.count() == limits.MAX_RUNNING_GAMES_PER_GUEST
