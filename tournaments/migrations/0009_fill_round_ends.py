"""Games that are being played learn when the round of their tournament ends."""

from django.db import migrations, models

from games.batches import batches

COUNTED = ("swiss", "round-robin")


def fill(apps, editor):
    tables = apps.get_model("tournaments", "Table").objects
    games = apps.get_model("games", "Game").objects
    playing = tables.filter(
        settled_at=None,
        void=False,
        published__ends_at__isnull=False,
        game__status__in=("running", "tiebreak"),
        game__round_ends_at=None,
    )
    for some in batches(playing):
        for table in tables.filter(pk__in=some).select_related("event", "published"):
            event, published = table.event, table.published
            counted = event.format in COUNTED and not event.at_once
            facts = {
                "tournament": event.name,
                "number": published.number if counted else 0,
                "page": f"/tournaments/{event.code}/",
            }
            games.filter(pk=table.game_id).update(round_ends_at=published.ends_at, round_of=facts)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0021_round_ends_and_handed_over"),
        ("tournaments", "0008_removals"),
    ]

    operations = [
        *(
            migrations.AlterField(
                model_name=name,
                name="timeouts",
                field=models.CharField(
                    choices=[("autoplay", "the server plays the turn"), ("forfeit", "the side resigns")],
                    default="autoplay",
                    max_length=10,
                ),
            )
            for name in ("event", "league")
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
