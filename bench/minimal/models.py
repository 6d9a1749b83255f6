"""Two tables: one to look things up in, one to write to."""

from __future__ import annotations

from django.db import models


class Thing(models.Model):
    """What is looked up, by its unique code."""

    code = models.CharField(max_length=12, unique=True)
    text = models.CharField(max_length=200)

    def __str__(self) -> str:
        return self.code


class Line(models.Model):
    """What is written."""

    thing = models.ForeignKey(Thing, on_delete=models.CASCADE)
    seq = models.PositiveIntegerField()
    text = models.CharField(max_length=200)

    def __str__(self) -> str:
        return self.text
