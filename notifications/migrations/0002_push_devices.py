import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("notifications", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="PushDevice",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "endpoint",
                    models.URLField(
                        help_text="of the browser's push service; a secret", max_length=500, unique=True
                    ),
                ),
                ("p256dh", models.CharField(help_text="the browser's public key", max_length=90)),
                (
                    "auth",
                    models.CharField(
                        help_text="the secret that the browser shares with this site", max_length=24
                    ),
                ),
                ("label", models.CharField(help_text="browser and system", max_length=80)),
                ("created_at", models.DateTimeField()),
                (
                    "last_used_at",
                    models.DateTimeField(
                        help_text="the push service last accepted a message then", null=True
                    ),
                ),
                (
                    "disabled_reason",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="why it gets no messages any more; empty: it gets them",
                        max_length=200,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="push_devices",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="delivery",
            name="push_device",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="deliveries",
                to="notifications.pushdevice",
            ),
        ),
    ]
