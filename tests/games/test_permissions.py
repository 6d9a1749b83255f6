"""Permissions: the API lists what the services allow, and pages show no button that would be refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import transaction

from accounts.models import Player
from common.service_errors import ServiceError
from games import engine
from games.engine import ActionError
from games.models import Game
from games.permissions import Permission, PermissionContext, find_rematch_refusal
from games.refusals import Refusal
from games.selectors import load_game
from games.services import (
    invitations,
    lobby,
    partner_choice,
    pauses,
    seat_settings,
    social,
    standing_orders,
    turns,
)
from otto_site.errors import load_error_codes
from tests.factories.cast import NOW, Api, open_browser, player, start_cast_game

pytestmark = pytest.mark.django_db
AFTER_START = NOW + timedelta(minutes=1)
TEMPLATES = Path(__file__).resolve().parents[2] / "templates/games"


def make_open_game() -> Game:
    return start_cast_game("ada", "bob", seat_count=3)


def make_open_pairs() -> Game:
    return start_cast_game("ada", "bob", mode="pairs", seat_count=4)


def make_rated_game() -> Game:
    return start_cast_game("ada", seat_count=2, rated=True)


def make_running_game() -> Game:
    return start_cast_game("ada", "bob", "cleo")


def make_game_with_bot() -> Game:
    return start_cast_game("ada", bots=("random",))


def make_game_without_chat() -> Game:
    return start_cast_game("ada", "bob", chat=False)


def make_game_that_one_side_left() -> Game:
    game = start_cast_game("ada", "bob", "cleo")
    turns.play_action(player=player("ada"), code=game.code, text="resign", seq=None, key="", now=AFTER_START)
    return game


def make_finished_game() -> Game:
    game = start_cast_game("ada", "bob")
    turns.play_action(player=player("ada"), code=game.code, text="resign", seq=None, key="", now=AFTER_START)
    return game


def make_finished_solo_game() -> Game:
    game = start_cast_game("ada", mode="solo", seat_count=1)
    turns.play_action(player=player("ada"), code=game.code, text="resign", seq=None, key="", now=AFTER_START)
    return game


def make_cancelled_game() -> Game:
    game = make_open_game()
    lobby.cancel_game_by_host(player=player("ada"), code=game.code, now=AFTER_START)
    return game


WORLDS = [
    make_open_game,
    make_open_pairs,
    make_rated_game,
    make_running_game,
    make_game_with_bot,
    make_game_without_chat,
    make_game_that_one_side_left,
    make_finished_game,
    make_finished_solo_game,
    make_cancelled_game,
]


def play_first_legal_action(who: Player, code: str) -> None:
    loaded_game = load_game(code)
    state, seat = loaded_game.state, loaded_game.seat_of(who)
    legal = engine.legal_actions(state, seat.seat_no) if state and seat and seat.seat_no else ()
    turns.play_action(
        player=who, code=code, text=(legal or ("draw",))[0], seq=loaded_game.game.seq, key="", now=AFTER_START
    )


# Joining again raises no error, and proposals are read from the page: those two have tests of their own.
COMMANDS: dict[Permission, Callable[[Player, str], object]] = {
    Permission.JOIN: lambda who, code: lobby.join_game(player=who, code=code, now=AFTER_START),
    Permission.LEAVE: lambda who, code: lobby.leave_game(player=who, code=code, now=AFTER_START),
    Permission.CANCEL: lambda who, code: lobby.cancel_game_by_host(player=who, code=code, now=AFTER_START),
    Permission.INVITE: lambda who, code: invitations.invite_to_game(
        player=who, code=code, name=player("dirk").name, now=AFTER_START
    ),
    Permission.ADD_BOT: lambda who, code: lobby.add_bot(
        player=who, code=code, policy="random", now=AFTER_START
    ),
    Permission.CHOOSE_PARTNER: lambda who, code: partner_choice.choose_partner(
        player=who, code=code, now=AFTER_START
    ),
    Permission.PLAY: play_first_legal_action,
    Permission.RESIGN: lambda who, code: turns.play_action(
        player=who, code=code, text="resign", seq=None, key="", now=AFTER_START
    ),
    Permission.SET_EIGHT_POLICY: lambda who, code: seat_settings.set_eight_policy(
        player=who, code=code, policy="keep", now=AFTER_START
    ),
    Permission.SET_ORDERS: lambda who, code: standing_orders.set_standing_orders(
        player=who, code=code, draw=True, now=AFTER_START
    ),
    Permission.PROPOSE_PAUSE: lambda who, code: pauses.propose_pause(
        player=who, code=code, until=AFTER_START + timedelta(days=1), now=AFTER_START
    ),
    Permission.CHAT: lambda who, code: social.post_chat_message(
        player=who, code=code, text="hello", now=AFTER_START
    ),
    Permission.MUTE: lambda who, code: seat_settings.set_game_muted(
        player=who, code=code, muted=True, now=AFTER_START
    ),
    Permission.REMATCH: lambda who, code: invitations.request_rematch(player=who, code=code, now=AFTER_START),
}


def is_allowed(command: Callable[[Player, str], object], who: Player, code: str) -> bool:
    """Run a command in a transaction and roll it back."""
    try:
        with transaction.atomic():
            command(who, code)
            transaction.set_rollback(True)
    except (ServiceError, ActionError):
        return False
    return True


@pytest.mark.parametrize("make_game", WORLDS)
@pytest.mark.parametrize("name", ["ada", "bob", "eve"])
def test_services_allow_what_the_api_lists_and_refuse_the_rest(
    make_game: Callable[[], Game], name: str
) -> None:
    game = make_game()
    player("dirk")
    listed = Api(name).get(f"games/{game.code}/").json()["permissions"]
    allowed = [
        permission.value
        for permission, command in COMMANDS.items()
        if is_allowed(command, player(name), game.code)
    ]
    assert listed == allowed


def test_who_is_not_signed_in_may_do_nothing() -> None:
    for make_game in (make_open_game, make_running_game, make_finished_game):
        assert Api(None).get(f"games/{make_game().code}/").json()["permissions"] == []


def test_who_took_a_seat_over_may_only_look_at_its_hand_first() -> None:
    game = make_running_game()
    game.seats.filter(player=player("ada")).update(hand_hidden=True)
    listed = Api("ada").get(f"games/{game.code}/").json()["permissions"]
    assert "take-seat" in listed
    assert not {"play", "resign", "set-eight-policy"} & set(listed)
    seat_settings.take_seat(player=player("ada"), code=game.code, now=AFTER_START)
    listed = Api("ada").get(f"games/{game.code}/").json()["permissions"]
    assert "take-seat" not in listed
    assert {"resign", "set-eight-policy"} <= set(listed)


def test_a_rematch_is_for_those_who_played_and_have_an_account() -> None:
    loaded_game, ada = load_game(make_finished_game().code), player("ada")
    assert find_rematch_refusal(PermissionContext(loaded_game, ada)) is None
    ada.is_guest = True
    assert find_rematch_refusal(PermissionContext(loaded_game, ada)) == Refusal.NO_ACCOUNT
    solo_game = load_game(make_finished_solo_game().code)
    assert find_rematch_refusal(PermissionContext(solo_game, player("ada"))) is None, "it is played again"


def test_every_refusal_has_an_error_with_a_known_code() -> None:
    for refusal in Refusal:
        error = refusal.build_error()
        assert str(error)
        if isinstance(error, ServiceError):
            assert error.code in load_error_codes(), refusal


def test_no_seat_is_offered_where_the_last_is_kept_for_somebody() -> None:
    game = start_cast_game("ada", seat_count=2)
    invitations.invite_to_game(player=player("ada"), code=game.code, name=player("bob").name, now=NOW)
    path, button = f"/games/{game.code}/", f"/games/{game.code}/join/"
    Game.objects.update(expires_at=NOW + timedelta(days=36500))
    assert button not in open_browser("eve").get(path).text
    assert button in open_browser("bob").get(path).text


def test_templates_ask_a_game_and_compare_no_status() -> None:
    comparison = re.compile(r"game\.status (==|!=)|game\.status in")
    assert not [path.name for path in TEMPLATES.rglob("*.html") if comparison.search(path.read_text())]
