"""Webhooks over REST and on their page."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from notifications.channels.webhook import webhook_sender
from notifications.models import Delivery, Webhook
from notifications.services import webhooks
from tests.factories.cast import NOW, Api, open_browser, player
from tests.helpers.listener import Listener, compute_signature, create_delivery, create_webhook
from tests.helpers.tokens import check_problem

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def allow_private_webhooks(settings: Any) -> None:
    """Allow calls to the local server; tests of private addresses forbid them again."""
    settings.WEBHOOKS_TO_PRIVATE = True


@pytest.fixture
def server() -> Iterator[Listener]:
    with Listener() as listener:
        yield listener


def ask_in_browser(path: str, method: str = "GET", data: Any = None) -> Any:
    """Send an API request in a session of ada: webhooks are closed to tokens."""
    body = {} if data is None else {"data": json.dumps(data), "content_type": "application/json"}
    return open_browser("ada").generic(method, f"/api/v1/{path}", **body)


# ------------------------------------------------------------------------------------------------------ REST


def test_webhooks_are_made_listed_switched_tested_and_deleted_over_rest(server: Listener) -> None:
    api = Api("ada", in_person=True)
    answer = api.post("me/webhooks/", {"url": server.url})
    assert answer.status_code == 201, answer.content
    made_one = answer.json()
    assert re.fullmatch(r"whsec_[\w+/]{43}=", made_one.pop("signing_secret"))
    assert (made_one["preset"], made_one["active"], made_one["disabled_reason"]) == ("json", True, None)
    assert api.get("me/webhooks/").json() == [made_one]

    number = made_one["id"]
    test = api.post(f"me/webhooks/{number}/test/")
    assert test.status_code == 201
    assert api.post(f"me/webhooks/{number}/test/").json() == test.json(), "one a minute"
    assert webhook_sender.send_due_webhooks(now=timezone.now()) == 1
    [line] = api.get("me/deliveries/").json()
    assert (line["by"], line["webhook"], line["status"], line["to"]) == (
        "webhook",
        number,
        "sent",
        "127.0.0.1",
    )

    off = ask_in_browser(f"me/webhooks/{number}/", "PATCH", {"active": False})
    assert off.json()["active"] is False
    check_problem(api.post(f"me/webhooks/{number}/test/"), 409, "webhook-off")
    assert ask_in_browser(f"me/webhooks/{number}/", "PATCH", {"active": True}).json()["active"] is True
    check_problem(ask_in_browser(f"me/webhooks/{number}/", "PATCH", {}), 400, "invalid")
    assert ask_in_browser(f"me/webhooks/{number}/", "DELETE").status_code == 204
    assert api.get("me/webhooks/").json() == []


def test_a_new_secret_signs_what_comes_next(server: Listener) -> None:
    webhook = create_webhook(server.url)
    new = Api("ada", in_person=True).post(f"me/webhooks/{webhook.pk}/secret/").json()["signing_secret"]
    assert new != webhook.signing_secret
    create_delivery(webhook)
    webhook_sender.send_due_webhooks(now=NOW)
    [call] = server.calls
    assert call.headers["webhook-signature"] == compute_signature(new, call)


def test_nobody_touches_anothers_webhook(server: Listener) -> None:
    webhook = create_webhook(server.url, "bob")
    path = f"me/webhooks/{webhook.pk}/"
    check_problem(ask_in_browser(path, "DELETE"), 404, "not-found")
    check_problem(ask_in_browser(path, "PATCH", {"active": False}), 404, "not-found")
    check_problem(ask_in_browser(path + "test/", "POST"), 404, "not-found")
    check_problem(ask_in_browser(path + "secret/", "POST"), 404, "not-found")
    check_problem(ask_in_browser(f"me/webhooks/{2**70}/", "DELETE"), 404, "not-found")
    assert ask_in_browser("me/webhooks/").json() == []
    assert Webhook.objects.filter(pk=webhook.pk, signing_secret=webhook.signing_secret, active=True).exists()


def test_there_are_five_at_most_and_each_address_once(server: Listener) -> None:
    api = Api("ada", in_person=True)
    for number in range(webhooks.MAX_WEBHOOKS_PER_PLAYER):
        assert api.post("me/webhooks/", {"url": f"{server.url}{number}"}).status_code == 201
        check_problem(
            api.post("me/webhooks/", {"url": f"{server.url}{number}"}),
            409,
            "webhook-exists" if number < webhooks.MAX_WEBHOOKS_PER_PLAYER - 1 else "too-many",
        )
    check_problem(api.post("me/webhooks/", {"url": f"{server.url}more"}), 409, "too-many")
    assert Api("bob", in_person=True).post("me/webhooks/", {"url": f"{server.url}0"}).status_code == 201


@pytest.mark.parametrize(
    "body",
    [{}, {"url": 7}, {"url": None}, {"url": "https://a.example.org/", "preset": "teams"}, [], {"url": ""}],
)
def test_a_webhook_that_cannot_be_read_is_a_400(body: Any) -> None:
    check_problem(Api("ada", in_person=True).post("me/webhooks/", body), 400, "invalid")


def test_a_private_address_is_a_422(settings: Any) -> None:
    settings.WEBHOOKS_TO_PRIVATE = False
    problem = check_problem(
        Api("ada", in_person=True).post("me/webhooks/", {"url": "https://10.0.0.1/"}), 422, "bad-webhook"
    )
    assert "private network" in problem["detail"]


# --------------------------------------------------------------------------------------------------- the page


def test_the_page_makes_a_webhook_and_shows_its_secret_once(client: Client, server: Listener) -> None:
    client.force_login(player("ada"))
    answer = client.post("/me/webhooks/", {"url": server.url, "preset": "json"})
    webhook = Webhook.objects.get()
    assert webhook.signing_secret in answer.text
    page = client.get("/me/webhooks/").text
    assert webhook.signing_secret not in page
    assert html.escape(server.url) in page
    assert Webhook.objects.count() == 1

    renewed = client.post(f"/me/webhooks/{webhook.pk}/secret/").text
    old = webhook.signing_secret
    webhook.refresh_from_db()
    assert webhook.signing_secret != old
    assert webhook.signing_secret in renewed

    assert client.post(f"/me/webhooks/{webhook.pk}/test/")["Location"] == "/me/delivery/"
    assert Delivery.objects.get().kind == "test"
    client.post(f"/me/webhooks/{webhook.pk}/off/")
    webhook.refresh_from_db()
    assert not webhook.active
    client.post(f"/me/webhooks/{webhook.pk}/on/")
    webhook.refresh_from_db()
    assert webhook.active
    client.post(f"/me/webhooks/{webhook.pk}/delete/")
    assert not Webhook.objects.exists()


def test_the_page_says_what_is_wrong_with_an_address(client: Client, settings: Any) -> None:
    settings.WEBHOOKS_TO_PRIVATE = False
    client.force_login(player("ada"))
    answer = client.post("/me/webhooks/", {"url": "https://192.168.0.1/", "preset": "slack"})
    assert "private network" in answer.text
    assert not Webhook.objects.exists()


def test_looking_changes_no_webhook_and_strangers_change_none(client: Client, server: Listener) -> None:
    webhook = create_webhook(server.url)
    client.force_login(player("bob"))
    for command in ("test", "secret", "delete", "on", "off"):
        assert client.get(f"/me/webhooks/{webhook.pk}/{command}/").status_code == 405
        client.post(f"/me/webhooks/{webhook.pk}/{command}/")
    stored_webhook = Webhook.objects.get()
    assert (stored_webhook.signing_secret, stored_webhook.active) == (webhook.signing_secret, True)
    assert server.url not in client.get("/me/webhooks/").text
    assert not Delivery.objects.exists()


def test_the_reason_a_webhook_was_switched_off_is_on_the_page(client: Client, server: Listener) -> None:
    webhook = create_webhook(server.url)
    server.status = 410
    create_delivery(webhook)
    webhook_sender.send_due_webhooks(now=NOW)
    client.force_login(player("ada"))
    page = client.get("/me/webhooks/").text
    assert "The host answered 410." in page
    assert f"/me/webhooks/{webhook.pk}/on/" in page
