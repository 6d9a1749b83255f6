"""Tournaments that have not begun get the duty to close figures: games without it are not played in them."""

from typing import Any

from django.db import migrations

from common.batches import iter_pk_batches


def set_duty(apps: Any, schema_editor: Any) -> None:
    """Those that run go on as they began, unrated."""
    tournaments = apps.get_model("tournaments", "Tournament").objects.using(schema_editor.connection.alias)
    waiting = tournaments.filter(status="published", obligation="lenient")
    for pks in iter_pk_batches(waiting):
        tournaments.filter(pk__in=pks, status="published").update(obligation="strict")


class Migration(migrations.Migration):
    atomic = False
    dependencies = [
        ("tournaments", "0003_bots_allowed"),
    ]

    operations = [
        migrations.RunPython(set_duty, migrations.RunPython.noop, elidable=True),
    ]
