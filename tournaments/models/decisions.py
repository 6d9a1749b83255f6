"""What organisers decide, and what players object to."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from . import limits
from .events import Event
from .rounds import Table


class Decision(models.Model):
    """A line of an event's log of decisions: never changed; taking one back is a line of its own."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="decisions")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField()
    what = models.CharField(max_length=20)
    why = models.CharField(
        max_length=limits.MAX_REASON_LENGTH,
        blank=True,
        default="",
        help_text="the reason, for those who organise it",
    )
    public_note = models.CharField(
        max_length=limits.MAX_REASON_LENGTH,
        blank=True,
        default="",
        db_default="",
        help_text="for everybody, until it is undone",
    )
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    last_table = models.BigIntegerField(default=0, help_text="the newest table then: what is newer followed")
    undoes = models.OneToOneField("self", null=True, on_delete=models.PROTECT, related_name="undone_by")

    def __str__(self) -> str:
        return f"{self.what} in {self.event_id}"


class Appeal(models.Model):
    """A player asks the organiser to look at a table."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="appeals")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField()
    text = models.CharField(max_length=limits.MAX_APPEAL_LENGTH)
    answer = models.CharField(max_length=limits.MAX_APPEAL_LENGTH, blank=True, default="")
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    answered_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "by"], name="appealed_once")]

    def __str__(self) -> str:
        return f"appeal {self.pk}"
