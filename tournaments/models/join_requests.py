"""Requests to join a league from people without an account."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from accounts.name_validation import MAX_NAME_LENGTH

from .leagues import League


class JoinRequest(models.Model):
    """A mailed request to join a league by somebody who is not signed in; its link works once."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="join_requests")
    email = models.EmailField()
    name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True, help_text="for a new account")
    language = models.CharField(max_length=5)
    guest = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="whose games a new account keeps",
    )
    created_at = models.DateTimeField(db_index=True)
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.pk} at {self.league_id}"
