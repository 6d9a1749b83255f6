"""Personal tokens for programs."""

from __future__ import annotations

from django.db import models


class Token(models.Model):
    """A named key to the API: shown once, stored as a hash, limited by scopes and expiry."""

    player = models.ForeignKey("Player", on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=50)
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.CharField(max_length=50, help_text="of read, play, organise; separated by spaces")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    last_used = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.name} of {self.player_id}"
