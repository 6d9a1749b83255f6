"""The export of a player's data, and the deletion of an account without deleting the data of others."""

from __future__ import annotations

import json
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import Player, Token
from accounts.services import players, tokens
from accounts.services.export import export_player_data
from common.service_errors import Conflict
from games.models import Action, Game, Invitation, Message, Note, Seat
from games.services import invitations, lobby, social, turns
from notifications.models import FeedEntry
from tests.factories.cast import NOW, Api, player, start_cast_game
from tests.helpers.accounts import PASSWORD, reauthenticate, sign_up, sign_up_and_confirm

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def use_fast_hashers(settings: Any) -> None:
    cache.clear()
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def start_game_with_traces() -> Game:
    """Return a game in which both ada and bob have written notes and messages."""
    game = start_cast_game("ada", "bob")
    social.write_note(player=player("ada"), code=game.code, text="adas secret plan", now=NOW)
    social.write_note(player=player("bob"), code=game.code, text="bobs secret plan", now=NOW)
    social.post_chat_message(player=player("ada"), code=game.code, text="hello from ada", now=NOW)
    message = social.post_chat_message(player=player("bob"), code=game.code, text="hello from bob", now=NOW)
    social.report_message(
        player=player("ada"), code=game.code, message_id=message.pk, reason="too friendly", now=NOW
    )
    for name in ("ada", "bob"):
        tokens.create_token(player=player(name), name=f"token of {name}", scopes=["read"], now=NOW)
    waiting = lobby.create_game(player=player("ada"), now=NOW, seat_count=2)
    invitations.invite_to_game(player=player("ada"), code=waiting.code, name="bob", now=NOW)
    return game


def test_the_export_holds_everything_of_mine_and_nothing_of_others(client: Client) -> None:
    game = start_game_with_traces()
    mover = (
        player("ada")
        if game.to_act_mask >> Seat.objects.get(player=player("ada")).seat_no & 1
        else player("bob")
    )
    turns.play_action(player=mover, code=game.code, text="resign", seq=None, key="once", now=NOW)
    FeedEntry.objects.filter(player=player("bob")).update(response_body="what bob was answered")

    client.force_login(player("ada"))
    answer = client.get("/me/export/")
    assert "attachment" in answer["Content-Disposition"]
    text = answer.content.decode()
    own_export = json.loads(text)
    assert own_export["profile"]["email"] == "ada@example.org"
    assert own_export["notes"][0]["text"] == "adas secret plan"
    assert own_export["messages"][0]["text"] == "hello from ada"
    assert own_export["reports"][0]["reason"] == "too friendly"
    assert own_export["tokens"][0]["name"] == "token of ada"
    assert own_export["games"][0]["game"] == game.code
    assert own_export["invitations_sent"]
    assert {event["kind"] for event in own_export["events"]} >= {"chat", "over"}
    assert "bob" not in text
    assert Token.objects.get(player=player("ada")).digest not in text

    other_export = export_player_data(player=player("bob"), now=timezone.now())
    assert len(own_export["games"][0]["actions"]) + len(other_export["games"][0]["actions"]) == 1
    assert "ada" not in json.dumps(other_export)


def test_the_export_has_an_address_for_programs_too() -> None:
    start_game_with_traces()
    answer = Api("ada", in_person=True).get("me/export/")
    assert answer.status_code == 200
    assert answer.json()["notes"][0]["text"] == "adas secret plan"


def test_every_table_that_knows_a_player_is_exported_or_left_out_on_purpose() -> None:
    """A new table that refers to a player fails this test: decide about its export and deletion."""
    relations = [field for field in Player._meta.get_fields(include_hidden=True) if field.auto_created]
    related_names = {
        field.related_model.__name__ for field in relations if field.one_to_many or field.one_to_one
    }
    exported = {"FeedEntry", "Game", "Invitation", "Message", "Note", "Report", "Seat", "SeatHandover"}
    exported |= {"AccessToken", "Application", "Authenticator", "BotProfile", "EmailAddress", "Token"}
    exported |= {"Delivery", "InboundMail", "Pause", "PushDevice", "Webhook"}
    # Tables of tournaments: see tests/tournaments/test_export.py.
    exported |= {"Tournament", "Tournament_co_organisers", "Invite", "EntrantPlayer", "Decision", "Appeal"}
    exported |= {
        "Proposal",
        "Replacement",
        "League",
        "League_co_organisers",
        "LeagueMember",
        "DivisionPlacement",
    }
    exported |= {"Rating", "Removal"}
    # Pending secrets, and the permissions and log of operators in the admin.
    left_out = {"DeviceGrant", "Grant", "IDToken", "RefreshToken"}
    left_out |= {"LogEntry", "Player_groups", "Player_user_permissions"}
    left_out |= {"JoinRequest"}  # belongs to a stranger and is deleted after two days
    left_out |= {"IdempotentResponse"}  # responses that the player has already received, kept for a day
    left_out |= {"PlayerTask"}  # pending work, which contains no personal data
    left_out |= {"Player"}  # `claimed_by`: set only while nobody can sign in to the account
    assert related_names == exported | left_out


