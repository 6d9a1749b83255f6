"""The page predicts correctly whether a mail about the next turn is sent."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from games.models import Game, Seat
from games.services import seat_settings
from notifications.models import Delivery
from notifications.services import notices
from tests.factories.cast import open_browser, start_cast_game
from tests.factories.linking import get_page, make_turn_link, read_form, start_game
from tests.helpers.first_moves import play_any_action

pytestmark = pytest.mark.django_db
EACH = "We mail you when it is your turn."
ONCE = "We mail you when your next turn comes, then not until you visit."
DIGEST = "Your daily mail lists your turns."
# Settings of a player or states of their address, and the sentence on the page.
CASES: dict[str, tuple[dict[str, Any], str]] = {
    "each": ({}, EACH),
    "once": ({"mail_frequency": "once"}, ONCE),
    "digest": ({"mail_frequency": "digest"}, DIGEST),
    "none": ({"mail_frequency": "none"}, ""),
    "dead": ({"email_bounced_at": timezone.now(), "email_bounce_reason": "550 no such user"}, ""),
    "dead digest": ({"mail_frequency": "digest", "email_bounced_at": timezone.now()}, ""),
    "no mails about tournaments": ({"tournament_mails": "none"}, EACH),
    "muted": ({}, ""),
}


def choose_case(game: Game, who: Player, case: str) -> str:
    """Apply a case to a player of the game; return the expected sentence."""
    fields, sentence = CASES[case]
    Player.objects.filter(pk=who.pk).update(**fields)
    seat_settings.set_game_muted(player=who, code=game.code, muted=case == "muted", now=timezone.now())
    return sentence


def get_seat_to_act(game: Game) -> Seat:
    game.refresh_from_db()
    return next(
        seat for seat in game.seats.select_related("player") if game.to_act_mask >> (seat.seat_no or 0) & 1
    )


def get_waiting_player(game: Game) -> Player:
    other = game.seats.exclude(pk=get_seat_to_act(game).pk).get().player
    assert other
    return other


def check_sentences(text: str, sentence: str) -> None:
    assert [frequency for frequency in (EACH, ONCE, DIGEST) if frequency in text] == (
        [sentence] if sentence else []
    )


@pytest.mark.parametrize("case", CASES)
def test_the_table_says_what_mail_will_tell_of_the_next_turn(case: str) -> None:
    game = start_cast_game("ada", "bob")
    who = get_waiting_player(game)
    sentence = choose_case(game, who, case)
    page = open_browser(who.name).get(f"/games/{game.code}/").text
    assert "Waiting for " in page
    check_sentences(page, sentence)


@pytest.mark.parametrize("case", CASES)
def test_so_does_the_page_after_a_turn_that_was_played_by_a_mails_link(case: str) -> None:
    game = start_game("ada", "bob")
    who = get_seat_to_act(game).player
    assert who
    sentence = choose_case(game, who, case)
    for _step in range(5):
        if get_seat_to_act(game).player != who:
            break
        path = make_turn_link(game)
        page = Client().post(path, read_form(get_page(path)), follow=True).content.decode()
    assert get_seat_to_act(game).player != who
    assert "You can close this page." in page
    check_sentences(page, sentence)


@pytest.mark.parametrize("case", [case for case in CASES if case != "once"])
def test_what_was_said_is_what_happens(case: str) -> None:
    game = start_cast_game("ada", "bob")
    who = get_waiting_player(game)
    sentence = choose_case(game, who, case)
    while get_seat_to_act(game).player != who:
        play_any_action(game)
    while notices.fan_out_notices(now=timezone.now() + timedelta(minutes=5)):
        pass
    mails = Delivery.objects.filter(player=who, webhook=None, status=Delivery.Status.WAITING)
    kinds = set(mails.values_list("kind", flat=True)) & {"turn", "digest"}
    assert kinds == {EACH: {"turn"}, DIGEST: {"digest"}, "": set()}[sentence]


def test_whoever_is_out_of_the_game_waits_for_no_turn() -> None:
    game = start_cast_game("ada", "bob", "cleo")
    open_browser("ada").post(f"/games/{game.code}/play/", {"action": "resign"})
    game.refresh_from_db()
    assert game.status == Game.Status.RUNNING
    check_sentences(open_browser("ada").get(f"/games/{game.code}/").text, "")


def test_a_guest_and_who_only_watches_are_promised_no_mail() -> None:
    game = start_cast_game("ada", "bob")
    check_sentences(open_browser("eve").get(f"/games/{game.code}/").text, "")
    check_sentences(Client().get(f"/games/{game.code}/").text, "")
    who = get_waiting_player(game)
    Player.objects.filter(pk=who.pk).update(is_guest=True)
    check_sentences(open_browser(who.name).get(f"/games/{game.code}/").text, "")
