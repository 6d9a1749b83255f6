"""Tournaments are played with the duty to close figures; what was announced without is played on, unrated.

Nobody has entered for a draft, and a league lays its terms down for the seasons that are still to come.
"""

from django.db import migrations

from games.batches import batches


def unrate_lenient_terms(apps, editor):
    for name in ("Event", "League"):
        rows = apps.get_model("tournaments", name).objects
        for some in batches(rows.filter(obligation="lenient", rated=True)):
            rows.filter(pk__in=some).update(rated=False)
    drafts = apps.get_model("tournaments", "Event").objects.filter(status="draft")
    for rows in (drafts, apps.get_model("tournaments", "League").objects.all()):
        for some in batches(rows.filter(obligation="lenient")):
            rows.filter(pk__in=some).update(obligation="strict")


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("tournaments", "0009_fill_round_ends"),
    ]

    operations = [
        migrations.RunPython(unrate_lenient_terms, migrations.RunPython.noop),
    ]
