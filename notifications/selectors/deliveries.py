"""A player's deliveries and webhooks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated
from urllib.parse import urlsplit

from django.db.models import Count, F, QuerySet, Window
from django.db.models.functions import RowNumber

from accounts.models import Player
from common.read_models import Url
from notifications.models import Delivery, Webhook
from notifications.notice_kinds import list_values_for_others
from notifications.topics import find_topic_code

MAX_LISTED_DELIVERIES = 50  # deliveries shown on a page
MAX_LISTED_FAILING_CALLS = 10  # of a webhook


def list_deliveries_to(player: Player) -> QuerySet[Delivery]:
    """The mails and webhook calls to a player, without mails to addresses that the player gave us."""
    return Delivery.objects.filter(player=player).exclude(kind__in=list_values_for_others())


def list_recent_deliveries(player: Player) -> list[Delivery]:
    """A player's latest mails and webhook calls, newest first."""
    queryset = list_deliveries_to(player).select_related("webhook", "push_device").order_by("-pk")
    return list(queryset[:MAX_LISTED_DELIVERIES])


@dataclass(frozen=True)
class DeliveryData:
    """A mail, webhook call or push message, and its status."""

    id: Annotated[int, "The number of the delivery."]
    by: Annotated[Delivery.Channel, "The channel that it goes through."]
    webhook: Annotated[int | None, "The `id` of the webhook that is called; null for other channels."]
    kind: Annotated[
        str,
        "The kind of notification, such as `turn`, `reminder`, `started`, `timeout`, `over`, `digest` or"
        " `test`.",
    ]
    game: Annotated[str | None, "The `id` of the game that it is about; null if it is about no game."]
    status: Annotated[Delivery.Status, "Its status."]
    status_reason: Annotated[str | None, "Why it has this status, in your language."]
    attempts: Annotated[int, "The number of attempts."]
    to: Annotated[str, "Your email address, or the host of your webhook."] = field(
        metadata={"allow_blank": True}
    )
    created_at: Annotated[datetime, "When it was planned."]
    sent_at: Annotated[datetime | None, "When the other side accepted it."]
    submitted_at: Annotated[
        datetime | None, "When the other side may have accepted it; null if it certainly has not."
    ]
    delivered_at: Annotated[datetime | None, "When the mail provider reported that it arrived."]
    next_attempt_at: Annotated[datetime | None, "When we try again; null if we do not."]


def build_delivery_data(delivery: Delivery) -> DeliveryData:
    """A delivery as its player sees it."""
    return DeliveryData(
        id=delivery.pk,
        by=delivery.channel,
        webhook=delivery.webhook_id,
        kind=delivery.kind,
        game=find_topic_code(delivery.topic, "game"),
        status=Delivery.Status(delivery.status),
        status_reason=delivery.status_reason or None,
        attempts=delivery.attempts,
        to=delivery_address_of(delivery),
        created_at=delivery.created_at,
        sent_at=delivery.sent_at,
        submitted_at=delivery.submitted_at,
        delivered_at=delivery.delivered_at,
        next_attempt_at=delivery.next_attempt_at,
    )


@dataclass(frozen=True)
class FailingCallData:
    """A webhook call that failed and will be tried again."""

    id: Annotated[int, "Names the delivery; the header `webhook-id` of the call."]
    kind: Annotated[str, "The kind of notification."]
    game: Annotated[str | None, "The game that it is about, if any: its later calls wait for this one."]
    attempts: Annotated[int, "The number of attempts."]
    last_error: Annotated[str, "Why the last attempt failed, in your language."] = field(
        metadata={"allow_blank": True}
    )
    next_attempt_at: Annotated[datetime, "When we try again."]


