"""Outgoing deliveries (mails, webhook calls and push messages), webhooks, and inbound mails."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from notifications.topics import MAX_TOPIC_LENGTH

from .push_devices import PushDevice

MAX_URL_LENGTH = 500  # of a webhook
IS_MAIL = Q(webhook=None, push_device=None)  # which deliveries are mails


class Webhook(models.Model):
    """A player's URL that is called with notices: those of their mails, or the kinds they chose."""

    class Preset(models.TextChoices):
        """The format of the request body."""

        JSON = "json", _("JSON, signed")
        DISCORD = "discord", "Discord"
        SLACK = "slack", "Slack"

    player = models.ForeignKey("accounts.Player", on_delete=models.CASCADE, related_name="webhooks")
    url = models.URLField(max_length=MAX_URL_LENGTH)
    preset = models.CharField(max_length=10, choices=Preset.choices, default=Preset.JSON)
    signing_secret = models.CharField(max_length=64, help_text="signs what is sent; shown to its player")
    kinds = models.JSONField(null=True, help_text="the notice kinds that it is called with; empty: all")
    immediate = models.BooleanField(
        default=False, db_default=False, help_text="it does not wait until the mail is due"
    )
    active = models.BooleanField(default=True)
    disabled_reason = models.CharField(
        max_length=200, blank=True, default="", help_text="why it was turned off"
    )
    busy_until = models.DateTimeField(
        null=True, help_text="it is being called, or has a pause after calls that failed"
    )
    failures_in_a_row = models.SmallIntegerField(
        default=0, db_default=0, help_text="calls that failed at their first attempt since the last success"
    )
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "url"], name="webhook_once")]

    def __str__(self) -> str:
        return f"webhook {self.pk}"

    def wants_kind(self, kind: str) -> bool:
        """True if it is called with notices of this kind."""
        return self.kinds is None or kind in self.kinds


class Delivery(models.Model):
    """A mail, webhook call or push message, unique by player and `dedup_key`; sent, dropped or given up."""

    class Status(models.TextChoices):
        """The state of a delivery."""

        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        DROPPED = "dropped", _("no longer needed")
        FAILED = "failed", _("failed")
        BOUNCED = "bounced", _("bounced")
        UNCERTAIN = "uncertain", _("may have arrived")

    class Channel(StrEnum):
        """The channels of deliveries."""

        MAIL = "mail"
        WEBHOOK = "webhook"
        PUSH = "push"

    player = models.ForeignKey("accounts.Player", on_delete=models.CASCADE, related_name="deliveries")
    topic = models.CharField(max_length=MAX_TOPIC_LENGTH, blank=True, default="")
    webhook = models.ForeignKey(Webhook, null=True, on_delete=models.CASCADE, related_name="deliveries")
    push_device = models.ForeignKey(
        PushDevice, null=True, on_delete=models.CASCADE, related_name="deliveries", db_index=False
    )
    kind = models.CharField(
        max_length=30, help_text="turn, reminder, started, timeout, over, digest, test and others"
    )
    dedup_key = models.CharField(max_length=100)
    data = models.JSONField(default=dict)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.WAITING)
    status_reason = models.CharField(
        max_length=300, blank=True, default="", help_text="the reason of its status"
    )
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField()
    next_attempt_at = models.DateTimeField(null=True, help_text="the next attempt; empty: no more attempts")
    sent_at = models.DateTimeField(null=True)
    submitted_at = models.DateTimeField(
        null=True, help_text="when the other side may have taken it; empty while it surely has not"
    )
    delivered_at = models.DateTimeField(null=True, help_text="the receiving side confirmed it then")
    opened_at = models.DateTimeField(null=True)
    address = models.CharField(
        max_length=500, blank=True, default="", help_text="the address that it was sent to"
    )
    message_id = models.CharField(max_length=200, blank=True, default="", db_index=True)

    subject: Any = None  # not a column: what the topic names, once loaded
    submitted_by_this_attempt = False  # not a column: whether the current attempt set `submitted_at`

    class Meta:
        verbose_name_plural = "deliveries"
        constraints = [
            models.UniqueConstraint(fields=["player", "dedup_key"], name="delivery_dedup_key_once")
        ]
        indexes = [
            models.Index(
                fields=["next_attempt_at"], condition=Q(next_attempt_at__isnull=False), name="delivery_due"
            ),
            models.Index(fields=["player", "-id"], name="delivery_of_player"),
            models.Index(fields=["topic", "player"], name="delivery_of_topic"),
            models.Index(
                fields=["push_device"],
                condition=Q(push_device__isnull=False),
                name="delivery_of_push_device",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.dedup_key}"

    @property
    def is_to_be_retried(self) -> bool:
        """True if it was tried and will be tried again."""
        return self.status == self.Status.WAITING and self.attempts > 0

    @property
    def channel(self) -> Delivery.Channel:
        """The channel by which it goes out."""
        if self.push_device_id:
            return Delivery.Channel.PUSH
        return Delivery.Channel.WEBHOOK if self.webhook_id else Delivery.Channel.MAIL


class InboundMail(models.Model):
    """A mail that came in and its outcome; unique by digest: a mail received twice is processed once."""

    class Outcome(StrEnum):
        """The outcomes of a mail that no app processed; an app that does has outcomes of its own."""

        UNFINISHED = ""  # logged, and not yet processed to the end
        IGNORED = "ignored"
        BOUNCE = "bounce"
        UNKNOWN = "unknown"

    digest = models.CharField(max_length=64, unique=True)
    received_at = models.DateTimeField()
    sender = models.CharField(max_length=254, blank=True, default="")
    recipient = models.CharField(max_length=254, blank=True, default="")
    player = models.ForeignKey(
        "accounts.Player", null=True, on_delete=models.CASCADE, related_name="inbound_mails"
    )
    topic = models.CharField(max_length=MAX_TOPIC_LENGTH, blank=True, default="")
    outcome = models.CharField(
        max_length=20, help_text="a value of Outcome, or a word of the app that handled it"
    )
    outcome_reason = models.CharField(max_length=300, blank=True, default="")

    class Meta:
        verbose_name_plural = "inbound mails"
        indexes = [models.Index(fields=["received_at"], name="inbound_mail_received_at")]

    def __str__(self) -> str:
        return f"inbound mail {self.pk}: {self.outcome}"
