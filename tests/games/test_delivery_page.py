"""The delivery page and its endpoint: what was sent, what became of it, what to do about a dead address."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import AccessToken

from games.models import Delivery, InboundMail, Player, Webhook
from games.selectors.deliveries import MAX_LISTED_DELIVERIES
from games.services import notices, webhooks
from games.services.export import export_player_data

from .cast import NOW, Api, game_of, player
from .test_tokens import ask, check_problem, made

pytestmark = pytest.mark.django_db


def mail_to(name: str, number: int = 1, **more: Any) -> Delivery:
    return Delivery.objects.create(
        **{
            "player": player(name),
            "kind": "turn",
            "reason": f"mail:{number}",
            "made_at": NOW,
            "address": f"{name}@example.org",
            **more,
        }
    )


@pytest.fixture
def ada(client: Client) -> Player:
    found = player("ada")
    client.force_login(found)
    return found


def test_the_page_says_what_became_of_each_in_my_zone(client: Client, ada: Player) -> None:
    Player.objects.filter(pk=ada.pk).update(time_zone="Asia/Tokyo")
    game = game_of("ada", "bob")
    webhook = Webhook.objects.create(
        player=ada, url="https://discord.example.org/api/webhooks/7/hunter2", secret="hush", at=NOW
    )
    mail_to("ada", 1, status="sent", sent_at=NOW + timedelta(minutes=1), game=game)
    mail_to("ada", 2, status="dropped", why="The turn has passed.")
    mail_to("ada", 3, kind="digest", status="bounced", why="550 no such user")
    mail_to("ada", 4, kind="reminder", tries=2, due_at=NOW + timedelta(hours=1), why="connection refused")
    mail_to("ada", 5, webhook=webhook, kind="over", status="failed", why="The host answered 500.", address="")
    mail_to("bob", 6, why="bobs own trouble")
    page = client.get("/me/delivery/").text
    for words in (
        "March 1, 2026", "21:00 JST", "21:01 JST", f'href="/games/{game.code}/"', "The turn has passed.",
        "550 no such user", "tried 2 times, again at <time", "March 1, 2026, 22:00 JST</time>",
        "connection refused",
        "webhook at discord.example.org", "The host answered 500.", "the daily mail", "a reminder",
        "came back", "given up", "not needed any more",
    ):  # fmt: skip
        assert words in page, words
    for secret in ("hunter2", "hush", "bobs own trouble"):
        assert secret not in page


def test_without_deliveries_the_page_says_when_there_will_be_some(client: Client, ada: Player) -> None:
    assert "Nothing was sent to you yet." in client.get("/me/delivery/").text


def test_the_endpoint_tells_the_same_newest_first_and_no_more_than_fifty(ada: Player) -> None:
    game = game_of("ada", "bob")
    Delivery.objects.bulk_create(
        Delivery(player=ada, kind="turn", reason=f"many:{n}", made_at=NOW)
        for n in range(MAX_LISTED_DELIVERIES)
    )
    last = mail_to("ada", 1, game=game, status="sent", tries=1, sent_at=NOW)
    mail_to("bob", 1)
    told = Api("ada", scopes=("read", "email", "account")).get("me/deliveries/").json()
    assert len(told) == MAX_LISTED_DELIVERIES
    assert told[0] == {
        "id": last.pk,
        "by": "mail",
        "webhook": None,
        "kind": "turn",
        "game": game.code,
        "status": "sent",
        "why": "",
        "tries": 1,
        "to": "ada@example.org",
        "made_at": "2026-03-01T12:00:00Z",
        "sent_at": "2026-03-01T12:00:00Z",
        "handed_over_at": None,
        "delivered_at": None,
        "next_try_at": None,
    }
    assert Api(None).get("me/deliveries/").status_code == 401


def test_apps_do_not_see_where_mails_and_calls_go(ada: Player) -> None:
    AccessToken.objects.create(
        user=ada, token="app", scope="read play", expires=timezone.now() + timedelta(hours=1)
    )
    for path in ("me/deliveries/", "me/webhooks/", "me/feeds/"):
        check_problem(ask("app", path), 403, "not-for-apps")


# -------------------------------------------------------------------------------------------------- a test


def test_a_test_is_sent_by_a_button(client: Client, ada: Player) -> None:
    assert client.get("/me/delivery/test/").status_code == 405
    assert not Delivery.objects.exists()
    page = client.post("/me/delivery/test/", follow=True)
    assert page.redirect_chain == [("/me/delivery/", 302)]
    assert "A test is on its way to you." in page.text
    row = Delivery.objects.get()
    assert (row.kind, row.status, row.player) == ("test", "waiting", ada)
    assert row.due_at


def test_a_test_is_sent_over_rest() -> None:
    api = Api("ada", scopes=("read", "email", "account"))
    answer = api.post("me/deliveries/test/")
    assert answer.status_code == 201
    assert answer.json() == api.get("me/deliveries/").json()[0]
    for scopes, missing in ((("read", "account"), "email"), (("read", "email"), "account")):
        _row, plain = made("ada", scopes=scopes)
        problem = check_problem(ask(plain, "me/deliveries/test/", "POST"), 403, "missing-scope")
        assert problem["scope"] == missing


# ------------------------------------------------------------------------------------------- a dead address


def test_a_dead_address_is_explained_and_tried_again_by_a_button(client: Client, ada: Player) -> None:
    EmailAddress.objects.create(user=ada, email=ada.email, verified=True, primary=True)
    assert "takes no mail" not in client.get("/me/delivery/").text
    notices.mark_email_bounced(player=ada, reason="550 <nobody> here", now=NOW)
    page = client.get("/me/delivery/").text
    assert "Your address takes no mail" in page
    assert "550 &lt;nobody&gt; here" in page
    assert 'action="/me/delivery/test/"' not in page, "a test would not be sent"
    assert client.get("/me/delivery/revive/").status_code == 405
    client.post("/me/delivery/revive/")
    ada.refresh_from_db()
    assert (ada.dead_at, ada.dead_why) == (None, "")
    assert Delivery.objects.get().kind == "test", "which shows whether it takes mail"
    assert "takes no mail" not in client.get("/me/delivery/").text


def test_an_address_is_revived_over_rest_and_the_profile_says_how_it_is() -> None:
    api = Api("ada", scopes=("read", "email", "account"))
    assert api.get("me/").json()["dead_at"] is None
    notices.mark_email_bounced(player=player("ada"), reason="mailbox full", now=NOW)
    told = api.get("me/").json()
    assert (told["dead_at"], told["dead_why"]) == ("2026-03-01T12:00:00Z", "mailbox full")
    assert api.post("me/deliveries/revive/").status_code == 204
    assert api.get("me/").json()["dead_at"] is None


# ----------------------------------------------------------------------------------- everything of mine


def test_the_export_holds_deliveries_webhooks_and_received_mails_without_secrets(settings: Any) -> None:
    settings.WEBHOOKS_TO_PRIVATE = True
    ada = player("ada")
    webhook = webhooks.create_webhook(player=ada, url="http://127.0.0.1:9999/x", preset="json", now=NOW)
    mail_to("ada", 1, kind="invited", data={"by": "bob", "game": "abc"}, status="sent")
    mail_to("bob", 2, why="bobs")
    InboundMail.objects.create(
        digest="d" * 64, at=NOW, sender="ada@example.org", player=ada, outcome="played"
    )
    InboundMail.objects.create(digest="e" * 64, at=NOW, sender="bob@example.org", player=player("bob"))
    told = export_player_data(player=ada, now=NOW)
    [delivery] = told["deliveries"]
    assert (delivery["kind"], delivery["status"], delivery["data"]) == ("invited", "sent", {"game": "abc"})
    assert [one["url"] for one in told["webhooks"]] == [webhook.url]
    assert webhook.secret not in str(told)
    assert [one["sender"] for one in told["received"]] == ["ada@example.org"]
    assert told["notices"]["mails"] == "each"
    assert told["notices"]["feed_key"] == ada.key
    assert "bob" not in str(told)
