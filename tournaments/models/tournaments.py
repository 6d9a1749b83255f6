"""Tournaments, also those that one group of a league division plays in a season, and their entrants."""

from __future__ import annotations

from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import Player
from games.models.games import generate_public_code

from . import limits
from .game_settings import GameSettings

PLAYER_MODEL = settings.AUTH_USER_MODEL


class TournamentQuerySet(models.QuerySet["Tournament"]):
    """Tournaments by their status. Queries through a relation use the sets at the end of the module."""

    def public(self) -> Self:
        """Tournaments that everybody may see."""
        return self.exclude(status=Tournament.Status.DRAFT).exclude(cancelled_as_draft=True)

    def drafts(self) -> Self:
        """Tournaments in preparation."""
        return self.filter(status=Tournament.Status.DRAFT)

    def published(self) -> Self:
        """Tournaments open for entries."""
        return self.filter(status=Tournament.Status.PUBLISHED)

    def running(self) -> Self:
        """Tournaments that have started and are not over."""
        return self.filter(status=Tournament.Status.RUNNING)

    def active(self) -> Self:
        """Tournaments that are open for entries or running."""
        return self.filter(status__in=ACTIVE_STATUSES)

    def unfinished(self) -> Self:
        """Tournaments that are neither finished nor cancelled."""
        return self.exclude(status__in=OVER_STATUSES)


