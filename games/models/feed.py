"""Feed entries: what a player is told, written in the transaction of what happened."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class FeedEntry(models.Model):
    """An entry of a player's feed, and the outbox from which notices are sent.

    Unique by player and `reason`, so that a repeated run tells nobody twice. The acting player's entry
    also stores the response to the request, for as long as its Idempotency-Key may be repeated.
    """

    player = models.ForeignKey("Player", on_delete=models.CASCADE, related_name="events")
    game = models.ForeignKey("Game", null=True, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=20)
    reason = models.CharField(max_length=80)
    data = models.JSONField(default=dict)
    at = models.DateTimeField()
    # The outbox: when services.notices processes the entry next, and for which notice.
    due_at = models.DateTimeField(null=True)
    stage = models.PositiveSmallIntegerField(default=0, help_text="0 to be told; 1 known; 2 and 3 reminders")
    # On PostgreSQL the id of the writing transaction. A feed shows an entry only when no running transaction
    # can still insert one before it.
    written = models.BigIntegerField(db_default=0)
    key = models.CharField(max_length=100, blank=True, default="")
    asked = models.CharField(max_length=64, blank=True, default="", help_text="hash of the request")
    answer = models.TextField(blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "reason"], name="event_told_once"),
            models.UniqueConstraint(fields=["player", "key"], condition=~Q(key=""), name="event_key_once"),
        ]
        indexes = [
            models.Index(fields=["player", "id"], name="event_feed"),
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="event_due"),
            # Entries for webhooks, which are called at once while the mail still waits.
            models.Index(
                fields=["player"], condition=Q(due_at__isnull=False, stage=0), name="event_untold_of_player"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.reason}"
