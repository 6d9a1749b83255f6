"""Turns by reply: the site plays the action in a mail and answers with its outcome."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.utils import translation
from django.utils.translation import gettext

from accounts.models import Player
from games import signed_links
from games.clock import TIME_CONTROL_PRESETS
from games.models import Game, Seat
from games.selectors import replies as reply_selectors
from notifications.channels.email import mail_sender
from notifications.models import FeedEntry, InboundMail
from tests.factories.cast import start_cast_game
from tests.helpers.reply_helpers import (
    ONE_HOUR_LATER,
    build_two_lines,
    check_game_is_sound,
    get_owner,
    get_seat_to_act,
    list_answers,
    list_legal_actions,
    list_log,
    make_reply_address,
    play_until_placing,
    send_reply,
    set_domain,
    start_game_with_cards,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def set_reply_domain(settings: Any) -> None:
    """Enable replies by mail."""
    set_domain(settings)


# --------------------------------------------------------------------------------------------------- playing


@pytest.mark.parametrize("text", ["", "Hello there,\n", "draw\n"])
def test_a_seat_whose_hand_is_hidden_sees_nothing_of_it(text: str) -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    to = make_reply_address(game, place)
    Seat.objects.filter(pk=place.pk).update(hand_hidden=True)
    row = send_reply(text, place, to)
    assert (row.outcome, row.outcome_reason) == ("refused", "hand hidden")
    (answer,) = list_answers()
    sentence = "We played nothing. First take the seat on the page of this turn; then you see its cards."
    assert answer.data["text"] == sentence


def test_a_line_is_played_and_the_answer_shows_the_game() -> None:
    game = start_cast_game("ada", "bob")
    place = play_until_placing(game)
    action = list_legal_actions(game, place)[0]
    row = send_reply(
        f"{action.replace('-', ' ')}\n", place, make_reply_address(game, place), In_Reply_To="<x@y>"
    )
    assert (row.outcome, row.player, row.topic) == ("played", get_owner(place), game.topic)
    assert list_log(game)[-1] == action
    (answer,) = list_answers()
    assert (answer.player, answer.topic, answer.status) == (get_owner(place), game.topic, "waiting")
    assert answer.next_attempt_at == ONE_HOUR_LATER
    assert answer.data["outcome"] == "played"
    assert action.replace("-", " ") in answer.data["text"]
    assert answer.data["in_reply_to"].endswith("@mail.example.org>")
    mail = mail_sender.compose_mail(answer, now=ONE_HOUR_LATER)
    assert mail.to == [get_owner(place).email]
    assert mail.extra_headers["Auto-Submitted"] == "auto-replied"
    check_game_is_sound(game)


def test_several_lines_play_several_decisions_of_one_turn() -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    to = make_reply_address(game, place)
    lines = build_two_lines(game, place)
    row = send_reply("Hello bob!\n\n" + "\n".join(lines) + "\n\nGood luck,\nme", place, to)
    assert row.outcome == "played"
    assert list_log(game) == lines
    (answer,) = list_answers()
    assert len(answer.data["text"].splitlines()) == len(lines)
    check_game_is_sound(game)


def test_a_draw_alone_leaves_the_turn_open_and_the_next_mail_goes_on_with_it() -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    to = make_reply_address(game, place)
    assert send_reply("draw", place, to).outcome == "played"
    assert make_reply_address(game, place) == to  # still the same turn
    (answer,) = list_answers()
    assert mail_sender.compose_mail(answer, now=ONE_HOUR_LATER).reply_to == [to]
    assert send_reply(list_legal_actions(game, place)[0], place, to).outcome == "played"
    assert len(list_log(game)) == 2


def test_what_follows_the_end_of_a_turn_is_not_played() -> None:
    game = start_cast_game("ada", "bob")
    place = play_until_placing(game)
    action = list_legal_actions(game, place)[0]
    row = send_reply(f"{action}\ndraw\n{action}\n", place, make_reply_address(game, place))
    assert row.outcome == "played"
    assert list_log(game)[-1] == action
    assert "draw" in list_answers()[0].data["text"]
    assert "your turn was over" in list_answers()[0].data["text"]


def test_lines_after_a_refused_one_are_not_played() -> None:
    game = start_cast_game("ada", "bob")
    place = play_until_placing(game)
    before = list_log(game)
    row = send_reply(
        f"B a1 90\n{list_legal_actions(game, place)[0]}\n", place, make_reply_address(game, place)
    )
    assert row.outcome == "refused"
    assert list_log(game) == before
    text = list_answers()[0].data["text"]
    assert "We did not play “B a1 90”" in text


def test_an_action_that_lacks_something_is_asked_for_and_not_skipped() -> None:
    game = start_cast_game("ada", "bob")
    place = play_until_placing(game)
    before = list_log(game)
    action = list_legal_actions(game, place)[0]
    tile, cell, _rotation = action.split("-")
    row = send_reply(f"{tile} {cell} 45\n{action}", place, make_reply_address(game, place))
    assert row.outcome == "refused"
    assert "say the rotation" in row.outcome_reason
    assert list_log(game) == before


@pytest.mark.parametrize("text", ["", "\n\n", "> draw\n", "Sorry, not today.", "-- \ndraw", "x" * 5000])
def test_a_mail_without_an_action_is_refused_with_words_that_help(text: str) -> None:
    game = start_cast_game("ada", "bob")
    place = get_seat_to_act(game)
    row = send_reply(text, place, make_reply_address(game, place))
    assert row.outcome == "refused"
    assert list_log(game) == []
    (answer,) = list_answers()
    assert answer.data["text"]
    mail = mail_sender.compose_mail(answer, now=ONE_HOUR_LATER)
    assert mail.reply_to == [make_reply_address(game, place)]
    assert list_legal_actions(game, place)[0].replace("-", " ") in mail.body  # an example of a legal action


def test_an_action_deep_in_a_long_letter_is_not_looked_for() -> None:
    game = start_cast_game("ada", "bob")
    place = play_until_placing(game)
    before = list_log(game)
    text = "\n".join(["And another thing."] * 40 + [list_legal_actions(game, place)[0]])
    assert send_reply(text, place, make_reply_address(game, place)).outcome == "refused"
    assert list_log(game) == before


@pytest.mark.parametrize("language", ["en", "it", "nl"])
def test_the_answer_speaks_the_players_language(language: str) -> None:
    game = start_cast_game("ada", "bob")
    place = play_until_placing(game)
    Player.objects.filter(pk=place.player_id).update(language=language)
    send_reply("> draw", place, make_reply_address(game, place))
    with translation.override(language):
        sentence = gettext("We played nothing: your mail has no line of your own.")
        example = gettext("Write your move on a line of its own, for example: %(action)s")
    example %= {"action": list_legal_actions(game, place)[0].replace("-", " ")}
    assert list_answers()[0].data["text"] == f"{sentence} {example}"


def test_a_reply_counts_as_having_been_here() -> None:
    game = start_cast_game("ada", "bob")
    place = get_seat_to_act(game)
    assert get_owner(place).last_seen_at is None
    send_reply("hello", place, make_reply_address(game, place))
    assert get_owner(place).last_seen_at == ONE_HOUR_LATER


def test_a_whole_game_of_two_is_played_by_replies_alone() -> None:
    game = start_cast_game("ada", "bob", target=8)
    rng = random.Random(8)
    for _turn in range(3000):
        game.refresh_from_db()
        if game.status != Game.Status.RUNNING:
            break
        place = get_seat_to_act(game)
        action = rng.choice(list_legal_actions(game, place))
        assert (
            send_reply(
                f"{action.replace('-', ' ')}\n\n-- \n{place}", place, make_reply_address(game, place)
            ).outcome
            == "played"
        )
    assert game.status in (Game.Status.OVER, Game.Status.TIEBREAK)
    assert len(list_log(game)) == InboundMail.objects.filter(outcome="played").count()
    check_game_is_sound(game)


# -------------------------------------------------------------------------------------------------- resigning


def test_resigning_takes_a_second_mail() -> None:
    game = start_cast_game("ada", "bob")
    place = get_seat_to_act(game)
    row = send_reply("resign", place, make_reply_address(game, place))
    assert row.outcome == "confirm"
    assert list_log(game) == []
    mail = mail_sender.compose_mail(list_answers()[0], now=ONE_HOUR_LATER)
    (confirm,) = mail.reply_to
    assert confirm == make_reply_address(game, place, signed_links.RESIGN_PURPOSE)
    assert send_reply("yes", place, confirm).outcome == "played"
    game.refresh_from_db()
    assert game.status == Game.Status.OVER
    assert list_log(game) == ["resign"]
    check_game_is_sound(game)


@pytest.mark.parametrize("yes", ["Yes!", "resign", "I resign", "Sì", "ja", "mi arrendo", "Ik geef op."])
def test_there_are_many_ways_to_say_yes(yes: str) -> None:
    game = start_cast_game("ada", "bob")
    place = get_seat_to_act(game)
    assert (
        send_reply(
            f"{yes}\n\nbye\n", place, make_reply_address(game, place, signed_links.RESIGN_PURPOSE)
        ).outcome
        == "played"
    )
    assert list_log(game) == ["resign"]


@pytest.mark.parametrize("no", ["", "no", "draw", "no, I do not resign", "> yes", "Hello\nyes"])
def test_anything_else_is_no(no: str) -> None:
    game = start_cast_game("ada", "bob")
    place = get_seat_to_act(game)
    row = send_reply(no, place, make_reply_address(game, place, signed_links.RESIGN_PURPOSE))
    assert row.outcome == "refused"
    assert list_log(game) == []
    assert "not resigned" in list_answers()[0].data["text"]


def test_yes_to_the_address_of_a_turn_resigns_nothing() -> None:
    game = start_cast_game("ada", "bob")
    place = get_seat_to_act(game)
    assert send_reply("yes", place, make_reply_address(game, place)).outcome == "refused"
    assert list_log(game) == []


def test_the_address_of_a_turn_is_no_address_to_resign_at() -> None:
    game = start_cast_game("ada", "bob")
    place = get_seat_to_act(game)
    reply = make_reply_address(game, place)
    row = send_reply("yes", place, reply.replace("play-", "resign-"))
    assert (row.outcome, list_log(game)) == ("unknown", [])


def test_what_a_reply_played_is_in_the_feed_with_the_mails_key() -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    row = send_reply("draw", place, make_reply_address(game, place))
    event = FeedEntry.objects.get(player=get_owner(place), idempotency_key__startswith="mail:")
    assert event.idempotency_key == f"mail:{row.digest}:0"
    assert reply_selectors.actions_played_by_key(get_owner(place), [event.idempotency_key]) == {
        event.idempotency_key: "draw"
    }


def test_a_live_games_turn_is_played_by_reply_too() -> None:
    game = start_cast_game("ada", "bob", time_control="live")
    assert game.allowance == TIME_CONTROL_PRESETS["live"].allowance
    place = play_until_placing(game)
    assert (
        send_reply(list_legal_actions(game, place)[0], place, make_reply_address(game, place)).outcome
        == "played"
    )
