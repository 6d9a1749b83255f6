"""Answers that are kept for as long as the same request may come again."""

from __future__ import annotations

from django.db import models


class IdempotentResponse(models.Model):
    """What a request of a player was answered, under the Idempotency-Key that it brought."""

    player = models.ForeignKey("Player", on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=100)
    request_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    body = models.TextField(blank=True, default="")
    at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "key"], name="idempotent_response_once")]

    def __str__(self) -> str:
        return f"{self.player_id} {self.key}"
