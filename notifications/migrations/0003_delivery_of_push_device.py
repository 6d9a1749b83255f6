from django.db import migrations, models

from common.migration_operations import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False  # the index is built while others write

    dependencies = [
        ("notifications", "0002_push_devices"),
    ]

    operations = [
        AddIndexOnline(
            model_name="delivery",
            index=models.Index(
                fields=["push_device"],
                condition=models.Q(("push_device__isnull", False)),
                name="delivery_of_push_device",
            ),
        ),
    ]
