"""A new notice kind needs one class alone to appear in the feed, mails, webhook calls and pages."""

from __future__ import annotations

import html
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from accounts.models import Player
from notifications.channels.email import mail_sender
from notifications.channels.email.message import build_note_email
from notifications.channels.push import push_sender
from notifications.channels.webhook import webhook_sender
from notifications.models import Delivery
from notifications.notice_kinds import NoticeKind, load_notice_kinds
from notifications.outgoing_email import OutgoingEmail
from notifications.services import notices
from tests.factories.cast import NOW, Api, player
from tests.helpers.feed_waiting import wait_for_feed
from tests.helpers.listener import Listener, create_webhook
from tests.helpers.push_service import SITE_PRIVATE_KEY, Browser
from tests.smtp import Sink
from tournaments import notices as declaring_module

pytestmark = pytest.mark.django_db
AFTER_START = NOW + timedelta(minutes=5)


class CakeNotice(NoticeKind):
    """A notice kind for these tests."""

    value, label = "cake", "a piece of cake"

    def compose_mail(self, delivery: Delivery, now: datetime) -> OutgoingEmail:
        return build_note_email(delivery.player, "Cake", "There is cake", [delivery.data["words"]])

    def summarise(self, delivery: Delivery, now: datetime) -> tuple[str, str]:
        return f"There is cake: {delivery.data['words']}", "https://otto.example.org/cake/"


@pytest.fixture(autouse=True)
def declared(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Declare the kind in addition to those of an app."""
    monkeypatch.setattr(declaring_module, "NOTICE_KINDS", (*declaring_module.NOTICE_KINDS, CakeNotice()))
    load_notice_kinds.cache_clear()
    yield
    load_notice_kinds.cache_clear()


@pytest.fixture
def sink(settings: LazySettings) -> Iterator[Sink]:
    """Start a mail server and configure the site to use it."""
    with Sink() as started:
        for name, value in started.settings().items():
            setattr(settings, name, value)
        yield started


def bring_cake(words: str = "apple", key: str = "cake:1") -> Player:
    ada = player("ada")
    notices.notify({ada.pk: NOW}, kind="cake", dedup_key=key, data={"words": words}, now=NOW)
    return ada


@pytest.mark.django_db(transaction=True)
def test_it_is_in_the_feed_once_however_often_it_is_written() -> None:
    for words in ("apple", "plum"):
        bring_cake(words)
    wait_for_feed("ada")
    (entry,) = Api("ada").get("events/").json()["results"]
    assert (entry["kind"], entry["game"], entry["data"]) == ("cake", None, {"words": "apple"})


def test_it_comes_by_mail(sink: Sink) -> None:
    ada = bring_cake()
    notices.fan_out_notices(now=AFTER_START)
    assert mail_sender.send_due_mails(now=AFTER_START) == 1
    (mail,) = sink.mails
    assert (mail.recipients, mail.message["Subject"]) == ([ada.email], "Cake")
    assert "apple" in mail.message.get_body(("plain",)).get_content()  # type: ignore[union-attr]


def test_a_webhook_is_called_with_it(settings: Any) -> None:
    settings.WEBHOOKS_TO_PRIVATE = True
    with Listener() as server:
        create_webhook(server.url)
        bring_cake()
        notices.fan_out_notices(now=AFTER_START)
        assert webhook_sender.send_due_webhooks(now=AFTER_START) == 1
        (call,) = server.calls
    payload = {name: call.json[name] for name in ("kind", "game", "text", "url")}
    assert payload == {
        "kind": "cake",
        "game": None,
        "text": "There is cake: apple",
        "url": "https://otto.example.org/cake/",
    }


def test_a_device_shows_it(settings: Any) -> None:
    settings.VAPID_PRIVATE_KEY, settings.VAPID_SUBJECT = SITE_PRIVATE_KEY, "mailto:operator@example.org"
    settings.WEBHOOKS_TO_PRIVATE = True
    browser = Browser()
    with Listener(status=201) as service:
        browser.subscribe(service.url)
        bring_cake()
        notices.fan_out_notices(now=AFTER_START)
        assert push_sender.send_due_pushes(now=AFTER_START) == 1
        message = browser.read(service.calls[0])
    assert (message["title"], message["body"]) == ("A piece of cake", "There is cake: apple")


def test_a_player_who_wants_no_mails_gets_none_of_it() -> None:
    Player.objects.filter(pk=player("ada").pk).update(mail_frequency="none")
    bring_cake()
    notices.fan_out_notices(now=AFTER_START)
    assert not Delivery.objects.exists()


def test_preferences_deliveries_and_the_guide_name_it(client: Client) -> None:
    ada = bring_cake()
    notices.fan_out_notices(now=AFTER_START)
    client.force_login(ada)
    for path in ("/me/notices/", "/me/delivery/", "/api/"):
        assert "a piece of cake" in html.unescape(client.get(path).text), path
