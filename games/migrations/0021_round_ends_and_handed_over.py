"""Games know when the round of their tournament ends; deliveries, when somebody's server may have taken them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0020_lenient_games_unrated"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="round_ends_at",
            field=models.DateTimeField(
                help_text="when the round of a tournament ends and the points decide", null=True
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="round_of",
            field=models.JSONField(help_text="whose round: tournament, number, page", null=True),
        ),
        migrations.AlterField(
            model_name="game",
            name="timeouts",
            field=models.CharField(
                choices=[("autoplay", "the server plays the turn"), ("forfeit", "the side resigns")],
                default="autoplay",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="delivery",
            name="handed_over_at",
            field=models.DateTimeField(
                help_text="when the other side may have taken it; empty while it surely has not", null=True
            ),
        ),
        migrations.AlterField(
            model_name="delivery",
            name="status",
            field=models.CharField(
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
    ]
