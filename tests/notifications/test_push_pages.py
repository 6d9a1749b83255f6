"""Push on the page of notices: registration of browsers, the list of devices, and its permissions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts.account_extensions import load_account_extensions
from accounts.services import players
from accounts.services.export import export_player_data
from notifications.channels.push import push_sender, vapid
from notifications.models import Delivery, PushDevice
from notifications.services import push_devices
from otto_site.environment import is_vapid_key
from tests.factories.cast import NOW, Api, open_browser, player
from tests.helpers.listener import Listener
from tests.helpers.push_service import SITE_PRIVATE_KEY, Browser

pytestmark = pytest.mark.django_db
ENDPOINT = "https://push.example.org/send/a-secret-word"
ANDROID = "Mozilla/5.0 (Android 16; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0"


@pytest.fixture(autouse=True)
def site_key(settings: Any) -> None:
    settings.VAPID_PRIVATE_KEY = SITE_PRIVATE_KEY


@pytest.fixture
def service(settings: Any) -> Iterator[Listener]:
    settings.WEBHOOKS_TO_PRIVATE = True
    with Listener(status=201) as listener:
        yield listener


def register(client: Client, browser: Browser, endpoint: str = ENDPOINT, **more: str) -> Any:
    fields = {"endpoint": endpoint, **browser.keys, **more}
    return client.post("/me/push/", fields, headers={"user-agent": ANDROID})


# ------------------------------------------------------------------------------------------ registration


def test_a_browser_is_registered_listed_tested_and_removed_with_buttons_alone(service: Listener) -> None:
    ada, browser = open_browser("ada"), Browser()
    page = ada.get("/me/notices/").content.decode()
    assert f'data-push="{vapid.get_public_key()}"' in page
    assert "Your devices" not in page
    answer = register(ada, browser, service.url)
    assert answer.status_code == 201
    device = PushDevice.objects.get()
    assert (device.player, device.label) == (player("ada"), "Firefox, Android")
    page = ada.get("/me/notices/").content.decode()
    assert "Firefox, Android" in page
    assert service.url not in page, "the endpoint is a secret"
    answer = ada.post(f"/me/push/{device.pk}/test/", follow=True)
    assert answer.redirect_chain == [("/me/delivery/", 302)]
    assert "push to Firefox, Android" in answer.content.decode()
    push_sender.send_due_pushes(now=timezone.now())
    assert browser.read(service.calls[0])["title"] == "Test message"
    [line] = Api("ada", in_person=True).get("me/deliveries/").json()
    assert (line["by"], line["status"], line["to"]) == ("push", "sent", "127.0.0.1")
    answer = ada.post(f"/me/push/{device.pk}/remove/", follow=True)
    assert "Device removed" in answer.content.decode()
    assert not PushDevice.objects.exists()


def test_registering_again_renews_the_same_device() -> None:
    ada, browser = open_browser("ada"), Browser()
    register(ada, browser)
    renewed = Browser()
    assert register(ada, renewed).status_code == 201
    device = PushDevice.objects.get()
    assert (device.p256dh, device.auth) == (renewed.keys["p256dh"], renewed.keys["auth"])


def test_a_browser_that_another_player_uses_now_is_theirs_if_it_shows_its_keys() -> None:
    ada, bob, browser = open_browser("ada"), open_browser("bob"), Browser()
    register(ada, browser)
    assert register(bob, Browser()).status_code == 409, "an endpoint alone is no proof"
    assert PushDevice.objects.get().player == player("ada")
    assert register(bob, browser).status_code == 201
    assert PushDevice.objects.get().player == player("bob")


def test_no_more_devices_than_the_limit() -> None:
    ada = open_browser("ada")
    for number in range(push_devices.MAX_PUSH_DEVICES_PER_PLAYER):
        assert register(ada, Browser(), f"{ENDPOINT}/{number}").status_code == 201
    answer = register(ada, Browser())
    assert answer.status_code == 409
    assert answer.json()["detail"] == "You have 10 devices, which is the limit. Remove one first."
    assert register(ada, Browser(), f"{ENDPOINT}/0").status_code == 201, "one that is known is no further one"
    assert PushDevice.objects.count() == push_devices.MAX_PUSH_DEVICES_PER_PLAYER


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.org/x",
        "https://127.0.0.1/x",
        "https://localhost/x",
        "https://10.1.2.3/x",
        "https://[::1]/x",
        "https://2130706433/x",
        "https://metadata.internal/x",
        "https://ada:word@push.example.org/x",
        "https://push.example.org:25/x",
        "ftp://push.example.org/x",
        "javascript:alert(1)",
        "nonsense",
    ],
)
def test_no_address_around_this_machine_is_taken_for_a_push_service(settings: Any, endpoint: str) -> None:
    settings.WEBHOOKS_TO_PRIVATE = False
    answer = register(open_browser("ada"), Browser(), endpoint)
    assert answer.status_code == 422
    assert answer.json()["detail"]
    assert not PushDevice.objects.exists()


def test_an_address_that_turns_private_later_is_not_called(service: Listener, settings: Any) -> None:
    device = Browser().subscribe(service.url)
    delivery = push_devices.create_test_push(player=device.player, device_id=device.pk, now=NOW)
    settings.WEBHOOKS_TO_PRIVATE = False
    push_sender.send_due_pushes(now=NOW)
    assert not service.calls
    delivery.refresh_from_db()
    assert delivery.status_reason == "The address is in a private network, which we do not call."


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"p256dh": ""}, 400),
        ({"auth": ""}, 400),
        ({"endpoint": ""}, 400),
        ({"endpoint": "https://push.example.org/" + "x" * 600}, 400),
        ({"p256dh": "BCVxsr7N"}, 422),
        ({"p256dh": "B" + "A" * 86}, 422),  # not a point on the curve
        ({"p256dh": "é" * 87}, 422),
        ({"auth": "AAAA"}, 422),
        ({"auth": "!!!!!!!!!!!!!!!!!!!!!!"}, 422),
    ],
)
def test_what_no_browser_says_is_refused(fields: dict[str, str], status: int) -> None:
    answer = register(open_browser("ada"), Browser(), **fields)
    assert answer.status_code == status
    assert answer.json()["detail"]
    assert not PushDevice.objects.exists()


def test_a_browser_takes_itself_off_by_its_own_word() -> None:
    ada, bob, browser = open_browser("ada"), open_browser("bob"), Browser()
    register(ada, browser)
    assert bob.post("/me/push/forget/", {"endpoint": ENDPOINT}).status_code == 204
    assert PushDevice.objects.exists(), "another's stays"
    assert ada.post("/me/push/forget/", {"endpoint": ENDPOINT}).status_code == 204
    assert not PushDevice.objects.exists()
    assert ada.post("/me/push/forget/", {"endpoint": ENDPOINT}).status_code == 204
    assert ada.post("/me/push/forget/").status_code == 204


def test_nobody_touches_a_device_of_another(service: Listener) -> None:
    device = Browser().subscribe(service.url)
    bob = open_browser("bob")
    for command in ("test", "remove"):
        answer = bob.post(f"/me/push/{device.pk}/{command}/", follow=True)
        assert "You do not have this device." in answer.content.decode()
    assert PushDevice.objects.exists()
    assert not Delivery.objects.exists()
    assert Client().post("/me/push/", {}).status_code == 302, "to sign in"


def test_a_device_that_is_switched_off_gives_its_reason_and_is_sent_no_test(service: Listener) -> None:
    device = Browser().subscribe(service.url)
    PushDevice.objects.update(disabled_reason="The host answered 500.")
    ada = open_browser("ada")
    assert "The host answered 500." in ada.get("/me/notices/").content.decode()
    answer = ada.post(f"/me/push/{device.pk}/test/", follow=True)
    assert "Turn it on there again" in answer.content.decode()
    assert not Delivery.objects.exists()


@pytest.mark.parametrize(
    ("header", "label"),
    [
        (ANDROID, "Firefox, Android"),
        (
            "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36",
            "Chrome, Linux",
        ),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge, Windows"),
        (
            "Mozilla/5.0 (iPhone; CPU OS 18_1 like Mac OS X) Version/18.1 Safari/604.1",
            "Safari, iPhone",
        ),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) Version/18.0 Safari/605.1.15", "Safari, macOS"),
        ("curl/8", "a browser"),
        ("", "a browser"),
    ],
)
def test_a_browser_has_a_name_that_its_owner_knows(header: str, label: str) -> None:
    assert push_devices.describe_browser(header) == label


# ------------------------------------------------------------------------------------------- without a key


def test_without_a_key_the_pages_say_nothing_of_push(settings: Any) -> None:
    settings.VAPID_PRIVATE_KEY = ""
    ada = open_browser("ada")
    page = ada.get("/me/notices/").content.decode()
    assert "data-push" not in page
    assert not re.search(r"\bpush\b", page.replace("push.js", ""), re.IGNORECASE)
    for path in ("/me/push/", "/me/push/forget/", "/me/push/1/test/", "/me/push/1/remove/"):
        assert ada.post(path).status_code == 404


def test_the_command_prints_settings_that_the_site_takes(settings: Any) -> None:
    out = StringIO()
    call_command("vapid_keys", stdout=out)
    lines = dict(line.split("=", 1) for line in out.getvalue().splitlines() if not line.startswith("#"))
    assert set(lines) == {"VAPID_PRIVATE_KEY", "VAPID_SUBJECT"}
    assert is_vapid_key(lines["VAPID_PRIVATE_KEY"])
    settings.VAPID_PRIVATE_KEY = lines["VAPID_PRIVATE_KEY"]
    assert vapid.get_public_key() in out.getvalue()
    for wrong in ("", "a word", SITE_PRIVATE_KEY[:-1], SITE_PRIVATE_KEY + "A", SITE_PRIVATE_KEY + "\n"):
        assert not is_vapid_key(wrong)


# ------------------------------------------------------------------------------------------- the account


def test_the_export_has_devices_without_their_secrets() -> None:
    register(open_browser("ada"), browser := Browser())
    exported = json.dumps(export_player_data(player=player("ada"), now=NOW), default=str)
    assert "Firefox, Android" in exported
    for secret in (ENDPOINT, *browser.keys.values()):
        assert secret not in exported


def test_devices_go_with_the_account_and_when_somebody_else_had_access() -> None:
    register(open_browser("ada"), Browser())
    register(open_browser("bob"), Browser(), f"{ENDPOINT}/bob")
    players.erase_player(player=player("ada"), now=NOW)
    assert [device.player.name for device in PushDevice.objects.all()] == ["bob"]
    for extension in load_account_extensions():
        extension.revoke_access(player("bob"))
    assert not PushDevice.objects.exists()
