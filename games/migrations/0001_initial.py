"""The tables of the first release, and the triggers that make the action log append-only."""

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import games.models.games
from common.migration_operations import RunPostgresSQL

# The action log is append-only.
TRIGGERS = """
CREATE FUNCTION games_action_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the log of a game is never changed';
END $$;
CREATE TRIGGER games_action_append_only BEFORE UPDATE OR DELETE ON games_action
    FOR EACH ROW EXECUTE FUNCTION games_action_is_append_only();
CREATE TRIGGER games_action_no_truncate BEFORE TRUNCATE ON games_action
    FOR EACH STATEMENT EXECUTE FUNCTION games_action_is_append_only();
"""
DROP_TRIGGERS = """
DROP TRIGGER games_action_no_truncate ON games_action;
DROP TRIGGER games_action_append_only ON games_action;
DROP FUNCTION games_action_is_append_only();
"""


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("notifications", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Game",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "code",
                    models.CharField(
                        default=games.models.games.generate_public_code, max_length=12, unique=True
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("open", "waiting for players"),
                            ("running", "running"),
                            ("tiebreak", "level: a blind match follows"),
                            ("over", "over"),
                            ("cancelled", "cancelled"),
                        ],
                        default="open",
                        max_length=10,
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField(help_text="when an open game is given up")),
                ("started_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                ("rules_version", models.PositiveSmallIntegerField()),
                (
                    "mode",
                    models.CharField(
                        choices=[("singles", "Singles"), ("pairs", "Pairs"), ("solo", "Solo")], max_length=10
                    ),
                ),
                ("edition", models.CharField(max_length=40)),
                (
                    "seat_count",
                    models.PositiveSmallIntegerField(
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(4),
                        ]
                    ),
                ),
                ("cards", models.BooleanField(default=True)),
                ("obligation", models.CharField(default="strict", max_length=10)),
                (
                    "target",
                    models.PositiveSmallIntegerField(
                        default=24,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(99),
                        ],
                    ),
                ),
                ("time_control", models.CharField(max_length=20)),
                (
                    "allowance",
                    models.PositiveIntegerField(
                        help_text="seconds for each turn",
                        validators=[
                            django.core.validators.MinValueValidator(60),
                            django.core.validators.MaxValueValidator(2592000),
                        ],
                    ),
                ),
                (
                    "bank",
                    models.PositiveIntegerField(
                        help_text="seconds for the whole game",
                        verbose_name="reserve",
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(10368000),
                        ],
                    ),
                ),
                (
                    "blind_allowance",
                    models.PositiveIntegerField(
                        help_text="seconds for a turn of a blind match",
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(60),
                            django.core.validators.MaxValueValidator(2592000),
                        ],
                    ),
                ),
                (
                    "timeout_policy",
                    models.CharField(
                        choices=[("autoplay", "the server plays the turn"), ("forfeit", "the side resigns")],
                        default="autoplay",
                        max_length=10,
                    ),
                ),
                ("weekends", models.BooleanField(default=False, help_text="clocks stop at weekends")),
                (
                    "nights",
                    models.BooleanField(default=False, help_text="clocks stop during the player’s night"),
                ),
                (
                    "vacation",
                    models.BooleanField(default=True, help_text="a player’s clock stops during vacation"),
                ),
                (
                    "seat_order",
                    models.CharField(
                        choices=[("as-joined", "As Joined"), ("shuffled", "Shuffled")],
                        default="as-joined",
                        max_length=10,
                    ),
                ),
                ("private", models.BooleanField(default=False)),
                ("rated", models.BooleanField(default=False)),
                ("chat", models.BooleanField(default=True)),
                ("commitment", models.CharField(max_length=64)),
                (
                    "committed_first",
                    models.BooleanField(
                        db_default=False,
                        default=False,
                        help_text="the commitment was shown before any client seed came",
                    ),
                ),
                ("seniority", models.JSONField(default=list)),
                ("seq", models.PositiveIntegerField(default=0)),
                (
                    "seat_changes",
                    models.IntegerField(
                        db_default=0,
                        default=0,
                        help_text="how often a seat went to somebody else since the start",
                    ),
                ),
                ("phase", models.CharField(default="", max_length=10)),
                (
                    "to_act_mask",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="the seats to act, as bits: 1 << seat"
                    ),
                ),
                (
                    "head_hash",
                    models.CharField(default="", help_text="the hash of the last action", max_length=64),
                ),
                ("seat_clocks", models.JSONField(default=dict, help_text="the watch of each seat")),
                (
                    "deadline",
                    models.DateTimeField(help_text="the next timeout among the players to move", null=True),
                ),
                (
                    "next_sweep_at",
                    models.DateTimeField(help_text="a sweep looks at it next then", null=True),
                ),
                (
                    "round_ends_at",
                    models.DateTimeField(
                        help_text="when the round of a tournament ends and the points decide", null=True
                    ),
                ),
                (
                    "round_info",
                    models.JSONField(help_text="whose round: tournament, number, page", null=True),
                ),
                ("paused_from", models.DateTimeField(help_text="start of the last agreed pause", null=True)),
                ("paused_until", models.DateTimeField(null=True)),
                (
                    "announced_rounds",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="rounds of the shoot-out told so far"
                    ),
                ),
                ("bot_to_act", models.BooleanField(default=False, help_text="a bot is to act")),
                ("moved_at", models.DateTimeField(null=True)),
                ("result", models.JSONField(null=True)),
                ("initial_events", models.JSONField(default=list, help_text="the events of the first deal")),
                (
                    "creator",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "rematch_of",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="rematch",
                        to="games.game",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Incident",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.CharField(blank=True, default="", max_length=200)),
                ("started_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "deadlines_recomputed",
                    models.BooleanField(
                        default=False, help_text="every deadline was computed again afterwards"
                    ),
                ),
                (
                    "last_processed_game_id",
                    models.BigIntegerField(db_default=0, help_text="the last game that it was done for"),
                ),
                ("is_open", models.BooleanField(default=True, null=True, unique=True)),
            ],
        ),
        migrations.CreateModel(
            name="TournamentSeed",
            fields=[
                (
                    "tournament_code",
                    models.CharField(
                        help_text="the public id of the event",
                        max_length=12,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("commitment", models.CharField(max_length=64)),
                (
                    "seed",
                    models.CharField(
                        blank=True, default="", help_text="empty until the event is over", max_length=64
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="GameSecrets",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="secrets",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("server_seed", models.BinaryField(max_length=32)),
                ("state", models.TextField(default="", help_text="the engine's state, as JSON")),
            ],
        ),
        migrations.CreateModel(
            name="Action",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seq", models.PositiveIntegerField()),
                ("seat", models.PositiveSmallIntegerField()),
                ("action", models.CharField(max_length=30)),
                ("by", models.CharField(max_length=10)),
                ("at", models.DateTimeField()),
                ("hash", models.CharField(help_text="over the previous hash and this line", max_length=64)),
                ("events", models.JSONField(default=list, help_text="what happened, as all could see it")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="actions", to="games.game"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("email", models.EmailField(blank=True, default="", max_length=254)),
                (
                    "as_partner",
                    models.BooleanField(default=False, help_text="to play as the inviter's partner"),
                ),
                (
                    "as_opponent",
                    models.BooleanField(db_default=False, help_text="to play against the inviter, in pairs"),
                ),
                ("created_at", models.DateTimeField()),
                (
                    "status",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "Open"),
                            ("joined", "Joined"),
                            ("declined", "Declined"),
                            ("lost", "Lost"),
                        ],
                        default="",
                        max_length=10,
                    ),
                ),
                (
                    "delivery",
                    models.OneToOneField(
                        help_text="the mail to `email`; the address is only here",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="invitation",
                        to="notifications.delivery",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to="games.game",
                    ),
                ),
                (
                    "inviter",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Message",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.CharField(max_length=500)),
                ("created_at", models.DateTimeField()),
                ("hidden", models.BooleanField(default=False, help_text="hidden by an operator")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="messages", to="games.game"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="messages",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Note",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField(max_length=5000)),
                ("updated_at", models.DateTimeField()),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="games.game"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Pause",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("until", models.DateTimeField()),
                (
                    "agreed_sides_mask",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="the sides that agreed, as bits: 1 << side"
                    ),
                ),
                ("proposed_at", models.DateTimeField()),
                ("started_at", models.DateTimeField(null=True)),
                (
                    "ended_at",
                    models.DateTimeField(help_text="declined, ended early, or taken back", null=True),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="pauses", to="games.game"
                    ),
                ),
                (
                    "proposer",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Report",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.CharField(blank=True, default="", max_length=500)),
                ("created_at", models.DateTimeField()),
                ("resolved", models.BooleanField(default=False)),
                (
                    "message",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reports",
                        to="games.message",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("join_order", models.PositiveSmallIntegerField(help_text="the joining number, from 1")),
                (
                    "seat_no",
                    models.PositiveSmallIntegerField(
                        help_text="the seat, from 1, once it has started", null=True
                    ),
                ),
                ("bot_policy", models.CharField(blank=True, default="", max_length=10)),
                (
                    "partner_join_order",
                    models.PositiveSmallIntegerField(
                        help_text="joining number of a chosen partner", null=True
                    ),
                ),
                (
                    "client_seed",
                    models.CharField(
                        blank=True, help_text="empty until the start: its number", max_length=64
                    ),
                ),
                ("muted", models.BooleanField(default=False, help_text="no notices about this game")),
                (
                    "eight_policy",
                    models.CharField(
                        choices=[
                            ("ask", "ask me"),
                            ("use", "play the card that protects my points"),
                            ("keep", "keep the card"),
                        ],
                        default="ask",
                        max_length=5,
                    ),
                ),
                (
                    "hand_hidden",
                    models.BooleanField(
                        db_default=False,
                        default=False,
                        help_text="who took it over has not looked at the hand yet",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="seats", to="games.game"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="seats",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="SeatHandover",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat_no", models.PositiveSmallIntegerField()),
                (
                    "hand_was_hidden",
                    models.BooleanField(default=False, help_text="the predecessor never looked at the hand"),
                ),
                ("after_seq", models.PositiveIntegerField(help_text="of the last action before")),
                ("handed_over_at", models.DateTimeField()),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="handovers", to="games.game"
                    ),
                ),
                (
                    "predecessor",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "successor",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="SpentCommitment",
            fields=[
                ("commitment", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("spent_at", models.DateTimeField()),
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="games.game"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="DerivedSeed",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="derived_seed",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("match", models.CharField(max_length=20)),
                ("game_number", models.PositiveSmallIntegerField(help_text="in the match, from 1")),
                ("attempt", models.PositiveSmallIntegerField(help_text="at the match, from 1")),
                (
                    "tournament_seed",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="derived_seeds",
                        to="games.tournamentseed",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("status", "open")), fields=["expires_at"], name="game_open_expiry"
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("private", False), ("status", "open")),
                fields=["-created_at"],
                name="game_lobby",
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("private", False), ("status", "running")),
                fields=["-moved_at", "-id"],
                name="game_to_watch",
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("next_sweep_at__isnull", False)),
                fields=["next_sweep_at"],
                name="game_sweep_due",
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("bot_to_act", True)), fields=["moved_at"], name="game_bot_to_act"
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("rated", True), ("status", "over")),
                fields=["finished_at", "id"],
                name="game_rated_over",
            ),
        ),
        migrations.AddConstraint(
            model_name="action",
            constraint=models.UniqueConstraint(fields=("game", "seq"), name="action_seq_once"),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.UniqueConstraint(
                condition=models.Q(("player__isnull", False), ("status", "")),
                fields=("game", "player"),
                name="invitation_player_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.UniqueConstraint(
                condition=models.Q(("player__isnull", True), ("status", "")),
                fields=("game", "email"),
                name="invitation_email_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="note",
            constraint=models.UniqueConstraint(fields=("game", "player"), name="note_once"),
        ),
        migrations.AddConstraint(
            model_name="pause",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at__isnull", True), ("started_at__isnull", True)),
                fields=("game",),
                name="pause_proposal_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="report",
            constraint=models.UniqueConstraint(fields=("message", "player"), name="report_once"),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(fields=("game", "join_order"), name="seat_join_order_once"),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(fields=("game", "seat_no"), name="seat_no_once"),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(fields=("game", "player"), name="seat_player_once"),
        ),
        migrations.AddIndex(
            model_name="spentcommitment",
            index=models.Index(fields=["spent_at"], name="spent_commitment_at"),
        ),
        migrations.AddConstraint(
            model_name="derivedseed",
            constraint=models.UniqueConstraint(
                fields=("tournament_seed", "match", "game_number", "attempt"), name="derived_seed_once"
            ),
        ),
        RunPostgresSQL(TRIGGERS, DROP_TRIGGERS),
    ]
