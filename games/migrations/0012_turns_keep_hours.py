"""Turns that run keep the hours of their players as these are now; later ones note them when they begin."""

from typing import Any

from django.db import migrations

from games.batches import batches

NIGHT = ["23:00:00", "07:00:00"]  # of whoever has not said otherwise


def keep_hours(apps: Any, schema_editor: Any) -> None:
    """Write the hours into watches that run; a game that moves meanwhile notes them itself, or the next try."""
    games = apps.get_model("games", "Game").objects
    seats = apps.get_model("games", "Seat").objects
    resting = games.filter(status="running", nights=True) | games.filter(status="running", weekends=True)
    for some in batches(resting):
        places = seats.filter(game__in=some, number__isnull=False).select_related("player")
        by_seat = {(place.game_id, str(place.number)): place.player for place in places}
        for game in games.filter(pk__in=some).only("pk", "clocks", "nights", "weekends"):
            clocks = {
                seat: facts | {"hours": hours_of(game, by_seat.get((game.pk, seat)))}
                if facts.get("at") and "hours" not in facts
                else facts
                for seat, facts in game.clocks.items()
            }
            if clocks != game.clocks:
                games.filter(pk=game.pk, clocks=game.clocks).update(clocks=clocks)


def hours_of(game: Any, player: Any) -> dict[str, Any]:
    """The zone of a player, and their night hours where clocks rest by them."""
    hours: dict[str, Any] = {"zone": player.time_zone if player else "UTC"}
    if game.nights:
        own = player and player.quiet_from is not None and player.quiet_until is not None
        hours["night"] = [player.quiet_from.isoformat(), player.quiet_until.isoformat()] if own else NIGHT
    return hours


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("games", "0011_mail_limits")]

    operations = [migrations.RunPython(keep_hours, migrations.RunPython.noop)]
