"""Organisers' decisions and players' appeals."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from . import limits
from .rounds import Pairing
from .tournaments import Tournament


class Decision(models.Model):
    """An entry of a tournament's decision log: never updated; undoing one adds another entry."""

    class Action(models.TextChoices):
        """The actions of an organiser."""

        PROCEED = "proceed"  # approved a round that was on hold
        EXTEND = "extend"
        CORRECT = "correct"
        DISQUALIFY = "disqualify"
        REPLACE = "replace"
        REMOVE = "remove"
        CANCEL = "cancel"
        CO_ORGANISER = "co-organiser"
        EDIT = "edit"
        PREVIEW = "preview"
        SEEDS = "seeds"
        UNDO_CORRECT = "undo-correct"
        UNDO_DISQUALIFY = "undo-disqualify"
        UNDO_REPLACE = "undo-replace"
        UNDO_EXTEND = "undo-extend"

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="decisions")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()
    action = models.CharField(max_length=20, choices=Action.choices)
    reason = models.CharField(
        max_length=limits.MAX_REASON_LENGTH,
        blank=True,
        default="",
        help_text="the reason, for the organisers only",
    )
    public_note = models.CharField(
        max_length=limits.MAX_REASON_LENGTH,
        blank=True,
        default="",
        db_default="",
        help_text="for everybody, until the decision is undone",
    )
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    last_pairing_id = models.BigIntegerField(
        default=0, help_text="the newest table then: what is newer followed"
    )
    undoes = models.OneToOneField("self", null=True, on_delete=models.PROTECT, related_name="undone_by")

    def __str__(self) -> str:
        return f"{self.action} in {self.tournament_id}"


# Which action is logged when another one is undone.
UNDO_ACTIONS = {
    Decision.Action.CORRECT: Decision.Action.UNDO_CORRECT,
    Decision.Action.DISQUALIFY: Decision.Action.UNDO_DISQUALIFY,
    Decision.Action.REPLACE: Decision.Action.UNDO_REPLACE,
    Decision.Action.EXTEND: Decision.Action.UNDO_EXTEND,
}


class Appeal(models.Model):
    """A player's request that an organiser review a pairing."""

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="appeals")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()
    text = models.CharField(max_length=limits.MAX_APPEAL_LENGTH)
    answer = models.CharField(max_length=limits.MAX_APPEAL_LENGTH, blank=True, default="")
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    answered_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pairing", "created_by"], name="appeal_once")]

    def __str__(self) -> str:
        return f"appeal {self.pk}"
