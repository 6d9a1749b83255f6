"""Replies to the wrong turn, from the wrong person or sent repeatedly do no harm."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections

from accounts.models import Player
from games import signed_links
from games.models import Seat
from games.selectors import load_game
from games.services import action_log, turns
from notifications.channels.email import mail_sender
from notifications.inbound import mail_processing
from notifications.models import Delivery, InboundMail
from notifications.services import inbound_mail
from tests.factories.cast import NOW, start_cast_game
from tests.helpers.reply_helpers import (
    DOMAIN,
    ONE_HOUR_LATER,
    build_mail,
    build_two_lines,
    check_game_is_sound,
    get_owner,
    get_seat_to_act,
    list_answers,
    list_legal_actions,
    list_log,
    make_reply_address,
    play_action,
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


# --------------------------------------------------------------------------------- wrong time, seat or person


def test_a_mail_about_a_turn_that_was_played_is_late_and_says_so() -> None:
    game = start_cast_game("ada", "bob")
    place = play_until_placing(game)
    to = make_reply_address(game, place)
    action = list_legal_actions(game, place)[0]
    play_action(game, place, action)
    before = list_log(game)
    row = send_reply(action, place, to)
    assert row.outcome == "late"
    assert list_log(game) == before
    assert "already" in list_answers()[0].data["text"]
    mail_sender.compose_mail(list_answers()[0], now=ONE_HOUR_LATER)


def test_a_mail_that_came_after_the_clock_reads_that_the_clock_played() -> None:
    game = start_cast_game("ada", "bob")
    place = play_until_placing(game)
    to = make_reply_address(game, place)
    action = list_legal_actions(game, place)[0]
    assert place.seat_no
    action_log.commit_action(
        loaded_game=load_game(game.code), seat_no=place.seat_no, action=action, by="clock", now=ONE_HOUR_LATER
    )
    row = send_reply(action, place, to)
    assert row.outcome == "late"
    assert "your time ran out" in list_answers()[0].data["text"]


def test_a_mail_about_a_game_that_is_over_is_late() -> None:
    game = start_cast_game("ada", "bob")
    place = get_seat_to_act(game)
    to, confirm = (
        make_reply_address(game, place),
        make_reply_address(game, place, signed_links.RESIGN_PURPOSE),
    )
    play_action(game, place, "resign")
    assert send_reply("draw", place, to).outcome == "late"
    assert send_reply("yes", place, confirm).outcome == "late"
    assert "over" in list_answers()[0].data["text"]
    assert list_log(game) == ["resign"]


def test_a_mail_that_comes_twice_is_played_once_and_answered_once() -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    to = make_reply_address(game, place)
    raw = build_mail("draw", get_owner(place).email, to)
    first = mail_processing.receive_mail(raw, recipient=to, sender="", now=ONE_HOUR_LATER)
    assert first.outcome == "ignored"  # this mail has no sender at all
    raw = build_mail("draw", get_owner(place).email, to)
    first = mail_processing.receive_mail(raw, recipient=to, sender="ada@example.org", now=ONE_HOUR_LATER)
    second_mail = mail_processing.receive_mail(
        raw, recipient=to, sender="ada@example.org", now=ONE_HOUR_LATER
    )
    assert first == second_mail
    assert second_mail.outcome == "played"
    assert list_log(game) == ["draw"]
    assert len(list_answers()) == 1


def test_a_mail_that_comes_again_by_another_way_is_known_by_what_its_writer_wrote() -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    to = make_reply_address(game, place)
    raw = build_mail("draw", get_owner(place).email, to)
    first = mail_processing.receive_mail(raw, recipient=to, sender="ada@example.org", now=ONE_HOUR_LATER)
    other = b"Received: from elsewhere\r\n\tby us; later\r\nReturn-Path: <ada@example.org>\r\n" + raw
    assert (
        mail_processing.receive_mail(
            other, recipient=to.upper(), sender="srs0=ada@example.com", now=ONE_HOUR_LATER
        )
        == first
    )
    assert len(list_answers()) == 1


def test_an_old_mail_that_is_sent_anew_plays_nothing_in_a_later_turn() -> None:
    game = start_cast_game("ada", "bob")
    place = play_until_placing(game)
    to = make_reply_address(game, place)
    send_reply(list_legal_actions(game, place)[0], place, to)
    for _turn in range(200):  # until this seat is on turn again
        other = get_seat_to_act(game)
        if other.pk == place.pk and make_reply_address(game, place) != to:
            break
        play_action(game, other, list_legal_actions(game, other)[0])
    before = list_log(game)
    assert send_reply(list_legal_actions(game, place)[0], place, to).outcome == "late"
    assert list_log(game) == before


def test_only_the_players_own_address_plays() -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    to = make_reply_address(game, place)
    for sender in ("mallory@example.net", f'"{get_owner(place).email}" <mallory@example.net>'):
        row = send_reply("draw", place, to, sender=sender)
        assert (row.outcome, row.outcome_reason) == ("unknown", "not the player's address")
    assert list_log(game) == []
    assert list_answers() == []
    assert get_owner(place).last_seen_at is None
    assert send_reply("draw", place, to, sender=f"Ada <{get_owner(place).email.upper()}>").outcome == "played"


def test_a_player_may_let_any_address_play() -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    Player.objects.filter(pk=place.player_id).update(allow_any_sender=True)
    assert (
        send_reply("draw", place, make_reply_address(game, place), sender="office@example.com").outcome
        == "played"
    )
    assert list_answers()[0].address == get_owner(place).email  # the player, not the sender


def test_another_seat_player_or_turn_than_the_token_says_is_unknown() -> None:
    game = start_cast_game("ada", "bob")
    place = get_seat_to_act(game)
    good = make_reply_address(game, place)
    other = next(seat for seat in load_game(game.code).seats if seat.pk != place.pk)
    assert place.seat_no
    token = good.partition("@")[0]
    bad = [
        make_reply_address(game, place, seat_no=other.seat_no),
        make_reply_address(game, place, player_id=other.player_id),
        make_reply_address(game, place, signed_links.RESIGN_PURPOSE).replace("resign-", "play-"),
        good.replace(f"-{place.seat_no}-", f"-{other.seat_no}-", 1),
        good.replace(token, f"{token[:-1]}{'a' if token[-1] != 'a' else 'b'}"),
        good.replace(f"-{place.seat_no}-0-", f"-{place.seat_no}-1-"),
        good.replace(game.code, "zzzzzzzzzzzz"),
        f"play-{game.code}-999999999999-0-aaaaaaaaaaaaaaaa@{DOMAIN}",
        f"play-@{DOMAIN}",
        f"postmaster@{DOMAIN}",
        "ada@example.org",
        "",
    ]
    for to in bad:
        assert send_reply("draw", place, to or "nobody").outcome == "unknown", to
    assert list_log(game) == []
    assert list_answers() == []


def test_a_seat_that_was_left_cannot_be_played_by_its_old_mails() -> None:
    game = start_cast_game("ada", "bob")
    place = get_seat_to_act(game)
    to, sender = make_reply_address(game, place), get_owner(place).email
    Player.objects.filter(pk=place.player_id).update(is_active=False)
    assert send_reply("draw", place, to, sender=sender).outcome == "unknown"
    Seat.objects.filter(pk=place.pk).update(player=None)
    assert send_reply("draw", place, to, sender=sender).outcome == "unknown"
    assert list_log(game) == []


def test_the_other_player_cannot_play_by_a_mail_that_was_forwarded_to_them() -> None:
    game = start_cast_game("ada", "bob")
    place = get_seat_to_act(game)
    other = next(seat for seat in load_game(game.code).seats if seat.pk != place.pk)
    row = send_reply("resign", place, make_reply_address(game, place), sender=get_owner(other).email)
    assert (row.outcome, list_log(game)) == ("unknown", [])


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
    game = start_cast_game("ada", "bob")
    place = get_seat_to_act(game)
    row = send_reply("draw", place, make_reply_address(game, place), **headers)
    assert (row.outcome, list_log(game), list_answers()) == ("ignored", [], [])


def test_a_person_may_say_that_they_are_no_machine() -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    assert send_reply("draw", place, make_reply_address(game, place), Auto_Submitted="no").outcome == "played"


def test_a_mail_of_ours_that_comes_back_is_not_read() -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    Player.objects.filter(pk=place.player_id).update(allow_any_sender=True)
    to = make_reply_address(game, place)
    for sender in ("otto@otto.example", "OTTO online <OTTO@otto.example>", to):
        assert send_reply("draw", place, to, sender=sender).outcome_reason == "a mail of ours"
    delivery = Delivery.objects.create(
        player=get_owner(place),
        kind="turn",
        dedup_key="x",
        created_at=NOW,
        message_id="<turn.1@play.otto.example>",
    )
    raw = build_mail("draw", get_owner(place).email, to).replace(b"mail.example.org", b"mail.example.org")
    raw = b"Message-ID: <turn.1@play.otto.example>\r\n" + raw
    row = mail_processing.receive_mail(raw, recipient=to, sender="x@example.org", now=ONE_HOUR_LATER)
    assert row.outcome_reason == "a mail of ours", delivery
    assert list_log(game) == []


def test_after_twenty_answers_in_an_hour_there_are_no_more_but_moves_count() -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    to = make_reply_address(game, place)
    for number in range(inbound_mail.MAX_ANSWERS_PER_PERIOD + 3):
        send_reply(f"not an action {number}", place, to)
    assert len(list_answers()) == inbound_mail.MAX_ANSWERS_PER_PERIOD
    row = send_reply("draw", place, to)
    assert (row.outcome, list_log(game)) == ("played", ["draw"])
    assert row.outcome_reason.startswith("no answer")
    Delivery.objects.update(created_at=NOW - timedelta(hours=2))
    send_reply("thank you", place, to)
    assert len(list_answers()) == inbound_mail.MAX_ANSWERS_PER_PERIOD + 1


def test_a_crash_between_two_lines_is_taken_over_by_the_mail_that_comes_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    to = make_reply_address(game, place)
    _draw, action = build_two_lines(game, place)
    raw = build_mail(f"draw\n{action}\n", get_owner(place).email, to)
    real = turns.play_action

    def die_at_second_line(**kwargs: Any) -> Any:
        if kwargs["text"] != "draw":
            raise ConnectionError("the worker was killed here")
        return real(**kwargs)

    monkeypatch.setattr(turns, "play_action", die_at_second_line)
    with pytest.raises(ConnectionError):
        mail_processing.receive_mail(raw, recipient=to, sender="ada@example.org", now=ONE_HOUR_LATER)
    assert list_log(game) == ["draw"]
    assert InboundMail.objects.get().outcome == ""
    monkeypatch.setattr(turns, "play_action", real)
    row = mail_processing.receive_mail(raw, recipient=to, sender="ada@example.org", now=ONE_HOUR_LATER)
    assert row.outcome == "played"
    assert list_log(game) == ["draw", action]
    assert list_answers()[0].data["text"].splitlines()[0].startswith("draw")
    assert len(list_answers()) == 1
    check_game_is_sound(game)


def test_a_crash_before_the_answer_does_not_turn_a_move_into_a_late_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = start_cast_game("ada", "bob")
    place = play_until_placing(game)
    to = make_reply_address(game, place)
    action = list_legal_actions(game, place)[0]
    raw = build_mail(action, get_owner(place).email, to)
    real = mail_processing.finish_inbound_mail

    def raise_connection_error(**kwargs: Any) -> Any:
        raise ConnectionError("the database went away here")

    monkeypatch.setattr(mail_processing, "finish_inbound_mail", raise_connection_error)
    with pytest.raises(ConnectionError):
        mail_processing.receive_mail(raw, recipient=to, sender="ada@example.org", now=ONE_HOUR_LATER)
    monkeypatch.setattr(mail_processing, "finish_inbound_mail", real)
    before = list_log(game)
    assert before[-1] == action
    row = mail_processing.receive_mail(raw, recipient=to, sender="ada@example.org", now=ONE_HOUR_LATER)
    assert row.outcome == "played"
    assert list_log(game) == before
    assert len(list_answers()) == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("run", range(2))
def test_of_one_mail_delivered_many_times_at_once_each_line_is_played_once(run: int) -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    to = make_reply_address(game, place)
    _draw, action = build_two_lines(game, place)
    raw = build_mail(f"draw\n{action}\n", get_owner(place).email, to)
    ready = threading.Barrier(6)

    def deliver_mail() -> str:
        try:
            ready.wait(30)
            return mail_processing.receive_mail(
                raw, recipient=to, sender="ada@example.org", now=ONE_HOUR_LATER
            ).outcome
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        outcomes = [future.result(60) for future in [pool.submit(deliver_mail) for _ in range(6)]]
    assert set(outcomes) == {"played"}
    assert list_log(game) == ["draw", action]
    assert len(list_answers()) == 1
    check_game_is_sound(game)
