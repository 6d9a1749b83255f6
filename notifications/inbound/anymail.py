"""Handlers for django-anymail signals: inbound mail, and tracking events about mail we sent."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime
from typing import Any

from anymail.signals import AnymailInboundEvent, AnymailTrackingEvent, EventType, RejectReason
from anymail.utils import get_request_basic_auth
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from notifications.inbound import mail_processing
from notifications.inbound.addresses import read_address
from notifications.inbound.reports import is_temporary_failure
from notifications.models import Delivery
from notifications.selectors.inbound_mail import find_mail, find_mail_by_message_id
from notifications.services import delivery_reports, notices

log = logging.getLogger(__name__)
MAX_REQUEST_BYTES = 2 * mail_processing.MAX_MAIL_BYTES  # a mail is larger when encoded as JSON
MAX_HEADER_ADDRESSES = 1000  # header addresses that are searched for ours
# Reject reasons after which the provider rejects every further mail to the address.
PERMANENT_REJECT_REASONS = {
    RejectReason.INVALID,
    RejectReason.BOUNCED,
    RejectReason.SPAM,
    RejectReason.BLOCKED,
}


def handle_inbound_event(event: AnymailInboundEvent, **kwargs: Any) -> None:
    """Receive a mail for each of our addresses it names; the envelope recipient takes precedence.

    Raises the first error of `receive_mail_for_recipients`, so that the provider delivers the mail again.
    """
    mail = event.message
    addresses = [mail.envelope_recipient] if mail.envelope_recipient else []
    if not any(map(is_own_address, addresses)):
        header_addresses = [header_address.addr_spec for header_address in [*mail.to, *mail.cc, *mail.bcc]][
            :MAX_HEADER_ADDRESSES
        ]
        addresses = (
            list(dict.fromkeys(filter(is_own_address, header_addresses))) or addresses or header_addresses[:1]
        )
        addresses = addresses[: mail_processing.MAX_RECIPIENTS_PER_MAIL]
    try:
        content = mail.as_bytes()
    except Exception:
        # Malformed mail makes the standard library raise in many ways; a retry would fail again.
        log.exception("inbound mail from %s cannot be parsed", kwargs.get("esp_name"))
        content = f"From: {mail['From']}\n\n".encode("utf-8", "replace")
    results = mail_processing.receive_mail_for_recipients(
        content, recipients=addresses, sender=mail.envelope_sender, now=timezone.now()
    )
    for result in results.values():
        if isinstance(result, Exception):
            raise result  # the provider retries


def is_own_address(address: str) -> bool:
    """True if an address is one of our signed inbound addresses."""
    return read_address(address) is not None


def handle_tracking_event(event: AnymailTrackingEvent, **kwargs: Any) -> None:
    """Record a provider's tracking event on the delivery it is about."""
    delivery = find_delivery(event)
    if delivery is None:
        return
    now = timezone.now()
    occurred_at = event.timestamp if isinstance(event.timestamp, datetime) and event.timestamp.tzinfo else now
    reason = str(event.mta_response or event.description or event.reject_reason or event.event_type)
    match event.event_type:
        case EventType.DELIVERED:
            delivery_reports.record_delivered(delivery=delivery, at=occurred_at, now=now)
        case EventType.OPENED | EventType.CLICKED:
            delivery_reports.record_opened(delivery=delivery, at=occurred_at, now=now)
        case EventType.DEFERRED:
            delivery_reports.record_delay(delivery=delivery, reason=reason, now=now)
        case EventType.BOUNCED:
            delivery_reports.record_bounce(
                delivery=delivery, reason=reason, permanent=not is_temporary_failure(reason), now=now
            )
        case EventType.REJECTED | EventType.FAILED:
            permanent = event.reject_reason in PERMANENT_REJECT_REASONS
            delivery_reports.record_bounce(delivery=delivery, reason=reason, permanent=permanent, now=now)
        case EventType.COMPLAINED:
            delivery_reports.record_complaint(delivery=delivery, reason=reason, now=now)
        case EventType.UNSUBSCRIBED:
            notices.unsubscribe_from_mails(player=delivery.player, now=now)


def find_delivery(event: AnymailTrackingEvent) -> Delivery | None:
    """The delivery of a tracking event: by its `delivery` metadata, else by Message-ID."""
    delivery_id = str((event.metadata or {}).get("delivery", ""))
    if delivery_id.isascii() and delivery_id.isdecimal() and len(delivery_id) <= 18:
        return find_mail(int(delivery_id))
    return find_mail_by_message_id(str(event.message_id or ""))


def has_webhook_secret(request: HttpRequest) -> bool:
    """True if the request carries ANYMAIL's WEBHOOK_SECRET."""
    secret = settings.ANYMAIL.get("WEBHOOK_SECRET", "")
    return bool(secret) and constant_time_compare(get_request_basic_auth(request) or "", secret)


class LargeInboundBody:
    """Middleware: accepts a body as large as a whole mail from a provider with the webhook secret."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        """Read the body before Django rejects it for its size."""
        match = request.resolver_match
        length = request.META.get("CONTENT_LENGTH") or "0"
        if (
            not match
            or match.app_name != "anymail"
            or not length.isdecimal()
            or int(length) > MAX_REQUEST_BYTES
        ):
            return
        if has_webhook_secret(request):
            # Django has no public API to raise DATA_UPLOAD_MAX_MEMORY_SIZE for a single URL.
            request._body = request.read(MAX_REQUEST_BYTES)
