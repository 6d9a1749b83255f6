"""Personal API tokens."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from .limits import MAX_TOKEN_NAME_LENGTH


class Token(models.Model):
    """A named API token: shown once, stored as a hash, limited by scopes and expiry."""

    player = models.ForeignKey("Player", on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=MAX_TOKEN_NAME_LENGTH)
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.CharField(max_length=50, help_text="separated by spaces; see accounts/scopes.py")
    parent = models.ForeignKey(
        "self",
        null=True,
        on_delete=models.CASCADE,
        related_name="children",
        db_index=False,  # the partial index is in Meta
        help_text="the token that made this one; this one ends with it",
    )
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["parent"], condition=Q(parent__isnull=False), name="token_parent")]

    def __str__(self) -> str:
        return f"{self.name} of {self.player_id}"
