"""Tournaments that ada plays in or looks at: one that runs, one that is over."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from tests.games.cast import player
from tournaments.models import Tournament
from tournaments.services import decisions, entries, sweep, tournaments


def entered(paths: dict[str, str], games: dict[str, str], now: datetime) -> None:
    """Make them; gives the addresses of their pages. What ada organises is there already."""
    swiss = begun(
        "Sunday Swiss", "swiss", ("ada", "bob", "gus", "hal"), now, rounds=3, round_length=14 * 86400
    )
    over = begun("Everybody once", "round-robin", ("gus", "hal", "ivy"), now)
    for _round in range(3):
        for table in over.tables.filter(settled_at=None, game__isnull=False):
            decide(over, table.pk, now)
        sweep.process_tournament(over.pk, now)
    over.refresh_from_db()
    assert over.status == Tournament.Status.FINISHED
    for table in swiss.tables.exclude(sittings__entrant__members__player=player("ada")):
        decide(swiss, table.pk, now)
    sweep.process_tournament(swiss.pk, now)
    mine = swiss.tables.select_related("game").get(sittings__entrant__members__player=player("ada"))
    assert mine.game
    games["of a tournament"] = mine.game.code
    paths["tournament swiss"] = f"/tournaments/{swiss.code}/"
    paths["tournament over"] = f"/tournaments/{over.code}/"
    for name in ("open", "runs"):
        paths[f"tournament {name}"] = paths[f"organise {name}"].removesuffix("organise/")
    appealed = paths["correct"].rpartition("=")[2]
    paths["tournament table"] = f"{paths['tournament runs']}tables/{appealed}/"


def begun(name: str, format: str, people: tuple[str, ...], now: datetime, **fields: Any) -> Tournament:
    """A tournament of dirk's that has just begun."""
    by = player("dirk")
    event = tournaments.create_tournament(
        organiser=by, name=name, format=format, now=now, target=4, ask=False, **fields
    )
    tournaments.publish_tournament(by=by, code=event.code, now=now)
    for who in people:
        entries.enter_tournament(player=player(who), code=event.code, now=now)
    tournaments.start_tournament(by=by, code=event.code, now=now)
    sweep.process_tournament(event.pk, now)
    event.refresh_from_db()
    return event


def decide(event: Tournament, table: int, now: datetime) -> None:
    """Whoever sits first has won."""
    result = {"ranks": [1, 2], "points": [9, 5], "eights": [1, 0]}
    decisions.correct_result(by=player("dirk"), code=event.code, table=table, now=now, **result)
