"""A player's deliveries and webhooks."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.db.models import QuerySet

from accounts.models import Player
from common.instants import format_instant
from notifications.models import Delivery, Webhook
from notifications.notice_kinds import list_values_for_others
from notifications.topics import find_topic_code

MAX_LISTED_DELIVERIES = 50  # deliveries shown on a page


def list_deliveries_to(player: Player) -> QuerySet[Delivery]:
    """The mails and webhook calls to a player, without mails to addresses that the player gave us."""
    return Delivery.objects.filter(player=player).exclude(kind__in=list_values_for_others())


def list_recent_deliveries(player: Player) -> list[Delivery]:
    """A player's latest mails and webhook calls, newest first."""
    queryset = list_deliveries_to(player).select_related("webhook").order_by("-pk")
    return list(queryset[:MAX_LISTED_DELIVERIES])


def delivery_view(delivery: Delivery) -> dict[str, Any]:
    """The view of a delivery for its player."""
    return {
        "id": delivery.pk,
        "by": "webhook" if delivery.webhook_id else "mail",
        "webhook": delivery.webhook_id,
        "kind": delivery.kind,
        "game": find_topic_code(delivery.topic, "game"),
        "status": delivery.status,
        "status_reason": delivery.status_reason,
        "attempts": delivery.attempts,
        "to": delivery_address_of(delivery),
        "created_at": format_instant(delivery.created_at),
        "sent_at": format_instant(delivery.sent_at),
        "submitted_at": format_instant(delivery.submitted_at),
        "delivered_at": format_instant(delivery.delivered_at),
        "next_attempt_at": format_instant(delivery.next_attempt_at),
    }


def list_webhooks(player: Player) -> QuerySet[Webhook]:
    """A player's webhooks, oldest first."""
    return Webhook.objects.filter(player=player).order_by("pk")


def delivery_address_of(delivery: Delivery) -> str:
    """Where a delivery goes, as far as it may be shown."""
    return delivery.address or (webhook_host_of(delivery.webhook) if delivery.webhook else "")


def webhook_host_of(webhook: Webhook) -> str:
    """The host of a webhook; Discord's and Slack's full URLs contain a password."""
    return urlsplit(webhook.url).hostname or ""
