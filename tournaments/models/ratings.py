"""Ratings (mu and sigma) and the games that changed them."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Rating(models.Model):
    """A player's rating in one mode. `player` is null once the account is deleted; the numbers stay."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="ratings"
    )
    mode = models.CharField(max_length=10)
    mu = models.FloatField()
    sigma = models.FloatField()
    game_count = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "mode"], name="rating_once")]
        indexes = [models.Index(fields=["mode", "-mu"], name="rating_best")]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.mode}"


class RatedGame(models.Model):
    """A game that the rating run has processed; without a number it did not count, as nobody had moved."""

    game = models.OneToOneField(
        "games.Game", primary_key=True, on_delete=models.PROTECT, related_name="rated_game"
    )
    sequence_no = models.PositiveIntegerField(
        null=True, unique=True, help_text="the order in which games were counted"
    )

    def __str__(self) -> str:
        return f"{self.game_id}: {self.sequence_no}"


class RatingChange(models.Model):
    """The change of one rating by one game."""

    rating = models.ForeignKey(Rating, on_delete=models.CASCADE, related_name="changes")
    game = models.ForeignKey("games.Game", on_delete=models.PROTECT, related_name="rating_changes")
    seat_no = models.PositiveSmallIntegerField()
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["rating", "game"], name="rating_change_once"),
            models.UniqueConstraint(fields=["game", "seat_no"], name="rating_change_seat_once"),
        ]

    def __str__(self) -> str:
        return f"{self.rating_id} by {self.game_id}"


class RatingCursor(models.Model):
    """The single row that a rating run locks: how far games have been processed."""

    last_sequence_no = models.PositiveIntegerField(default=0, help_text="games counted so far")
    processed_until = models.DateTimeField(
        null=True, help_text="the end of the newest game that was looked at"
    )

    def __str__(self) -> str:
        return f"{self.last_sequence_no} games"
