"""The plain pages: every door of the lobby and the table, as a browser without scripts uses them."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import selectors
from games.mail import invitation_mails
from games.models import Action, Game, Invitation, Message, Note, Player
from games.services import bots, invitations, lobby

from .cast import NOW, browser, game_of, player

pytestmark = pytest.mark.django_db


def open_game(**terms: Any) -> Game:
    now = timezone.now()
    game = lobby.create_game(player=player("ada"), now=now, **terms)
    return lobby.join_game(player=player("ada"), code=game.code, now=now)


def test_a_game_against_a_bot_is_made_by_form_and_begins_at_once() -> None:
    """How it is then played to its end, link by link, is in test_choosing."""
    ada = browser("ada")
    form = {"preset": "bot", "mode": "singles", "seats": "2", "bot": "random", "cards": "on", "clock": "3d"}
    made = ada.post("/games/new/", form, follow=True)
    code = made.redirect_chain[-1][0].strip("/").split("/")[-1]
    bots.play_bot_turns(code=code, now=timezone.now())
    assert 'id="choose"' in ada.get(f"/games/{code}/").content.decode()
    assert Game.objects.get(code=code).status == Game.Status.RUNNING


def test_the_first_page_of_a_newcomer_lists_what_waits_for_players() -> None:
    game = open_game()
    answer = browser().get("/games/", follow=True)
    assert answer.redirect_chain == [("/lobby/", 302)]
    page = answer.content.decode()
    assert game.code in page
    assert "Sign in" in page
    assert "Sign in to take a seat" in browser().get(f"/games/{game.code}/").content.decode()


@pytest.mark.parametrize(
    "path", ["/", "/games/", "/lobby/", "/players/ada/", "/games/new/", "/games/{code}/", "/api/"]
)
def test_a_page_costs_at_most_twelve_queries_and_100_kb(path: str) -> None:
    game = game_of("ada", "bob")
    for _ in range(5):
        open_game()
    ada = browser("ada")
    ada.get(path.format(code=game.code))
    with CaptureQueriesContext(connection) as queries:
        answer = ada.get(path.format(code=game.code))
    assert answer.status_code == 200
    assert len(queries) <= 12, [query["sql"][:80] for query in queries]
    assert len(answer.content) < 100_000


def test_a_form_sent_twice_is_played_once() -> None:
    game = game_of("ada", mode="solo")
    ada = browser("ada")
    action = selectors.load_view_for(player("ada"), game.code).legal_actions[0]
    for _ in range(2):
        ada.post(f"/games/{game.code}/play/", {"action": action, "seq": "0", "key": "same"})
    assert Action.objects.filter(game=game).count() == 1


def test_a_refusal_is_told_on_the_page_and_changes_nothing() -> None:
    game = game_of("ada", mode="solo")
    page = browser("ada").post(f"/games/{game.code}/play/", {"action": "J-c3-0", "seq": "0"}, follow=True)
    assert 'class="notice error"' in page.content.decode()
    assert not Action.objects.exists()


@pytest.mark.parametrize("seq", ["9" * 6000, "-1", "", "1.5", "x", "²"])
def test_a_forged_seq_is_told_to_be_stale(seq: str) -> None:
    game = game_of("ada", "bob")
    page = browser("ada").post(f"/games/{game.code}/play/", {"action": "draw", "seq": seq}, follow=True)
    assert page.status_code == 200
    assert "the game is at seq 0" in page.content.decode()
    assert not Action.objects.exists()


def test_joining_leaving_inviting_talking_and_noting_work_by_form() -> None:
    game = open_game(seats=3)
    ada, bob = browser("ada"), browser("bob")
    bob.post(f"/games/{game.code}/join/")
    assert game.places.count() == 2
    bob.post(f"/games/{game.code}/leave/")
    assert game.places.count() == 1
    player("cleo")
    ada.post(f"/games/{game.code}/invite/", {"who": "cleo"})
    assert game.code in browser("cleo").get("/games/").content.decode()
    browser("cleo").post(f"/games/{game.code}/decline/")
    assert Invitation.objects.get().answered == "declined"
    ada.post(f"/games/{game.code}/say/", {"text": "<b>hello</b>"})
    ada.post(f"/games/{game.code}/note/", {"text": "mine"})
    page = ada.get(f"/games/{game.code}/").content.decode()
    assert "&lt;b&gt;hello&lt;/b&gt;" in page
    assert "<b>hello</b>" not in page
    assert Message.objects.count() == Note.objects.count() == 1
    assert ada.post(f"/games/{game.code}/dance/").status_code == 404


def test_strangers_do_not_see_a_private_game_and_cannot_act_on_it() -> None:
    game = open_game(private=True)
    for client in (browser("bob"), browser()):
        assert client.get(f"/games/{game.code}/").status_code == 404
    assert browser("bob").post(f"/games/{game.code}/join/").status_code == 404
    assert game.code not in browser("bob").get("/games/").content.decode()


def test_an_invitation_by_email_leads_a_stranger_through_sign_up_to_the_seat() -> None:
    game = open_game(private=True)
    invitations.invite_to_game(
        player=player("ada"), code=game.code, now=timezone.now(), email="zoe@example.org"
    )
    assert invitation_mails.send_due_invitations(now=timezone.now()) == 1
    assert invitation_mails.send_due_invitations(now=timezone.now()) == 0
    (message,) = mail.outbox
    assert message.to == ["zoe@example.org"]
    link = re.search(r"http://\S+(/invitations/\S+)", str(message.body))[1]  # type: ignore[index]
    zoe = Client()
    page = zoe.get(link).content.decode()
    assert "ada keeps a seat for you" in page
    assert game.places.count() == 1
    signup = re.search(r'href="(/accounts/signup/\?next=[^"]+)"', page)[1]  # type: ignore[index]
    form = {"email": "zoe@example.org", "username": "zoe", "password1": "nine-purple-herons", "next": link}
    zoe.post(signup, form)
    confirm = re.search(r"http://testserver(/accounts/confirm-email/\S+)", str(mail.outbox[-1].body))[1]  # type: ignore[index]
    back = zoe.post(confirm, follow=True)
    assert back.redirect_chain[-1][0] == link
    seated = zoe.post(link, follow=True)
    assert seated.redirect_chain[-1][0] == f"/games/{game.code}/"
    assert Game.objects.get(pk=game.pk).status == Game.Status.RUNNING
    assert Player.objects.get(name="zoe").places.count() == 1


def test_a_link_whose_time_has_passed_explains_itself_kindly() -> None:
    game = open_game()
    invitation = invitations.invite_to_game(
        player=player("ada"), code=game.code, now=timezone.now(), email="zoe@example.org"
    )
    link = invitation_mails.compose_invitation(invitation).body.split()  # type: ignore[union-attr]
    path = next(word for word in link if "/invitations/" in word).split("8000")[-1]
    lobby.expire_open_games(now=game.expires_at + timedelta(minutes=1))
    page = browser().get(path)
    assert page.status_code == 410
    assert "given up" in page.content.decode()
    assert browser().get(path[:-3] + "/").status_code == 404
    assert browser("bob").post(path).status_code == 410
    assert "came to nothing" in browser("ada").get(f"/games/{game.code}/").content.decode()


def test_a_game_older_than_the_cast_can_be_looked_at() -> None:
    game = game_of("ada", "bob", mode="singles")
    assert game.started_at == NOW
    assert "Around the table" in browser().get(f"/games/{game.code}/").content.decode()
