from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="draws_automatically",
            field=models.BooleanField(
                db_default=False, default=False, help_text="standing order: draw at the start of a turn"
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="orders_seq",
            field=models.IntegerField(
                db_default=0, default=0, help_text="the game's seq when the standing orders were last changed"
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="plays_only_action",
            field=models.BooleanField(
                db_default=False, default=False, help_text="standing order: play the only legal action"
            ),
        ),
        migrations.AlterField(
            model_name="game",
            name="seat_changes",
            field=models.IntegerField(
                db_default=0,
                default=0,
                help_text="how often a seat changed its player or its standing orders",
            ),
        ),
    ]
