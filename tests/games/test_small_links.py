"""The footer links of every mail: the next game, no more mails of this game, no more mails at all."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import Player
from games import signed_links
from games.models import Seat
from notifications.unsubscribe_links import make_unsubscribe_token
from tests.factories.cast import player
from tests.factories.linking import (
    get_page,
    get_seat_on_turn,
    make_turn_link,
    open_strict_client,
    read_form,
    start_game,
)

pytestmark = pytest.mark.django_db


def test_next_leads_to_the_game_that_is_most_urgent() -> None:
    ada = Client()
    answer = ada.get("/next/")
    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/login/")
    ada.force_login(player("ada"))
    assert "No turns waiting" in get_page("/next/", client=ada)
    calm = start_game("ada", "bob", time_control="7d")
    urgent = start_game("ada", "cleo", time_control="12h")
    for game in (calm, urgent):
        while get_seat_on_turn(game).player != player("ada"):
            path = make_turn_link(game)
            open_strict_client().post(path, read_form(get_page(path)))
    assert ada.get("/next/")["Location"] == f"/games/{urgent.code}/"


def test_unsubscribing_takes_a_click_and_can_be_taken_back() -> None:
    ada = player("ada")
    path = f"/unsubscribe/{make_unsubscribe_token(ada.mail_token)}/"
    assert "Stop all mails" in get_page(path)
    assert open_strict_client().head(path).status_code == 200
    ada.refresh_from_db()
    assert ada.mail_frequency == Player.MailFrequency.EACH_TURN
    for _ in range(2):
        # The request that a mail program sends by itself (RFC 8058).
        answer = open_strict_client().post(
            path, "List-Unsubscribe=One-Click", content_type="application/x-www-form-urlencoded"
        )
        assert answer.status_code == 200
        ada.refresh_from_db()
        assert ada.mail_frequency == Player.MailFrequency.NONE
    assert "Our mails are off" in get_page(path)
    assert "Our mails are on again" in open_strict_client().post(path, {"undo": "1"}).content.decode()
    ada.refresh_from_db()
    assert ada.mail_frequency == Player.MailFrequency.EACH_TURN


def test_muting_ends_the_mails_of_one_game_and_can_be_taken_back() -> None:
    game, other = start_game("ada", "bob"), start_game("ada", "cleo")
    path = f"/mute/{signed_links.make_mute_token(player('ada').mail_token, game.code)}/"
    assert "Mute this game" in get_page(path)
    assert not Seat.objects.filter(muted=True).exists()
    for _ in range(2):
        assert "is muted" in open_strict_client().post(path).content.decode()
        assert Seat.objects.get(muted=True) == game.seats.get(player=player("ada"))
    assert not other.seats.filter(muted=True).exists()
    open_strict_client().post(path, {"undo": "1"})
    assert not Seat.objects.filter(muted=True).exists()


def test_forged_small_links_lead_nowhere() -> None:
    game, ada = start_game("ada", "bob"), player("ada")
    unsubscribe, mute = (
        make_unsubscribe_token(ada.mail_token),
        signed_links.make_mute_token(ada.mail_token, game.code),
    )
    forged = [
        f"/unsubscribe/{mute}/",
        f"/mute/{unsubscribe}/",
        f"/unsubscribe/{ada.mail_token}/",
        f"/unsubscribe/{unsubscribe[:-1]}/",
        f"/mute/{signed_links.make_mute_token(player('cleo').mail_token, game.code)}/",
        f"/mute/{signed_links.make_mute_token(ada.mail_token, 'nosuchgame')}/",
        f"/mute/{signed_links.make_mute_token('', game.code)}/",
    ]
    for path in forged:
        for method in ("get", "post"):
            assert getattr(open_strict_client(), method)(path).status_code == 404, path
    assert player("ada").mail_frequency == Player.MailFrequency.EACH_TURN
    assert not Seat.objects.filter(muted=True).exists()


def test_the_small_pages_are_kept_and_linked_nowhere() -> None:
    game, ada = start_game("ada", "bob"), player("ada")
    for path in (
        f"/unsubscribe/{make_unsubscribe_token(ada.mail_token)}/",
        f"/mute/{signed_links.make_mute_token(ada.mail_token, game.code)}/",
    ):
        answer = open_strict_client().get(path)
        assert answer["Referrer-Policy"] == "no-referrer"
        assert "no-store" in answer["Cache-Control"]
        assert "noindex" in answer["X-Robots-Tag"]
        assert not answer.cookies
