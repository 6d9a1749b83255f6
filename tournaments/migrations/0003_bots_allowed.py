from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0002_rule_options"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="bots_allowed",
            field=models.BooleanField(db_default=False, default=False, help_text="bots may enter"),
        ),
    ]
