"""Background work on all games of a player, done in batches so that no request waits for it."""

from __future__ import annotations

from django.db import models


class PlayerTask(models.Model):
    """One such task. `next_game` is its progress, so that the next batch continues there."""

    class Kind(models.TextChoices):
        """What is done in each game."""

        RECOMPUTE_DEADLINES = "clocks", "write the deadlines of running games anew"
        DELETE_ACCOUNT = "removal", "leave all games, then delete the account"

    player = models.ForeignKey("Player", on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    asked_at = models.DateTimeField(help_text="when it was last asked for")
    due_at = models.DateTimeField(db_index=True, help_text="when a sweep goes on with it")
    next_game = models.BigIntegerField(default=0, help_text="the last game that it was done for")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "kind"], name="player_task_once")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.player_id}"
