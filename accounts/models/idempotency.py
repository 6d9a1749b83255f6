"""Responses kept for as long as a request with the same Idempotency-Key may be repeated."""

from __future__ import annotations

from django.db import models

from common.field_limits import MAX_IDEMPOTENCY_KEY_LENGTH


class IdempotentResponse(models.Model):
    """The stored response to a player's request with an Idempotency-Key."""

    player = models.ForeignKey("Player", on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=MAX_IDEMPOTENCY_KEY_LENGTH)
    request_hash = models.CharField(max_length=64)
    status_code = models.PositiveSmallIntegerField(default=0)
    body = models.TextField(blank=True, default="")
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "key"], name="idempotent_response_once")]

    def __str__(self) -> str:
        return f"{self.player_id} {self.key}"
