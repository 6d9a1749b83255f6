"""Rounds, their pairings, and who sits where."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from .tournaments import Entrant, Tournament


class Round(models.Model):
    """Pairings published together; in a knock-out they may belong to several rounds of the bracket."""

    event = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="published")
    number = models.PositiveSmallIntegerField()
    made_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True, help_text="when what is still played is adjudicated")
    warnings = models.JSONField(default=list)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="round_once")]

    def __str__(self) -> str:
        return f"round {self.number} of {self.event_id}"


class Pairing(models.Model):
    """A published pairing with its reasons; a single entrant has a bye."""

    event = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="tables")
    published = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="tables")
    match = models.CharField(max_length=20, help_text="as the pairing calls it")
    round = models.PositiveSmallIntegerField(help_text="as the pairing counts")
    rematch = models.PositiveSmallIntegerField(default=1, help_text="2: the second game of a level match")
    attempt = models.PositiveSmallIntegerField(default=1, help_text="2: others play it by now")
    reasons = models.JSONField(default=list)
    game = models.OneToOneField("games.Game", null=True, on_delete=models.PROTECT, related_name="table")
    result = models.JSONField(null=True)
    settled_at = models.DateTimeField(null=True)
    void = models.BooleanField(default=False, help_text="a corrected result made it meaningless")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "match", "rematch", "attempt"], name="table_once"),
        ]
        indexes = [
            models.Index(
                fields=["event", "game"], condition=Q(settled_at__isnull=True), name="table_unsettled"
            )
        ]

    def __str__(self) -> str:
        return f"{self.match} of {self.event_id}"


class PairingSeat(models.Model):
    """The seat of an entrant at a pairing; in pairs the two seats of a side."""

    table = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="sittings")
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="sittings")
    number = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="sitting_number_once"),
            models.UniqueConstraint(fields=["table", "entrant"], name="sitting_entrant_once"),
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id} at {self.table_id}"
