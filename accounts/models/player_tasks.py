"""Background work for a player, done in batches so that no request waits for it."""

from __future__ import annotations

from django.db import models


class PlayerTask(models.Model):
    """One such task. `progress` says where the next batch continues."""

    DELETE_ACCOUNT = "removal"  # leave what is under way, then delete the account; apps have further kinds

    player = models.ForeignKey("Player", on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10)
    requested_at = models.DateTimeField(help_text="when it was last asked for")
    next_run_at = models.DateTimeField(db_index=True, help_text="when a sweep goes on with it")
    progress = models.JSONField(default=dict, help_text="by app: the last id that it was done for")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "kind"], name="player_task_once")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.player_id}"
