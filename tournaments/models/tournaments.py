"""Tournaments, also those that one group of a league division plays in a season, and their entrants."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models import Player
from games.models.games import generate_public_code

from . import limits
from .game_settings import GameSettings

PLAYER_MODEL = settings.AUTH_USER_MODEL


class Tournament(GameSettings):
    """A tournament. `due_at` is when the sweep next has work to do on it, of any kind."""

    class Format(models.TextChoices):
        """How entrants are paired."""

        KNOCKOUT = "knockout", _("knock-out")
        DOUBLE = "double", _("double elimination")
        ROUND_ROBIN = "round-robin", _("round robin")
        SWISS = "swiss", _("Swiss rounds")

    class Status(models.TextChoices):
        """How far a tournament is."""

        DRAFT = "draft", _("in preparation")
        PUBLISHED = "published", _("open for entries")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        CANCELLED = "cancelled", _("cancelled")

    class Seeding(models.TextChoices):
        """How entrants without a manual seed are numbered."""

        LOT = "lot", _("by lot")
        RATING = "rating", _("by rating")

    code = models.CharField(max_length=12, unique=True, default=generate_public_code)
    organiser = models.ForeignKey(
        PLAYER_MODEL, null=True, on_delete=models.SET_NULL, related_name="organised"
    )
    helpers: models.ManyToManyField[Player, models.Model] = models.ManyToManyField(
        PLAYER_MODEL, related_name="helped_organise", blank=True
    )
    name = models.CharField(max_length=limits.MAX_TITLE_LENGTH)
    text = models.TextField(max_length=limits.MAX_TEXT_LENGTH, blank=True, default="")
    format = models.CharField(max_length=12, choices=Format.choices)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.DRAFT)
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    opens_at = models.DateTimeField(null=True, help_text="from when on one may enter; empty: at once")
    closes_at = models.DateTimeField(null=True, help_text="until when; empty: until the start")
    starts_at = models.DateTimeField(null=True, help_text="empty: only when full, or by the organiser")
    when_full = models.BooleanField(default=False, help_text="starts as soon as all places are taken")
    capacity = models.PositiveIntegerField(null=True, validators=limits.CAPACITY.validators)
    confirmation = models.BooleanField(default=False, help_text="only who has confirmed plays")
    by_invitation = models.BooleanField(default=False)
    late = models.BooleanField(default=False, help_text="Swiss: people may come in later")
    least_rating = models.PositiveIntegerField(null=True, validators=limits.RATING.validators)
    most_rating = models.PositiveIntegerField(null=True, validators=limits.RATING.validators)
    seeding = models.CharField(max_length=10, choices=Seeding.choices, default=Seeding.LOT)

    seeding_logged = models.BooleanField(
        default=True, db_default=False, help_text="seeds set by hand and looks at the draw are all in its log"
    )

    rounds = models.PositiveSmallIntegerField(
        null=True, validators=limits.ROUND_COUNT.validators, help_text="empty: as many as it takes"
    )
    laps = models.PositiveSmallIntegerField(default=1, validators=limits.CYCLES.validators)
    at_once = models.BooleanField(default=False, help_text="round robin: all rounds begin together")
    advance = models.PositiveSmallIntegerField(default=1, validators=limits.ADVANCING_COUNT.validators)
    third_place = models.BooleanField(default=False)

    commitment = models.CharField(max_length=64)
    seed = models.CharField(max_length=64, blank=True, default="", help_text="published at the end")
    due_at = models.DateTimeField(null=True, help_text="when a sweep has something to do here")
    ask = models.BooleanField(default=True, help_text="warnings about a round wait for the organiser")
    review = models.BooleanField(
        default=False, help_text="the organiser looks at every round before it is published"
    )
    held = models.CharField(max_length=30, blank=True, default="", help_text="why it waits for the organiser")
    warnings = models.JSONField(default=list, help_text="what the organiser should know before going on")
    accepted = models.PositiveSmallIntegerField(default=0, help_text="the round that may come all the same")
    trouble = models.CharField(max_length=200, blank=True, default="", help_text="why it is tried later")
    division = models.ForeignKey("Division", null=True, on_delete=models.PROTECT, related_name="events")
    group = models.PositiveSmallIntegerField(default=1, help_text="of a division")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["division", "group"], name="event_of_division_once"),
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="tournament_due"),
            models.Index(fields=["status", "-created_at"], name="tournament_list"),
        ]

    def __str__(self) -> str:
        return self.name


class TournamentSecret(models.Model):
    """The secret seed of a tournament until its end. No serializer or template may join this table."""

    event = models.OneToOneField(
        Tournament, primary_key=True, on_delete=models.CASCADE, related_name="secret"
    )
    seed = models.BinaryField(max_length=32)

    def __str__(self) -> str:
        return f"the secret of {self.event_id}"


class Invite(models.Model):
    """A player who may enter a tournament that is by invitation."""

    event = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="invites")
    player = models.ForeignKey(PLAYER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "player"], name="event_invited_once")]

    def __str__(self) -> str:
        return f"{self.event_id} for {self.player_id}"


class Entrant(models.Model):
    """A player or a pair in a tournament; the id stays when somebody else plays for it."""

    class Status(models.TextChoices):
        """Where an entrant stands."""

        WAITING = "waiting", _("on the waiting list")
        ENTERED = "entered", _("entered")
        WITHDRAWN = "withdrawn", _("withdrawn")
        DISQUALIFIED = "disqualified", _("disqualified")

    event = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entrants")
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.ENTERED)
    seed = models.PositiveIntegerField(null=True)
    joined = models.PositiveSmallIntegerField(default=1, help_text="the first round to play in")
    left = models.PositiveSmallIntegerField(null=True, help_text="the last round that had begun by then")
    absent = models.JSONField(default=list, help_text="rounds to sit out")
    entered_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True)
    rank = models.PositiveIntegerField(null=True, help_text="at the end")
    was_replaced = models.BooleanField(
        default=False, db_default=False, help_text="others played for it before: see replacements"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event", "seed"], condition=Q(seed__isnull=False), name="entrant_seed_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.event_id}/{self.pk}"


class EntrantPlayer(models.Model):
    """A player of an entrant; `player` is null once the account is deleted."""

    event = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="members")
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="members")
    player = models.ForeignKey(PLAYER_MODEL, null=True, on_delete=models.SET_NULL, related_name="entries")
    number = models.PositiveSmallIntegerField(default=1, help_text="1, or 2 in a pair")
    client_seed = models.CharField(
        max_length=64, blank=True, default="", db_default="", help_text="empty: the number of the entry"
    )
    entry_number = models.IntegerField(null=True, help_text="over all players, in order of entry, from 1")
    seed_fixed = models.BooleanField(
        default=False, db_default=False, help_text="has started, or was paired since"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "player"], name="member_player_once"),
            models.UniqueConstraint(fields=["entrant", "number"], name="member_number_once"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.event_id}"

    @property
    def effective_client_seed(self) -> str:
        """The client seed for the player's games: their own, or their entry number."""
        return self.client_seed or str(self.entry_number or "")
