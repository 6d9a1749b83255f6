from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0003_rule_options"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="bots_allowed",
            field=models.BooleanField(db_default=False, default=False, help_text="bots may take a seat"),
        ),
    ]
