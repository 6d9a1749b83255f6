"""Rounds, their pairings, and who sits where."""

from __future__ import annotations

from enum import StrEnum

from django.db import models
from django.db.models import Q

from .tournaments import Entrant, Tournament


class PairingState(StrEnum):
    """The states of a pairing, as pages and the API show them."""

    BYE = "bye"
    OVER = "over"
    PLAYING = "playing"


class ResultSource(StrEnum):
    """The sources of a result: `by` in the stored result of a pairing."""

    GAME = "game"
    ADJUDICATION = "adjudication"  # the points when the round ended
    ORGANISER = "organiser"
    BYE = "bye"


class Round(models.Model):
    """Pairings published together; in a knock-out they may belong to several rounds of the bracket."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    published_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True, help_text="when what is still played is adjudicated")
    warnings = models.JSONField(default=list)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="round_once")]

    def __str__(self) -> str:
        return f"round {self.number} of {self.tournament_id}"


class Pairing(models.Model):
    """A published pairing with its reasons; a single entrant has a bye."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="pairings")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="pairings")
    match = models.CharField(max_length=20, help_text="the name in the pairing")
    bracket_round = models.PositiveSmallIntegerField(help_text="the round number in the pairing")
    game_number = models.PositiveSmallIntegerField(
        default=1, help_text="2: the second game after a level one"
    )
    attempt = models.PositiveSmallIntegerField(default=1, help_text="2: played by other entrants")
    reasons = models.JSONField(default=list)
    game = models.OneToOneField("games.Game", null=True, on_delete=models.PROTECT, related_name="pairing")
    result = models.JSONField(null=True)
    settled_at = models.DateTimeField(null=True)
    is_void = models.BooleanField(default=False, help_text="a corrected result made it void")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "match", "game_number", "attempt"], name="pairing_once"
            ),
        ]
        indexes = [
            models.Index(
                fields=["tournament", "game"], condition=Q(settled_at__isnull=True), name="pairing_unsettled"
            )
        ]

    def __str__(self) -> str:
        return f"{self.match} of {self.tournament_id}"


class PairingSeat(models.Model):
    """The seat of an entrant at a pairing; in pairs the two seats of a side."""

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="pairing_seats")
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="pairing_seats")
    seat_no = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pairing", "seat_no"], name="pairing_seat_no_once"),
            models.UniqueConstraint(fields=["pairing", "entrant"], name="pairing_entrant_once"),
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id} at {self.pairing_id}"
