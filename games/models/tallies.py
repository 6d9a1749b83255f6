"""Tallies: how often something was done here, for operators; one row for each name, kept by the workers."""

from __future__ import annotations

from django.db import models


class Tally(models.Model):
    """A count that only grows, the time that it took, and when it last did."""

    name = models.CharField(max_length=80, primary_key=True)
    count = models.BigIntegerField(default=0)
    seconds = models.FloatField(default=0.0)
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "tallies"

    def __str__(self) -> str:
        return f"{self.name}: {self.count}"
