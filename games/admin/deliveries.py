"""Admin pages of deliveries, webhooks and inbound mails."""

from __future__ import annotations

from datetime import datetime

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from games.models import (
    Delivery,
    InboundMail,
    Webhook,
)
from games.selectors.deliveries import webhook_host_of
from games.services import outbox, webhooks

from .base import ReadOnlyAdmin


@admin.register(Delivery)
class DeliveryAdmin(ReadOnlyAdmin):
    """Mails and webhook calls with their status; failed and bounced ones can be sent again."""

    list_display = ["made_at", "player", "kind", "channel", "status", "tries", "due_at", "why"]
    list_filter = ["status", "kind"]
    search_fields = ["player__name__iexact", "game__code__exact"]
    ordering = ["-pk"]
    joined_relations = ["player", "game", "webhook"]
    display_fields = [
        *("player", "game", "kind", "channel", "reason", "status", "why", "tries", "made_at", "due_at"),
        *("sent_at", "delivered_at", "opened_at", "address"),
    ]
    actions = ["resend"]

    @admin.display(description="by")
    def channel(self, delivery: Delivery) -> str:
        """The channel: mail, or the webhook's host."""
        return webhook_host_of(delivery.webhook) if delivery.webhook else "mail"

    @admin.action(description="Send again what was given up or came back", permissions=["operate"])
    def resend(self, request: HttpRequest, queryset: QuerySet[Delivery]) -> HttpResponse | None:
        """Send the selected failed or bounced deliveries again."""

        def resend_delivery(delivery: Delivery, now: datetime) -> bool:
            return outbox.retry_delivery(delivery=delivery, now=now)

        return self.run_action(request, queryset, "sent again", resend_delivery)


@admin.register(Webhook)
class WebhookAdmin(ReadOnlyAdmin):
    """Webhooks; only the host is shown, as the full URL is the player's secret."""

    list_display = ["player", "host", "preset", "active", "trouble", "at"]
    list_filter = ["active", "preset"]
    search_fields = ["player__name__iexact"]
    ordering = ["-pk"]
    joined_relations = ["player"]
    display_fields = ["player", "host", "preset", "active", "trouble", "at"]
    actions = ["switch_off"]

    @admin.display(description="host")
    def host(self, webhook: Webhook) -> str:
        """The host of the webhook's URL."""
        return webhook_host_of(webhook)

    @admin.action(description="Switch off: what waits for them is dropped", permissions=["operate"])
    def switch_off(self, request: HttpRequest, queryset: QuerySet[Webhook]) -> HttpResponse | None:
        """Switch the selected webhooks off."""

        def switch_webhook_off(webhook: Webhook, now: datetime) -> None:
            webhooks.set_webhook_active(player=webhook.player, webhook_id=webhook.pk, active=False, now=now)

        return self.run_action(
            request, queryset, "switched off", switch_webhook_off, "Switch these webhooks off?"
        )


@admin.register(InboundMail)
class InboundMailAdmin(ReadOnlyAdmin):
    """Inbound mails. The recipient address is not shown: it grants access to somebody's turn."""

    list_display = ["at", "sender", "player", "outcome", "why"]
    list_filter = ["outcome"]
    search_fields = ["player__name__iexact", "sender__iexact"]
    ordering = ["-pk"]
    joined_relations = ["player", "game"]
    display_fields = ["at", "sender", "player", "game", "outcome", "why"]
