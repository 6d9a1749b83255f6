"""Games: settings, seats and the action log; secrets are in a table of their own."""

from __future__ import annotations

import secrets

from django.db import models
from django.db.models import Q
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

PUBLIC_CODE_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # without characters that are easily confused


def generate_public_code() -> str:
    """Generate a random public code: 59 bits, so that codes can be neither counted nor guessed."""
    return "".join(secrets.choice(PUBLIC_CODE_ALPHABET) for _ in range(12))


def derive_game_code(player_id: int, key: str) -> str:
    """Derive the game code for a player's Idempotency-Key, the same for every repetition of the request."""
    remainder = int.from_bytes(salted_hmac("games.code", f"{player_id}|{key}", algorithm="sha256").digest())
    letters = []
    for _n in range(12):
        remainder, index = divmod(remainder, len(PUBLIC_CODE_ALPHABET))
        letters.append(PUBLIC_CODE_ALPHABET[index])
    return "".join(letters)


class Game(models.Model):
    """One game: its settings, and the snapshot after `seq` actions, which services.log writes.

    Changes without an action (pauses, an opened blind match) are written by services.clocks and
    services.sweep, with the same compare-and-swap on `seq`. `seat_changes` counts handovers and is part of
    the swap: a writer that read the seats before a handover writes nothing after it.
    """

    class Status(models.TextChoices):
        """The state of a game."""

        OPEN = "open", _("waiting for players")
        RUNNING = "running", _("running")
        TIEBREAK = "tiebreak", _("level: a blind match is about to open")
        OVER = "over", _("over")
        CANCELLED = "cancelled", _("cancelled")

    class TimeoutPolicy(models.TextChoices):
        """What happens when a seat runs out of time."""

        AUTOPLAY = "autoplay", _("the server plays the turn")
        FORFEIT = "forfeit", _("the side resigns")

    code = models.CharField(max_length=12, unique=True, default=generate_public_code)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    creator = models.ForeignKey("Player", null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(help_text="when an open game is given up")
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    rules = models.PositiveSmallIntegerField()
    mode = models.CharField(max_length=10)
    edition = models.CharField(max_length=40)
    seats = models.PositiveSmallIntegerField()
    cards = models.BooleanField(default=True)
    obligation = models.CharField(max_length=10, default="strict")
    target = models.PositiveSmallIntegerField(default=24)
    clock = models.CharField(max_length=20)
    allowance = models.PositiveIntegerField(help_text="seconds for each turn")
    bank = models.PositiveIntegerField(help_text="seconds in reserve for the whole game")
    blind_allowance = models.PositiveIntegerField(null=True, help_text="seconds for a turn of a blind match")
    timeouts = models.CharField(max_length=10, choices=TimeoutPolicy.choices, default=TimeoutPolicy.AUTOPLAY)
    weekends = models.BooleanField(default=False, help_text="clocks rest at the weekend")
    nights = models.BooleanField(default=False, help_text="clocks rest in a player's night hours")
    vacation = models.BooleanField(default=True, help_text="clocks rest while a player is on vacation")
    order = models.CharField(max_length=10, default="as-joined")
    private = models.BooleanField(default=False)
    rated = models.BooleanField(default=False)
    chat = models.BooleanField(default=True)
    commitment = models.CharField(max_length=64)
    committed_first = models.BooleanField(
        default=False, db_default=False, help_text="the commitment was shown before any client seed came"
    )
    seniority = models.JSONField(default=list)
    rematch_of = models.OneToOneField("self", null=True, on_delete=models.SET_NULL, related_name="rematch")

    seq = models.PositiveIntegerField(default=0)
    seat_changes = models.IntegerField(
        default=0, db_default=0, help_text="how often a seat went to somebody else since the start"
    )
    phase = models.CharField(max_length=10, default="")
    to_act = models.PositiveSmallIntegerField(default=0, help_text="the seats to act, as bits: 1 << seat")
    chain = models.CharField(max_length=64, default="", help_text="the hash of the last action")
    clocks = models.JSONField(default=dict, help_text="the watch of each seat")
    deadline = models.DateTimeField(null=True, help_text="when the first of those to act is out of time")
    due_at = models.DateTimeField(null=True, help_text="when a sweep has something to do here")
    round_ends_at = models.DateTimeField(
        null=True, help_text="when the round of a tournament ends and the points decide"
    )
    round_of = models.JSONField(null=True, help_text="whose round: tournament, number, page")
    paused_from = models.DateTimeField(null=True, help_text="the last agreed pause")
    paused_until = models.DateTimeField(null=True)
    told = models.PositiveSmallIntegerField(default=0, help_text="rounds of the shoot-out told so far")
    bot_turn = models.BooleanField(default=False, help_text="a bot is to act")
    moved_at = models.DateTimeField(null=True)
    result = models.JSONField(null=True)
    opening = models.JSONField(default=list, help_text="the events of the first deal")

    class Meta:
        indexes = [
            models.Index(fields=["expires_at"], condition=Q(status="open"), name="game_open_expiry"),
            models.Index(
                fields=["-created_at"], condition=Q(status="open", private=False), name="game_lobby"
            ),
            models.Index(
                fields=["-moved_at", "-id"],
                condition=Q(status="running", private=False),
                name="game_to_watch",
            ),
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="game_due"),
            models.Index(fields=["moved_at"], condition=Q(bot_turn=True), name="game_bot_turn"),
            models.Index(
                fields=["finished_at", "id"], condition=Q(status="over", rated=True), name="game_rated_over"
            ),
        ]

    def __str__(self) -> str:
        return self.code


