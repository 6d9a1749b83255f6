"""What a provider of mail tells us, through django-anymail's own doors, in the shapes of Postmark."""

from __future__ import annotations

import base64
import importlib
import json
from collections.abc import Iterator
from typing import Any

import pytest
from anymail.inbound import AnymailInboundMessage
from anymail.signals import AnymailInboundEvent
from django.test import Client
from django.urls import clear_url_caches

from games import signed_links
from games.mail import anymail
from games.models import Delivery, InboundMail, Player
from otto_site import urls
from tests.games.cast import NOW, player
from tests.games.mailing import address, letter, log_of, mover, owner, raw, set_domain, with_cards
from tests.games.test_inbound import MAILS

pytestmark = pytest.mark.django_db
SECRET = "provider:a long secret"
AUTH = {"Authorization": "Basic " + base64.b64encode(SECRET.encode()).decode()}


@pytest.fixture(autouse=True)
def door(settings: Any) -> Iterator[None]:
    """The addresses as they are with a secret in the environment, and afterwards as they were."""
    set_domain(settings)
    before = settings.ANYMAIL
    settings.ANYMAIL = {"WEBHOOK_SECRET": SECRET}
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, "games.mail.anymail.LargeInboundBody"]
    reload_urls()
    yield
    settings.ANYMAIL = before
    reload_urls()


def reload_urls() -> None:
    importlib.reload(urls)
    clear_url_caches()


def post(what: str, body: dict[str, Any], last: str = "/", **headers: str) -> Any:
    client = Client(raise_request_exception=False)
    return client.post(
        f"/anymail/postmark/{what}{last}",
        json.dumps(body),
        content_type="application/json",
        headers=headers or AUTH,
    )


def came_in(content: bytes, to: str, sender: str | None = "ada@example.org") -> dict[str, Any]:
    """An inbound mail with its source, as Postmark posts it."""
    path = [{"Name": "Return-Path", "Value": f"<{sender}>"}] if sender is not None else []
    return {
        "FromName": "Ada",
        "MessageStream": "inbound",
        "FromFull": {"Email": "ada@example.org", "Name": "Ada", "MailboxHash": ""},
        "ToFull": [{"Email": to, "Name": "", "MailboxHash": ""}],
        "OriginalRecipient": to,
        "Subject": "Re: Your turn",
        "MessageID": "22c74902-a0c1-4511-804f-341342852c90",
        "Headers": path,
        "TextBody": "",
        "RawEmail": content.decode("utf-8", "replace"),
    }


def sent(name: str = "ada") -> Delivery:
    return Delivery.objects.create(
        player=player(name),
        kind="turn",
        reason="x",
        made_at=NOW,
        sent_at=NOW,
        status=Delivery.Status.SENT,
        address=player(name).email,
        message_id="883953f4-6105-42a2-a16a-77a8eac79483",
    )


def happened(kind: str, **facts: Any) -> Delivery:
    """Tell that something happened to a mail."""
    delivery = Delivery.objects.filter(reason="x").first() or sent()
    body = {"RecordType": kind, "MessageID": delivery.message_id, "Metadata": {}, **facts}
    assert post("tracking", body).status_code == 200
    delivery.refresh_from_db()
    return delivery


# ------------------------------------------------------------------------------------------------- the secret


def test_without_the_secret_nobody_is_heard() -> None:
    game = with_cards()
    place = mover(game)
    to = address(game, place)
    body = came_in(letter("draw", owner(place).email, to), to)
    wrong = {"Authorization": "Basic " + base64.b64encode(b"provider:guess").decode()}
    for headers in ({"X-None": "1"}, wrong, {"Authorization": "Bearer x"}):
        assert post("inbound", body, **headers).status_code == 400
        assert post("tracking", {"RecordType": "Bounce", "MessageID": "x"}, **headers).status_code == 400
    assert not InboundMail.objects.exists()
    assert log_of(game) == []


def test_without_a_secret_in_the_settings_there_is_no_door(settings: Any) -> None:
    settings.ANYMAIL = {}
    reload_urls()
    assert post("inbound", {}).status_code == 404


# ----------------------------------------------------------------------------------------------------- mails


