"""Concurrent commands: real threads, real PostgreSQL, and an audit after each race."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from accounts.models import Player
from accounts.services import players
from games import engine, signed_links
from games.models import Action, Game, GameSecrets, Invitation, Seat
from games.selectors import load_game
from games.services import invitations, social, turns
from notifications.models import FeedEntry
from tests.factories.cast import NAMES, NOW, Api, player, start_cast_game
from tests.factories.open_games import create_open_game
from tests.factories.timing import start_game_asked_by_an_8
from tests.helpers.races import again_and_again, check_game_is_sound, run_at_once, start_blocked

pytestmark = pytest.mark.django_db(transaction=True)


def list_statuses(answers: list[Any]) -> list[int]:
    return sorted(answer.status_code for answer in answers)


@again_and_again
def test_one_request_for_a_game_that_comes_four_times_at_once_makes_one(run: int) -> None:
    host, key = player("ada"), {"Idempotency_Key": f"once-{run}"}
    asking = [Api("ada") for _n in range(4)]
    answers = run_at_once(*[lambda api=api: api.post("games/", {}, **key) for api in asking])
    assert list_statuses(answers) == [201] * 4
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert Game.objects.filter(creator=host).count() == 1


@again_and_again
def test_of_two_requests_with_one_key_for_different_games_one_is_refused(run: int) -> None:
    host, key = player("ada"), {"Idempotency_Key": f"once-{run}"}
    first, other = Api("ada"), Api("ada")
    answers = run_at_once(
        lambda: first.post("games/", {"private": True}, **key), lambda: other.post("games/", {}, **key)
    )
    assert list_statuses(answers) == [201, 409]
    assert Game.objects.filter(creator=host).count() == 1


def get_name_on_turn(game: Game) -> str:
    loaded_game = load_game(game.code)
    mover = loaded_game.seat_by_no(loaded_game.to_act[0]).player
    assert mover
    return mover.name


def create_waiting_game(*names: str, **terms: Any) -> str:
    """Create an open game that these players have joined; the other players exist and can join."""
    for name in NAMES:
        player(name)
    return create_open_game(*names, **terms).code


# --------------------------------------------------------------------------------------------------- playing


@again_and_again
def test_twelve_posts_of_one_action_with_one_key_are_one_line_and_twelve_equal_answers(run: int) -> None:
    game = start_cast_game("ada", "bob")
    api = Api(get_name_on_turn(game))
    key = f"key of {game.code}"
    answers = run_at_once(*[lambda: api.play(game.code, "draw", 0, Idempotency_Key=key)] * 12)
    assert list_statuses(answers) == [201] * 12
    assert len({answer.content for answer in answers}) == 1
    assert Action.objects.filter(game=game).count() == 1
    check_game_is_sound(game.code)


@again_and_again
def test_of_twelve_posts_of_one_action_without_a_key_one_is_played(run: int) -> None:
    game = start_cast_game("ada", "bob")
    api = Api(get_name_on_turn(game))
    answers = run_at_once(*[lambda: api.play(game.code, "draw", 0)] * 12)
    assert list_statuses(answers) == [201] + [409] * 11
    assert {answer.json()["code"] for answer in answers if answer.status_code == 409} == {"stale"}
    assert Action.objects.filter(game=game).count() == 1
    check_game_is_sound(game.code)


@again_and_again
def test_of_two_different_actions_at_once_one_is_played(run: int) -> None:
    game = start_cast_game("ada", mode="solo")
    api = Api("ada")
    legal = api.get(f"games/{game.code}/actions/legal/").json()
    first, last = legal[0], legal[-1]
    answers = run_at_once(lambda: api.play(game.code, first, 0), lambda: api.play(game.code, last, 0))
    assert list_statuses(answers) == [201, 409]
    check_game_is_sound(game.code)


@again_and_again
def test_one_key_for_two_games_at_once_plays_in_one_of_them(run: int) -> None:
    games = [start_cast_game("ada", mode="solo") for _ in range(2)]
    api = Api("ada")
    legal = [api.get(f"games/{game.code}/actions/legal/").json()[0] for game in games]
    key = f"key of {games[0].code}"
    answers = run_at_once(
        lambda: api.play(games[0].code, legal[0], 0, Idempotency_Key=key),
        lambda: api.play(games[1].code, legal[1], 0, Idempotency_Key=key),
    )
    assert list_statuses(answers) == [201, 409]
    assert Action.objects.filter(game__in=games).count() == 1
    for game in games:
        check_game_is_sound(game.code)


@again_and_again
def test_a_move_and_a_resignation_at_once_leave_one_story(run: int) -> None:
    game = start_cast_game("ada", "bob", "cleo")
    mover = get_name_on_turn(game)
    other = next(name for name in ("ada", "bob", "cleo") if name != mover)
    move, resign = Api(mover), Api(other)
    moved, resigned = run_at_once(
        lambda: move.play(game.code, "draw", 0), lambda: resign.post(f"games/{game.code}/resign/")
    )
    assert {moved.status_code, resigned.status_code} <= {201, 409}
    assert 201 in (moved.status_code, resigned.status_code)
    actions = list(Action.objects.filter(game=game).order_by("seq").values_list("action", flat=True))
    assert len(actions) == [moved.status_code, resigned.status_code].count(201)
    assert ("draw" in actions, "resign" in actions) == (
        moved.status_code == 201,
        resigned.status_code == 201,
    )
    check_game_is_sound(game.code)


def test_a_resignation_needs_no_fresh_seq_even_while_another_moves() -> None:
    game = start_cast_game("ada", "bob", "cleo")
    mover = get_name_on_turn(game)
    resigning = Api(next(name for name in ("ada", "bob", "cleo") if name != mover))
    with ThreadPoolExecutor() as pool:
        with transaction.atomic():
            turns.play_action(player=player(mover), code=game.code, text="draw", seq=0, key="", now=NOW)
            (answer,) = start_blocked(pool, lambda: resigning.post(f"games/{game.code}/resign/"))
        assert answer.result(30).status_code == 201, answer.result().json()
    check_game_is_sound(game.code)


def test_all_who_are_asked_by_an_8_may_answer_at_once() -> None:
    """Any seq since the 8 is current, so that no answer is stale."""
    game = start_game_asked_by_an_8()
    apis = [Api(name) for name in NAMES[:3]]
    seq = apis[0].get(f"games/{game.code}/").json()["seq"]
    with ThreadPoolExecutor() as pool:
        with transaction.atomic():
            Game.objects.select_for_update().get(pk=game.pk)
            commands = [lambda api=api: api.play(game.code, "pass", seq) for api in apis]
            answers = start_blocked(pool, *commands)
        responses = [answer.result(30) for answer in answers]
    assert list_statuses(responses) == [201] * 3, [answer.json().get("detail") for answer in responses]
    check_game_is_sound(game.code)


# ------------------------------------------------------------------------------------------------- the lobby


@again_and_again
def test_of_two_who_take_the_last_seat_one_gets_it(run: int) -> None:
    code = create_waiting_game("ada")
    apis = [Api("bob"), Api("cleo")]
    answers = run_at_once(*[lambda api=api: api.post(f"games/{code}/join/") for api in apis])
    assert list_statuses(answers) == [200, 409]
    refused = next(answer for answer in answers if answer.status_code == 409)
    assert refused.json()["code"] in ("full", "not-open")
    assert Seat.objects.filter(game__code=code).count() == 2
    check_game_is_sound(code)


def test_of_two_who_use_one_link_at_once_one_gets_in() -> None:
    code = create_waiting_game("ada", seat_count=4, private=True)
    invitation = invitations.invite_to_game(
        player=player("ada"), code=code, email="guest@example.org", now=timezone.now()
    )
    token = {"invitation": signed_links.make_invitation_token(invitation.pk)}
    apis = [Api("bob"), Api("cleo")]
    commands = [lambda api=api: api.post(f"games/{code}/join/", token) for api in apis]
    with ThreadPoolExecutor() as pool:
        with transaction.atomic():
            Game.objects.select_for_update().get(code=code)
            answers = start_blocked(pool, *commands)
        status_codes = [answer.result(30).status_code for answer in answers]
    assert sorted(status_codes)[0] == 200 < sorted(status_codes)[1], status_codes
    assert Seat.objects.filter(game__code=code).count() == 2
    assert Invitation.objects.get().status == "joined"


@again_and_again
def test_two_who_ask_for_a_rematch_at_once_get_the_same_game(run: int) -> None:
    old = start_cast_game("ada", "bob")
    turns.play_action(player=player("bob"), code=old.code, text="resign", seq=None, key="", now=NOW)
    apis = [Api("ada"), Api("bob")]
    answers = run_at_once(*[lambda api=api: api.post(f"games/{old.code}/rematch/") for api in apis])
    assert list_statuses(answers) == [201, 201]
    assert len({answer.json()["id"] for answer in answers}) == 1
    rematch = Game.objects.get(rematch_of=old)
    assert (rematch.status, rematch.seats.count()) == ("open", 0)
    joined = run_at_once(*[lambda api=api: api.post(f"games/{rematch.code}/join/") for api in apis])
    assert list_statuses(joined) == [200, 200]
    rematch.refresh_from_db()
    assert (rematch.status, rematch.seats.count()) == ("running", 2)
    check_game_is_sound(old.code)
    check_game_is_sound(rematch.code)


@again_and_again
def test_joining_and_cancelling_at_once_end_in_a_game_or_in_none(run: int) -> None:
    code = create_waiting_game("ada")
    ada, bob = Api("ada"), Api("bob")
    joined, cancelled = run_at_once(
        lambda: bob.post(f"games/{code}/join/"), lambda: ada.post(f"games/{code}/cancel/")
    )
    assert list_statuses([joined, cancelled]) == [200, 409]
    game = Game.objects.get(code=code)
    assert game.status == ("running" if joined.status_code == 200 else "cancelled")
    assert game.seats.count() == (2 if joined.status_code == 200 else 1)
    if joined.status_code == 200:
        check_game_is_sound(code)
    else:
        assert GameSecrets.objects.get(game=game).state == ""


@again_and_again
def test_two_who_leave_and_one_who_joins_keep_the_numbers_without_gaps(run: int) -> None:
    code = create_waiting_game("ada", "bob", "cleo", seat_count=4)
    bob, cleo, dirk = Api("bob"), Api("cleo"), Api("dirk")
    answers = run_at_once(
        lambda: bob.post(f"games/{code}/leave/"),
        lambda: cleo.post(f"games/{code}/leave/"),
        lambda: dirk.post(f"games/{code}/join/"),
    )
    join_orders = (
        Seat.objects.filter(game__code=code).order_by("join_order").values_list("join_order", flat=True)
    )
    if list_statuses(answers) == [200, 200, 200]:
        assert list(join_orders) == [1, 2]
    else:  # dirk was faster, and the game started with four players
        assert len(join_orders) == 4
        check_game_is_sound(code)


# --------------------------------------------------------------------------------------------------- leaving


def try_command(command: Callable[[], Any]) -> Any:
    """Return the result of a command; None if the database rolled it back."""
    try:
        return command()
    except DatabaseError:
        return None


@again_and_again
@pytest.mark.parametrize("whole_account", [False, True], ids=["the row", "the account"])
def test_deleting_a_player_who_is_just_moving_leaves_nothing_half_written(
    whole_account: bool, run: int
) -> None:
    game = start_cast_game("ada", "bob", "cleo")
    mover = player(get_name_on_turn(game))
    api = Api(mover.name)

    def delete(mover: Player = mover) -> bool:
        if whole_account:
            players.delete_account(player=mover, confirmation=mover.name, now=NOW)
        else:
            Player.objects.get(pk=mover.pk).delete()
        return True

    moved, deleted = run_at_once(
        lambda: try_command(lambda: api.play(game.code, "draw", 0)), lambda: try_command(delete)
    )
    status = moved.status_code if moved else None
    assert status in (None, 201, 401, 403, 409)
    actions = list(Action.objects.filter(game=game).order_by("seq").values_list("action", flat=True))
    assert ("draw" in actions) == (status == 201)
    assert Player.objects.filter(pk=mover.pk).exists() == (not deleted)
    left = Seat.objects.filter(game=game, player=None).count()
    assert left == (1 if deleted else 0)
    if whole_account and deleted:
        assert "resign" in actions
    check_game_is_sound(game.code)


def test_who_moves_while_their_account_goes_is_refused_in_words() -> None:
    game = start_cast_game("ada", "bob")
    api = Api("bob")
    while (mover := get_name_on_turn(game)) != "bob":
        loaded_game = load_game(game.code)
        action = engine.legal_actions(loaded_game.state, 1)[0]
        turns.play_action(
            player=player(mover), code=game.code, text=action, seq=loaded_game.game.seq, key="", now=NOW
        )
    loaded_game = load_game(game.code)
    seq, action = loaded_game.game.seq, engine.legal_actions(loaded_game.state, 2)[0]
    with ThreadPoolExecutor() as pool:
        with transaction.atomic():
            player("bob").delete()
            (answer,) = start_blocked(pool, lambda: api.play(game.code, action, seq))
        assert 400 <= answer.result(30).status_code < 500
    assert Action.objects.filter(game=game).count() == seq
    check_game_is_sound(game.code)


def test_who_moves_while_another_account_goes_is_played_or_asked_to_try_again() -> None:
    game = start_cast_game("ada", "bob", "cleo")
    mover = get_name_on_turn(game)
    api = Api(mover)
    absent_name = next(name for name in ("bob", "cleo") if name != mover)
    with ThreadPoolExecutor() as pool:
        with transaction.atomic():
            player(absent_name).delete()
            (answer,) = start_blocked(pool, lambda: api.play(game.code, "draw", 0))
        assert answer.result(30).status_code in (201, 409)
    check_game_is_sound(game.code)


def test_the_maker_of_a_game_goes_while_another_moves_and_neither_locks_the_other_out() -> None:
    """An action locks the game and then its players; the deletion of an account must keep to that order."""
    game = start_cast_game("ada", "bob", "cleo")
    apis = {name: Api(name) for name in ("bob", "cleo")}
    social.post_chat_message(player=player("ada"), code=game.code, text="farewell", now=NOW)
    with ThreadPoolExecutor() as pool:
        with transaction.atomic():
            list(
                FeedEntry.objects.select_for_update().filter(kind="chat")
            )  # the deletion will remove her name from these
            command = partial(players.delete_account, player=player("ada"), confirmation="ada", now=NOW)
            (going,) = start_blocked(pool, command)
            loaded_game = load_game(game.code)  # ada has resigned
            seat = loaded_game.to_act[0]
            action, api = engine.legal_actions(loaded_game.state, seat)[0], apis[get_name_on_turn(game)]
            command = partial(api.play, game.code, action, loaded_game.game.seq)
            (answer,) = start_blocked(pool, command, other_waiters=1)
        going.result(30)
        assert answer.result(30).status_code in (201, 409)
    assert not Player.objects.filter(name="ada").exists()
    check_game_is_sound(game.code)
