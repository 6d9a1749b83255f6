"""Admin pages of deliveries, webhooks, push devices and inbound mails."""

from __future__ import annotations

from datetime import datetime

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from common.read_only_admin import ReadOnlyAdmin
from notifications.models import Delivery, InboundMail, PushDevice, Webhook
from notifications.selectors.deliveries import webhook_host_of
from notifications.services import outbox, webhooks


@admin.register(Delivery)
class DeliveryAdmin(ReadOnlyAdmin):
    """Mails and webhook calls with their status; failed and bounced ones can be sent again."""

    list_display = [
        "created_at",
        "player",
        "kind",
        "channel",
        "status",
        "attempts",
        "next_attempt_at",
        "status_reason",
    ]
    list_filter = ["status", "kind"]
    search_fields = ["player__name__iexact", "topic__endswith"]
    ordering = ["-pk"]
    joined_relations = ["player", "webhook"]
    display_fields = [
        *(
            "player",
            "topic",
            "kind",
            "channel",
            "dedup_key",
            "status",
            "status_reason",
            "attempts",
            "created_at",
            "next_attempt_at",
        ),
        *("sent_at", "delivered_at", "opened_at", "address"),
    ]
    actions = ["resend"]

    @admin.display(description="channel")
    def channel(self, delivery: Delivery) -> str:
        """The channel: mail, push, or the webhook's host."""
        return webhook_host_of(delivery.webhook) if delivery.webhook else delivery.channel

    @admin.action(description="Resend failed and bounced deliveries", permissions=["operate"])
    def resend(self, request: HttpRequest, queryset: QuerySet[Delivery]) -> HttpResponse | None:
        """Send the selected failed or bounced deliveries again."""

        def resend_delivery(delivery: Delivery, now: datetime) -> bool:
            return outbox.retry_delivery(delivery=delivery, now=now)

        return self.run_action(request, queryset, "sent again", resend_delivery)


@admin.register(Webhook)
class WebhookAdmin(ReadOnlyAdmin):
    """Webhooks; only the host is shown, as the full URL is the player's secret."""

    list_display = ["player", "host", "preset", "active", "disabled_reason", "created_at"]
    list_filter = ["active", "preset"]
    search_fields = ["player__name__iexact"]
    ordering = ["-pk"]
    joined_relations = ["player"]
    display_fields = ["player", "host", "preset", "active", "disabled_reason", "created_at"]
    actions = ["turn_off"]

    @admin.display(description="host")
    def host(self, webhook: Webhook) -> str:
        """The host of the webhook's URL."""
        return webhook_host_of(webhook)

    @admin.action(description="Turn off: drops all waiting calls", permissions=["operate"])
    def turn_off(self, request: HttpRequest, queryset: QuerySet[Webhook]) -> HttpResponse | None:
        """Turn off the selected webhooks."""

        def turn_webhook_off(webhook: Webhook, now: datetime) -> None:
            webhooks.set_webhook_active(player=webhook.player, webhook_id=webhook.pk, active=False, now=now)

        return self.run_action(
            request,
            queryset,
            "turned off",
            turn_webhook_off,
            "Turn off these webhooks? Their waiting calls are lost.",
        )


@admin.register(PushDevice)
class PushDeviceAdmin(ReadOnlyAdmin):
    """Browsers that show push messages; of the endpoint, a secret, only the host is shown."""

    list_display = ["player", "label", "service_host", "disabled_reason", "created_at", "last_used_at"]
    search_fields = ["player__name__iexact"]
    ordering = ["-pk"]
    joined_relations = ["player"]
    display_fields = ["player", "label", "service_host", "disabled_reason", "created_at", "last_used_at"]


@admin.register(InboundMail)
class InboundMailAdmin(ReadOnlyAdmin):
    """Inbound mails. The recipient address is not shown: it grants access to somebody's turn."""

    list_display = ["received_at", "sender", "player", "outcome", "outcome_reason"]
    list_filter = ["outcome"]
    search_fields = ["player__name__iexact", "sender__iexact"]
    ordering = ["-pk"]
    joined_relations = ["player"]
    display_fields = ["received_at", "sender", "player", "topic", "outcome", "outcome_reason"]
