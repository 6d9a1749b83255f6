"""The admin of games: how an operator handles a reported message, and what an operator cannot see."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.test import Client

from accounts.models import Player
from games.models import GameSecrets, Message, Report
from tests.factories.cast import NOW, Api, start_cast_game

pytestmark = pytest.mark.django_db


def test_an_operator_reads_a_report_and_takes_the_message_down() -> None:
    game = start_cast_game("ada", "bob")
    Api("ada").post(f"games/{game.code}/chat/", {"text": "a rude word"})
    message = Message.objects.get()
    Api("bob").post(f"games/{game.code}/chat/{message.pk}/report/", {"reason": "rude"})
    operator = Player.objects.create_superuser("ops@example.org", None, name="ops", joined_at=NOW)
    client = Client()
    client.force_login(operator)
    page = client.get("/admin/games/report/").content.decode()
    assert "a rude word" in page
    assert (
        client.post(f"/admin/games/message/{message.pk}/change/", {"hidden": "on", "text": "x"}).status_code
        == 302
    )
    message.refresh_from_db()
    assert (message.hidden, message.text) == (True, "a rude word")
    assert Api("bob").get(f"games/{game.code}/chat/").json()[0]["text"] == ""
    assert (
        client.post(f"/admin/games/report/{Report.objects.get().pk}/change/", {"resolved": "on"}).status_code
        == 302
    )
    assert Report.objects.get().resolved


def test_secrets_are_not_in_the_admin() -> None:
    assert not admin.site.is_registered(GameSecrets)


def test_a_game_can_be_made_without_chat() -> None:
    data = Api("ada").post("games/", {"chat": False}).json()
    assert data["chat"] is False
    Api("ada").post(f"games/{data['id']}/join/")
    assert Api("ada").post(f"games/{data['id']}/chat/", {"text": "hello"}).json()["code"] == "no-chat"
