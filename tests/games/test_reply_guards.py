"""What is no reply of the right player to the right turn: harmless, whoever sends it and however often."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections

from games import signed_links
from games.mail import compose, inbound
from games.models import Delivery, InboundMail, Player, Seat
from games.selectors import load_game
from games.services import action_log, replies, turns
from tests.games.cast import NOW, game_of
from tests.games.mailing import (
    DOMAIN,
    SOON,
    address,
    answers,
    legal,
    letter,
    log_of,
    mover,
    owner,
    played,
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


# ------------------------------------------------------------------------------- the wrong time, seat, person


def test_a_mail_about_a_turn_that_was_played_is_late_and_says_so() -> None:
    game = game_of("ada", "bob")
    place = to_placing(game)
    to = address(game, place)
    action = legal(game, place)[0]
    played(game, place, action)
    before = log_of(game)
    row = send(action, place, to)
    assert row.outcome == "late"
    assert log_of(game) == before
    assert "already" in answers()[0].data["text"]
    compose.compose_mail(answers()[0], now=SOON)


def test_a_mail_that_came_after_the_clock_is_told_that_the_clock_played() -> None:
    game = game_of("ada", "bob")
    place = to_placing(game)
    to = address(game, place)
    action = legal(game, place)[0]
    assert place.number
    action_log.commit_action(
        loaded_game=load_game(game.code), seat_no=place.number, action=action, by="clock", now=SOON
    )
    row = send(action, place, to)
    assert row.outcome == "late"
    assert "time was up" in answers()[0].data["text"]


def test_a_mail_about_a_game_that_is_over_is_late() -> None:
    game = game_of("ada", "bob")
    place = mover(game)
    to, confirm = address(game, place), address(game, place, signed_links.RESIGN_PURPOSE)
    played(game, place, "resign")
    assert send("draw", place, to).outcome == "late"
    assert send("yes", place, confirm).outcome == "late"
    assert "over" in answers()[0].data["text"]
    assert log_of(game) == ["resign"]


def test_a_mail_that_comes_twice_is_played_once_and_answered_once() -> None:
    game = with_cards()
    place = mover(game)
    to = address(game, place)
    raw = letter("draw", owner(place).email, to)
    first = inbound.receive_mail(raw, recipient=to, sender="", now=SOON)
    assert first.outcome == "ignored"  # this one had no sender at all
    raw = letter("draw", owner(place).email, to)
    first = inbound.receive_mail(raw, recipient=to, sender="ada@example.org", now=SOON)
    again = inbound.receive_mail(raw, recipient=to, sender="ada@example.org", now=SOON)
    assert first == again
    assert again.outcome == "played"
    assert log_of(game) == ["draw"]
    assert len(answers()) == 1


def test_a_mail_that_comes_again_by_another_way_is_known_by_what_its_writer_wrote() -> None:
    game = with_cards()
    place = mover(game)
    to = address(game, place)
    raw = letter("draw", owner(place).email, to)
    first = inbound.receive_mail(raw, recipient=to, sender="ada@example.org", now=SOON)
    other = b"Received: from elsewhere\r\n\tby us; later\r\nReturn-Path: <ada@example.org>\r\n" + raw
    assert inbound.receive_mail(other, recipient=to.upper(), sender="srs0=ada@example.com", now=SOON) == first
    assert len(answers()) == 1


def test_an_old_mail_that_is_sent_anew_plays_nothing_in_a_later_turn() -> None:
    game = game_of("ada", "bob")
    place = to_placing(game)
    to = address(game, place)
    send(legal(game, place)[0], place, to)
    for _turn in range(200):  # until the same seat is on turn again
        other = mover(game)
        if other.pk == place.pk and address(game, place) != to:
            break
        played(game, other, legal(game, other)[0])
    before = log_of(game)
    assert send(legal(game, place)[0], place, to).outcome == "late"
    assert log_of(game) == before


def test_only_the_players_own_address_plays() -> None:
    game = with_cards()
    place = mover(game)
    to = address(game, place)
    for sender in ("mallory@example.net", f'"{owner(place).email}" <mallory@example.net>'):
        row = send("draw", place, to, sender=sender)
        assert (row.outcome, row.why) == ("unknown", "not the player's address")
    assert log_of(game) == []
    assert answers() == []
    assert owner(place).seen_at is None
    assert send("draw", place, to, sender=f"Ada <{owner(place).email.upper()}>").outcome == "played"


def test_a_player_may_let_any_address_play() -> None:
    game = with_cards()
    place = mover(game)
    Player.objects.filter(pk=place.player_id).update(any_sender=True)
    assert send("draw", place, address(game, place), sender="office@example.com").outcome == "played"
    assert answers()[0].address == owner(place).email  # whoever wrote, the player is told


def test_another_seat_player_or_turn_than_the_token_says_is_unknown() -> None:
    game = game_of("ada", "bob")
    place = mover(game)
    good = address(game, place)
    other = next(seat for seat in load_game(game.code).seats if seat.pk != place.pk)
    assert place.number
    token = good.partition("@")[0]
    bad = [
        address(game, place, seat_no=other.number),
        address(game, place, player_id=other.player_id),
        address(game, place, signed_links.RESIGN_PURPOSE).replace("resign-", "play-"),
        good.replace(f"-{place.number}-", f"-{other.number}-", 1),
        good.replace(token, f"{token[:-1]}{'a' if token[-1] != 'a' else 'b'}"),
        good.replace(f"-{place.number}-0-", f"-{place.number}-1-"),
        good.replace(game.code, "zzzzzzzzzzzz"),
        f"play-{game.code}-999999999999-0-aaaaaaaaaaaaaaaa@{DOMAIN}",
        f"play-@{DOMAIN}",
        f"postmaster@{DOMAIN}",
        "ada@example.org",
        "",
    ]
    for to in bad:
        assert send("draw", place, to or "nobody").outcome == "unknown", to
    assert log_of(game) == []
    assert answers() == []


def test_a_seat_that_was_left_cannot_be_played_by_its_old_mails() -> None:
    game = game_of("ada", "bob")
    place = mover(game)
    to, sender = address(game, place), owner(place).email
    Player.objects.filter(pk=place.player_id).update(is_active=False)
    assert send("draw", place, to, sender=sender).outcome == "unknown"
    Seat.objects.filter(pk=place.pk).update(player=None)
    assert send("draw", place, to, sender=sender).outcome == "unknown"
    assert log_of(game) == []


def test_the_other_player_cannot_play_by_a_mail_that_was_forwarded_to_them() -> None:
    game = game_of("ada", "bob")
    place = mover(game)
    other = next(seat for seat in load_game(game.code).seats if seat.pk != place.pk)
    row = send("resign", place, address(game, place), sender=owner(other).email)
    assert (row.outcome, log_of(game)) == ("unknown", [])


# ------------------------------------------------------------------------------------------ loops and crashes


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Auto_Submitted": "auto-generated; owner-email=x"},
        {"Precedence": "bulk"},
        {"X_Autoreply": "yes"},
        {"X_Autorespond": "Re: Your turn"},
    ],
)
def test_machines_are_neither_played_nor_answered(headers: dict[str, str]) -> None:
    game = game_of("ada", "bob")
    place = mover(game)
    row = send("draw", place, address(game, place), **headers)
    assert (row.outcome, log_of(game), answers()) == ("ignored", [], [])


def test_a_person_may_say_that_they_are_no_machine() -> None:
    game = with_cards()
    place = mover(game)
    assert send("draw", place, address(game, place), Auto_Submitted="no").outcome == "played"


def test_a_mail_of_ours_that_comes_back_is_not_read() -> None:
    game = with_cards()
    place = mover(game)
    Player.objects.filter(pk=place.player_id).update(any_sender=True)
    to = address(game, place)
    for sender in ("otto@otto.example", "OTTO online <OTTO@otto.example>", to):
        assert send("draw", place, to, sender=sender).why == "a mail of ours"
    delivery = Delivery.objects.create(
        player=owner(place), kind="turn", reason="x", made_at=NOW, message_id="<turn.1@play.otto.example>"
    )
    raw = letter("draw", owner(place).email, to).replace(b"mail.example.org", b"mail.example.org")
    raw = b"Message-ID: <turn.1@play.otto.example>\r\n" + raw
    row = inbound.receive_mail(raw, recipient=to, sender="x@example.org", now=SOON)
    assert row.why == "a mail of ours", delivery
    assert log_of(game) == []


def test_after_twenty_answers_in_an_hour_there_are_no_more_but_moves_count() -> None:
    game = with_cards()
    place = mover(game)
    to = address(game, place)
    for number in range(replies.MAX_ANSWERS_PER_PERIOD + 3):
        send(f"not an action {number}", place, to)
    assert len(answers()) == replies.MAX_ANSWERS_PER_PERIOD
    row = send("draw", place, to)
    assert (row.outcome, log_of(game)) == ("played", ["draw"])
    assert row.why.startswith("no answer")
    Delivery.objects.update(made_at=NOW - timedelta(hours=2))
    send("thank you", place, to)
    assert len(answers()) == replies.MAX_ANSWERS_PER_PERIOD + 1


def test_a_crash_between_two_lines_is_taken_over_by_the_mail_that_comes_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = with_cards()
    place = mover(game)
    to = address(game, place)
    _draw, action = two_lines(game, place)
    raw = letter(f"draw\n{action}\n", owner(place).email, to)
    real = turns.play_action

    def dies(**facts: Any) -> Any:
        if facts["text"] != "draw":
            raise ConnectionError("the worker was killed here")
        return real(**facts)

    monkeypatch.setattr(turns, "play_action", dies)
    with pytest.raises(ConnectionError):
        inbound.receive_mail(raw, recipient=to, sender="ada@example.org", now=SOON)
    assert log_of(game) == ["draw"]
    assert InboundMail.objects.get().outcome == ""
    monkeypatch.setattr(turns, "play_action", real)
    row = inbound.receive_mail(raw, recipient=to, sender="ada@example.org", now=SOON)
    assert row.outcome == "played"
    assert log_of(game) == ["draw", action]
    assert answers()[0].data["text"].splitlines()[0].startswith("draw")
    assert len(answers()) == 1
    well(game)


def test_a_crash_before_the_answer_does_not_turn_a_move_into_a_late_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = game_of("ada", "bob")
    place = to_placing(game)
    to = address(game, place)
    action = legal(game, place)[0]
    raw = letter(action, owner(place).email, to)
    real = replies.finish_inbound_mail

    def dies(**facts: Any) -> Any:
        raise ConnectionError("the database went away here")

    monkeypatch.setattr(replies, "finish_inbound_mail", dies)
    with pytest.raises(ConnectionError):
        inbound.receive_mail(raw, recipient=to, sender="ada@example.org", now=SOON)
    monkeypatch.setattr(replies, "finish_inbound_mail", real)
    before = log_of(game)
    assert before[-1] == action
    row = inbound.receive_mail(raw, recipient=to, sender="ada@example.org", now=SOON)
    assert row.outcome == "played"
    assert log_of(game) == before
    assert len(answers()) == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("run", range(2))
def test_of_one_mail_delivered_many_times_at_once_each_line_is_played_once(run: int) -> None:
    game = with_cards()
    place = mover(game)
    to = address(game, place)
    _draw, action = two_lines(game, place)
    raw = letter(f"draw\n{action}\n", owner(place).email, to)
    ready = threading.Barrier(6)

    def deliver() -> str:
        try:
            ready.wait(30)
            return inbound.receive_mail(raw, recipient=to, sender="ada@example.org", now=SOON).outcome
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        outcomes = [one.result(60) for one in [pool.submit(deliver) for _ in range(6)]]
    assert set(outcomes) == {"played"}
    assert log_of(game) == ["draw", action]
    assert len(answers()) == 1
    well(game)
