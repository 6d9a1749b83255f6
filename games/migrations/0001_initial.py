"""The tables of the first release, and the triggers that make the action log append-only."""

import datetime

import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models

import games.link_detection
import games.models.games
import games.models.players
import games.name_validation
from games.migration_operations import RunPostgresSQL

# The action log is append-only. On PostgreSQL a feed entry also stores the id of the transaction that wrote it.
TRIGGERS = """
CREATE FUNCTION games_action_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the log of a game is never changed';
END $$;
CREATE TRIGGER games_action_append_only BEFORE UPDATE OR DELETE ON games_action
    FOR EACH ROW EXECUTE FUNCTION games_action_is_append_only();
CREATE TRIGGER games_action_no_truncate BEFORE TRUNCATE ON games_action
    FOR EACH STATEMENT EXECUTE FUNCTION games_action_is_append_only();
ALTER TABLE games_feedentry ALTER COLUMN written SET DEFAULT pg_current_xact_id()::text::bigint;
"""
DROP_TRIGGERS = """
DROP TRIGGER games_action_no_truncate ON games_action;
DROP TRIGGER games_action_append_only ON games_action;
DROP FUNCTION games_action_is_append_only();
ALTER TABLE games_feedentry ALTER COLUMN written SET DEFAULT 0;
"""


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="ContactCount",
            fields=[
                (
                    "key",
                    models.CharField(
                        help_text="who does what to whom; no address",
                        max_length=120,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("count", models.PositiveIntegerField(default=0)),
                ("resets_at", models.DateTimeField(db_index=True)),
            ],
        ),
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
                            ("tiebreak", "level: a blind match is about to open"),
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
                ("rules", models.PositiveSmallIntegerField()),
                ("mode", models.CharField(max_length=10)),
                ("edition", models.CharField(max_length=40)),
                ("seats", models.PositiveSmallIntegerField()),
                ("cards", models.BooleanField(default=True)),
                ("obligation", models.CharField(default="strict", max_length=10)),
                ("target", models.PositiveSmallIntegerField(default=24)),
                ("clock", models.CharField(max_length=20)),
                ("allowance", models.PositiveIntegerField(help_text="seconds for each turn")),
                ("bank", models.PositiveIntegerField(help_text="seconds in reserve for the whole game")),
                (
                    "blind_allowance",
                    models.PositiveIntegerField(help_text="seconds for a turn of a blind match", null=True),
                ),
                (
                    "timeouts",
                    models.CharField(
                        choices=[("autoplay", "the server plays the turn"), ("forfeit", "the side resigns")],
                        default="autoplay",
                        max_length=10,
                    ),
                ),
                ("weekends", models.BooleanField(default=False, help_text="clocks rest at the weekend")),
                (
                    "nights",
                    models.BooleanField(default=False, help_text="clocks rest in a player's night hours"),
                ),
                (
                    "vacation",
                    models.BooleanField(default=True, help_text="clocks rest while a player is on vacation"),
                ),
                ("order", models.CharField(default="as-joined", max_length=10)),
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
                    "to_act",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="the seats to act, as bits: 1 << seat"
                    ),
                ),
                (
                    "chain",
                    models.CharField(default="", help_text="the hash of the last action", max_length=64),
                ),
                ("clocks", models.JSONField(default=dict, help_text="the watch of each seat")),
                (
                    "deadline",
                    models.DateTimeField(
                        help_text="when the first of those to act is out of time", null=True
                    ),
                ),
                (
                    "due_at",
                    models.DateTimeField(help_text="when a sweep has something to do here", null=True),
                ),
                (
                    "round_ends_at",
                    models.DateTimeField(
                        help_text="when the round of a tournament ends and the points decide", null=True
                    ),
                ),
                ("round_of", models.JSONField(help_text="whose round: tournament, number, page", null=True)),
                ("paused_from", models.DateTimeField(help_text="the last agreed pause", null=True)),
                ("paused_until", models.DateTimeField(null=True)),
                (
                    "told",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="rounds of the shoot-out told so far"
                    ),
                ),
                ("bot_turn", models.BooleanField(default=False, help_text="a bot is to act")),
                ("moved_at", models.DateTimeField(null=True)),
                ("result", models.JSONField(null=True)),
                ("opening", models.JSONField(default=list, help_text="the events of the first deal")),
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
                ("why", models.CharField(blank=True, default="", max_length=200)),
                ("started_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "settled",
                    models.BooleanField(default=False, help_text="every deadline was written anew after it"),
                ),
                (
                    "settled_game",
                    models.BigIntegerField(db_default=0, help_text="the last game that it was done for"),
                ),
                ("open", models.BooleanField(default=True, null=True, unique=True)),
            ],
        ),
        migrations.CreateModel(
            name="MetricCounter",
            fields=[
                ("name", models.CharField(max_length=80, primary_key=True, serialize=False)),
                ("count", models.BigIntegerField(default=0)),
                ("seconds", models.FloatField(default=0.0)),
                ("at", models.DateTimeField()),
            ],
            options={
                "verbose_name_plural": "tallies",
            },
        ),
        migrations.CreateModel(
            name="RefusedAddress",
            fields=[
                ("digest", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("at", models.DateTimeField()),
            ],
            options={
                "verbose_name_plural": "refused addresses",
            },
        ),
        migrations.CreateModel(
            name="TournamentSeed",
            fields=[
                (
                    "event",
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
            name="Player",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "name",
                    models.CharField(
                        max_length=30,
                        validators=[games.name_validation.check_name, games.link_detection.check_no_link],
                        verbose_name="name",
                    ),
                ),
                (
                    "name_skeleton",
                    models.CharField(db_default="", default="", editable=False, max_length=200),
                ),
                (
                    "name_folded_skeleton",
                    models.CharField(db_default="", default="", editable=False, max_length=200),
                ),
                ("email", models.EmailField(max_length=254, unique=True, verbose_name="email address")),
                (
                    "language",
                    models.CharField(
                        choices=[("en", "English"), ("it", "Italiano"), ("nl", "Nederlands")],
                        default="en",
                        max_length=5,
                        verbose_name="language",
                    ),
                ),
                (
                    "time_zone",
                    models.CharField(
                        default="UTC",
                        max_length=50,
                        validators=[games.models.players.check_time_zone],
                        verbose_name="time zone",
                    ),
                ),
                (
                    "mails",
                    models.CharField(
                        choices=[
                            ("each", "one for each turn"),
                            ("once", "one until I come back"),
                            ("digest", "one a day"),
                            ("none", "none"),
                        ],
                        default="each",
                        max_length=10,
                        verbose_name="mails",
                    ),
                ),
                (
                    "tournament_mails",
                    models.CharField(
                        choices=[
                            ("all", "all: also starts, results and final places"),
                            ("duties", "what I must do or know: invitations, new games, changes"),
                            ("none", "none"),
                        ],
                        default="all",
                        max_length=10,
                        verbose_name="mails about tournaments and leagues",
                    ),
                ),
                (
                    "digest_hour",
                    models.PositiveSmallIntegerField(
                        default=8,
                        validators=[django.core.validators.MaxValueValidator(23)],
                        verbose_name="hour of the daily mail",
                    ),
                ),
                (
                    "remind_used",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        default=75,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(99),
                        ],
                        verbose_name="remind me when so many percent of a turn's time are gone",
                    ),
                ),
                (
                    "remind_left",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        default=10,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(99),
                        ],
                        verbose_name="remind me when so many percent of all time are left",
                    ),
                ),
                ("quiet_from", models.TimeField(blank=True, null=True, verbose_name="quiet from")),
                ("quiet_until", models.TimeField(blank=True, null=True, verbose_name="quiet until")),
                (
                    "any_sender",
                    models.BooleanField(default=False, verbose_name="replies count from any address"),
                ),
                (
                    "invitations_from_strangers",
                    models.BooleanField(
                        db_default=True, default=True, verbose_name="people I have not met here may invite me"
                    ),
                ),
                ("seen_at", models.DateTimeField(help_text="when they were last here", null=True)),
                (
                    "mailed_at",
                    models.DateTimeField(help_text="when they were last told of a turn by mail", null=True),
                ),
                (
                    "dead_at",
                    models.DateTimeField(help_text="since when their address takes no mail", null=True),
                ),
                ("dead_why", models.CharField(blank=True, default="", max_length=200)),
                (
                    "vacation_saved",
                    models.DurationField(default=datetime.timedelta, help_text="vacation at `vacation_at`"),
                ),
                ("vacation_at", models.DateTimeField(help_text="empty: since they joined", null=True)),
                (
                    "away_from",
                    models.DateTimeField(help_text="the present vacation, or the last one", null=True),
                ),
                ("away_until", models.DateTimeField(null=True)),
                (
                    "past_vacations",
                    models.JSONField(
                        help_text="former vacations that watches which run may not know of yet", null=True
                    ),
                ),
                (
                    "key",
                    models.CharField(
                        db_index=True,
                        default=games.models.players.generate_url_token,
                        help_text="in the addresses of their private feeds",
                        max_length=32,
                    ),
                ),
                (
                    "mail_key",
                    models.CharField(
                        db_index=True,
                        default=games.models.players.generate_url_token,
                        help_text="in links of mails; never changes",
                        max_length=32,
                    ),
                ),
                ("joined_at", models.DateTimeField(verbose_name="member since")),
                (
                    "guest",
                    models.BooleanField(
                        default=False, help_text="plays without an account; the address is no address"
                    ),
                ),
                ("is_active", models.BooleanField(default=True)),
                ("is_staff", models.BooleanField(default=False)),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "keeper",
                    models.ForeignKey(
                        help_text="the account that takes a guest's games over once its address is confirmed",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="guests",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
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
                        related_name="secret",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("server_seed", models.BinaryField(max_length=32)),
                ("state", models.TextField(default="", help_text="the engine's state, as JSON")),
            ],
        ),
        migrations.AddField(
            model_name="game",
            name="creator",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="rematch_of",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="rematch",
                to="games.game",
            ),
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
            name="FeedEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=20)),
                ("reason", models.CharField(max_length=80)),
                ("data", models.JSONField(default=dict)),
                ("at", models.DateTimeField()),
                ("due_at", models.DateTimeField(null=True)),
                (
                    "stage",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="0 to be told; 1 known; 2 and 3 reminders"
                    ),
                ),
                ("written", models.BigIntegerField(db_default=0)),
                ("key", models.CharField(blank=True, default="", max_length=100)),
                (
                    "asked",
                    models.CharField(blank=True, default="", help_text="hash of the request", max_length=64),
                ),
                ("answer", models.TextField(blank=True, default="")),
                (
                    "game",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.game",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="events",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="IdempotentResponse",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=100)),
                ("request_hash", models.CharField(max_length=64)),
                ("status", models.PositiveSmallIntegerField(default=0)),
                ("body", models.TextField(blank=True, default="")),
                ("at", models.DateTimeField(db_index=True)),
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
            name="InboundMail",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("at", models.DateTimeField()),
                ("sender", models.CharField(blank=True, default="", max_length=254)),
                ("recipient", models.CharField(blank=True, default="", max_length=254)),
                (
                    "outcome",
                    models.CharField(
                        help_text="played, refused, confirm, ignored, bounce, unknown", max_length=20
                    ),
                ),
                ("why", models.CharField(blank=True, default="", max_length=300)),
                (
                    "game",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.game",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="received",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "received",
            },
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
                ("partner", models.BooleanField(default=False, help_text="to play as the inviter's partner")),
                (
                    "opponent",
                    models.BooleanField(db_default=False, help_text="to play against the inviter, in pairs"),
                ),
                ("at", models.DateTimeField()),
                ("due_at", models.DateTimeField(help_text="when the mail is to be tried next", null=True)),
                ("tries", models.SmallIntegerField(db_default=0)),
                ("sent_at", models.DateTimeField(help_text="when the mail went out", null=True)),
                (
                    "trouble",
                    models.CharField(blank=True, default="", help_text="why it did not", max_length=200),
                ),
                (
                    "answered",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="joined, declined, or lost: no mail reaches them",
                        max_length=10,
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
                ("at", models.DateTimeField()),
                ("hidden", models.BooleanField(default=False, help_text="taken down by an operator")),
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
                ("at", models.DateTimeField()),
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
                    "agreed",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="the sides that agreed, as bits: 1 << side"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("began_at", models.DateTimeField(null=True)),
                (
                    "ended_at",
                    models.DateTimeField(help_text="declined, ended early, or taken back", null=True),
                ),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="pauses", to="games.game"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PlayerTask",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("clocks", "write the deadlines of running games anew"),
                            ("removal", "leave all games, then delete the account"),
                        ],
                        max_length=10,
                    ),
                ),
                ("asked_at", models.DateTimeField(help_text="when it was last asked for")),
                ("due_at", models.DateTimeField(db_index=True, help_text="when a sweep goes on with it")),
                (
                    "next_game",
                    models.BigIntegerField(default=0, help_text="the last game that it was done for"),
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
            name="Report",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("why", models.CharField(blank=True, default="", max_length=500)),
                ("at", models.DateTimeField()),
                ("settled", models.BooleanField(default=False)),
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
                ("joined", models.PositiveSmallIntegerField(help_text="the joining number, from 1")),
                (
                    "number",
                    models.PositiveSmallIntegerField(
                        help_text="the seat, from 1, once it has started", null=True
                    ),
                ),
                ("bot", models.CharField(blank=True, default="", max_length=10)),
                (
                    "partner",
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
                    "eight",
                    models.CharField(
                        choices=[
                            ("ask", "ask me"),
                            ("use", "use the card that protects my points"),
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
                        on_delete=django.db.models.deletion.PROTECT, related_name="places", to="games.game"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="places",
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
                ("seat", models.PositiveSmallIntegerField()),
                (
                    "hand_was_hidden",
                    models.BooleanField(default=False, help_text="the predecessor never looked at the hand"),
                ),
                ("seq", models.PositiveIntegerField(help_text="of the last action before")),
                ("at", models.DateTimeField()),
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
                ("at", models.DateTimeField()),
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="games.game"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Token",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=50)),
                ("digest", models.CharField(max_length=64, unique=True)),
                (
                    "scopes",
                    models.CharField(help_text="separated by spaces; see games/scopes.py", max_length=50),
                ),
                ("created_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField(null=True)),
                ("last_used", models.DateTimeField(null=True)),
                ("revoked_at", models.DateTimeField(null=True)),
                (
                    "parent",
                    models.ForeignKey(
                        db_index=False,
                        help_text="the token that made this one; this one ends with it",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="children",
                        to="games.token",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("url", models.URLField(max_length=500)),
                (
                    "preset",
                    models.CharField(
                        choices=[("json", "JSON, signed"), ("discord", "Discord"), ("slack", "Slack")],
                        default="json",
                        max_length=10,
                    ),
                ),
                (
                    "secret",
                    models.CharField(help_text="signs what is sent; shown to its player", max_length=64),
                ),
                ("active", models.BooleanField(default=True)),
                (
                    "trouble",
                    models.CharField(
                        blank=True, default="", help_text="why it was switched off", max_length=200
                    ),
                ),
                (
                    "busy_until",
                    models.DateTimeField(
                        help_text="it is being called, or rests after a call that failed", null=True
                    ),
                ),
                ("at", models.DateTimeField()),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhooks",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        help_text="turn, reminder, started, timeout, over, digest, test, ...", max_length=20
                    ),
                ),
                ("reason", models.CharField(max_length=100)),
                ("data", models.JSONField(default=dict)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("sent", "sent"),
                            ("dropped", "not needed any more"),
                            ("failed", "given up"),
                            ("bounced", "came back"),
                            ("uncertain", "may have arrived"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                (
                    "why",
                    models.CharField(
                        blank=True, default="", help_text="the reason of its status", max_length=300
                    ),
                ),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("made_at", models.DateTimeField()),
                (
                    "due_at",
                    models.DateTimeField(
                        help_text="when to try next; empty when there is nothing to do", null=True
                    ),
                ),
                ("sent_at", models.DateTimeField(null=True)),
                (
                    "handed_over_at",
                    models.DateTimeField(
                        help_text="when the other side may have taken it; empty while it surely has not",
                        null=True,
                    ),
                ),
                ("delivered_at", models.DateTimeField(help_text="when the other side said so", null=True)),
                ("opened_at", models.DateTimeField(null=True)),
                (
                    "address",
                    models.CharField(blank=True, default="", help_text="where it went", max_length=500),
                ),
                ("message_id", models.CharField(blank=True, db_index=True, default="", max_length=200)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.game",
                    ),
                ),
                (
                    "webhook",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="games.webhook",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "deliveries",
            },
        ),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(
                condition=models.Q(("guest", True)), fields=["seen_at"], name="player_guest_seen"
            ),
        ),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(
                condition=models.Q(("name_skeleton", "")), fields=["name"], name="player_lookalike"
            ),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.UniqueConstraint(
                django.db.models.functions.text.Lower("name"),
                name="player_name_unique",
                violation_error_message="This name is taken.",
            ),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.UniqueConstraint(
                condition=models.Q(("name_skeleton", ""), _negated=True),
                fields=("name_skeleton",),
                name="player_name_skeleton",
                violation_error_message="This name looks too much like another player's.",
            ),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.UniqueConstraint(
                condition=models.Q(("name_folded_skeleton", ""), _negated=True),
                fields=("name_folded_skeleton",),
                name="player_name_folded_skeleton",
                violation_error_message="This name looks too much like another player's.",
            ),
        ),
        migrations.AddField(
            model_name="derivedseed",
            name="source",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="derived", to="games.tournamentseed"
            ),
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
                condition=models.Q(("due_at__isnull", False)), fields=["due_at"], name="game_due"
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("bot_turn", True)), fields=["moved_at"], name="game_bot_turn"
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
        migrations.AddIndex(
            model_name="feedentry",
            index=models.Index(fields=["player", "id"], name="event_feed"),
        ),
        migrations.AddIndex(
            model_name="feedentry",
            index=models.Index(
                condition=models.Q(("due_at__isnull", False)), fields=["due_at"], name="event_due"
            ),
        ),
        migrations.AddIndex(
            model_name="feedentry",
            index=models.Index(
                condition=models.Q(("due_at__isnull", False), ("stage", 0)),
                fields=["player"],
                name="event_untold_of_player",
            ),
        ),
        migrations.AddConstraint(
            model_name="feedentry",
            constraint=models.UniqueConstraint(fields=("player", "reason"), name="event_told_once"),
        ),
        migrations.AddConstraint(
            model_name="feedentry",
            constraint=models.UniqueConstraint(
                condition=models.Q(("key", ""), _negated=True),
                fields=("player", "key"),
                name="event_key_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="idempotentresponse",
            constraint=models.UniqueConstraint(fields=("player", "key"), name="idempotent_response_once"),
        ),
        migrations.AddIndex(
            model_name="inboundmail",
            index=models.Index(fields=["at"], name="received_at"),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.UniqueConstraint(
                condition=models.Q(("answered", ""), ("player__isnull", False)),
                fields=("game", "player"),
                name="invited_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.UniqueConstraint(
                condition=models.Q(("answered", ""), ("player__isnull", True)),
                fields=("game", "email"),
                name="mailed_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="note",
            constraint=models.UniqueConstraint(fields=("game", "player"), name="note_once"),
        ),
        migrations.AddConstraint(
            model_name="pause",
            constraint=models.UniqueConstraint(
                condition=models.Q(("began_at__isnull", True), ("ended_at__isnull", True)),
                fields=("game",),
                name="one_proposal",
            ),
        ),
        migrations.AddConstraint(
            model_name="playertask",
            constraint=models.UniqueConstraint(fields=("player", "kind"), name="player_task_once"),
        ),
        migrations.AddConstraint(
            model_name="report",
            constraint=models.UniqueConstraint(fields=("message", "player"), name="reported_once"),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(fields=("game", "joined"), name="seat_joined_once"),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(fields=("game", "number"), name="seat_numbered_once"),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(fields=("game", "player"), name="seat_player_once"),
        ),
        migrations.AddIndex(
            model_name="spentcommitment",
            index=models.Index(fields=["at"], name="spent_commitment_at"),
        ),
        migrations.AddIndex(
            model_name="token",
            index=models.Index(
                condition=models.Q(("parent__isnull", False)), fields=["parent"], name="token_parent"
            ),
        ),
        migrations.AddConstraint(
            model_name="webhook",
            constraint=models.UniqueConstraint(fields=("player", "url"), name="webhook_once"),
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(
                condition=models.Q(("due_at__isnull", False)), fields=["due_at"], name="delivery_due"
            ),
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(fields=["player", "-id"], name="delivery_of_player"),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.UniqueConstraint(fields=("player", "reason"), name="delivered_once"),
        ),
        migrations.AddConstraint(
            model_name="derivedseed",
            constraint=models.UniqueConstraint(
                fields=("source", "match", "game_number", "attempt"), name="seed_derived_once"
            ),
        ),
        RunPostgresSQL(TRIGGERS, DROP_TRIGGERS),
    ]
