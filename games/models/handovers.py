"""Seats handed over from one player to another during a game."""

from __future__ import annotations

from django.db import models

from .games import Game


class SeatHandover(models.Model):
    """A change of a seat's player after an action; tells who played what, and who has seen which hand."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="handovers")
    seat_no = models.PositiveSmallIntegerField()
    predecessor = models.ForeignKey("accounts.Player", null=True, on_delete=models.SET_NULL, related_name="+")
    successor = models.ForeignKey("accounts.Player", null=True, on_delete=models.SET_NULL, related_name="+")
    hand_was_hidden = models.BooleanField(default=False, help_text="the predecessor never looked at the hand")
    after_seq = models.PositiveIntegerField(help_text="of the last action before")
    handed_over_at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.game_id}/{self.seat_no} after {self.after_seq}"
