"""The public part of where game seeds come from, and which offered commitments are spent."""

from __future__ import annotations

from django.db import models

from .games import Game


class TournamentSeed(models.Model):
    """The commitment of a tournament whose games derive their seeds from one; its seed once it is over."""

    tournament_code = models.CharField(
        max_length=12, primary_key=True, help_text="the public id of the event"
    )
    commitment = models.CharField(max_length=64)
    seed = models.CharField(max_length=64, blank=True, default="", help_text="empty until the event is over")

    def __str__(self) -> str:
        return f"the seed of {self.tournament_code}"


class DerivedSeed(models.Model):
    """The match, game number and attempt of a tournament game; its server seed is derived from them."""

    game = models.OneToOneField(Game, primary_key=True, on_delete=models.PROTECT, related_name="derived_seed")
    tournament_seed = models.ForeignKey(
        TournamentSeed, on_delete=models.PROTECT, related_name="derived_seeds"
    )
    match = models.CharField(max_length=20)
    game_number = models.PositiveSmallIntegerField(help_text="in the match, from 1")
    attempt = models.PositiveSmallIntegerField(help_text="at the match, from 1")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tournament_seed", "match", "game_number", "attempt"], name="derived_seed_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.tournament_seed_id} {self.match}/{self.game_number}/{self.attempt}"


class SpentCommitment(models.Model):
    """An offered commitment that a game was created with; no other game can use it."""

    commitment = models.CharField(max_length=64, primary_key=True)
    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="+")
    spent_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["spent_at"], name="spent_commitment_at")]

    def __str__(self) -> str:
        return self.commitment
