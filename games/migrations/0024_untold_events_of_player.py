"""An index for what programs are called for at once, built while people play."""

from django.db import migrations, models

from games.migration_operations import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0023_webhooks_one_call_at_a_time"),
    ]

    operations = [
        AddIndexOnline(
            model_name="event",
            index=models.Index(
                condition=models.Q(("due_at__isnull", False), ("stage", 0)),
                fields=["player"],
                name="event_untold_of_player",
            ),
        ),
    ]
