"""Counters for operators and metrics: one row per name, updated by the workers."""

from __future__ import annotations

from django.db import models


class MetricCounter(models.Model):
    """A count that only grows, the seconds spent on it, and when it last grew."""

    name = models.CharField(max_length=80, primary_key=True)
    count = models.BigIntegerField(default=0)
    seconds = models.FloatField(default=0.0)
    updated_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name}: {self.count}"
