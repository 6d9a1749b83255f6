"""Games without the duty to close figures are not rated, those of before included."""

from django.db import migrations

from games.batches import batches


def unrate_lenient_games(apps, editor):
    games = apps.get_model("games", "Game").objects
    for some in batches(games.filter(obligation="lenient", rated=True)):
        games.filter(pk__in=some).update(rated=False)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0019_idempotent_responses"),
    ]

    operations = [
        migrations.RunPython(unrate_lenient_games, migrations.RunPython.noop),
    ]