class Tournament(GameSettings):
    """A tournament. `next_sweep_at` is when the sweep next has work to do on it, of any kind."""

    class Format(models.TextChoices):
        """The formats of a tournament."""

        KNOCKOUT = "knockout", pgettext_lazy("tournament", "knock-out")
        DOUBLE = "double", pgettext_lazy("tournament", "double knock-out")
        ROUND_ROBIN = "round-robin", pgettext_lazy("tournament", "round robin")
        SWISS = "swiss", pgettext_lazy("tournament", "Swiss rounds")

    class Status(models.TextChoices):
        """The states of a tournament."""

        DRAFT = "draft", pgettext_lazy("tournament", "in preparation")
        PUBLISHED = "published", pgettext_lazy("tournament", "open for entries")
        RUNNING = "running", pgettext_lazy("tournament", "running")
        FINISHED = "finished", pgettext_lazy("tournament", "finished")
        CANCELLED = "cancelled", pgettext_lazy("tournament", "cancelled")

    class Seeding(models.TextChoices):
        """The ways to number entrants without a manual seed."""

        LOT = "lot", _("by lot")
        RATING = "rating", _("by rating")

    class HoldReason(models.TextChoices):
        """The reasons to wait for the organiser; the last five are the warnings about a round."""

        REVIEW = "review"  # the organiser approves every round
        TOO_FEW = "too-few"  # fewer than two can play, so it does not start
        TOO_MANY_GAMES = "too-many-games"  # the start would begin more games than allowed
        STALE_AT_END = "stale-at-end"  # finishing would void pairings
        UNDECIDED_TABLE = "undecided-table"  # an organiser must write the result of a pairing
        ABSENT = "absent"
        ODD_NUMBER = "odd-number"
        REMATCH_UNAVOIDABLE = "rematch-unavoidable"
        STALE_RESULT = "stale-result"
        LATE_ENTRY = "late-entry"

    code = models.CharField(max_length=12, unique=True, default=generate_public_code)
    organiser = models.ForeignKey(
        PLAYER_MODEL, null=True, on_delete=models.SET_NULL, related_name="organised_tournaments"
    )
    co_organisers: models.ManyToManyField[Player, models.Model] = models.ManyToManyField(
        PLAYER_MODEL, related_name="co_organised_tournaments", blank=True
    )
    name = models.CharField(max_length=limits.MAX_TITLE_LENGTH)
    text = models.TextField(max_length=limits.MAX_TEXT_LENGTH, blank=True, default="")
    format = models.CharField(max_length=12, choices=Format.choices)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.DRAFT)
    cancelled_as_draft = models.BooleanField(
        default=False, db_default=False, help_text="never published: only its organisers may see it"
    )
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    opens_at = models.DateTimeField(null=True, help_text="entries open then; empty: at once")
    closes_at = models.DateTimeField(null=True, help_text="entries close then; empty: at the start")
    starts_at = models.DateTimeField(
        null=True, help_text="the start; empty: when full, or when the organiser starts it"
    )
    when_full = models.BooleanField(
        default=False, help_text="the tournament starts as soon as all places are taken"
    )
    capacity = models.PositiveIntegerField(null=True, validators=limits.CAPACITY.validators)
    confirmation = models.BooleanField(
        default=False, help_text="entrants must confirm before the start, or they do not play"
    )
    by_invitation = models.BooleanField(default=False)
    late_entry = models.BooleanField(default=False, help_text="Swiss: players may enter after the start")
    bots_allowed = models.BooleanField(default=False, db_default=False, help_text="bots may enter")
    min_rating = models.PositiveIntegerField(null=True, validators=limits.RATING.validators)
    max_rating = models.PositiveIntegerField(null=True, validators=limits.RATING.validators)
    seeding = models.CharField(max_length=10, choices=Seeding.choices, default=Seeding.LOT)

    seeding_logged = models.BooleanField(
        default=True, db_default=False, help_text="seeds set by hand and looks at the draw are all in its log"
    )

    round_count = models.PositiveSmallIntegerField(
        null=True, validators=limits.ROUND_COUNT.validators, help_text="empty: as many as needed"
    )
    cycles = models.PositiveSmallIntegerField(default=1, validators=limits.CYCLES.validators)
    all_rounds_at_once = models.BooleanField(
        default=False, help_text="round robin: all rounds start together"
    )
    advancing_count = models.PositiveSmallIntegerField(
        default=1, validators=limits.ADVANCING_COUNT.validators
    )
    third_place = models.BooleanField(default=False)

    commitment = models.CharField(max_length=64)
    seed = models.CharField(max_length=64, blank=True, default="", help_text="published at the end")
    next_sweep_at = models.DateTimeField(null=True, help_text="a sweep looks at it next then")
    hold_on_warnings = models.BooleanField(
        default=True, help_text="a round with warnings waits for the organiser’s approval"
    )
    manual_approval = models.BooleanField(
        default=False, help_text="every round waits for the organiser’s approval"
    )
    hold_reason = models.CharField(
        max_length=30,
        choices=HoldReason.choices,
        blank=True,
        default="",
        help_text="why it needs the organiser",
    )
    warnings = models.JSONField(
        default=list, help_text="points for the organiser to check before the next round"
    )
    approved_round = models.PositiveSmallIntegerField(
        default=0, help_text="the round that the organiser approved despite its warnings"
    )
    last_error = models.CharField(max_length=200, blank=True, default="", help_text="why a sweep will retry")
    division = models.ForeignKey("Division", null=True, on_delete=models.PROTECT, related_name="tournaments")
    group = models.PositiveSmallIntegerField(default=1, help_text="the group of the division")

    objects = TournamentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["division", "group"], name="tournament_of_division_once"),
        ]
        indexes = [
            models.Index(
                fields=["next_sweep_at"], condition=Q(next_sweep_at__isnull=False), name="tournament_due"
            ),
            models.Index(fields=["status", "-created_at"], name="tournament_list"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_draft(self) -> bool:
        """In preparation."""
        return self.status == self.Status.DRAFT

    @property
    def is_private(self) -> bool:
        """For organisers only: a draft, also once it is cancelled."""
        return self.is_draft or self.cancelled_as_draft

    @property
    def is_published(self) -> bool:
        """Open for entries, and not started."""
        return self.status == self.Status.PUBLISHED

    @property
    def is_running(self) -> bool:
        """Started, and not over."""
        return self.status == self.Status.RUNNING

    @property
    def is_finished(self) -> bool:
        """Played to its end."""
        return self.status == self.Status.FINISHED

    @property
    def is_cancelled(self) -> bool:
        """Given up by an organiser."""
        return self.status == self.Status.CANCELLED

    @property
    def is_before_start(self) -> bool:
        """Draft or published."""
        return self.is_draft or self.is_published

    @property
    def is_over(self) -> bool:
        """Finished or cancelled."""
        return self.is_finished or self.is_cancelled

    @property
    def takes_late_entries(self) -> bool:
        """Running, and its organiser lets people enter later; perhaps no round is left for them."""
        return self.is_running and self.late_entry


ACTIVE_STATUSES = (Tournament.Status.PUBLISHED, Tournament.Status.RUNNING)
OVER_STATUSES = (Tournament.Status.FINISHED, Tournament.Status.CANCELLED)


class TournamentSecret(models.Model):
    """The secret seed of a tournament until its end. No serializer or template may join this table."""

    tournament = models.OneToOneField(
        Tournament, primary_key=True, on_delete=models.CASCADE, related_name="secret"
    )
    seed = models.BinaryField(max_length=32)

    def __str__(self) -> str:
        return f"the secret of {self.tournament_id}"


class Invite(models.Model):
    """A player who may enter a tournament that is by invitation."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="invites")
    player = models.ForeignKey(PLAYER_MODEL, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "player"], name="invite_once")]

    def __str__(self) -> str:
        return f"{self.tournament_id} for {self.player_id}"


class Entrant(models.Model):
    """A player or a pair in a tournament; the id stays when somebody else plays for it."""

    class Status(models.TextChoices):
        """The states of an entrant."""

        WAITING = "waiting", _("on the waiting list")
        ENTERED = "entered", _("entered")
        WITHDRAWN = "withdrawn", _("withdrawn")
        DISQUALIFIED = "disqualified", _("disqualified")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entrants")
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.ENTERED)
    seed = models.PositiveIntegerField(null=True)
    first_round = models.PositiveSmallIntegerField(
        default=1, help_text="the first round that the entrant plays"
    )
    left_after_round = models.PositiveSmallIntegerField(
        null=True, help_text="the last round that had started when the entrant left"
    )
    absent_rounds = models.JSONField(default=list, help_text="rounds that the entrant sits out")
    entered_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True)
    rank = models.PositiveIntegerField(null=True, help_text="the place at the end")
    was_replaced = models.BooleanField(
        default=False, db_default=False, help_text="others played for it before: see replacements"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "seed"], condition=Q(seed__isnull=False), name="entrant_seed_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}/{self.pk}"

    @property
    def is_waiting(self) -> bool:
        """On the waitlist."""
        return self.status == self.Status.WAITING

    @property
    def is_withdrawn(self) -> bool:
        """Left by their own will, or not confirmed in time."""
        return self.status == self.Status.WITHDRAWN

    @property
    def is_disqualified(self) -> bool:
        """Put out by an organiser."""
        return self.status == self.Status.DISQUALIFIED

    @property
    def is_active(self) -> bool:
        """Has a place and has not left."""
        return self.status == self.Status.ENTERED and self.left_after_round is None


class EntrantPlayer(models.Model):
    """A player of an entrant; `player` is null once the account is deleted."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entrant_players")
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="entrant_players")
    player = models.ForeignKey(
        PLAYER_MODEL, null=True, on_delete=models.SET_NULL, related_name="entrant_players"
    )
    position = models.PositiveSmallIntegerField(default=1, help_text="1, or 2 in a pair")
    client_seed = models.CharField(
        max_length=limits.MAX_CLIENT_SEED_LENGTH,
        blank=True,
        default="",
        db_default="",
        help_text="empty: the number of the entry",
    )
    entry_number = models.IntegerField(null=True, help_text="over all players, in order of entry, from 1")
    client_seed_fixed = models.BooleanField(
        default=False, db_default=False, help_text="has started, or was paired since"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="entrant_player_once"),
            models.UniqueConstraint(fields=["entrant", "position"], name="entrant_player_position_once"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.tournament_id}"

    @property
    def effective_client_seed(self) -> str:
        """The client seed for the player's games: their own, or their entry number."""
        return self.client_seed or str(self.entry_number or "")
