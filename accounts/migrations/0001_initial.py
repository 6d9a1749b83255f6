"""The tables of accounts, as of the first release."""

import datetime

import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models

import accounts.link_detection
import accounts.models.players
import accounts.name_validation


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
            name="RefusedAddress",
            fields=[
                ("digest", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("refused_at", models.DateTimeField()),
            ],
            options={
                "verbose_name_plural": "refused addresses",
            },
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
                        validators=[
                            accounts.name_validation.check_name,
                            accounts.link_detection.check_no_link,
                        ],
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
                        validators=[accounts.models.players.check_time_zone],
                        verbose_name="time zone",
                    ),
                ),
                (
                    "mail_frequency",
                    models.CharField(
                        choices=[
                            ("each", "One for each turn"),
                            ("once", "One, then none until I visit"),
                            ("digest", "One a day"),
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
                            ("all", "All, including starts, results and final places"),
                            ("duties", "Only what needs me: invitations, new games, changes"),
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
                    "remind_at_used_percent",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        default=75,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(99),
                        ],
                        verbose_name="remind me when this percentage of the turn has passed",
                    ),
                ),
                (
                    "remind_at_left_percent",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        default=10,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(99),
                        ],
                        verbose_name="remind me when this percentage of my time is left",
                    ),
                ),
                ("quiet_from", models.TimeField(blank=True, null=True, verbose_name="quiet from")),
                ("quiet_until", models.TimeField(blank=True, null=True, verbose_name="quiet until")),
                (
                    "allow_any_sender",
                    models.BooleanField(default=False, verbose_name="accept replies from any address"),
                ),
                (
                    "invitations_from_strangers",
                    models.BooleanField(
                        db_default=True, default=True, verbose_name="let players I have not met invite me"
                    ),
                ),
                ("last_seen_at", models.DateTimeField(help_text="the last visit", null=True)),
                (
                    "last_turn_mail_at",
                    models.DateTimeField(help_text="the last mail about a turn", null=True),
                ),
                (
                    "email_bounced_at",
                    models.DateTimeField(help_text="mail to the address fails since then", null=True),
                ),
                ("email_bounce_reason", models.CharField(blank=True, default="", max_length=200)),
                (
                    "vacation_balance",
                    models.DurationField(
                        default=datetime.timedelta, help_text="vacation at `vacation_accrued_at`"
                    ),
                ),
                (
                    "vacation_accrued_at",
                    models.DateTimeField(help_text="empty: since they joined", null=True),
                ),
                (
                    "vacation_start",
                    models.DateTimeField(help_text="the current vacation, or the last one", null=True),
                ),
                ("vacation_end", models.DateTimeField(null=True)),
                (
                    "past_vacations",
                    models.JSONField(
                        help_text="former vacations that watches which run may not know of yet", null=True
                    ),
                ),
                (
                    "feed_token",
                    models.CharField(
                        db_index=True,
                        default=accounts.models.players.generate_url_token,
                        help_text="in the addresses of their private feeds",
                        max_length=32,
                    ),
                ),
                (
                    "mail_token",
                    models.CharField(
                        db_index=True,
                        default=accounts.models.players.generate_url_token,
                        help_text="in links of mails; never changes",
                        max_length=32,
                    ),
                ),
                ("joined_at", models.DateTimeField(verbose_name="member since")),
                (
                    "is_guest",
                    models.BooleanField(
                        default=False, help_text="plays without an account; the address is a placeholder"
                    ),
                ),
                ("is_active", models.BooleanField(default=True)),
                ("is_staff", models.BooleanField(default=False, verbose_name="is operator")),
                (
                    "claimed_by",
                    models.ForeignKey(
                        help_text="the account that takes a guest's games over once its address is confirmed",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="claimed_guests",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
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
                ("status_code", models.PositiveSmallIntegerField(default=0)),
                ("body", models.TextField(blank=True, default="")),
                ("created_at", models.DateTimeField(db_index=True)),
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
            name="PlayerTask",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=10)),
                ("requested_at", models.DateTimeField(help_text="when it was last asked for")),
                (
                    "next_run_at",
                    models.DateTimeField(db_index=True, help_text="when a sweep goes on with it"),
                ),
                (
                    "progress",
                    models.JSONField(default=dict, help_text="by app: the last id that it was done for"),
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
                    models.CharField(help_text="separated by spaces; see accounts/scopes.py", max_length=50),
                ),
                ("created_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField(null=True)),
                ("last_used_at", models.DateTimeField(null=True)),
                ("revoked_at", models.DateTimeField(null=True)),
                (
                    "parent",
                    models.ForeignKey(
                        db_index=False,
                        help_text="the token that made this one; this one ends with it",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="children",
                        to="accounts.token",
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
        migrations.AddIndex(
            model_name="player",
            index=models.Index(
                condition=models.Q(("is_guest", True)), fields=["last_seen_at"], name="player_guest_seen"
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
                violation_error_message="This name is taken. Choose another one.",
            ),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.UniqueConstraint(
                condition=models.Q(("name_skeleton", ""), _negated=True),
                fields=("name_skeleton",),
                name="player_name_skeleton",
                violation_error_message="This name looks too much like another player’s. Choose another one.",
            ),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.UniqueConstraint(
                condition=models.Q(("name_folded_skeleton", ""), _negated=True),
                fields=("name_folded_skeleton",),
                name="player_name_folded_skeleton",
                violation_error_message="This name looks too much like another player’s. Choose another one.",
            ),
        ),
        migrations.AddConstraint(
            model_name="idempotentresponse",
            constraint=models.UniqueConstraint(fields=("player", "key"), name="idempotent_response_once"),
        ),
        migrations.AddConstraint(
            model_name="playertask",
            constraint=models.UniqueConstraint(fields=("player", "kind"), name="player_task_once"),
        ),
        migrations.AddIndex(
            model_name="token",
            index=models.Index(
                condition=models.Q(("parent__isnull", False)), fields=["parent"], name="token_parent"
            ),
        ),
    ]
