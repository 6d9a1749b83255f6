"""Sends due push messages: encrypted and signed, never in a transaction, retried until taken or given up."""

from __future__ import annotations

import hashlib
import json
import logging
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from django.utils import translation
from django.utils.translation import gettext as _

from accounts.player_locale import activate_locale_of
from notifications.channels.http_calls import HttpCall, make_calls
from notifications.channels.webhook.webhook_http import CallResult
from notifications.channels.webhook.webhook_sender import FAILURE_TEXTS
from notifications.models import Delivery, PushDevice
from notifications.notice_kinds import NothingToSend, PushUrgency, get_notice_kind
from notifications.push_keys import encode_base64url
from notifications.selectors.outbox import find_push_drop_reason
from notifications.services import push_devices
from notifications.services.outbox import was_interrupted_too_often

from .encryption import encrypt_message
from .vapid import build_authorization, is_push_enabled

log = logging.getLogger(__name__)
MAX_PARALLEL_MESSAGES = 20  # as many threads
TIME_TO_LIVE = timedelta(days=1)  # after it the push service gives up; by then the mail is there
MAX_TEXT_LENGTH = 400  # of the body of a message, in characters: the whole must fit into one record
GONE_STATUSES = (404, 410)  # there is no such subscription any more


def send_due_pushes(*, now: datetime, limit: int = MAX_PARALLEL_MESSAGES) -> int:
    """Send due push messages, once each. Returns how many were claimed.

    1. Claim the due messages.
    2. Compose and encrypt them; obsolete or broken ones are finished here.
    3. Note that they are being handed over.
    4. Send them in parallel threads, which do not touch the database.
    5. Record each result: failed ones are retried, devices that are gone removed.
    """
    claimed_deliveries = push_devices.claim_due_messages(now=now, limit=limit)
    prepared = [
        (delivery, push_request)
        for delivery in claimed_deliveries
        if (push_request := prepare_message(delivery, now)) is not None
    ]
    for delivery, result in make_calls(prepared, now):
        record_result(delivery, result, now)
    return len(claimed_deliveries)


def prepare_message(delivery: Delivery, now: datetime) -> HttpCall | None:
    """The request of a message; None if the delivery was dropped or has failed."""
    device = delivery.push_device
    assert device is not None
    with activate_locale_of(delivery.player):
        if was_interrupted_too_often(delivery):  # each time the worker died
            reason = _("Sending was interrupted too often.")
            push_devices.mark_push_failed(delivery=delivery, reason=reason, now=now)
            return None
        try:
            if reason := find_drop_reason(delivery, device, now):
                push_devices.mark_push_dropped(delivery=delivery, reason=reason, now=now)
                return None
            return build_request(delivery, device, now)
        except NothingToSend:
            reason = _("No longer relevant.")
            push_devices.mark_push_dropped(delivery=delivery, reason=reason, now=now)
            return None
        except Exception:  # one broken delivery must not block the others
            log.exception("push delivery %s cannot be composed", delivery.pk)
            reason = _("An error on our side. We have logged it.")
            push_devices.mark_push_failed(delivery=delivery, reason=reason, now=now)
            return None


def find_drop_reason(delivery: Delivery, device: PushDevice, now: datetime) -> str:
    """Find the reason for which the message is obsolete; empty if it is not."""
    if not is_push_enabled():
        return _("Push is off on this site.")
    if device.disabled_reason:
        return _("The device no longer accepts notifications.")
    if push_devices.is_replaced(delivery):
        return _("A newer notification replaced it.")
    return find_push_drop_reason(delivery, now)


def record_result(delivery: Delivery, result: CallResult, now: datetime) -> None:
    """Record the result of a message on its delivery."""
    if result.is_success:
        push_devices.mark_push_sent(delivery=delivery, now=now)
        return
    if result.status in GONE_STATUSES:
        push_devices.remove_expired_device(delivery=delivery, now=now)
        return
    with translation.override(delivery.player.language):
        if result.failure:
            reason = _(FAILURE_TEXTS[result.failure])
        else:
            reason = _("The host answered %(status)d.") % {"status": result.status}
        push_devices.mark_push_failed(
            delivery=delivery,
            reason=reason,
            now=now,
            maybe_accepted=result.maybe_delivered,
            retry_after=parse_retry_after(result.retry_after, now),
        )


def parse_retry_after(value: str, now: datetime) -> timedelta | None:
    """Read a Retry-After header: seconds or a date; None if there is none or it makes no sense."""
    if value.isascii() and value.isdigit() and len(value) < 8:
        return timedelta(seconds=int(value))
    try:
        at = parsedate_to_datetime(value)
    except ValueError:
        return None
    wait = at.replace(tzinfo=at.tzinfo or UTC) - now
    return wait if wait > timedelta() else None


# --------------------------------------------------------------------------------------------------- message


def build_request(delivery: Delivery, device: PushDevice, now: datetime) -> HttpCall:
    """Build URL, body and headers of a message, in the player's language. Raises NothingToSend."""
    kind = get_notice_kind(delivery.kind)
    topic = build_topic(delivery, device)
    text = kind.build_push_text(delivery, now)
    payload = {"title": text.title, "body": text.body[:MAX_TEXT_LENGTH], "url": text.url, "tag": topic}
    body = encrypt_message(
        json.dumps(payload, ensure_ascii=False).encode(), p256dh=device.p256dh, auth=device.auth
    )
    headers = {
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(int(TIME_TO_LIVE.total_seconds())),
        "Urgency": PushUrgency(kind.push_urgency).value,
        "Topic": topic,
        "Authorization": build_authorization(device.endpoint, now),
    }
    return HttpCall(device.endpoint, body, headers)


def build_topic(delivery: Delivery, device: PushDevice) -> str:
    """The Topic of a message: a newer one with the same replaces it, at the push service and on the screen.

    One for each game, and for each notice that is about none; the push service cannot tell which game it is,
    nor that two devices have the same.
    """
    subject = delivery.topic or delivery.dedup_key
    digest = hashlib.sha256(f"{device.auth}:{subject}".encode()).digest()
    return encode_base64url(digest[:24])  # 32 characters, as many as a Topic may have
