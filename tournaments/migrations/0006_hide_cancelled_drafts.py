"""Drafts that were cancelled become private again; their decision says what they were."""

from typing import Any

from django.db import migrations

from common.batches import iter_pk_batches


def hide_cancelled_drafts(apps: Any, schema_editor: Any) -> None:
    """Mark the tournaments that were cancelled as drafts."""
    tournaments = apps.get_model("tournaments", "Tournament").objects.using(schema_editor.connection.alias)
    cancelled_drafts = tournaments.filter(
        status="cancelled",
        cancelled_as_draft=False,
        decisions__action="cancel",
        decisions__before__status="draft",
    )
    for pks in iter_pk_batches(cancelled_drafts):
        tournaments.filter(pk__in=pks).update(cancelled_as_draft=True)


class Migration(migrations.Migration):
    atomic = False
    dependencies = [
        ("tournaments", "0005_cancelled_as_draft"),
    ]

    operations = [
        migrations.RunPython(hide_cancelled_drafts, migrations.RunPython.noop, elidable=True),
    ]
