"""Two models: one that is read, one that is written."""

from __future__ import annotations

from django.db import models


class Thing(models.Model):
    """A row that is read by its unique code."""

    code = models.CharField(max_length=12, unique=True)
    text = models.CharField(max_length=200)

    def __str__(self) -> str:
        """Return the code."""
        return self.code


class Line(models.Model):
    """A row that is written."""

    thing = models.ForeignKey(Thing, on_delete=models.CASCADE)
    seq = models.PositiveIntegerField()
    text = models.CharField(max_length=200)

    def __str__(self) -> str:
        """Return the text."""
        return self.text
