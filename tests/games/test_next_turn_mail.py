"""What a page says of the mail about one's next turn is what will happen."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Delivery, Game, Player, Seat
from games.services import notices

from .cast import browser, game_of
from .linking import form, get, link, new_game
from .test_table_page import moved

pytestmark = pytest.mark.django_db
EACH = "A mail tells you when it is your turn."
ONCE = "When it is your turn in one of your games you get a mail, and then none until you come back."
DIGEST = "Your daily mail says when it is your turn."
# What a player has chosen or what became of their address, and what is then said.
CASES: dict[str, tuple[dict[str, Any], str]] = {
    "each": ({}, EACH),
    "once": ({"mails": "once"}, ONCE),
    "digest": ({"mails": "digest"}, DIGEST),
    "none": ({"mails": "none"}, ""),
    "dead": ({"dead_at": timezone.now(), "dead_why": "550 no such user"}, ""),
    "dead digest": ({"mails": "digest", "dead_at": timezone.now()}, ""),
    "no mails about tournaments": ({"tournament_mails": "none"}, EACH),
    "muted": ({}, ""),
}


def choose(game: Game, who: Player, case: str) -> str:
    """Let a player of the game want this; gives what they are then told."""
    facts, sentence = CASES[case]
    Player.objects.filter(pk=who.pk).update(**facts)
    notices.set_game_muted(player=who, code=game.code, muted=case == "muted", now=timezone.now())
    return sentence


def mover(game: Game) -> Seat:
    game.refresh_from_db()
    return next(
        seat for seat in game.places.select_related("player") if game.to_act >> (seat.number or 0) & 1
    )


def waiting(game: Game) -> Player:
    other = game.places.exclude(pk=mover(game).pk).get().player
    assert other
    return other


def check_sentences(text: str, sentence: str) -> None:
    assert [one for one in (EACH, ONCE, DIGEST) if one in text] == ([sentence] if sentence else [])


@pytest.mark.parametrize("case", CASES)
def test_the_table_says_what_mail_will_tell_of_the_next_turn(case: str) -> None:
    game = game_of("ada", "bob")
    who = waiting(game)
    sentence = choose(game, who, case)
    page = browser(who.name).get(f"/games/{game.code}/").text
    assert "Waiting for " in page
    check_sentences(page, sentence)


@pytest.mark.parametrize("case", CASES)
def test_so_does_the_page_after_a_turn_that_was_played_by_a_mails_link(case: str) -> None:
    game = new_game("ada", "bob")
    who = mover(game).player
    assert who
    sentence = choose(game, who, case)
    for _step in range(5):
        if mover(game).player != who:
            break
        path = link(game)
        page = Client().post(path, form(get(path)), follow=True).content.decode()
    assert mover(game).player != who
    assert "You can close this page." in page
    check_sentences(page, sentence)


@pytest.mark.parametrize("case", [case for case in CASES if case != "once"])
def test_what_was_said_is_what_happens(case: str) -> None:
    game = game_of("ada", "bob")
    who = waiting(game)
    sentence = choose(game, who, case)
    while mover(game).player != who:
        moved(game)
    while notices.fan_out_notices(now=timezone.now() + timedelta(minutes=5)):
        pass
    mails = Delivery.objects.filter(player=who, webhook=None, status=Delivery.Status.WAITING)
    kinds = set(mails.values_list("kind", flat=True)) & {"turn", "digest"}
    assert kinds == {EACH: {"turn"}, DIGEST: {"digest"}, "": set()}[sentence]


def test_whoever_is_out_of_the_game_waits_for_no_turn() -> None:
    game = game_of("ada", "bob", "cleo")
    browser("ada").post(f"/games/{game.code}/play/", {"action": "resign"})
    game.refresh_from_db()
    assert game.status == Game.Status.RUNNING
    check_sentences(browser("ada").get(f"/games/{game.code}/").text, "")


def test_a_guest_and_who_only_watches_are_promised_no_mail() -> None:
    game = game_of("ada", "bob")
    check_sentences(browser("eve").get(f"/games/{game.code}/").text, "")
    check_sentences(Client().get(f"/games/{game.code}/").text, "")
    who = waiting(game)
    Player.objects.filter(pk=who.pk).update(guest=True)
    check_sentences(browser(who.name).get(f"/games/{game.code}/").text, "")
