"""The small links under every mail: the next game, no more of this one, no more at all."""

from __future__ import annotations

import pytest
from django.test import Client

from games import signed_links
from games.models import Player, Seat

from .cast import player
from .linking import form, get, link, new_game, on_turn, stranger

pytestmark = pytest.mark.django_db


def test_next_leads_to_the_game_that_is_most_urgent() -> None:
    ada = Client()
    answer = ada.get("/next/")
    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/login/")
    ada.force_login(player("ada"))
    assert "Nothing waits for you" in get("/next/", client=ada)
    calm = new_game("ada", "bob", clock_name="7d")
    urgent = new_game("ada", "cleo", clock_name="12h")
    for game in (calm, urgent):
        while on_turn(game).player != player("ada"):
            path = link(game)
            stranger().post(path, form(get(path)))
    assert ada.get("/next/")["Location"] == f"/games/{urgent.code}/"


def test_unsubscribing_takes_a_click_and_can_be_taken_back() -> None:
    ada = player("ada")
    path = f"/unsubscribe/{signed_links.make_unsubscribe_token(ada.mail_key)}/"
    assert "Stop all mails" in get(path)
    assert stranger().head(path).status_code == 200
    ada.refresh_from_db()
    assert ada.mails == Player.MailFrequency.EACH_TURN
    for _ in range(2):
        # What a mail program sends of itself (RFC 8058).
        answer = stranger().post(
            path, "List-Unsubscribe=One-Click", content_type="application/x-www-form-urlencoded"
        )
        assert answer.status_code == 200
        ada.refresh_from_db()
        assert ada.mails == Player.MailFrequency.NONE
    assert "You get no more mails" in get(path)
    assert "You get mails again" in stranger().post(path, {"undo": "1"}).content.decode()
    ada.refresh_from_db()
    assert ada.mails == Player.MailFrequency.EACH_TURN


def test_muting_ends_the_mails_of_one_game_and_can_be_taken_back() -> None:
    game, other = new_game("ada", "bob"), new_game("ada", "cleo")
    path = f"/mute/{signed_links.make_mute_token(player('ada').mail_key, game.code)}/"
    assert "Mute this game" in get(path)
    assert not Seat.objects.filter(muted=True).exists()
    for _ in range(2):
        assert "is muted" in stranger().post(path).content.decode()
        assert Seat.objects.get(muted=True) == game.places.get(player=player("ada"))
    assert not other.places.filter(muted=True).exists()
    stranger().post(path, {"undo": "1"})
    assert not Seat.objects.filter(muted=True).exists()


def test_forged_small_links_lead_nowhere() -> None:
    game, ada = new_game("ada", "bob"), player("ada")
    unsubscribe, mute = (
        signed_links.make_unsubscribe_token(ada.mail_key),
        signed_links.make_mute_token(ada.mail_key, game.code),
    )
    forged = [
        f"/unsubscribe/{mute}/",
        f"/mute/{unsubscribe}/",
        f"/unsubscribe/{ada.mail_key}/",
        f"/unsubscribe/{unsubscribe[:-1]}/",
        f"/mute/{signed_links.make_mute_token(player('cleo').mail_key, game.code)}/",
        f"/mute/{signed_links.make_mute_token(ada.mail_key, 'nosuchgame')}/",
        f"/mute/{signed_links.make_mute_token('', game.code)}/",
    ]
    for path in forged:
        for method in ("get", "post"):
            assert getattr(stranger(), method)(path).status_code == 404, path
    assert player("ada").mails == Player.MailFrequency.EACH_TURN
    assert not Seat.objects.filter(muted=True).exists()


def test_the_small_pages_are_kept_and_told_nowhere() -> None:
    game, ada = new_game("ada", "bob"), player("ada")
    for path in (
        f"/unsubscribe/{signed_links.make_unsubscribe_token(ada.mail_key)}/",
        f"/mute/{signed_links.make_mute_token(ada.mail_key, game.code)}/",
    ):
        answer = stranger().get(path)
        assert answer["Referrer-Policy"] == "no-referrer"
        assert "no-store" in answer["Cache-Control"]
        assert "noindex" in answer["X-Robots-Tag"]
        assert not answer.cookies
