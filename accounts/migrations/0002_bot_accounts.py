import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import accounts.link_detection


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="BotProfile",
            fields=[
                (
                    "player",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="bot_profile",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("declared_at", models.DateTimeField(help_text="when the account was declared a bot")),
                (
                    "takes_challenges",
                    models.BooleanField(
                        default=True, verbose_name="Accepts challenges and appears in the list of bots"
                    ),
                ),
                (
                    "about",
                    models.CharField(
                        blank=True,
                        default="",
                        max_length=200,
                        validators=[accounts.link_detection.check_no_link],
                        verbose_name="Playing style",
                    ),
                ),
                ("plays_cards", models.BooleanField(default=True, verbose_name="Plays with secret cards")),
                (
                    "max_games",
                    models.SmallIntegerField(
                        default=5,
                        help_text="challenges at once",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(50),
                        ],
                        verbose_name="Challenges at the same time",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="player",
            name="bot_owner",
            field=models.ForeignKey(
                db_index=False,
                help_text="the player who runs a bot; empty once their account is deleted",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="owned_bots",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="player",
            name="is_bot",
            field=models.BooleanField(
                db_default=False, default=False, help_text="a program plays for this account"
            ),
        ),
    ]
