"""Leagues: seasons in sequence, divisions ranked from 1."""

from __future__ import annotations

from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from games.models.games import generate_public_code

from . import limits
from .game_settings import GameSettings

PLAYER_MODEL = settings.AUTH_USER_MODEL


class LeagueQuerySet(models.QuerySet["League"]):
    """Leagues by their status."""

    def running(self) -> Self:
        """Leagues between their start and their end."""
        return self.filter(status=League.Status.RUNNING)

    def unclosed(self) -> Self:
        """Leagues that have not started, or run."""
        return self.exclude(status=League.Status.CLOSED)


class League(GameSettings):
    """A league; its game settings apply to all its games."""

    class Status(models.TextChoices):
        """The states of a league."""

        OPEN = "open", _("before the first season")
        RUNNING = "running", _("running")
        CLOSED = "closed", _("closed")

    class Format(models.TextChoices):
        """The formats of a season in a group."""

        ROUND_ROBIN = "round-robin", _("round robin")
        SWISS = "swiss", _("Swiss rounds")

    class NewcomerPolicy(models.TextChoices):
        """The divisions in which new players can be placed."""

        BOTTOM = "bottom", _("in the lowest division")
        RATING = "rating", _("where their rating fits")

    code = models.CharField(max_length=12, unique=True, default=generate_public_code)
    organiser = models.ForeignKey(
        PLAYER_MODEL, null=True, on_delete=models.SET_NULL, related_name="organised_leagues"
    )
    co_organisers: models.ManyToManyField[Player, models.Model] = models.ManyToManyField(
        PLAYER_MODEL, related_name="co_organised_leagues", blank=True
    )
    name = models.CharField(max_length=limits.MAX_TITLE_LENGTH)
    text = models.TextField(max_length=limits.MAX_TEXT_LENGTH, blank=True, default="")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    created_at = models.DateTimeField()
    format = models.CharField(max_length=12, choices=Format.choices, default=Format.ROUND_ROBIN)
    round_count = models.PositiveSmallIntegerField(
        null=True, validators=limits.ROUND_COUNT.validators, help_text="empty: as many as needed"
    )
    division_size = models.PositiveSmallIntegerField(
        validators=limits.DIVISION_SIZE.validators, help_text="members of a division"
    )
    promotion_count = models.PositiveSmallIntegerField(
        default=2,
        validators=limits.PROMOTION_COUNT.validators,
        help_text="members promoted from each division, and as many relegated",
    )
    groups_per_division = models.PositiveSmallIntegerField(
        default=1, validators=limits.GROUPS_PER_DIVISION.validators, help_text="groups in each division"
    )
    cycles = models.PositiveSmallIntegerField(default=1, validators=limits.CYCLES.validators)
    all_rounds_at_once = models.BooleanField(default=False)
    newcomer_policy = models.CharField(
        max_length=10, choices=NewcomerPolicy.choices, default=NewcomerPolicy.BOTTOM
    )
    season_pause = models.PositiveIntegerField(
        default=0, validators=limits.SEASON_PAUSE.validators, help_text="seconds between two seasons"
    )
    season_limit = models.PositiveSmallIntegerField(
        null=True, validators=limits.SEASON_LIMIT.validators, help_text="number of seasons; empty: no limit"
    )
    commitment = models.CharField(max_length=64)
    seed = models.CharField(max_length=64, blank=True, default="", help_text="published at the end")
    next_sweep_at = models.DateTimeField(null=True, help_text="a sweep looks at it next then")
    last_error = models.CharField(max_length=200, blank=True, default="")

    objects = LeagueQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(
                fields=["next_sweep_at"], condition=Q(next_sweep_at__isnull=False), name="league_due"
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_open(self) -> bool:
        """Before its first season."""
        return self.status == self.Status.OPEN

    @property
    def is_running(self) -> bool:
        """Between its start and its end."""
        return self.status == self.Status.RUNNING

    @property
    def is_closed(self) -> bool:
        """No other season follows."""
        return self.status == self.Status.CLOSED


class LeagueSecret(models.Model):
    """The secret seed of a league until its end."""

    league = models.OneToOneField(League, primary_key=True, on_delete=models.CASCADE, related_name="secret")
    seed = models.BinaryField(max_length=32)

    def __str__(self) -> str:
        return f"the secret of {self.league_id}"


class LeagueMember(models.Model):
    """A player of a league; stays a member for the next season until the status changes."""

    class Status(models.TextChoices):
        """The states of a member: plays the next season or not."""

        MEMBER = "member", _("plays")
        SUBSTITUTE = "substitute", _("substitute for players who withdraw")
        OUT = "out", _("does not play the next season")

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="league_members")
    player = models.ForeignKey(PLAYER_MODEL, on_delete=models.CASCADE, related_name="league_memberships")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.MEMBER)
    partner = models.ForeignKey(
        PLAYER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="in pairs; their own membership names this player",
    )
    status_changed_at = models.DateTimeField()
    client_seed = models.CharField(
        max_length=limits.MAX_CLIENT_SEED_LENGTH,
        blank=True,
        default="",
        db_default="",
        help_text="for seasons to come; empty: the entry's number",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["league", "player"], name="league_member_once"),
            models.UniqueConstraint(fields=["league", "partner"], name="league_member_partner_once"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.league_id}"


class Season(models.Model):
    """A season of a league."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="seasons")
    number = models.PositiveSmallIntegerField()
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["league", "number"], name="season_once")]

    def __str__(self) -> str:
        return f"season {self.number} of {self.league_id}"


class Division(models.Model):
    """A division of a season; 1 is the highest."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="divisions")
    number = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["season", "number"], name="division_once")]

    def __str__(self) -> str:
        return f"division {self.number} of {self.season_id}"


class DivisionPlacement(models.Model):
    """A player's or pair's entry in a division: the reason for it, and the final rank."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="placements")
    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="placements")
    player = models.ForeignKey(
        PLAYER_MODEL, null=True, on_delete=models.SET_NULL, related_name="division_placements"
    )
    partner = models.ForeignKey(
        PLAYER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+", help_text="the second of a pair"
    )
    entrant = models.OneToOneField(
        "Entrant",
        null=True,
        on_delete=models.SET_NULL,
        related_name="placement",
        help_text="in the group's event",
    )
    start_position = models.PositiveSmallIntegerField(help_text="from the top, at the start")
    reason = models.JSONField(default=dict)
    rank = models.PositiveSmallIntegerField(null=True, help_text="at the end")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["season", "player"], name="placement_player_once"),
            models.UniqueConstraint(fields=["season", "partner"], name="placement_partner_once"),
            models.UniqueConstraint(fields=["division", "start_position"], name="placement_position_once"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.division_id}"
