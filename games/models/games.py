"""Games: settings, seats and the action log; secrets are in a table of their own."""

from __future__ import annotations

import secrets
from typing import Self

from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Concat
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from games import engine
from notifications.topics import make_topic

from . import limits

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


class GameQuerySet(models.QuerySet["Game"]):
    """Games by their status. Queries through a relation use the sets of statuses at the end of the module."""

    def open(self) -> Self:
        """Games that wait for players."""
        return self.filter(status=Game.Status.OPEN)

    def running(self) -> Self:
        """Games whose clocks run."""
        return self.filter(status=Game.Status.RUNNING)

    def in_play(self) -> Self:
        """Games that have begun and are not over."""
        return self.filter(status__in=PLAYING_STATUSES)

    def unfinished(self) -> Self:
        """Games that wait for players or are being played."""
        return self.filter(status__in=UNFINISHED_STATUSES)

    def completed(self) -> Self:
        """Games that were played to their end."""
        return self.filter(status=Game.Status.OVER)


class Game(models.Model):
    """One game: its settings, and the snapshot after `seq` actions, which services.action_log writes.

    Changes without an action (pauses, an opened blind match) are written by services.clocks and
    services.sweep, with the same compare-and-swap on `seq`. `seat_changes` counts handovers and changes of
    standing orders and is part of the swap: a writer that read the seats before writes nothing after it.
    """

    TOPIC_FAMILY = "game"  # in the topics of feed entries, deliveries and inbound mails

    class Mode(models.TextChoices):
        """The modes of play."""

        SINGLES = engine.Mode.SINGLES.value
        PAIRS = engine.Mode.PAIRS.value
        SOLO = engine.Mode.SOLO.value

    class SeatOrder(models.TextChoices):
        """The orders in which seats are numbered at the start."""

        AS_JOINED = engine.SeatOrder.AS_JOINED.value
        SHUFFLED = engine.SeatOrder.SHUFFLED.value

    class Status(models.TextChoices):
        """The state of a game."""

        OPEN = "open", _("waiting for players")
        RUNNING = "running", _("running")
        TIEBREAK = "tiebreak", _("level: a blind match follows")
        OVER = "over", _("over")
        CANCELLED = "cancelled", _("cancelled")

        @property
        def is_open(self) -> bool:
            """True if the game waits for players."""
            return self is Game.Status.OPEN

        @property
        def awaits_blind_match(self) -> bool:
            """True if the game is level and its blind match is about to open."""
            return self is Game.Status.TIEBREAK

        @property
        def is_playing(self) -> bool:
            """True if the game has begun and is not over."""
            return self in PLAYING_STATUSES

        @property
        def is_over(self) -> bool:
            """True if the game was played to its end."""
            return self is Game.Status.OVER

        @property
        def is_cancelled(self) -> bool:
            """True if the game was given up before it began."""
            return self is Game.Status.CANCELLED

    class TimeoutPolicy(models.TextChoices):
        """The consequences of a timeout."""

        AUTOPLAY = "autoplay", _("the server plays the turn")
        FORFEIT = "forfeit", _("the side resigns")

    code = models.CharField(max_length=12, unique=True, default=generate_public_code)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    creator = models.ForeignKey("accounts.Player", null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(help_text="when an open game is given up")
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    rules_version = models.PositiveSmallIntegerField()
    mode = models.CharField(max_length=10, choices=Mode.choices)
    edition = models.CharField(max_length=40)
    seat_count = models.PositiveSmallIntegerField(validators=limits.SEAT_COUNT.validators)
    cards = models.BooleanField(default=True)
    obligation = models.CharField(max_length=10, default="strict")
    target = models.PositiveSmallIntegerField(default=24, validators=limits.TARGET_SCORE.validators)
    cards_from = models.SmallIntegerField(
        default=1,
        db_default=1,
        validators=limits.CARDS_FROM.validators,
        help_text="the first match with cards",
    )
    seniority_rule = models.CharField(
        max_length=10,
        default="account",
        db_default="account",
        help_text="how seniority is decided: account or lot",
    )
    hints = models.BooleanField(
        default=True, db_default=True, help_text="pages and mails show where a tile closes a figure"
    )
    time_control = models.CharField(max_length=20)
    allowance = models.PositiveIntegerField(
        validators=limits.ALLOWANCE.validators, help_text="seconds for each turn"
    )
    bank = models.PositiveIntegerField(
        "reserve", validators=limits.BANK.validators, help_text="seconds for the whole game"
    )
    blind_allowance = models.PositiveIntegerField(
        null=True, validators=limits.ALLOWANCE.validators, help_text="seconds for a turn of a blind match"
    )
    timeout_policy = models.CharField(
        max_length=10, choices=TimeoutPolicy.choices, default=TimeoutPolicy.AUTOPLAY
    )
    weekends = models.BooleanField(default=False, help_text="clocks stop at weekends")
    nights = models.BooleanField(default=False, help_text="clocks stop during the player’s night")
    vacation = models.BooleanField(default=True, help_text="a player’s clock stops during vacation")
    seat_order = models.CharField(max_length=10, choices=SeatOrder.choices, default=SeatOrder.AS_JOINED)
    private = models.BooleanField(default=False)
    rated = models.BooleanField(default=False)
    chat = models.BooleanField(default=True)
    bots_allowed = models.BooleanField(default=False, db_default=False, help_text="bots may take a seat")
    commitment = models.CharField(max_length=64)
    committed_first = models.BooleanField(
        default=False, db_default=False, help_text="the commitment was shown before any client seed came"
    )
    seniority = models.JSONField(default=list)
    rematch_of = models.OneToOneField("self", null=True, on_delete=models.SET_NULL, related_name="rematch")

    seq = models.PositiveIntegerField(default=0)
    seat_changes = models.IntegerField(
        default=0, db_default=0, help_text="how often a seat changed its player or its standing orders"
    )
    phase = models.CharField(max_length=10, default="")
    to_act_mask = models.PositiveSmallIntegerField(
        default=0, help_text="the seats to act, as bits: 1 << seat"
    )
    head_hash = models.CharField(max_length=64, default="", help_text="the hash of the last action")
    seat_clocks = models.JSONField(default=dict, help_text="the watch of each seat")
    deadline = models.DateTimeField(null=True, help_text="the next timeout among the players to move")
    next_sweep_at = models.DateTimeField(null=True, help_text="a sweep looks at it next then")
    round_ends_at = models.DateTimeField(
        null=True, help_text="when the round of a tournament ends and the points decide"
    )
    round_info = models.JSONField(null=True, help_text="whose round: tournament, number, page")
    paused_from = models.DateTimeField(null=True, help_text="start of the last agreed pause")
    paused_until = models.DateTimeField(null=True)
    announced_rounds = models.PositiveSmallIntegerField(
        default=0, help_text="rounds of the shoot-out told so far"
    )
    bot_to_act = models.BooleanField(default=False, help_text="a bot is to act")
    moved_at = models.DateTimeField(null=True)
    result = models.JSONField(null=True)
    initial_events = models.JSONField(default=list, help_text="the events of the first deal")

    objects = GameQuerySet.as_manager()

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
            models.Index(
                fields=["next_sweep_at"], condition=Q(next_sweep_at__isnull=False), name="game_sweep_due"
            ),
            models.Index(fields=["moved_at"], condition=Q(bot_to_act=True), name="game_bot_to_act"),
            models.Index(
                fields=["finished_at", "id"], condition=Q(status="over", rated=True), name="game_rated_over"
            ),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def topic(self) -> str:
        """The topic of feed entries, deliveries and inbound mails about this game."""
        return make_topic(self.TOPIC_FAMILY, self.code)

    @property
    def current_status(self) -> Game.Status:
        """The status as an enum member, which has questions for code and templates."""
        return Game.Status(self.status)

    @property
    def is_open(self) -> bool:
        """True if the game waits for players."""
        return self.status == Game.Status.OPEN

    @property
    def is_running(self) -> bool:
        """True if the clocks of the game run."""
        return self.status == Game.Status.RUNNING

    @property
    def is_playing(self) -> bool:
        """True if the game has begun and is not over."""
        return self.status in PLAYING_STATUSES

    @property
    def is_over(self) -> bool:
        """True if the game was played to its end."""
        return self.status == Game.Status.OVER

    def is_turn_of(self, seat_no: int) -> bool:
        """True if a seat is to act and its clock may run: not before a blind match has opened."""
        return self.is_running and bool(self.to_act_mask >> seat_no & 1)

    def seats_to_act(self) -> list[int]:
        """The numbers of the seats that are to act."""
        return [seat_no for seat_no in range(1, self.seat_count + 1) if self.to_act_mask >> seat_no & 1]


PLAYING_STATUSES = (Game.Status.RUNNING, Game.Status.TIEBREAK)
UNFINISHED_STATUSES = (Game.Status.OPEN, *PLAYING_STATUSES)
GAME_TOPIC = Concat(Value(f"{Game.TOPIC_FAMILY}:"), "code")  # `Game.topic` in a query


class GameSecrets(models.Model):
    """The server seed and the engine's state: no serializer and no template ever joins this table."""

    game = models.OneToOneField(Game, primary_key=True, on_delete=models.PROTECT, related_name="secrets")
    server_seed = models.BinaryField(max_length=32)
    state = models.TextField(default="", help_text="the engine's state, as JSON")

    def __str__(self) -> str:
        return f"the secrets of {self.game_id}"


class Seat(models.Model):
    """A seat in a game, held by a player, a bot, or neither (a former player)."""

    class EightPolicy(models.TextChoices):
        """The answer to an 8, decided in advance."""

        ASK = "ask", _("ask me")
        USE = "use", _("play the card that protects my points")
        KEEP = "keep", _("keep the card")

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="seats")
    join_order = models.PositiveSmallIntegerField(help_text="the joining number, from 1")
    seat_no = models.PositiveSmallIntegerField(null=True, help_text="the seat, from 1, once it has started")
    player = models.ForeignKey("accounts.Player", null=True, on_delete=models.SET_NULL, related_name="seats")
    bot_policy = models.CharField(max_length=10, blank=True, default="")
    partner_join_order = models.PositiveSmallIntegerField(
        null=True, help_text="joining number of a chosen partner"
    )
    client_seed = models.CharField(
        max_length=limits.MAX_CLIENT_SEED_LENGTH, blank=True, help_text="empty until the start: its number"
    )
    muted = models.BooleanField(default=False, help_text="no notices about this game")
    eight_policy = models.CharField(max_length=5, choices=EightPolicy.choices, default=EightPolicy.ASK)
    hand_hidden = models.BooleanField(
        default=False, db_default=False, help_text="who took it over has not looked at the hand yet"
    )
    # Standing orders: only the seat's own player may know of them.
    draws_automatically = models.BooleanField(
        default=False, db_default=False, help_text="standing order: draw at the start of a turn"
    )
    plays_only_action = models.BooleanField(
        default=False, db_default=False, help_text="standing order: play the only legal action"
    )
    orders_seq = models.IntegerField(
        default=0, db_default=0, help_text="the game's seq when the standing orders were last changed"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "join_order"], name="seat_join_order_once"),
            models.UniqueConstraint(fields=["game", "seat_no"], name="seat_no_once"),
            models.UniqueConstraint(fields=["game", "player"], name="seat_player_once"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.seat_no or self.join_order}"


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
