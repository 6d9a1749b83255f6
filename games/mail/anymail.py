"""What providers of mail tell us through django-anymail: mails that came in, and what became of ours."""

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

from games.models import Delivery
from games.selectors import replies as found
from games.services import bounces, notices

from . import inbound
from .inbound_reports import is_temporary

log = logging.getLogger(__name__)
LARGEST = 2 * inbound.LARGEST  # bytes of a request: a mail grows in JSON
MAX_NAMED = 1000  # addresses in the headers of a mail among which ours are looked for
# Why a provider does not even try; with these, it will not try the next time either.
FOR_GOOD = {RejectReason.INVALID, RejectReason.BOUNCED, RejectReason.SPAM, RejectReason.BLOCKED}


def mail_came_in(event: AnymailInboundEvent, **about: Any) -> None:
    """A mail for each of our addresses that it names; the envelope's counts most, where it is told."""
    mail = event.message
    addresses = [mail.envelope_recipient] if mail.envelope_recipient else []
    if not any(map(ours, addresses)):
        named = [one.addr_spec for one in [*mail.to, *mail.cc, *mail.bcc]][:MAX_NAMED]
        addresses = list(dict.fromkeys(filter(ours, named))) or addresses or named[:1]
        addresses = addresses[: inbound.MAX_RECIPIENTS_PER_MAIL]
    try:
        content = mail.as_bytes()
    except Exception:
        # Bytes from outside break the standard library in many ways, and would do so again.
        log.exception("a mail through %s cannot be read", about.get("esp_name"))
        content = f"From: {mail['From']}\n\n".encode("utf-8", "replace")
    taken = inbound.receive_all(
        content, recipients=addresses, sender=mail.envelope_sender, now=timezone.now()
    )
    for error in taken.values():
        if isinstance(error, Exception):
            raise error  # the provider brings the mail again


def ours(address: str) -> bool:
    """Whether an address can be one of ours."""
    return inbound.links.read_address(address) is not None


def something_happened(event: AnymailTrackingEvent, **about: Any) -> None:
    """What a provider knows about a mail of ours."""
    delivery = delivery_of(event)
    if delivery is None:
        return
    now = timezone.now()
    at = event.timestamp if isinstance(event.timestamp, datetime) and event.timestamp.tzinfo else now
    why = str(event.mta_response or event.description or event.reject_reason or event.event_type)
    match event.event_type:
        case EventType.DELIVERED:
            bounces.delivered(delivery=delivery, at=at, now=now)
        case EventType.OPENED | EventType.CLICKED:
            bounces.opened(delivery=delivery, at=at, now=now)
        case EventType.DEFERRED:
            bounces.noted(delivery=delivery, why=why, now=now)
        case EventType.BOUNCED:
            bounces.came_back(delivery=delivery, why=why, permanent=not is_temporary(why), now=now)
        case EventType.REJECTED | EventType.FAILED:
            permanent = event.reject_reason in FOR_GOOD
            bounces.came_back(delivery=delivery, why=why, permanent=permanent, now=now)
        case EventType.COMPLAINED:
            bounces.complained(delivery=delivery, why=why, now=now)
        case EventType.UNSUBSCRIBED:
            notices.unsubscribe(key=delivery.player.mail_key, now=now)


def delivery_of(event: AnymailTrackingEvent) -> Delivery | None:
    """The mail that an event is about: by what we gave it to carry, else by its Message-ID."""
    number = str((event.metadata or {}).get("delivery", ""))
    if number.isascii() and number.isdecimal() and len(number) <= 18:
        return found.delivery(int(number))
    return found.delivery_by_message(str(event.message_id or ""))


def brings_secret(request: HttpRequest) -> bool:
    """Whether a provider of ours is asking."""
    secret = settings.ANYMAIL.get("WEBHOOK_SECRET", "")
    return bool(secret) and constant_time_compare(get_request_basic_auth(request) or "", secret)


class Roomy:
    """A middleware: who brings the providers' secret may bring a whole mail, larger than any form of ours."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        """Read the body here, where Django would refuse one of this size."""
        match = request.resolver_match
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not match or match.app_name != "anymail" or not length.isdecimal() or int(length) > LARGEST:
            return
        if brings_secret(request):
            # Django has no public way to let one address take more than DATA_UPLOAD_MAX_MEMORY_SIZE.
            request._body = request.read(LARGEST)
