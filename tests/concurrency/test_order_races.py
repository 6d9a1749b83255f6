"""Standing orders concurrent with actions and sweeps: real threads, real PostgreSQL."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import transaction

from games import engine
from games.models import Action, Game, Seat
from games.services import seat_settings, standing_orders, sweep
from tests.factories.cast import NOW, Api
from tests.factories.timing import (
    check_all_games_are_sound,
    get_name_to_act,
    get_seat_no,
    get_state,
    list_feed_entries,
    list_log_lines,
    list_waiting_names,
    play_first_legal,
    reload_player,
    start_quick_game,
    sweep_games,
)
from tests.helpers.races import again_and_again, run_at_once, start_blocked
from tests.helpers.throttling import disable_throttling  # noqa: F401

pytestmark = pytest.mark.django_db(transaction=True)


def give_orders(game: Game, name: str, *, draw: bool = True) -> Seat:
    return standing_orders.set_standing_orders(player=reload_player(name), code=game.code, now=NOW, draw=draw)


def start_game_before_turn_of(*, ordered: bool) -> tuple[Game, str]:
    """Return a game and the player who is on turn after one placement, with or without an order."""
    game = start_quick_game("ada", "bob")
    (name,) = list_waiting_names(game)
    if ordered:
        give_orders(game, name)
    play_first_legal(game, "draw")
    return game, name


@again_and_again
def test_many_sweeps_draw_once(run: int) -> None:
    game, name = start_game_before_turn_of(ordered=True)
    play_first_legal(game)
    counts = run_at_once(*[lambda: sweep_games(NOW)] * 4)
    assert sum(count["order_played"] for count in counts) == 1
    assert list_log_lines(game, game.seq) == [(get_seat_no(game, name), "draw", "player")]
    assert len(list_feed_entries(name, "orders")) == 2
    check_all_games_are_sound(game)


@again_and_again
def test_of_the_order_and_the_players_own_draw_one_is_written(run: int) -> None:
    game, name = start_game_before_turn_of(ordered=True)
    play_first_legal(game)
    api, seq = Api(name), game.seq
    answer, counts = run_at_once(lambda: api.play(game.code, "draw", seq), lambda: sweep_games(NOW))
    assert Action.objects.filter(game=game, seq__gt=seq).count() == 1
    assert (answer.status_code == 201) != bool(counts["order_played"])
    check_all_games_are_sound(game)


def test_a_move_that_read_the_seats_before_the_order_is_retried_and_the_order_acts() -> None:
    """Without the retry the game would not be due: the action computes when the next sweep is due."""
    game, name = start_game_before_turn_of(ordered=False)
    mover = get_name_to_act(game)
    api, seq = Api(mover), game.seq
    action = engine.legal_actions(get_state(game), get_seat_no(game, mover))[0]
    with ThreadPoolExecutor() as pool:
        with transaction.atomic():
            give_orders(game, name)
            (answer,) = start_blocked(pool, lambda: api.play(game.code, action, seq))
        assert answer.result(30).status_code == 201
    game.refresh_from_db()
    assert game.next_sweep_at
    assert game.deadline
    assert game.next_sweep_at < game.deadline
    assert sweep_games(game.next_sweep_at)["order_played"] == 1
    check_all_games_are_sound(game)


@again_and_again
def test_an_order_ended_in_time_does_not_act_and_else_has_acted(run: int) -> None:
    game, name = start_game_before_turn_of(ordered=True)
    play_first_legal(game)
    seq = game.seq
    run_at_once(lambda: give_orders(game, name, draw=False), lambda: sweep_games(NOW))
    sweep_games(NOW)
    assert not Seat.objects.get(game=game, player__name=name).draws_automatically
    assert [line[1] for line in list_log_lines(game, seq)] in ([], ["draw"])
    check_all_games_are_sound(game)


def test_ending_orders_and_deciding_the_answer_to_an_8_do_not_block_each_other() -> None:
    game, name = start_game_before_turn_of(ordered=True)
    play_first_legal(game)
    last = Action.objects.filter(game=game).latest("seq")
    event = {"event": "played", "seat": last.seat, "card": "ME", "action": "ME"}
    Action.objects.create(
        game=game, seq=last.seq + 1000, seat=last.seat, action="ME", by="player", at=NOW, events=[event]
    )
    who = reload_player(name)
    with ThreadPoolExecutor() as pool:
        with transaction.atomic():
            assert sweep.sweep_batch(now=NOW) == {"orders_ended": 1}
            (answer,) = start_blocked(
                pool,
                lambda: seat_settings.set_eight_policy(player=who, code=game.code, policy="keep", now=NOW),
            )
        answer.result(30)
    seat = Seat.objects.get(game=game, player__name=name)
    assert (seat.draws_automatically, seat.eight_policy) == (False, "keep")
