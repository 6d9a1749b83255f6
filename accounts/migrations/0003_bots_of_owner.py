from django.db import migrations, models

from common.migration_operations import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False  # the index is built while others write

    dependencies = [
        ("accounts", "0002_bot_accounts"),
    ]

    operations = [
        AddIndexOnline(
            model_name="player",
            index=models.Index(
                fields=["bot_owner"], condition=models.Q(("is_bot", True)), name="player_bot_owner"
            ),
        ),
    ]
