"""Players whom an organiser removed before anything was played."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from . import limits
from .leagues import League
from .tournaments import Tournament

PLAYER_MODEL = settings.AUTH_USER_MODEL


class Removal(models.Model):
    """A player removed from a tournament or league, who cannot come back until the removal is lifted."""

    tournament = models.ForeignKey(Tournament, null=True, on_delete=models.CASCADE, related_name="removals")
    league = models.ForeignKey(League, null=True, on_delete=models.CASCADE, related_name="removals")
    player = models.ForeignKey(PLAYER_MODEL, on_delete=models.CASCADE, related_name="+")
    created_by = models.ForeignKey(PLAYER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.CharField(max_length=limits.MAX_REASON_LENGTH, blank=True, default="")
    created_at = models.DateTimeField()
    lifted_at = models.DateTimeField(null=True, help_text="since when they may come back")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "player"], condition=Q(lifted_at=None), name="removal_tournament_once"
            ),
            models.UniqueConstraint(
                fields=["league", "player"], condition=Q(lifted_at=None), name="removal_league_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} out of {self.tournament_id or self.league_id}"
