"""Turns by reply: what a player writes back is played, and the answer says so."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.utils import translation
from django.utils.translation import gettext

from games import signed_links
from games.clock import TIME_CONTROL_PRESETS
from games.mail import compose
from games.models import FeedEntry, Game, InboundMail, Player, Seat
from games.selectors import replies as reply_selectors
from tests.games.cast import game_of
from tests.games.mailing import (
    SOON,
    address,
    answers,
    legal,
    log_of,
    mover,
    owner,
    send,
    set_domain,
    to_placing,
    two_lines,
    well,
    with_cards,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def domain(settings: Any) -> None:
    """Replies come in."""
    set_domain(settings)


# --------------------------------------------------------------------------------------------------- playing


@pytest.mark.parametrize("text", ["", "Hello there,\n", "draw\n"])
def test_a_seat_whose_hand_is_hidden_is_told_nothing_of_it(text: str) -> None:
    game = with_cards()
    place = mover(game)
    to = address(game, place)
    Seat.objects.filter(pk=place.pk).update(hand_hidden=True)
    row = send(text, place, to)
    assert (row.outcome, row.why) == ("refused", "hand hidden")
    (answer,) = answers()
    told = "Nothing was played: first take the seat, on the page of this turn. Then you see its hand."
    assert answer.data["text"] == told


def test_a_line_is_played_and_the_answer_shows_the_game() -> None:
    game = game_of("ada", "bob")
    place = to_placing(game)
    action = legal(game, place)[0]
    row = send(f"{action.replace('-', ' ')}\n", place, address(game, place), In_Reply_To="<x@y>")
    assert (row.outcome, row.player, row.game) == ("played", owner(place), game)
    assert log_of(game)[-1] == action
    (answer,) = answers()
    assert (answer.player, answer.game, answer.status) == (owner(place), game, "waiting")
    assert answer.due_at == SOON
    assert answer.data["outcome"] == "played"
    assert action.replace("-", " ") in answer.data["text"]
    assert answer.data["in_reply_to"].endswith("@mail.example.org>")
    mail = compose.compose_mail(answer, now=SOON)
    assert mail.to == [owner(place).email]
    assert mail.extra_headers["Auto-Submitted"] == "auto-replied"
    well(game)


def test_several_lines_play_several_decisions_of_one_turn() -> None:
    game = with_cards()
    place = mover(game)
    to = address(game, place)
    lines = two_lines(game, place)
    row = send("Hello bob!\n\n" + "\n".join(lines) + "\n\nGood luck,\nme", place, to)
    assert row.outcome == "played"
    assert log_of(game) == lines
    (answer,) = answers()
    assert len(answer.data["text"].splitlines()) == len(lines)
    well(game)


def test_a_draw_alone_leaves_the_turn_open_and_the_next_mail_goes_on_with_it() -> None:
    game = with_cards()
    place = mover(game)
    to = address(game, place)
    assert send("draw", place, to).outcome == "played"
    assert address(game, place) == to  # the same turn
    (answer,) = answers()
    assert compose.compose_mail(answer, now=SOON).reply_to == [to]
    assert send(legal(game, place)[0], place, to).outcome == "played"
    assert len(log_of(game)) == 2


def test_what_follows_the_end_of_a_turn_is_not_played() -> None:
    game = game_of("ada", "bob")
    place = to_placing(game)
    action = legal(game, place)[0]
    row = send(f"{action}\ndraw\n{action}\n", place, address(game, place))
    assert row.outcome == "played"
    assert log_of(game)[-1] == action
    assert "draw" in answers()[0].data["text"]
    assert "your turn was over" in answers()[0].data["text"]


def test_lines_after_a_refused_one_are_not_played() -> None:
    game = game_of("ada", "bob")
    place = to_placing(game)
    before = log_of(game)
    row = send(f"B a1 90\n{legal(game, place)[0]}\n", place, address(game, place))
    assert row.outcome == "refused"
    assert log_of(game) == before
    text = answers()[0].data["text"]
    assert "“B a1 90” was not played" in text


def test_an_action_that_lacks_something_is_asked_for_and_not_skipped() -> None:
    game = game_of("ada", "bob")
    place = to_placing(game)
    before = log_of(game)
    action = legal(game, place)[0]
    tile, cell, _rotation = action.split("-")
    row = send(f"{tile} {cell} 45\n{action}", place, address(game, place))
    assert row.outcome == "refused"
    assert "say the rotation" in row.why
    assert log_of(game) == before


@pytest.mark.parametrize("text", ["", "\n\n", "> draw\n", "Sorry, not today.", "-- \ndraw", "x" * 5000])
def test_a_mail_without_an_action_is_refused_with_words_that_help(text: str) -> None:
    game = game_of("ada", "bob")
    place = mover(game)
    row = send(text, place, address(game, place))
    assert row.outcome == "refused"
    assert log_of(game) == []
    (answer,) = answers()
    assert answer.data["text"]
    mail = compose.compose_mail(answer, now=SOON)
    assert mail.reply_to == [address(game, place)]
    assert legal(game, place)[0].replace("-", " ") in mail.body  # an example of what could be played


def test_an_action_deep_in_a_long_letter_is_not_looked_for() -> None:
    game = game_of("ada", "bob")
    place = to_placing(game)
    before = log_of(game)
    text = "\n".join(["And another thing."] * 40 + [legal(game, place)[0]])
    assert send(text, place, address(game, place)).outcome == "refused"
    assert log_of(game) == before


@pytest.mark.parametrize("language", ["en", "it", "nl"])
def test_the_answer_speaks_the_players_language(language: str) -> None:
    game = game_of("ada", "bob")
    place = to_placing(game)
    Player.objects.filter(pk=place.player_id).update(language=language)
    send("> draw", place, address(game, place))
    with translation.override(language):
        said = gettext("Nothing was played: there was no line of your own in your mail.")
        example = gettext("Write what you play on a line of its own, for example: %(action)s")
    example %= {"action": legal(game, place)[0].replace("-", " ")}
    assert answers()[0].data["text"] == f"{said} {example}"


def test_a_reply_counts_as_having_been_here() -> None:
    game = game_of("ada", "bob")
    place = mover(game)
    assert owner(place).seen_at is None
    send("hello", place, address(game, place))
    assert owner(place).seen_at == SOON


def test_a_whole_game_of_two_is_played_by_replies_alone() -> None:
    game = game_of("ada", "bob", target=8)
    dice = random.Random(8)
    for _turn in range(3000):
        game.refresh_from_db()
        if game.status != Game.Status.RUNNING:
            break
        place = mover(game)
        action = dice.choice(legal(game, place))
        assert (
            send(f"{action.replace('-', ' ')}\n\n-- \n{place}", place, address(game, place)).outcome
            == "played"
        )
    assert game.status in (Game.Status.OVER, Game.Status.TIEBREAK)
    assert len(log_of(game)) == InboundMail.objects.filter(outcome="played").count()
    well(game)


# -------------------------------------------------------------------------------------------------- resigning


def test_resigning_takes_a_second_mail() -> None:
    game = game_of("ada", "bob")
    place = mover(game)
    row = send("resign", place, address(game, place))
    assert row.outcome == "confirm"
    assert log_of(game) == []
    mail = compose.compose_mail(answers()[0], now=SOON)
    (confirm,) = mail.reply_to
    assert confirm == address(game, place, signed_links.RESIGN_PURPOSE)
    assert send("yes", place, confirm).outcome == "played"
    game.refresh_from_db()
    assert game.status == Game.Status.OVER
    assert log_of(game) == ["resign"]
    well(game)


@pytest.mark.parametrize("yes", ["Yes!", "resign", "I resign", "Sì", "ja", "mi arrendo", "Ik geef op."])
def test_there_are_many_ways_to_say_yes(yes: str) -> None:
    game = game_of("ada", "bob")
    place = mover(game)
    assert (
        send(f"{yes}\n\nbye\n", place, address(game, place, signed_links.RESIGN_PURPOSE)).outcome == "played"
    )
    assert log_of(game) == ["resign"]


@pytest.mark.parametrize("no", ["", "no", "draw", "no, I do not resign", "> yes", "Hello\nyes"])
def test_anything_else_is_no(no: str) -> None:
    game = game_of("ada", "bob")
    place = mover(game)
    row = send(no, place, address(game, place, signed_links.RESIGN_PURPOSE))
    assert row.outcome == "refused"
    assert log_of(game) == []
    assert "not resigned" in answers()[0].data["text"]


def test_yes_to_the_address_of_a_turn_resigns_nothing() -> None:
    game = game_of("ada", "bob")
    place = mover(game)
    assert send("yes", place, address(game, place)).outcome == "refused"
    assert log_of(game) == []


def test_the_address_of_a_turn_is_no_address_to_resign_at() -> None:
    game = game_of("ada", "bob")
    place = mover(game)
    reply = address(game, place)
    row = send("yes", place, reply.replace("play-", "resign-"))
    assert (row.outcome, log_of(game)) == ("unknown", [])


def test_what_a_reply_played_is_in_the_feed_with_the_mails_key() -> None:
    game = with_cards()
    place = mover(game)
    row = send("draw", place, address(game, place))
    event = FeedEntry.objects.get(player=owner(place), key__startswith="mail:")
    assert event.key == f"mail:{row.digest}:0"
    assert reply_selectors.actions_played_by_key(owner(place), [event.key]) == {event.key: "draw"}


def test_a_live_games_turn_is_played_by_reply_too() -> None:
    game = game_of("ada", "bob", clock_name="live")
    assert game.allowance == TIME_CONTROL_PRESETS["live"].allowance
    place = to_placing(game)
    assert send(legal(game, place)[0], place, address(game, place)).outcome == "played"
