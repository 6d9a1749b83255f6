"""Requests of a mail provider to the webhook views of django-anymail, in the format of Postmark."""

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

from accounts.models import Player
from notifications.inbound import anymail
from notifications.inbound.addresses import BOUNCE_PURPOSE, build_address, make_bounce_token
from notifications.models import Delivery, InboundMail
from otto_site import urls
from tests.factories.cast import NOW, player
from tests.helpers.inbound_mails import MAILS
from tests.helpers.reply_helpers import (
    build_mail,
    get_owner,
    get_seat_to_act,
    list_log,
    make_reply_address,
    read_mail_file,
    set_domain,
    start_game_with_cards,
)

pytestmark = pytest.mark.django_db
SECRET = "provider:a long secret"
AUTH = {"Authorization": "Basic " + base64.b64encode(SECRET.encode()).decode()}


@pytest.fixture(autouse=True)
def anymail_urls(settings: Any) -> Iterator[None]:
    """Use the URLs of a site with a webhook secret, and restore them afterwards."""
    set_domain(settings)
    before = settings.ANYMAIL
    settings.ANYMAIL = {"WEBHOOK_SECRET": SECRET}
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, "notifications.inbound.anymail.LargeInboundBody"]
    reload_urls()
    yield
    settings.ANYMAIL = before
    reload_urls()


def reload_urls() -> None:
    importlib.reload(urls)
    clear_url_caches()


def post_event(endpoint: str, body: dict[str, Any], last: str = "/", **headers: str) -> Any:
    client = Client(raise_request_exception=False)
    return client.post(
        f"/anymail/postmark/{endpoint}{last}",
        json.dumps(body),
        content_type="application/json",
        headers=headers or AUTH,
    )


def build_inbound_event(content: bytes, to: str, sender: str | None = "ada@example.org") -> dict[str, Any]:
    """Build the body that Postmark posts for an inbound mail, with the raw mail."""
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


def create_sent_mail(name: str = "ada") -> Delivery:
    return Delivery.objects.create(
        player=player(name),
        kind="turn",
        dedup_key="x",
        created_at=NOW,
        sent_at=NOW,
        status=Delivery.Status.SENT,
        address=player(name).email,
        message_id="883953f4-6105-42a2-a16a-77a8eac79483",
    )


def report_event(kind: str, **fields: Any) -> Delivery:
    """Report a tracking event of a mail; return its delivery."""
    delivery = Delivery.objects.filter(dedup_key="x").first() or create_sent_mail()
    body = {"RecordType": kind, "MessageID": delivery.message_id, "Metadata": {}, **fields}
    assert post_event("tracking", body).status_code == 200
    delivery.refresh_from_db()
    return delivery


# ------------------------------------------------------------------------------------------------- the secret


def test_without_the_secret_nobody_is_heard() -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    to = make_reply_address(game, place)
    body = build_inbound_event(build_mail("draw", get_owner(place).email, to), to)
    wrong = {"Authorization": "Basic " + base64.b64encode(b"provider:guess").decode()}
    for headers in ({"X-None": "1"}, wrong, {"Authorization": "Bearer x"}):
        assert post_event("inbound", body, **headers).status_code == 400
        assert (
            post_event("tracking", {"RecordType": "Bounce", "MessageID": "x"}, **headers).status_code == 400
        )
    assert not InboundMail.objects.exists()
    assert list_log(game) == []


def test_without_a_secret_in_the_settings_there_is_no_door(settings: Any) -> None:
    settings.ANYMAIL = {}
    reload_urls()
    assert post_event("inbound", {}).status_code == 404


# ----------------------------------------------------------------------------------------------------- mails


def test_a_reply_through_a_provider_is_played_once() -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    to = make_reply_address(game, place)
    body = build_inbound_event(build_mail("draw", get_owner(place).email, to), to)
    for last in ("/", ""):  # a repeated request, to the URL without its last slash
        assert post_event("inbound", body, last).status_code == 200
    assert list_log(game) == ["draw"]
    assert [row.outcome for row in InboundMail.objects.all()] == ["played"]
    assert Delivery.objects.filter(kind="reply").count() == 1


def test_a_reply_that_a_provider_took_apart_is_played_too() -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    to = make_reply_address(game, place)
    body = build_inbound_event(b"", to)
    del body["RawEmail"]
    body["FromFull"]["Email"] = get_owner(place).email
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
    assert post_event("inbound", body).status_code == 200
    assert InboundMail.objects.get().outcome == "played"
    assert list_log(game) == ["draw"]


def test_where_the_envelope_is_not_given_the_headers_say_for_whom_a_mail_is() -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    to = make_reply_address(game, place)
    body = build_inbound_event(
        build_mail("draw", get_owner(place).email, f"Bob <bob@example.org>, OTTO <{to}>"), to, sender=None
    )
    del body["OriginalRecipient"]
    assert post_event("inbound", body).status_code == 200
    assert (InboundMail.objects.get().recipient, list_log(game)) == (to, ["draw"])


def test_a_mail_for_nobody_here_is_logged_and_no_more() -> None:
    body = build_inbound_event(
        build_mail("draw", "ada@example.org", "info@otto.example"), "info@otto.example"
    )
    assert post_event("inbound", body).status_code == 200
    assert InboundMail.objects.get().outcome == "unknown"


def test_a_bounce_through_the_inbound_door_is_noted() -> None:
    delivery = create_sent_mail()
    to = build_address(BOUNCE_PURPOSE, make_bounce_token(delivery.pk))
    assert (
        post_event(
            "inbound", build_inbound_event(read_mail_file("report-no-such-user"), to, sender="")
        ).status_code
        == 200
    )
    assert player("ada").email_bounced_at is not None


