"""Sends due webhook calls: signed, never in a transaction, retried until they succeed or are given up."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop
from standardwebhooks import Webhook as Signer

from accounts.player_locale import activate_locale_of
from common.budget import Budget
from notifications.channels.http_calls import HttpCall, ParallelCalls
from notifications.channels.webhook import webhook_http
from notifications.channels.webhook.webhook_http import CallFailure
from notifications.models import Delivery, Webhook
from notifications.notice_kinds import NothingToSend, WebhookPayloadData, get_notice_kind
from notifications.services import webhooks
from notifications.services.outbox import was_interrupted_too_often

log = logging.getLogger(__name__)
MAX_PARALLEL_CALLS = 20  # as many threads
MAX_PARALLEL_FAILING_CALLS = 5  # of them, to webhooks whose last calls failed
USER_AGENT = "OTTO-online-webhooks/1"

FAILURE_TEXTS: dict[CallFailure, str] = {
    CallFailure.UNKNOWN_HOST: noop("This host does not exist."),
    CallFailure.PRIVATE_ADDRESS: noop("The address is in a private network, which we do not call."),
    CallFailure.UNREACHABLE: noop("The host refused the connection."),
    CallFailure.BAD_CERTIFICATE: noop("The host’s certificate is not valid."),
    CallFailure.TIMED_OUT: noop("The host took too long to answer."),
    CallFailure.BROKEN_CONNECTION: noop("The connection was lost."),
}


def send_due_webhooks(*, now: datetime, limit: int = MAX_PARALLEL_CALLS, budget: Budget | None = None) -> int:
    """Make the webhook calls that are due, as many at a time as `limit`. Returns how many were claimed.

    1. Claim due calls, one of each webhook, as long as threads are free and the budget allows it.
    2. Compose the requests; obsolete or broken deliveries are finished here.
    3. Note that the calls are being handed over.
    4. Make the calls in parallel threads, which do not touch the database.
    5. Record each result as it comes, and go on at 1: nobody waits for a slow host, which keeps one thread
       busy. Failing webhooks share a few threads.
    """
    budget = budget or Budget()
    claimed_count = 0
    with ParallelCalls(limit) as parallel_calls:
        while True:
            claimed_deliveries = []
            if parallel_calls.free_count and (not claimed_count or budget.allows_more()):
                failing_count = sum(
                    webhooks.is_failing_webhook(webhook_of(delivery)) for delivery in parallel_calls.pending
                )
                claimed_deliveries = webhooks.claim_due_calls(
                    now=now,
                    limit=parallel_calls.free_count,
                    failing_limit=MAX_PARALLEL_FAILING_CALLS - failing_count,
                )
            claimed_count += len(claimed_deliveries)
            for delivery in claimed_deliveries:
                if webhook_request := prepare_call(delivery, now):
                    parallel_calls.begin(delivery, webhook_request, now)
            if not claimed_deliveries and not parallel_calls.pending:
                return claimed_count
            for delivery, result in parallel_calls.collect_finished():
                record_result(delivery, result, now)


def webhook_of(delivery: Delivery) -> Webhook:
    """The webhook of a call."""
    assert delivery.webhook is not None
    return delivery.webhook


def prepare_call(delivery: Delivery, now: datetime) -> HttpCall | None:
    """The request of a call; None if the delivery was dropped or has failed."""
    player, webhook = delivery.player, webhook_of(delivery)
    with activate_locale_of(player):
        if was_interrupted_too_often(delivery):  # each time the worker died
            reason = _("Sending was interrupted too often.")
            webhooks.mark_call_failed(delivery=delivery, reason=reason, now=now, was_made=False)
            return None
        try:
            if reason := find_drop_reason(delivery, webhook, now):
                webhooks.mark_call_dropped(delivery=delivery, reason=reason, now=now)
                return None
            return build_request(delivery, webhook, now)
        except NothingToSend:
            reason = _("No longer relevant.")
            webhooks.mark_call_dropped(delivery=delivery, reason=reason, now=now)
            return None
        except Exception:  # one broken delivery must not block the others
            log.exception("webhook delivery %s cannot be composed", delivery.pk)
            reason = _("An error on our side. We have logged it.")
            webhooks.mark_call_failed(delivery=delivery, reason=reason, now=now, was_made=False)
            return None


def record_result(delivery: Delivery, result: webhook_http.CallResult, now: datetime) -> None:
    """Record the result of a call on its delivery."""
    if result.is_success:
        webhooks.mark_call_sent(delivery=delivery, now=now)
        return
    with translation.override(delivery.player.language):
        if result.failure:
            reason = _(FAILURE_TEXTS[result.failure])
        elif 300 <= result.status < 400:
            reason = _("The host answered %(status)d, a redirect, which we do not follow.") % {
                "status": result.status
            }
        else:
            reason = _("The host answered %(status)d.") % {"status": result.status}
        webhooks.mark_call_failed(
            delivery=delivery,
            reason=reason,
            now=now,
            is_gone=result.status == 410,
            maybe_accepted=result.maybe_delivered,
        )


def find_drop_reason(delivery: Delivery, webhook: Webhook, now: datetime) -> str:
    """Find the reason for which the delivery is obsolete; empty if it is not."""
    if not webhook.active:
        return _("The webhook is off.")
    return get_notice_kind(delivery.kind).find_call_drop_reason(delivery, now)


# --------------------------------------------------------------------------------------------------- payload


def build_request(delivery: Delivery, webhook: Webhook, now: datetime) -> HttpCall:
    """Build URL, body and headers of a call, signed as standardwebhooks.com describes."""
    payload = get_notice_kind(delivery.kind).build_webhook_payload(delivery, now)
    body = json.dumps(FORMATTERS_BY_PRESET[webhook.preset](payload), ensure_ascii=False)
    message_id = str(delivery.pk)  # the same at every attempt
    # The signer takes the hours of a time for those of UTC.
    signature = Signer(webhook.signing_secret).sign(message_id, now.astimezone(UTC), body)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": USER_AGENT,
        "webhook-id": message_id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": signature,
    }
    return HttpCall(webhook.url, body.encode(), headers)


def format_for_discord(payload: WebhookPayloadData) -> dict[str, Any]:
    """The payload as a Discord message; names in it mention nobody."""
    # A player name that looks like a mention must not notify anybody.
    return {"content": f"{payload['text']} {payload['url']}", "allowed_mentions": {"parse": []}}


def format_for_slack(payload: WebhookPayloadData) -> dict[str, Any]:
    """The payload as a Slack message."""
    text = payload["text"].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return {"text": f"{text} {payload['url']}"}


FORMATTERS_BY_PRESET: dict[str, Callable[[WebhookPayloadData], dict[str, Any]]] = {
    Webhook.Preset.JSON: dict,
    Webhook.Preset.DISCORD: format_for_discord,
    Webhook.Preset.SLACK: format_for_slack,
}
