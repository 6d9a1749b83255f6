from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0003_bots_allowed"),
    ]

    operations = [
        migrations.AlterField(
            model_name="league",
            name="mode",
            field=models.CharField(
                choices=[("singles", "single players"), ("pairs", "pairs")], default="singles", max_length=10
            ),
        ),
        migrations.AlterField(
            model_name="leaguemember",
            name="status",
            field=models.CharField(
                choices=[
                    ("member", "plays"),
                    ("substitute", "substitute for players who drop out"),
                    ("out", "does not play the next season"),
                ],
                default="member",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="proposal",
            name="kind",
            field=models.CharField(
                choices=[
                    ("partner", "partner"),
                    ("league-partner", "partner in a league"),
                    ("replacement", "replacement"),
                    ("co-organiser", "organiser"),
                ],
                max_length=14,
            ),
        ),
        migrations.AlterField(
            model_name="proposal",
            name="status",
            field=models.CharField(
                choices=[
                    ("open", "waiting for an answer"),
                    ("accepted", "accepted"),
                    ("declined", "declined"),
                    ("withdrawn", "withdrawn"),
                    ("lapsed", "no longer valid"),
                ],
                default="open",
                max_length=9,
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="format",
            field=models.CharField(
                choices=[
                    ("knockout", "knock-out"),
                    ("double", "double knock-out"),
                    ("round-robin", "round robin"),
                    ("swiss", "Swiss rounds"),
                ],
                max_length=12,
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="mode",
            field=models.CharField(
                choices=[("singles", "single players"), ("pairs", "pairs")], default="singles", max_length=10
            ),
        ),
    ]