def test_a_mail_with_a_large_attachment_is_let_in_with_the_secret_only() -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    to = make_reply_address(game, place)
    sender = get_owner(place).email
    head = f"From: {sender}\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\ndraw\r\n"
    attached = "--x\r\nContent-Type: image/png\r\n\r\n" + ("QUJD" * 18 + "\r\n") * 40_000
    body = build_inbound_event((head + attached).encode(), to)
    assert len(body["RawEmail"]) > 2_900_000
    assert post_event("inbound", body, Authorization="Basic eDp5").status_code in (400, 413)
    assert list_log(game) == []
    assert post_event("inbound", body).status_code == 200
    assert list_log(game) == ["draw"]


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
    game = start_game_with_cards()
    to = make_reply_address(game, get_seat_to_act(game))
    mail = AnymailInboundMessage.parse_raw_mime_bytes(read_mail_file(name))
    mail.envelope_recipient, mail.envelope_sender = to, "mallory@example.net"
    anymail.handle_inbound_event(
        event=AnymailInboundEvent(event_type="inbound", message=mail), esp_name="Test"
    )
    assert InboundMail.objects.get().outcome in ("played", "refused", "ignored", "unknown")
    assert post_event("inbound", build_inbound_event(read_mail_file(name), to)).status_code == 200


# --------------------------------------------------------------------------------------------------- tracking


def test_delivered_and_opened_are_shown_with_their_times() -> None:
    delivery = report_event("Delivery", Recipient="ada@example.org", DeliveredAt="2026-03-01T12:00:05Z")
    assert delivery.delivered_at
    assert delivery.delivered_at.isoformat() == "2026-03-01T12:00:05+00:00"
    assert delivery.opened_at is None
    delivery = report_event(
        "Open", Recipient="ada@example.org", ReceivedAt="2026-03-01T13:00:00Z", FirstOpen=True
    )
    first = delivery.opened_at
    delivery = report_event("Open", Recipient="ada@example.org", ReceivedAt="2026-03-02T13:00:00Z")
    assert delivery.opened_at == first
    assert first
    assert delivery.status == Delivery.Status.SENT


def test_a_hard_bounce_kills_the_address() -> None:
    delivery = report_event(
        "Bounce",
        Type="HardBounce",
        Email="ada@example.org",
        Description="The server was unable to deliver your message",
        Details="smtp;550 5.1.1 no such user",
        BouncedAt="2026-03-01T12:00:05Z",
    )
    assert (delivery.status, delivery.status_reason) == ("bounced", "smtp;550 5.1.1 no such user")
    assert player("ada").email_bounce_reason == "smtp;550 5.1.1 no such user"


def test_a_full_mailbox_does_not() -> None:
    fields = {"Type": "SoftBounce", "Email": "ada@example.org", "Details": "452 4.2.2 mailbox full"}
    delivery = report_event("Bounce", BouncedAt="2026-03-01T12:00:05Z", **fields)
    assert delivery.status == "bounced"
    assert player("ada").email_bounced_at is None


def test_a_delay_is_noted_only() -> None:
    fields = {"Type": "Transient", "Email": "ada@example.org", "Details": "451 greylisted"}
    delivery = report_event("Bounce", BouncedAt="2026-03-01T12:00:05Z", **fields)
    assert (delivery.status, delivery.status_reason) == ("sent", "451 greylisted")
    assert player("ada").email_bounced_at is None


@pytest.mark.parametrize("kind", ["SpamComplaint", "Blocked", "BadEmailAddress"])
def test_a_complaint_or_a_refusal_of_the_provider_kills_the_address(kind: str) -> None:
    record = "SpamComplaint" if kind == "SpamComplaint" else "Bounce"
    report_event(record, Type=kind, Email="ada@example.org", BouncedAt="2026-03-01T12:00:05Z")
    assert player("ada").email_bounced_at is not None


def test_who_unsubscribes_at_the_provider_gets_no_more_mails() -> None:
    fields = {
        "SuppressSending": True,
        "SuppressionReason": "ManualSuppression",
        "Recipient": "ada@example.org",
    }
    report_event("SubscriptionChange", ChangedAt="2026-03-01T12:00:05Z", **fields)
    assert player("ada").mail_frequency == Player.MailFrequency.NONE


def test_a_mail_is_found_by_what_it_carries_or_by_its_message_id() -> None:
    delivery = create_sent_mail()
    Delivery.objects.update(message_id="<turn.7.x@play.otto.example>")
    delivered = {
        "DeliveredAt": "2026-03-01T12:00:05Z",
        "Recipient": "ada@example.org",
        "RecordType": "Delivery",
    }
    assert post_event("tracking", delivered | {"MessageID": "turn.7.x@play.otto.example"}).status_code == 200
    delivery.refresh_from_db()
    assert delivery.delivered_at
    Delivery.objects.update(delivered_at=None)
    carried = {"MessageID": "another", "Metadata": {"delivery": str(delivery.pk)}}
    assert post_event("tracking", delivered | carried).status_code == 200
    delivery.refresh_from_db()
    assert delivery.delivered_at


def test_what_is_about_no_mail_of_ours_changes_nothing() -> None:
    delivery = create_sent_mail()
    for fields in (
        {"MessageID": "unknown"},
        {"MessageID": ""},
        {"MessageID": "x", "Metadata": {"delivery": "9" * 30}},
    ):
        body = {"RecordType": "Bounce", "Type": "HardBounce", "Email": "ada@example.org", **fields}
        assert post_event("tracking", body).status_code == 200
    delivery.refresh_from_db()
    assert (delivery.status, player("ada").email_bounced_at) == ("sent", None)
