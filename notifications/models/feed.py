"""Feed entries: what a player is told, written in the transaction of what happened."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Q

from common.field_limits import MAX_IDEMPOTENCY_KEY_LENGTH
from notifications.topics import MAX_TOPIC_LENGTH


class FeedEntry(models.Model):
    """An entry of a player's feed, and the outbox from which notices are sent.

    Unique by player and `dedup_key`, so that a repeated run tells nobody twice. The acting player's entry
    also stores the response to the request, for as long as its Idempotency-Key may be repeated.
    """

    class NoticeStage(models.TextChoices):
        """The notices of an entry that can come next."""

        PENDING = "pending"
        KNOWN = "known"  # the player needs no first notice; reminders may follow
        FIRST_REMINDER = "first_reminder"
        LAST_REMINDER = "last_reminder"

    REMINDER_STAGES = (NoticeStage.FIRST_REMINDER, NoticeStage.LAST_REMINDER)

    player = models.ForeignKey("accounts.Player", on_delete=models.CASCADE, related_name="feed_entries")
    topic = models.CharField(max_length=MAX_TOPIC_LENGTH, blank=True, default="")
    kind = models.CharField(max_length=30)
    dedup_key = models.CharField(max_length=80)
    data = models.JSONField(default=dict)
    at = models.DateTimeField()
    # The outbox: when services.notices processes the entry next, and for which notice.
    notify_at = models.DateTimeField(null=True)
    notice_stage = models.CharField(max_length=20, choices=NoticeStage.choices, default=NoticeStage.PENDING)
    # On PostgreSQL the id of the writing transaction. A feed is read in this order, and shows an entry only
    # when no running transaction can still insert one before it: see selectors.feed.
    transaction_id = models.BigIntegerField(db_default=0)
    idempotency_key = models.CharField(max_length=MAX_IDEMPOTENCY_KEY_LENGTH, blank=True, default="")
    request_hash = models.CharField(max_length=64, blank=True, default="", help_text="hash of the request")
    response_body = models.TextField(blank=True, default="")

    subject: Any = None  # not a column: what the topic names, once loaded

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "dedup_key"], name="feed_dedup_key_once"),
            models.UniqueConstraint(
                fields=["player", "idempotency_key"],
                condition=~Q(idempotency_key=""),
                name="feed_idempotency_key_once",
            ),
        ]
        indexes = [
            models.Index(fields=["player", "id"], name="feed_of_player"),
            models.Index(fields=["player", "transaction_id", "id"], name="feed_order_of_player"),
            models.Index(fields=["topic", "player"], name="feed_of_topic"),
            models.Index(fields=["notify_at"], condition=Q(notify_at__isnull=False), name="feed_notice_due"),
            # Entries for webhooks, which are called at once while the mail still waits.
            models.Index(
                fields=["player"],
                condition=Q(notify_at__isnull=False, notice_stage="pending"),
                name="feed_pending_of_player",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.dedup_key}"