def test_a_reply_through_a_provider_is_played_once() -> None:
    game = with_cards()
    place = mover(game)
    to = address(game, place)
    body = came_in(letter("draw", owner(place).email, to), to)
    for last in ("/", ""):  # providers repeat what they are not sure of, and are told the address by hand
        assert post("inbound", body, last).status_code == 200
    assert log_of(game) == ["draw"]
    assert [row.outcome for row in InboundMail.objects.all()] == ["played"]
    assert Delivery.objects.filter(kind="reply").count() == 1


def test_a_reply_that_a_provider_took_apart_is_played_too() -> None:
    game = with_cards()
    place = mover(game)
    to = address(game, place)
    body = came_in(b"", to)
    del body["RawEmail"]
    body["FromFull"]["Email"] = owner(place).email
    body |= {
        "TextBody": "draw\n\n> quoted",
        "HtmlBody": "<p>pass</p>",
        "Date": "Tue, 3 Mar 2026 10:00:00 +0100",
    }
    body["Headers"].append({"Name": "Message-ID", "Value": "<1@mail.example.org>"})
    picture = {
        "Name": "board.png",
        "ContentType": "image/png",
        "Content": base64.b64encode(b"draw" * 99).decode(),
    }
    body["Attachments"] = [picture]
    assert post("inbound", body).status_code == 200
    assert InboundMail.objects.get().outcome == "played"
    assert log_of(game) == ["draw"]


def test_where_the_envelope_is_not_told_the_headers_say_for_whom_a_mail_is() -> None:
    game = with_cards()
    place = mover(game)
    to = address(game, place)
    body = came_in(letter("draw", owner(place).email, f"Bob <bob@example.org>, OTTO <{to}>"), to, sender=None)
    del body["OriginalRecipient"]
    assert post("inbound", body).status_code == 200
    assert (InboundMail.objects.get().recipient, log_of(game)) == (to, ["draw"])


def test_a_mail_for_nobody_here_is_logged_and_no_more() -> None:
    body = came_in(letter("draw", "ada@example.org", "info@otto.example"), "info@otto.example")
    assert post("inbound", body).status_code == 200
    assert InboundMail.objects.get().outcome == "unknown"


def test_a_bounce_through_the_inbound_door_is_noted() -> None:
    delivery = sent()
    to = signed_links.build_address(signed_links.BOUNCE_PURPOSE, signed_links.make_bounce_token(delivery.pk))
    assert post("inbound", came_in(raw("report-no-such-user"), to, sender="")).status_code == 200
    assert player("ada").dead_at is not None


def test_a_mail_with_a_large_attachment_is_let_in_with_the_secret_only() -> None:
    game = with_cards()
    place = mover(game)
    to = address(game, place)
    head = (
        f"From: {owner(place).email}\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\ndraw\r\n"
    )
    attached = "--x\r\nContent-Type: image/png\r\n\r\n" + ("QUJD" * 18 + "\r\n") * 40_000
    body = came_in((head + attached).encode(), to)
    assert len(body["RawEmail"]) > 2_900_000
    assert post("inbound", body, Authorization="Basic eDp5").status_code in (400, 413)
    assert log_of(game) == []
    assert post("inbound", body).status_code == 200
    assert log_of(game) == ["draw"]


def test_what_is_larger_than_any_mail_is_refused() -> None:
    client = Client(raise_request_exception=False)
    answer = client.post(
        "/anymail/postmark/inbound/",
        b"{}",
        content_type="application/json",
        headers=AUTH | {"Content-Length": str(anymail.MAX_REQUEST_BYTES + 1)},
    )
    assert answer.status_code in (400, 413)


@pytest.mark.parametrize("name", MAILS)
def test_no_mail_of_the_folder_breaks_the_door(name: str) -> None:
    game = with_cards()
    to = address(game, mover(game))
    mail = AnymailInboundMessage.parse_raw_mime_bytes(raw(name))
    mail.envelope_recipient, mail.envelope_sender = to, "mallory@example.net"
    anymail.handle_inbound_event(
        event=AnymailInboundEvent(event_type="inbound", message=mail), esp_name="Test"
    )
    assert InboundMail.objects.get().outcome in ("played", "refused", "ignored", "unknown")
    assert post("inbound", came_in(raw(name), to)).status_code == 200


