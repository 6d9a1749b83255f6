from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("notifications", "0003_delivery_of_push_device"),
    ]

    operations = [
        migrations.AddField(
            model_name="webhook",
            name="kinds",
            field=models.JSONField(
                help_text="the notice kinds that it is called with; empty: all", null=True
            ),
        ),
        migrations.AddField(
            model_name="webhook",
            name="immediate",
            field=models.BooleanField(
                db_default=False, default=False, help_text="it does not wait until the mail is due"
            ),
        ),
        migrations.AddField(
            model_name="webhook",
            name="failures_in_a_row",
            field=models.SmallIntegerField(
                db_default=0,
                default=0,
                help_text="calls that failed at their first attempt since the last success",
            ),
        ),
        migrations.AlterField(
            model_name="webhook",
            name="busy_until",
            field=models.DateTimeField(
                help_text="it is being called, or has a pause after calls that failed", null=True
            ),
        ),
        # Until now every webhook for a program was called before the mail was due.
        migrations.RunSQL(
            "UPDATE notifications_webhook SET immediate = TRUE WHERE preset = 'json'",
            migrations.RunSQL.noop,
        ),
    ]
