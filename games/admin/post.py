"""What goes out to players and what comes in from them."""

from __future__ import annotations

from datetime import datetime

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from games.models import (
    Delivery,
    Received,
    Webhook,
)
from games.selectors.mail import host_of
from games.services import outbox, webhooks

from .base import Looked


@admin.register(Delivery)
class DeliveryAdmin(Looked):
    """Mails and calls of webhooks, and what became of them; what was given up can be sent again."""

    list_display = ["made_at", "player", "kind", "by", "status", "tries", "due_at", "why"]
    list_filter = ["status", "kind"]
    search_fields = ["player__name__iexact", "game__code__exact"]
    ordering = ["-pk"]
    joined = ["player", "game", "webhook"]
    shown = [
        *("player", "game", "kind", "by", "reason", "status", "why", "tries", "made_at", "due_at"),
        *("sent_at", "delivered_at", "opened_at", "address"),
    ]
    actions = ["again"]

    @admin.display(description="by")
    def by(self, delivery: Delivery) -> str:
        return host_of(delivery.webhook) if delivery.webhook else "mail"

    @admin.action(description="Send again what was given up or came back", permissions=["deed"])
    def again(self, request: HttpRequest, chosen: QuerySet[Delivery]) -> HttpResponse | None:
        def sent(one: Delivery, now: datetime) -> bool:
            return outbox.again(delivery=one, now=now)

        return self.deed(request, chosen, "sent again", sent)


@admin.register(Webhook)
class WebhookAdmin(Looked):
    """Where players are told things; the whole address is a secret of theirs."""

    list_display = ["player", "host", "preset", "active", "trouble", "at"]
    list_filter = ["active", "preset"]
    search_fields = ["player__name__iexact"]
    ordering = ["-pk"]
    joined = ["player"]
    shown = ["player", "host", "preset", "active", "trouble", "at"]
    actions = ["switch_off"]

    @admin.display(description="host")
    def host(self, webhook: Webhook) -> str:
        return host_of(webhook)

    @admin.action(description="Switch off: what waits for them is dropped", permissions=["deed"])
    def switch_off(self, request: HttpRequest, chosen: QuerySet[Webhook]) -> HttpResponse | None:
        def off(one: Webhook, now: datetime) -> None:
            webhooks.switch(player=one.player, webhook_id=one.pk, active=False, now=now)

        return self.deed(request, chosen, "switched off", off, "Switch these webhooks off?")


@admin.register(Received)
class ReceivedAdmin(Looked):
    """Mails that came in. Where one was sent to is a key to somebody's turn, and is not shown."""

    list_display = ["at", "sender", "player", "outcome", "why"]
    list_filter = ["outcome"]
    search_fields = ["player__name__iexact", "sender__iexact"]
    ordering = ["-pk"]
    joined = ["player", "game"]
    shown = ["at", "sender", "player", "game", "outcome", "why"]
