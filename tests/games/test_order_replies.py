"""Standing orders by mail: a line of a reply starts or ends them once, in three languages."""

from __future__ import annotations

from typing import Any

import pytest

from games.models import Game, Seat
from games.services import replies, sweep
from games.services.replies import OrderText, read_orders
from notifications.models import FeedEntry
from tests.factories.cast import player
from tests.helpers.reply_helpers import (
    ONE_HOUR_LATER,
    build_two_lines,
    check_game_is_sound,
    get_owner,
    get_seat_to_act,
    list_answers,
    list_log,
    make_reply_address,
    play_action,
    send_reply,
    set_domain,
    start_game_with_cards,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def set_reply_domain(settings: Any) -> None:
    """Enable replies by mail."""
    set_domain(settings)


def get_orders(place: Seat) -> tuple[bool, bool]:
    place.refresh_from_db()
    return place.draws_automatically, place.plays_only_action


@pytest.mark.parametrize("line", ["auto draw", "Auto-draw!", "auto pesca", "AUTO TREK", "  auto   draw. "])
def test_a_line_gives_the_order_and_the_answer_says_what_it_does(line: str) -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    row = send_reply(f"{line}\n", place, make_reply_address(game, place))
    assert (row.outcome, row.outcome_reason) == ("played", "auto draw")
    assert get_orders(place) == (True, False)
    (answer,) = list_answers()
    assert answer.data["text"] == (
        "auto draw: from now on we draw for you at the start of your turns,"
        " until a card changes your tile or hand, or an 8 is possible"
    )
    assert sweep.sweep_games(now=ONE_HOUR_LATER) == {"order_played": 1}
    assert list_log(game) == ["draw"]
    check_game_is_sound(game)


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("auto only", OrderText.ONLY),
        ("auto unica", OrderText.ONLY),
        ("auto enige", OrderText.ONLY),
        ("auto off", OrderText.OFF),
        ("auto spento", OrderText.OFF),
        ("auto uit", OrderText.OFF),
        ("“auto off”.", OrderText.OFF),
        ("auto draw please", None),
        ("auto", None),
        ("auto resign", None),
        ("draw", None),
    ],
)
def test_what_people_type(line: str, orders: OrderText | None) -> None:
    assert read_orders(line) == orders


def test_off_ends_both_and_only_changes_one() -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    to = make_reply_address(game, place)
    send_reply("auto only\n", place, to)
    assert get_orders(place) == (False, True)
    send_reply("auto draw\n", place, to)
    assert get_orders(place) == (True, True)
    send_reply("auto off\n", place, to)
    assert get_orders(place) == (False, False)


def test_it_stands_beside_actions_also_after_the_turn() -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    lines = build_two_lines(game, place)
    row = send_reply(
        "\n".join([*lines, "auto draw", "", "-- ", "Ada"]), place, make_reply_address(game, place)
    )
    assert row.outcome == "played"
    assert list_log(game) == lines
    assert get_orders(place) == (True, False)
    (answer,) = list_answers()
    assert "auto draw: from now on" in answer.data["text"]


def test_an_order_can_be_ended_by_a_late_reply() -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    to = make_reply_address(game, place)
    send_reply("auto draw\n", place, to)
    for line in build_two_lines(game, place):
        play_action(game, place, line)
    row = send_reply("auto off\n", place, to)
    assert (row.outcome, row.outcome_reason) == ("played", "auto off")
    assert get_orders(place) == (False, False)


def test_the_same_mail_processed_again_does_not_give_the_order_again() -> None:
    """The mail is processed again after a crash, and the order has ended since."""
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    arguments: dict[str, Any] = {
        "player": get_owner(place),
        "code": game.code,
        "seat_no": place.seat_no,
        "turn": 0,
        "lines": ["auto draw"],
        "key": "digest",
        "now": ONE_HOUR_LATER,
    }
    first = replies.play_reply(**arguments)
    Seat.objects.filter(pk=place.pk).update(draws_automatically=False)
    second = replies.play_reply(**arguments)
    assert first == second
    assert get_orders(place) == (False, False)
    assert FeedEntry.objects.filter(kind="orders").count() == 1


def test_a_game_that_is_over_takes_no_orders() -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    to = make_reply_address(game, place)
    play_action(game, place, "resign")
    row = send_reply("auto draw\n", place, to)
    assert row.outcome == "refused"
    assert list_answers()[0].data["text"] == "We did not play “auto draw”. The game is over."
    assert get_orders(place) == (False, False)


def test_a_hidden_hand_takes_no_orders() -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    Seat.objects.filter(pk=place.pk).update(hand_hidden=True)
    row = send_reply("auto draw\n", place, make_reply_address(game, place))
    assert row.outcome == "refused"
    assert get_orders(place) == (False, False)


def test_another_players_seat_keeps_its_orders() -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    to = make_reply_address(game, place)
    other = player("eve")
    Seat.objects.filter(pk=place.pk).update(player=other)
    send_reply("auto draw\n", place, to, sender="eve@example.org")
    assert get_orders(place) == (False, False)
    assert Game.objects.get(pk=game.pk).seq == 0
