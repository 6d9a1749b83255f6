"""A webhook is called by one worker at a time; a call that failed keeps no other one waiting."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0022_seat_changes"),
    ]

    operations = [
        migrations.AddField(
            model_name="webhook",
            name="busy_until",
            field=models.DateTimeField(
                help_text="it is being called, or rests after a call that failed", null=True
            ),
        ),
    ]
