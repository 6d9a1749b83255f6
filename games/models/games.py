"""Games: the terms, the seats, the log, and, in a table of its own, everything secret."""

from __future__ import annotations

import secrets

from django.db import models
from django.db.models import Q
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # nothing that can be read as something else


def new_code() -> str:
    """A public name for a game: 59 bits, so that nobody counts or guesses them."""
    return "".join(secrets.choice(ALPHABET) for _ in range(12))


def code_of(player: int, key: str) -> str:
    """The one name that a request of a player leads to, however often it comes."""
    drawn = int.from_bytes(salted_hmac("games.code", f"{player}|{key}", algorithm="sha256").digest())
    letters = []
    for _n in range(12):
        drawn, n = divmod(drawn, len(ALPHABET))
        letters.append(ALPHABET[n])
    return "".join(letters)


class Game(models.Model):
    """One game. From `seq` on it is the snapshot, written with every action by services.log alone.

    What time does to a game without an action (pauses, an opened blind match) is written by services.clocks
    and services.sweep, with the same compare-and-swap on `seq`. `seat_changes` counts handovers for that
    swap: who read the seats before one writes nothing after it.
    """

    class Status(models.TextChoices):
        OPEN = "open", _("waiting for players")
        RUNNING = "running", _("running")
        TIEBREAK = "tiebreak", _("level: a blind match is about to open")
        OVER = "over", _("over")
        CANCELLED = "cancelled", _("cancelled")

    class Timeouts(models.TextChoices):
        """What happens when a seat's time is up."""

        AUTOPLAY = "autoplay", _("the server plays the turn")
        FORFEIT = "forfeit", _("the side resigns")

    code = models.CharField(max_length=12, unique=True, default=new_code)
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
    timeouts = models.CharField(max_length=10, choices=Timeouts.choices, default=Timeouts.AUTOPLAY)
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


class Secret(models.Model):
    """What nobody may see: no serializer and no template ever joins this table."""

    game = models.OneToOneField(Game, primary_key=True, on_delete=models.PROTECT)
    server_seed = models.BinaryField(max_length=32)
    state = models.TextField(default="", help_text="the engine's state, as JSON")

    def __str__(self) -> str:
        return f"the secrets of {self.game_id}"


class Seat(models.Model):
    """A place in a game: a player's, a bot's, or a former player's (neither)."""

    class Eight(models.TextChoices):
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
    eight = models.CharField(max_length=5, choices=Eight.choices, default=Eight.ASK)
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
    """One line of a game's log: never changed, never deleted (PostgreSQL refuses both by a trigger)."""

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
