"""An invitation to a game of pairs says whether somebody was asked to play against the host."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0024_untold_events_of_player"),
    ]

    operations = [
        migrations.AddField(
            model_name="invitation",
            name="opponent",
            field=models.BooleanField(db_default=False, help_text="to play against the inviter, in pairs"),
        ),
    ]