def test_leaving_needs_the_password_and_the_name_typed(client: Client) -> None:
    sign_up_and_confirm(client)
    assert client.post("/me/delete/", {"confirmation": "Elsa Vermeer"})["Location"].startswith("/accounts/re")
    reauthenticate(client)
    for wrong in ("", "Elsa", "yes"):
        answer = client.post("/me/delete/", {"confirmation": wrong})
        assert answer.status_code == 200
        assert answer.context["form"].errors
    assert Player.objects.count() == 1

    answer = client.post("/me/delete/", {"confirmation": "elsa vermeer "})
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert not Player.objects.exists()
    assert not EmailAddress.objects.exists()
    assert client.get("/me/profile/").status_code == 302, "the browser is signed out"

    cache.clear()
    sign_up(Client())
    assert "confirm your email address" in mail.outbox[-1].subject, "address and name are free again"
    assert Player.objects.get().check_password(PASSWORD)


def test_who_leaves_becomes_a_former_player_and_the_game_stays_whole() -> None:
    game = start_game_with_traces()
    other = start_cast_game("bob", "cleo")
    ada = player("ada")
    seat = Seat.objects.get(game=game, player=ada)
    plain = tokens.create_token(player=ada, name="x", scopes=["read"], now=NOW)[1]
    spectator, bob = Api(None), Api("bob")

    players.delete_account(player=ada, confirmation="ada", now=NOW)

    seat.refresh_from_db()
    assert seat.player is None
    view = spectator.get(f"games/{game.code}/").json()
    assert {place["name"] for place in view["seats"]} == {"a former player", "bob"}
    game.refresh_from_db()
    assert game.status == Game.Status.OVER, "ada resigned, so bob does not wait for somebody who is gone"
    line = Action.objects.get(game=game)
    assert (line.action, line.seat) == ("resign", seat.seat_no)
    assert bob.get(f"games/{game.code}/record/").json()["result"]

    assert not Player.objects.filter(name="ada").exists()
    assert [note.text for note in Note.objects.all()] == ["bobs secret plan"]
    assert not Token.objects.filter(digest=tokens.digest_token(plain)).exists()
    assert not Invitation.objects.exists()
    assert {message.text: message.player_id for message in Message.objects.all()}["hello from ada"] is None
    assert "ada" not in json.dumps(list(FeedEntry.objects.values_list("data", flat=True)))
    assert FeedEntry.objects.filter(player=player("bob"), kind="chat").exists()
    other.refresh_from_db()
    assert other.status == Game.Status.RUNNING


def test_games_that_wait_go_on_without_who_left() -> None:
    ada, bob = player("ada"), player("bob")
    lonely_game = lobby.create_game(player=ada, now=NOW, seat_count=3)
    joined = lobby.create_game(player=bob, now=NOW, seat_count=3)
    shared = lobby.create_game(player=ada, now=NOW, seat_count=3)
    for game in (joined, shared):
        lobby.join_game(player=ada, code=game.code, now=NOW)
        lobby.join_game(player=bob, code=game.code, now=NOW)

    players.delete_account(player=ada, confirmation="ada", now=NOW)

    for game in (lonely_game, joined, shared):
        game.refresh_from_db()
    assert lonely_game.status == Game.Status.CANCELLED
    assert [place.player for place in joined.seats.all()] == [bob]
    assert (shared.status, shared.creator) == (Game.Status.OPEN, bob)


def test_leaving_retries_when_others_move_at_the_same_moment(monkeypatch: Any) -> None:
    game = start_cast_game("ada", "bob")
    real, refusals = turns.play_action, [Conflict("somebody moved first", code="stale")] * 2

    def lose_first_race(**arguments: Any) -> Any:
        if refusals:
            raise refusals.pop()
        return real(**arguments)

    monkeypatch.setattr(turns, "play_action", lose_first_race)
    players.delete_account(player=player("ada"), confirmation="ada", now=NOW)
    game.refresh_from_db()
    assert game.status == Game.Status.OVER


def test_an_app_of_somebody_who_left_is_gone_for_everybody(client: Client) -> None:
    from oauth2_provider.models import AccessToken, Application

    from accounts.services import oauth_apps
    from tests.helpers.oauth import BACK, allow_app, exchange_code

    app = oauth_apps.register_app(
        player=player("ada"), name="Board", addresses=[BACK], secret=False, now=NOW
    )[0]
    for name in ("ada", "bob"):
        client.force_login(player(name))
        exchange_code(app, allow_app(client, app)["code"])
    players.delete_account(player=player("ada"), confirmation="ada", now=NOW)
    assert not Application.objects.exists()
    assert not AccessToken.objects.exists()
