"""What the names of today look like. Of two that look alike, the older player's keeps it."""

from django.db import IntegrityError, migrations, transaction

from games.batches import batches
from games.names import skeletons_of
from games.reserved_names import is_reserved


def fill(apps, editor):
    players = apps.get_model("games", "Player").objects
    for some in batches(players.filter(name_skeleton="")):
        for pk, name, guest in players.filter(pk__in=some).order_by("pk").values_list("pk", "name", "guest"):
            if is_reserved(name) and not guest:
                continue
            written, small = skeletons_of(name)
            try:
                with transaction.atomic():
                    players.filter(pk=pk, name=name).update(name_skeleton=written, name_folded_skeleton=small)
            except IntegrityError:
                continue  # an older name looks like this; it is shown with a mark


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0014_token_and_name_indexes"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
