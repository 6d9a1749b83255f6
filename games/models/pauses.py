"""Agreed pauses and incidents, which stop clocks; a player's own vacation is on `Player`."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class Pause(models.Model):
    """A pause proposed for a game; it starts when all sides have agreed."""

    game = models.ForeignKey("Game", on_delete=models.CASCADE, related_name="pauses")
    proposer = models.ForeignKey("accounts.Player", null=True, on_delete=models.SET_NULL, related_name="+")
    until = models.DateTimeField()
    agreed_sides_mask = models.PositiveSmallIntegerField(
        default=0, help_text="the sides that agreed, as bits: 1 << side"
    )
    proposed_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True, help_text="declined, ended early, or taken back")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game"],
                condition=Q(started_at__isnull=True, ended_at__isnull=True),
                name="pause_proposal_once",
            )
        ]

    def __str__(self) -> str:
        return f"pause of {self.game_id} until {self.until}"


class Incident(models.Model):
    """A period in which all clocks stop because of a fault of the site; an operator starts and ends it."""

    reason = models.CharField(max_length=200, blank=True, default="")
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    deadlines_recomputed = models.BooleanField(
        default=False, help_text="every deadline was computed again afterwards"
    )
    last_processed_game_id = models.BigIntegerField(
        db_default=0, help_text="the last game that it was done for"
    )
    # True or NULL: the unique constraint allows at most one open incident.
    is_open = models.BooleanField(null=True, unique=True, default=True)

    def __str__(self) -> str:
        return f"incident of {self.started_at}"