# --------------------------------------------------------------------------------------------------- tracking


def test_delivered_and_opened_are_told_with_their_times() -> None:
    delivery = happened("Delivery", Recipient="ada@example.org", DeliveredAt="2026-03-01T12:00:05Z")
    assert delivery.delivered_at
    assert delivery.delivered_at.isoformat() == "2026-03-01T12:00:05+00:00"
    assert delivery.opened_at is None
    delivery = happened(
        "Open", Recipient="ada@example.org", ReceivedAt="2026-03-01T13:00:00Z", FirstOpen=True
    )
    first = delivery.opened_at
    delivery = happened("Open", Recipient="ada@example.org", ReceivedAt="2026-03-02T13:00:00Z")
    assert delivery.opened_at == first
    assert first
    assert delivery.status == Delivery.Status.SENT


def test_a_hard_bounce_kills_the_address() -> None:
    delivery = happened(
        "Bounce",
        Type="HardBounce",
        Email="ada@example.org",
        Description="The server was unable to deliver your message",
        Details="smtp;550 5.1.1 no such user",
        BouncedAt="2026-03-01T12:00:05Z",
    )
    assert (delivery.status, delivery.why) == ("bounced", "smtp;550 5.1.1 no such user")
    assert player("ada").dead_why == "smtp;550 5.1.1 no such user"


def test_a_full_mailbox_does_not() -> None:
    facts = {"Type": "SoftBounce", "Email": "ada@example.org", "Details": "452 4.2.2 mailbox full"}
    delivery = happened("Bounce", BouncedAt="2026-03-01T12:00:05Z", **facts)
    assert delivery.status == "bounced"
    assert player("ada").dead_at is None


def test_a_delay_is_noted_only() -> None:
    facts = {"Type": "Transient", "Email": "ada@example.org", "Details": "451 greylisted"}
    delivery = happened("Bounce", BouncedAt="2026-03-01T12:00:05Z", **facts)
    assert (delivery.status, delivery.why) == ("sent", "451 greylisted")
    assert player("ada").dead_at is None


@pytest.mark.parametrize("kind", ["SpamComplaint", "Blocked", "BadEmailAddress"])
def test_a_complaint_or_a_refusal_of_the_provider_kills_the_address(kind: str) -> None:
    record = "SpamComplaint" if kind == "SpamComplaint" else "Bounce"
    happened(record, Type=kind, Email="ada@example.org", BouncedAt="2026-03-01T12:00:05Z")
    assert player("ada").dead_at is not None


def test_who_unsubscribes_at_the_provider_gets_no_more_mails() -> None:
    facts = {
        "SuppressSending": True,
        "SuppressionReason": "ManualSuppression",
        "Recipient": "ada@example.org",
    }
    happened("SubscriptionChange", ChangedAt="2026-03-01T12:00:05Z", **facts)
    assert player("ada").mails == Player.MailFrequency.NONE


def test_a_mail_is_found_by_what_it_carries_or_by_its_message_id() -> None:
    delivery = sent()
    Delivery.objects.update(message_id="<turn.7.x@play.otto.example>")
    delivered = {
        "DeliveredAt": "2026-03-01T12:00:05Z",
        "Recipient": "ada@example.org",
        "RecordType": "Delivery",
    }
    assert post("tracking", delivered | {"MessageID": "turn.7.x@play.otto.example"}).status_code == 200
    delivery.refresh_from_db()
    assert delivery.delivered_at
    Delivery.objects.update(delivered_at=None)
    carried = {"MessageID": "another", "Metadata": {"delivery": str(delivery.pk)}}
    assert post("tracking", delivered | carried).status_code == 200
    delivery.refresh_from_db()
    assert delivery.delivered_at


def test_what_is_about_no_mail_of_ours_changes_nothing() -> None:
    delivery = sent()
    for facts in (
        {"MessageID": "unknown"},
        {"MessageID": ""},
        {"MessageID": "x", "Metadata": {"delivery": "9" * 30}},
    ):
        body = {"RecordType": "Bounce", "Type": "HardBounce", "Email": "ada@example.org", **facts}
        assert post("tracking", body).status_code == 200
    delivery.refresh_from_db()
    assert (delivery.status, player("ada").dead_at) == ("sent", None)
