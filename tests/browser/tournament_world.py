"""Tournaments of other organisers, for the shared world: running and finished ones."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from tests.factories.cast import player
from tests.factories.events import publish_tournament, start_tournament
from tournaments.models import Tournament
from tournaments.services import decisions, sweep


def add_entered_tournaments(paths: dict[str, str], games: dict[str, str], now: datetime) -> None:
    """Create the tournaments and add the paths of their pages. Those that ada organises exist already."""
    terms: dict[str, Any] = {"organiser": player("dirk"), "now": now, "target": 4, "hold_on_warnings": False}
    swiss, over = (
        publish_tournament(
            *map(player, ("ada", "bob", "gus", "hal")),
            **terms,
            name="Sunday Swiss",
            format="swiss",
            round_count=3,
            round_length=14 * 86400,
        ),
        publish_tournament(
            *map(player, ("gus", "hal", "ivy")), **terms, name="Everybody once", format="round-robin"
        ),
    )
    for tournament in (swiss, over):
        start_tournament(tournament, now)
    for _round in range(3):
        for table in over.pairings.filter(settled_at=None, game__isnull=False):
            decide_pairing(over, table.pk, now)
        sweep.process_tournament(over.pk, now)
    over.refresh_from_db()
    assert over.status == Tournament.Status.FINISHED
    for table in swiss.pairings.exclude(pairing_seats__entrant__entrant_players__player=player("ada")):
        decide_pairing(swiss, table.pk, now)
    sweep.process_tournament(swiss.pk, now)
    own_pairing = swiss.pairings.select_related("game").get(
        pairing_seats__entrant__entrant_players__player=player("ada")
    )
    assert own_pairing.game
    games["of a tournament"] = own_pairing.game.code
    paths["tournament swiss"] = f"/tournaments/{swiss.code}/"
    paths["tournament over"] = f"/tournaments/{over.code}/"
    for name in ("open", "runs"):
        paths[f"tournament {name}"] = paths[f"organise {name}"].removesuffix("organise/")
    appealed = paths["correct"].rpartition("=")[2]
    paths["tournament table"] = f"{paths['tournament runs']}tables/{appealed}/"


def start_cup(name: str, format: str, people: tuple[str, ...], now: datetime, **fields: Any) -> Tournament:
    """Start a tournament of dirk."""
    cup = publish_tournament(
        *map(player, people),
        organiser=player("dirk"),
        now=now,
        name=name,
        format=format,
        target=4,
        hold_on_warnings=False,
        **fields,
    )
    return start_tournament(cup, now)


def decide_pairing(tournament: Tournament, table: int, now: datetime) -> None:
    """Decide a pairing for the first seat."""
    result = {"ranks": [1, 2], "points": [9, 5], "eights": [1, 0]}
    decisions.correct_result(by=player("dirk"), code=tournament.code, pairing_id=table, now=now, **result)