@dataclass(frozen=True)
class WebhookData:
    """A webhook, without its secret."""

    id: Annotated[int, "Its number in addresses of the API."]
    url: Annotated[Url, "The address that we call."]
    preset: Annotated[
        Webhook.Preset, "The format of the body: plain JSON, or what Discord or Slack understand."
    ]
    kinds: Annotated[list[str] | None, "The kinds of notifications that it is called with; null: all."]
    immediate: Annotated[
        bool, "Whether it is called within seconds, in quiet hours too; else when the mail is due."
    ]
    active: Annotated[bool, "Whether it is called."]
    disabled_reason: Annotated[str | None, "Why the webhook is off; null while it is on."]
    waiting_calls: Annotated[int, "How many calls wait, or will be repeated."]
    failing_calls: Annotated[list[FailingCallData], "Failed calls that we will repeat; ten at most."]
    created_at: Annotated[datetime, "When it was made."]


@dataclass(frozen=True)
class WebhookWithSecretData(WebhookData):
    """A webhook with its secret."""

    signing_secret: Annotated[
        str, "The secret that signs the calls, as Standard Webhooks describes. It is shown only this once."
    ]


def build_webhook_data(webhook: Webhook) -> WebhookData:
    """A webhook as its player sees it."""
    return build_webhooks_data([webhook])[0]


def build_webhooks_data(webhooks: Iterable[Webhook]) -> list[WebhookData]:
    """Webhooks as their player sees them, in two queries."""
    webhook_rows = list(webhooks)
    waiting_calls = Delivery.objects.filter(webhook__in=webhook_rows, next_attempt_at__isnull=False)
    waiting_counts = dict(waiting_calls.order_by().values_list("webhook").annotate(waiting_count=Count("pk")))
    failing_calls = list_failing_calls(webhook_rows)
    return [
        build_one_webhook_data(webhook, waiting_counts.get(webhook.pk, 0), failing_calls)
        for webhook in webhook_rows
    ]


def list_failing_calls(webhooks: Sequence[Webhook]) -> Mapping[int, list[FailingCallData]]:
    """The latest calls of each webhook that failed and will be tried again, by id of the webhook."""
    # A call that is being made for the first time has an attempt, but no error yet.
    rows = (
        Delivery.objects.filter(webhook__in=webhooks, next_attempt_at__isnull=False, attempts__gt=0)
        .exclude(status_reason="")
        .annotate(
            place=Window(RowNumber(), partition_by=[F("webhook")], order_by=F("pk").desc()),
        )
        .filter(place__lte=MAX_LISTED_FAILING_CALLS)
        .order_by("pk")
    )
    calls_by_webhook: dict[int, list[FailingCallData]] = defaultdict(list)
    for row in rows:
        if row.webhook_id and row.next_attempt_at:
            calls_by_webhook[row.webhook_id].append(
                FailingCallData(
                    id=row.pk,
                    kind=row.kind,
                    game=find_topic_code(row.topic, "game"),
                    attempts=row.attempts,
                    last_error=row.status_reason,
                    next_attempt_at=row.next_attempt_at,
                )
            )
    return calls_by_webhook


def build_one_webhook_data(
    webhook: Webhook, waiting_calls: int, failing_calls: Mapping[int, list[FailingCallData]]
) -> WebhookData:
    """A webhook with the counts of its calls."""
    return WebhookData(
        id=webhook.pk,
        url=Url(webhook.url),
        preset=Webhook.Preset(webhook.preset),
        kinds=webhook.kinds,
        immediate=webhook.immediate,
        active=webhook.active,
        disabled_reason=webhook.disabled_reason or None,
        waiting_calls=waiting_calls,
        failing_calls=failing_calls.get(webhook.pk, []),
        created_at=webhook.created_at,
    )


def build_new_webhook_data(webhook: Webhook) -> WebhookWithSecretData:
    """A webhook whose secret is new, with that secret."""
    return WebhookWithSecretData(**vars(build_webhook_data(webhook)), signing_secret=webhook.signing_secret)


def list_webhooks(player: Player) -> QuerySet[Webhook]:
    """A player's webhooks, oldest first."""
    return Webhook.objects.filter(player=player).order_by("pk")


def delivery_address_of(delivery: Delivery) -> str:
    """Return the address of a delivery, as far as it may be shown."""
    return delivery.address or (webhook_host_of(delivery.webhook) if delivery.webhook else "")


def webhook_host_of(webhook: Webhook) -> str:
    """The host of a webhook; Discord's and Slack's full URLs contain a password."""
    return urlsplit(webhook.url).hostname or ""
