"""Columns for the token that made a token, and for what a name looks like; all of them empty at first."""

import django.db.models.deletion
from django.db import migrations, models

import games.names
import games.plain_names


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0012_turns_keep_hours"),
    ]

    operations = [
        migrations.AddField(
            model_name="token",
            name="parent",
            field=models.ForeignKey(
                db_index=False,
                help_text="the token that made this one; this one ends with it",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="children",
                to="games.token",
            ),
        ),
        migrations.AlterField(
            model_name="token",
            name="scopes",
            field=models.CharField(
                help_text="separated by spaces; see games/scopes.py",
                max_length=50,
            ),
        ),
        migrations.AlterField(
            model_name="player",
            name="name",
            field=models.CharField(
                max_length=30,
                validators=[games.names.check_name, games.plain_names.check_no_link],
                verbose_name="name",
            ),
        ),
        migrations.AddField(
            model_name="player",
            name="name_skeleton",
            field=models.CharField(db_default="", default="", editable=False, max_length=200),
        ),
        migrations.AddField(
            model_name="player",
            name="name_folded_skeleton",
            field=models.CharField(db_default="", default="", editable=False, max_length=200),
        ),
    ]
