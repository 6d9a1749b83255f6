"""The counters of the first release."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="MetricCounter",
            fields=[
                ("name", models.CharField(max_length=80, primary_key=True, serialize=False)),
                ("count", models.BigIntegerField(default=0)),
                ("seconds", models.FloatField(default=0.0)),
                ("updated_at", models.DateTimeField()),
            ],
        ),
    ]
