"""Indexes for them, built while people play."""

from django.db import migrations, models

from games.migration_operations import AddIndexOnline, AddUniqueOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0013_token_parents_and_name_skeletons"),
    ]

    operations = [
        AddIndexOnline(
            model_name="token",
            index=models.Index(
                condition=models.Q(("parent__isnull", False)),
                fields=["parent"],
                name="token_parent",
            ),
        ),
        AddIndexOnline(
            model_name="player",
            index=models.Index(
                condition=models.Q(("name_skeleton", "")),
                fields=["name"],
                name="player_lookalike",
            ),
        ),
        AddUniqueOnline(
            model_name="player",
            constraint=models.UniqueConstraint(
                condition=models.Q(("name_skeleton", ""), _negated=True),
                fields=("name_skeleton",),
                name="player_name_skeleton",
                violation_error_message="This name looks too much like another player's.",
            ),
        ),
        AddUniqueOnline(
            model_name="player",
            constraint=models.UniqueConstraint(
                condition=models.Q(("name_folded_skeleton", ""), _negated=True),
                fields=("name_folded_skeleton",),
                name="player_name_folded_skeleton",
                violation_error_message="This name looks too much like another player's.",
            ),
        ),
    ]
