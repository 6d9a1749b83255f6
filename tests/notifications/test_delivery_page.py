"""The delivery page and its endpoint: sent mails, their status, and advice about a dead address."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import AccessToken

from accounts.models import Player
from accounts.services.export import export_player_data
from notifications.models import Delivery, InboundMail, Webhook
from notifications.selectors.deliveries import MAX_LISTED_DELIVERIES
from notifications.services import notices, webhooks
from tests.factories.cast import NOW, Api, player, start_cast_game
from tests.helpers.tokens import ask_api, check_problem, create_token

pytestmark = pytest.mark.django_db


def create_mail(name: str, number: int = 1, **more: Any) -> Delivery:
    return Delivery.objects.create(
        **{
            "player": player(name),
            "kind": "turn",
            "dedup_key": f"mail:{number}",
            "created_at": NOW,
            "address": f"{name}@example.org",
            **more,
        }
    )


@pytest.fixture
def signed_in_ada(client: Client) -> Player:
    account = player("ada")
    client.force_login(account)
    return account


def test_the_page_says_what_became_of_each_in_my_zone(client: Client, signed_in_ada: Player) -> None:
    Player.objects.filter(pk=signed_in_ada.pk).update(time_zone="Asia/Tokyo")
    game = start_cast_game("ada", "bob")
    webhook = Webhook.objects.create(
        player=signed_in_ada,
        url="https://discord.example.org/api/webhooks/7/hunter2",
        signing_secret="hush",
        created_at=NOW,
    )
    create_mail("ada", 1, status="sent", sent_at=NOW + timedelta(minutes=1), topic=game.topic)
    create_mail("ada", 2, status="dropped", status_reason="The turn is over.")
    create_mail("ada", 3, kind="digest", status="bounced", status_reason="550 no such user")
    create_mail(
        "ada",
        4,
        kind="reminder",
        attempts=2,
        next_attempt_at=NOW + timedelta(hours=1),
        status_reason="connection refused",
    )
    create_mail(
        "ada",
        5,
        webhook=webhook,
        kind="over",
        status="failed",
        status_reason="The host answered 500.",
        address="",
    )
    create_mail("bob", 6, status_reason="bobs own trouble")
    page = client.get("/me/delivery/").text
    for words in (
        "March 1, 2026", "21:00 JST", "21:01 JST", f'href="/games/{game.code}/"', "The turn is over.",
        "550 no such user", "tried 2 times, again at <time", "March 1, 2026, 22:00 JST</time>",
        "connection refused",
        "webhook at discord.example.org", "The host answered 500.", "daily mail", "reminder of your turn",
        "bounced", "failed", "no longer needed",
    ):  # fmt: skip
        assert words in page, words
    for secret in ("hunter2", "hush", "bobs own trouble"):
        assert secret not in page


def test_without_deliveries_the_page_says_when_there_will_be_some(
    client: Client, signed_in_ada: Player
) -> None:
    assert "We have sent you nothing yet." in client.get("/me/delivery/").text


def test_the_endpoint_tells_the_same_newest_first_and_no_more_than_fifty(signed_in_ada: Player) -> None:
    game = start_cast_game("ada", "bob")
    Delivery.objects.bulk_create(
        Delivery(player=signed_in_ada, kind="turn", dedup_key=f"many:{n}", created_at=NOW)
        for n in range(MAX_LISTED_DELIVERIES)
    )
    last = create_mail("ada", 1, topic=game.topic, status="sent", attempts=1, sent_at=NOW)
    create_mail("bob", 1)
    data = Api("ada", scopes=("read", "email", "account")).get("me/deliveries/").json()
    assert len(data) == MAX_LISTED_DELIVERIES
    assert data[0] == {
        "id": last.pk,
        "by": "mail",
        "webhook": None,
        "kind": "turn",
        "game": game.code,
        "status": "sent",
        "status_reason": None,
        "attempts": 1,
        "to": "ada@example.org",
        "created_at": "2026-03-01T12:00:00Z",
        "sent_at": "2026-03-01T12:00:00Z",
        "submitted_at": None,
        "delivered_at": None,
        "next_attempt_at": None,
    }
    assert Api(None).get("me/deliveries/").status_code == 401


def test_apps_do_not_see_where_mails_and_calls_go(signed_in_ada: Player) -> None:
    AccessToken.objects.create(
        user=signed_in_ada, token="app", scope="read play", expires=timezone.now() + timedelta(hours=1)
    )
    for path in ("me/deliveries/", "me/webhooks/", "me/feeds/"):
        check_problem(ask_api("app", path), 403, "not-for-apps")


# ---------------------------------------------------------------------------------------------- test mails


def test_a_test_is_sent_by_a_button(client: Client, signed_in_ada: Player) -> None:
    assert client.get("/me/delivery/test/").status_code == 405
    assert not Delivery.objects.exists()
    page = client.post("/me/delivery/test/", follow=True)
    assert page.redirect_chain == [("/me/delivery/", 302)]
    assert "We have sent you a test mail." in page.text
    row = Delivery.objects.get()
    assert (row.kind, row.status, row.player) == ("test", "waiting", signed_in_ada)
    assert row.next_attempt_at


def test_a_test_is_sent_over_rest() -> None:
    api = Api("ada", scopes=("read", "email", "account"))
    answer = api.post("me/deliveries/test/")
    assert answer.status_code == 201
    assert answer.json() == api.get("me/deliveries/").json()[0]
    for scopes, missing in ((("read", "account"), "email"), (("read", "email"), "account")):
        _row, plain = create_token("ada", scopes=scopes)
        problem = check_problem(ask_api(plain, "me/deliveries/test/", "POST"), 403, "missing-scope")
        assert problem["scope"] == missing


# ------------------------------------------------------------------------------------------- a dead address


def test_a_dead_address_is_explained_and_tried_again_by_a_button(
    client: Client, signed_in_ada: Player
) -> None:
    EmailAddress.objects.create(user=signed_in_ada, email=signed_in_ada.email, verified=True, primary=True)
    assert "does not accept mail" not in client.get("/me/delivery/").text
    notices.mark_email_bounced(player=signed_in_ada, reason="550 <nobody> here", now=NOW)
    page = client.get("/me/delivery/").text
    assert "Your address does not accept mail" in page
    assert "550 &lt;nobody&gt; here" in page
    assert 'action="/me/delivery/test/"' not in page, "a test would not be sent"
    assert client.get("/me/delivery/revive/").status_code == 405
    client.post("/me/delivery/revive/")
    signed_in_ada.refresh_from_db()
    assert (signed_in_ada.email_bounced_at, signed_in_ada.email_bounce_reason) == (None, "")
    assert Delivery.objects.get().kind == "test", "which shows whether it takes mail"
    assert "does not accept mail" not in client.get("/me/delivery/").text


def test_an_address_is_revived_over_rest_and_the_profile_says_how_it_is() -> None:
    api = Api("ada", scopes=("read", "email", "account"))
    assert api.get("me/").json()["email_bounced_at"] is None
    notices.mark_email_bounced(player=player("ada"), reason="mailbox full", now=NOW)
    data = api.get("me/").json()
    assert (data["email_bounced_at"], data["email_bounce_reason"]) == ("2026-03-01T12:00:00Z", "mailbox full")
    assert api.post("me/deliveries/revive/").status_code == 204
    assert api.get("me/").json()["email_bounced_at"] is None


# ----------------------------------------------------------------------------------------------- export


def test_the_export_holds_deliveries_webhooks_and_received_mails_without_secrets(settings: Any) -> None:
    settings.WEBHOOKS_TO_PRIVATE = True
    ada = player("ada")
    webhook = webhooks.create_webhook(player=ada, url="http://127.0.0.1:9999/x", preset="json", now=NOW)
    create_mail("ada", 1, kind="invited", data={"by": "bob", "game": "abc"}, status="sent")
    create_mail("bob", 2, status_reason="bobs")
    InboundMail.objects.create(
        digest="d" * 64, received_at=NOW, sender="ada@example.org", player=ada, outcome="played"
    )
    InboundMail.objects.create(
        digest="e" * 64, received_at=NOW, sender="bob@example.org", player=player("bob")
    )
    export = export_player_data(player=ada, now=NOW)
    [delivery] = export["deliveries"]
    assert (delivery["kind"], delivery["status"], delivery["data"]) == ("invited", "sent", {"game": "abc"})
    assert [webhook["url"] for webhook in export["webhooks"]] == [webhook.url]
    assert webhook.signing_secret not in str(export)
    assert [mail_row["sender"] for mail_row in export["received"]] == ["ada@example.org"]
    assert export["notices"]["mail_frequency"] == "each"
    assert export["notices"]["feed_token"] == ada.feed_token
    assert "bob" not in str(export)
