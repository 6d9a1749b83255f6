"""Counters that limit how often players cause mail to others, and addresses that refused all mail."""

from __future__ import annotations

from django.db import models


class ContactCount(models.Model):
    """Count of one contact kind since its window began; `accounts.daily_limits` has the limits."""

    key = models.CharField(max_length=120, primary_key=True, help_text="who does what to whom; no address")
    count = models.PositiveIntegerField(default=0)
    resets_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.key}: {self.count}"


class RefusedAddress(models.Model):
    """An address whose owner refused all mail from this site; only its digest is stored."""

    digest = models.CharField(max_length=64, primary_key=True)
    refused_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "refused addresses"

    def __str__(self) -> str:
        return self.digest[:12]
