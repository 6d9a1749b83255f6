"""The tables of the first release, and the transaction that wrote a feed entry."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from common.migration_operations import RunPostgresSQL

# On PostgreSQL a feed entry also stores the id of the transaction that wrote it.
SET_TRANSACTION_ID = """
ALTER TABLE notifications_feedentry ALTER COLUMN transaction_id SET DEFAULT pg_current_xact_id()::text::bigint;
"""
UNSET_TRANSACTION_ID = """
ALTER TABLE notifications_feedentry ALTER COLUMN transaction_id SET DEFAULT 0;
"""


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
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
                    "signing_secret",
                    models.CharField(help_text="signs what is sent; shown to its player", max_length=64),
                ),
                ("active", models.BooleanField(default=True)),
                (
                    "disabled_reason",
                    models.CharField(
                        blank=True, default="", help_text="why it was turned off", max_length=200
                    ),
                ),
                (
                    "busy_until",
                    models.DateTimeField(
                        help_text="it is being called, or rests after a call that failed", null=True
                    ),
                ),
                ("created_at", models.DateTimeField()),
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
                ("topic", models.CharField(blank=True, default="", max_length=60)),
                (
                    "kind",
                    models.CharField(
                        help_text="turn, reminder, started, timeout, over, digest, test and others",
                        max_length=30,
                    ),
                ),
                ("dedup_key", models.CharField(max_length=100)),
                ("data", models.JSONField(default=dict)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("sent", "sent"),
                            ("dropped", "no longer needed"),
                            ("failed", "failed"),
                            ("bounced", "bounced"),
                            ("uncertain", "may have arrived"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                (
                    "status_reason",
                    models.CharField(
                        blank=True, default="", help_text="the reason of its status", max_length=300
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("created_at", models.DateTimeField()),
                (
                    "next_attempt_at",
                    models.DateTimeField(help_text="the next attempt; empty: no more attempts", null=True),
                ),
                ("sent_at", models.DateTimeField(null=True)),
                (
                    "submitted_at",
                    models.DateTimeField(
                        help_text="when the other side may have taken it; empty while it surely has not",
                        null=True,
                    ),
                ),
                (
                    "delivered_at",
                    models.DateTimeField(help_text="the receiving side confirmed it then", null=True),
                ),
                ("opened_at", models.DateTimeField(null=True)),
                (
                    "address",
                    models.CharField(
                        blank=True, default="", help_text="the address that it was sent to", max_length=500
                    ),
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
                    "webhook",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="notifications.webhook",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "deliveries",
            },
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
                ("topic", models.CharField(blank=True, default="", max_length=60)),
                ("kind", models.CharField(max_length=30)),
                ("dedup_key", models.CharField(max_length=80)),
                ("data", models.JSONField(default=dict)),
                ("at", models.DateTimeField()),
                ("notify_at", models.DateTimeField(null=True)),
                (
                    "notice_stage",
                    models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("known", "Known"),
                            ("first_reminder", "First Reminder"),
                            ("last_reminder", "Last Reminder"),
                        ],
                        default="pending",
                        max_length=20,
                    ),
                ),
                ("transaction_id", models.BigIntegerField(db_default=0)),
                ("idempotency_key", models.CharField(blank=True, default="", max_length=100)),
                (
                    "request_hash",
                    models.CharField(blank=True, default="", help_text="hash of the request", max_length=64),
                ),
                ("response_body", models.TextField(blank=True, default="")),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="feed_entries",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["player", "id"], name="feed_of_player"),
                    models.Index(fields=["player", "transaction_id", "id"], name="feed_order_of_player"),
                    models.Index(fields=["topic", "player"], name="feed_of_topic"),
                    models.Index(
                        condition=models.Q(("notify_at__isnull", False)),
                        fields=["notify_at"],
                        name="feed_notice_due",
                    ),
                    models.Index(
                        condition=models.Q(("notice_stage", "pending"), ("notify_at__isnull", False)),
                        fields=["player"],
                        name="feed_pending_of_player",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("player", "dedup_key"), name="feed_dedup_key_once"),
                    models.UniqueConstraint(
                        condition=models.Q(("idempotency_key", ""), _negated=True),
                        fields=("player", "idempotency_key"),
                        name="feed_idempotency_key_once",
                    ),
                ],
            },
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
                ("received_at", models.DateTimeField()),
                ("sender", models.CharField(blank=True, default="", max_length=254)),
                ("recipient", models.CharField(blank=True, default="", max_length=254)),
                ("topic", models.CharField(blank=True, default="", max_length=60)),
                (
                    "outcome",
                    models.CharField(
                        help_text="a value of Outcome, or a word of the app that handled it",
                        max_length=20,
                    ),
                ),
                ("outcome_reason", models.CharField(blank=True, default="", max_length=300)),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="inbound_mails",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "inbound mails",
                "indexes": [models.Index(fields=["received_at"], name="inbound_mail_received_at")],
            },
        ),
        migrations.AddConstraint(
            model_name="webhook",
            constraint=models.UniqueConstraint(fields=("player", "url"), name="webhook_once"),
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(
                condition=models.Q(("next_attempt_at__isnull", False)),
                fields=["next_attempt_at"],
                name="delivery_due",
            ),
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(fields=["player", "-id"], name="delivery_of_player"),
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(fields=["topic", "player"], name="delivery_of_topic"),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.UniqueConstraint(
                fields=("player", "dedup_key"), name="delivery_dedup_key_once"
            ),
        ),
        RunPostgresSQL(SET_TRANSACTION_ID, UNSET_TRANSACTION_ID),
    ]
