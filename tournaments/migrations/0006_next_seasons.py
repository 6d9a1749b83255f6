"""Leagues that run already commit to the seed of their next season."""

import hashlib
import secrets

from django.db import migrations, transaction
from django.db.models import Max
from django.db.models.functions import Now

from games.batches import batches


def commit_next_seasons(apps, editor):
    """Draw a seed for the next season of every league that goes on."""
    leagues = apps.get_model("tournaments", "League").objects.exclude(status="closed")
    season_seeds = apps.get_model("tournaments", "SeasonSeed").objects
    season_secrets = apps.get_model("tournaments", "SeasonSecret").objects
    for some in batches(leagues):
        with transaction.atomic():
            for league in leagues.filter(pk__in=some).annotate(last=Max("played__number")):
                seed = secrets.token_bytes(32)
                found, new = season_seeds.get_or_create(
                    league=league,
                    number=(league.last or 0) + 1,
                    defaults={"commitment": hashlib.sha256(seed).hexdigest(), "at": Now()},
                )
                if new:
                    season_secrets.create(season_seed=found, seed=seed)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("tournaments", "0005_client_seeds")]

    operations = [migrations.RunPython(commit_next_seasons, migrations.RunPython.noop)]
