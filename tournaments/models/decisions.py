"""Organisers' decisions and players' appeals."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from . import limits
from .rounds import Pairing
from .tournaments import Tournament


class Decision(models.Model):
    """An entry of a tournament's decision log: never updated; undoing one adds another entry."""

    event = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="decisions")
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
    """A player's request that an organiser review a pairing."""

    table = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="appeals")
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
