"""Whom an organiser has put out before anything was played."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from . import limits
from .events import Event
from .leagues import League

PLAYER = settings.AUTH_USER_MODEL


class Removal(models.Model):
    """A player who was removed from an event or a league, and cannot come back until it is lifted."""

    event = models.ForeignKey(Event, null=True, on_delete=models.CASCADE, related_name="removals")
    league = models.ForeignKey(League, null=True, on_delete=models.CASCADE, related_name="removals")
    player = models.ForeignKey(PLAYER, on_delete=models.CASCADE, related_name="+")
    by = models.ForeignKey(PLAYER, null=True, on_delete=models.SET_NULL, related_name="+")
    why = models.CharField(max_length=limits.MAX_REASON_LENGTH, blank=True, default="")
    at = models.DateTimeField()
    lifted_at = models.DateTimeField(null=True, help_text="since when they may come back")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event", "player"], condition=Q(lifted_at=None), name="removal_event_player_once"
            ),
            models.UniqueConstraint(
                fields=["league", "player"], condition=Q(lifted_at=None), name="removal_league_player_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} out of {self.event_id or self.league_id}"