class GameSecrets(models.Model):
    """The server seed and the engine's state: no serializer and no template ever joins this table."""

    game = models.OneToOneField(Game, primary_key=True, on_delete=models.PROTECT, related_name="secret")
    server_seed = models.BinaryField(max_length=32)
    state = models.TextField(default="", help_text="the engine's state, as JSON")

    def __str__(self) -> str:
        return f"the secrets of {self.game_id}"


class Seat(models.Model):
    """A seat in a game, held by a player, a bot, or neither (a former player)."""

    class EightPolicy(models.TextChoices):
        """The answer to an 8, decided in advance."""

        ASK = "ask", _("ask me")
        USE = "use", _("use the card that protects my points")
        KEEP = "keep", _("keep the card")

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="places")
    joined = models.PositiveSmallIntegerField(help_text="the joining number, from 1")
    number = models.PositiveSmallIntegerField(null=True, help_text="the seat, from 1, once it has started")
    player = models.ForeignKey("Player", null=True, on_delete=models.SET_NULL, related_name="places")
    bot = models.CharField(max_length=10, blank=True, default="")
    partner = models.PositiveSmallIntegerField(null=True, help_text="joining number of a chosen partner")
    client_seed = models.CharField(max_length=64, blank=True, help_text="empty until the start: its number")
    muted = models.BooleanField(default=False, help_text="no notices about this game")
    eight = models.CharField(max_length=5, choices=EightPolicy.choices, default=EightPolicy.ASK)
    hand_hidden = models.BooleanField(
        default=False, db_default=False, help_text="who took it over has not looked at the hand yet"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "joined"], name="seat_joined_once"),
            models.UniqueConstraint(fields=["game", "number"], name="seat_numbered_once"),
            models.UniqueConstraint(fields=["game", "player"], name="seat_player_once"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.number or self.joined}"


class Action(models.Model):
    """One action of a game's log: never changed, never deleted (a PostgreSQL trigger refuses both)."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="actions")
    seq = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    action = models.CharField(max_length=30)
    by = models.CharField(max_length=10)
    at = models.DateTimeField()
    hash = models.CharField(max_length=64, help_text="over the previous hash and this line")
    events = models.JSONField(default=list, help_text="what happened, as all could see it")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "seq"], name="action_seq_once")]

    def __str__(self) -> str:
        return f"{self.game_id} {self.seq}: {self.action}"
