"""Lobby and table in a browser without scripts: every form and link of the plain pages."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Player
from games import selectors
from games.models import Action, Game, Invitation, Message, Note
from games.services import bots, invitations, lobby
from notifications.channels.email import mail_sender
from tests.factories.cast import NOW, open_browser, player, start_cast_game
from tests.factories.open_games import create_open_game

pytestmark = pytest.mark.django_db


def test_a_game_against_a_bot_is_made_by_form_and_begins_at_once() -> None:
    """test_move_picker plays such a game to its end, link by link."""
    ada = open_browser("ada")
    form = {
        "preset": "bot",
        "mode": "singles",
        "seats": "2",
        "bot": "random",
        "cards": "True",
        "time_control": "3d",
    }
    response = ada.post("/games/new/", form, follow=True)
    code = response.redirect_chain[-1][0].strip("/").split("/")[-1]
    bots.play_bot_turns(code=code, now=timezone.now())
    assert 'id="your-turn"' in ada.get(f"/games/{code}/").content.decode()
    assert Game.objects.get(code=code).status == Game.Status.RUNNING


def test_the_first_page_of_a_newcomer_lists_what_waits_for_players() -> None:
    game = create_open_game()
    answer = open_browser().get("/games/", follow=True)
    assert answer.redirect_chain == [("/lobby/", 302)]
    page = answer.content.decode()
    assert game.code in page
    assert "Sign in" in page
    assert "Sign in to take a seat" in open_browser().get(f"/games/{game.code}/").content.decode()


@pytest.mark.parametrize(
    "path", ["/", "/games/", "/lobby/", "/players/ada/", "/games/new/", "/games/{code}/", "/api/"]
)
def test_a_page_costs_at_most_twelve_queries_and_100_kb(path: str) -> None:
    game = start_cast_game("ada", "bob")
    for _ in range(5):
        create_open_game()
    ada = open_browser("ada")
    ada.get(path.format(code=game.code))
    with CaptureQueriesContext(connection) as queries:
        answer = ada.get(path.format(code=game.code))
    assert answer.status_code == 200
    assert len(queries) <= 12, [query["sql"][:80] for query in queries]
    assert len(answer.content) < 100_000


def test_a_form_sent_twice_is_played_once() -> None:
    game = start_cast_game("ada", mode="solo")
    ada = open_browser("ada")
    action = selectors.load_view_for(player("ada"), game.code).legal_actions[0]
    for _ in range(2):
        ada.post(f"/games/{game.code}/play/", {"action": action, "seq": "0", "key": "same"})
    assert Action.objects.filter(game=game).count() == 1


def test_a_refusal_is_shown_on_the_page_and_changes_nothing() -> None:
    game = start_cast_game("ada", mode="solo")
    page = open_browser("ada").post(
        f"/games/{game.code}/play/", {"action": "J-c3-0", "seq": "0"}, follow=True
    )
    assert 'class="notice error"' in page.content.decode()
    assert not Action.objects.exists()


@pytest.mark.parametrize("seq", ["9" * 6000, "-1", "", "1.5", "x", "²"])
def test_a_forged_seq_is_refused_as_stale(seq: str) -> None:
    game = start_cast_game("ada", "bob")
    page = open_browser("ada").post(f"/games/{game.code}/play/", {"action": "draw", "seq": seq}, follow=True)
    assert page.status_code == 200
    assert "the game is at seq 0" in page.content.decode()
    assert not Action.objects.exists()


def test_joining_leaving_inviting_talking_and_noting_work_by_form() -> None:
    game = create_open_game(seat_count=3)
    ada, bob = open_browser("ada"), open_browser("bob")
    bob.post(f"/games/{game.code}/join/")
    assert game.seats.count() == 2
    bob.post(f"/games/{game.code}/leave/")
    assert game.seats.count() == 1
    player("cleo")
    ada.post(f"/games/{game.code}/invite/", {"who": "cleo"})
    assert game.code in open_browser("cleo").get("/games/").content.decode()
    open_browser("cleo").post(f"/games/{game.code}/decline/")
    assert Invitation.objects.get().status == "declined"
    ada.post(f"/games/{game.code}/say/", {"text": "<b>hello</b>"})
    ada.post(f"/games/{game.code}/note/", {"text": "mine"})
    page = ada.get(f"/games/{game.code}/").content.decode()
    assert "&lt;b&gt;hello&lt;/b&gt;" in page
    assert "<b>hello</b>" not in page
    assert Message.objects.count() == Note.objects.count() == 1
    assert ada.post(f"/games/{game.code}/dance/").status_code == 404


def test_strangers_do_not_see_a_private_game_and_cannot_act_on_it() -> None:
    game = create_open_game(private=True)
    for client in (open_browser("bob"), open_browser()):
        assert client.get(f"/games/{game.code}/").status_code == 404
    assert open_browser("bob").post(f"/games/{game.code}/join/").status_code == 404
    assert game.code not in open_browser("bob").get("/games/").content.decode()


def test_an_invitation_by_email_leads_a_stranger_through_sign_up_to_the_seat() -> None:
    game = create_open_game(private=True)
    invitations.invite_to_game(
        player=player("ada"), code=game.code, now=timezone.now(), email="zoe@example.org"
    )
    assert mail_sender.send_due_mails(now=timezone.now()) == 1
    assert mail_sender.send_due_mails(now=timezone.now()) == 0
    (message,) = mail.outbox
    assert message.to == ["zoe@example.org"]
    link = re.search(r"http://\S+(/invitations/\S+)", str(message.body))[1]  # type: ignore[index]
    zoe = Client()
    page = zoe.get(link).content.decode()
    assert "ada has saved you a seat" in page
    assert game.seats.count() == 1
    signup = re.search(r'href="(/accounts/signup/\?next=[^"]+)"', page)[1]  # type: ignore[index]
    form = {"email": "zoe@example.org", "username": "zoe", "password1": "nine-purple-herons", "next": link}
    zoe.post(signup, form)
    confirm = re.search(r"http://testserver(/accounts/confirm-email/\S+)", str(mail.outbox[-1].body))[1]  # type: ignore[index]
    back = zoe.post(confirm, follow=True)
    assert back.redirect_chain[-1][0] == link
    response = zoe.post(link, follow=True)
    assert response.redirect_chain[-1][0] == f"/games/{game.code}/"
    assert Game.objects.get(pk=game.pk).status == Game.Status.RUNNING
    assert Player.objects.get(name="zoe").seats.count() == 1


def test_a_link_whose_time_has_passed_explains_itself_kindly() -> None:
    game = create_open_game()
    invitation = invitations.invite_to_game(
        player=player("ada"), code=game.code, now=timezone.now(), email="zoe@example.org"
    )
    link = mail_sender.compose_mail(invitation.delivery, now=timezone.now()).body.split()  # type: ignore[union-attr]
    path = next(word for word in link if "/invitations/" in word).split("8000")[-1]
    lobby.expire_open_games(now=game.expires_at + timedelta(minutes=1))
    page = open_browser().get(path)
    assert page.status_code == 410
    assert "Too few players joined in time" in page.content.decode()
    assert open_browser().get(path[:-3] + "/").status_code == 404
    assert open_browser("bob").post(path).status_code == 410
    assert "Game cancelled" in open_browser("ada").get(f"/games/{game.code}/").content.decode()


def test_a_game_older_than_the_cast_can_be_looked_at() -> None:
    game = start_cast_game("ada", "bob", mode="singles")
    assert game.started_at == NOW
    assert "Around the table" in open_browser().get(f"/games/{game.code}/").content.decode()
