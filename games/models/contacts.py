"""How often people make us write to others, and addresses that want no mail from us."""

from __future__ import annotations

from django.db import models


class ContactCount(models.Model):
    """How often something was done since its window began; games.services.contacts says what may be."""

    key = models.CharField(max_length=120, primary_key=True, help_text="who does what to whom; no address")
    count = models.PositiveIntegerField(default=0)
    resets_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.key}: {self.count}"


class RefusedAddress(models.Model):
    """An address whose owner wants no mail from this site; only its digest is kept."""

    digest = models.CharField(max_length=64, primary_key=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "refused addresses"

    def __str__(self) -> str:
        return self.digest[:12]
