from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0004_duty_in_tournaments"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="cancelled_as_draft",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="never published: only its organisers may see it",
            ),
        ),
    ]
