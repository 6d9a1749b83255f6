"""Tournaments that ada organises, for tests of her pages: a draft, an open, a waiting and a running one."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from tests.factories.cast import player
from tests.factories.events import add_organiser, publish_tournament, start_tournament
from tournaments.models import Tournament
from tournaments.selectors import list_players_of_entrant, list_seated_entrant_ids
from tournaments.services import appeals, co_organisers, decisions, sweep, tournaments

PLAYERS = ("gus", "hal", "ivy", "jan")  # used by these tournaments only


def add_organised_tournaments(paths: dict[str, str], now: datetime) -> None:
    """Create the tournaments and add the paths of the organiser's pages."""
    ada = player("ada")
    draft = tournaments.create_tournament(organiser=ada, name="Spring cup", format="knockout", now=now)
    open_one = create_filled_tournament(
        *("Tuesday Swiss", "swiss", 3, now),
        capacity=2,
        confirmation=True,
        starts_at=now + timedelta(days=3),
        text="For everybody. " * 20,
    )
    held_swiss = create_filled_tournament(
        "The long Swiss of the canal houses", "swiss", 3, now, round_count=3
    )
    runs = create_filled_tournament(
        "Autumn knock-out", "knockout", 4, now, round_length=14 * 86400, hold_on_warnings=False
    )
    for tournament in (held_swiss, runs):
        start_tournament(tournament, now)
    table = make_decisions(runs, now)
    for name, tournament in {"draft": draft, "open": open_one, "held": held_swiss, "runs": runs}.items():
        paths[f"organise {name}"] = f"/tournaments/{tournament.code}/organise/"
        paths[f"edit {name}"] = f"/tournaments/{tournament.code}/edit/"
        paths[f"preview {name}"] = f"/tournaments/{tournament.code}/preview/"
    appeal, entrant = table.appeals.get(), runs.entrants.latest("pk")
    paths["answer"] = f"{paths['organise runs']}answer/?appeal={appeal.pk}"
    paths["correct"] = f"{paths['organise runs']}correct/?pairing={table.pk}"
    paths["remove"] = f"{paths['organise open']}remove/?entrant={open_one.entrants.latest('pk').pk}"
    paths["disqualify"] = f"{paths['organise runs']}disqualify/?entrant={entrant.pk}"


def create_filled_tournament(name: str, format: str, count: int, now: datetime, **fields: Any) -> Tournament:
    """Create a tournament of ada with so many entrants."""
    people = map(player, PLAYERS[:count])
    terms = {"organiser": player("ada"), "name": name, "format": format, "target": 4, "now": now}
    return publish_tournament(*people, **terms | fields)  # type: ignore[arg-type]


def make_decisions(tournament: Tournament, now: datetime) -> Any:
    """Make decisions of each kind and file an appeal; return its pairing."""
    by = {"by": player("ada"), "code": tournament.code, "now": now}
    table = tournament.pairings.order_by("pk")[0]
    decisions.correct_result(
        **by, pairing_id=table.pk, ranks=[1, 2], points=[24, 17], reason="They agreed on it."
    )
    decisions.extend_round(
        **by, round_number=1, until=now + timedelta(days=20), reason="Dirk is ill.", public_note="Holidays."
    )
    for helper in ("bob", "dirk"):
        add_organiser(tournament, helper, by="ada", now=now)
    co_organisers.ask_tournament_co_organiser(**by, player=player("cleo"))
    tournaments.edit_tournament(**by, text="By the book.")
    loser = list_players_of_entrant(tournament.entrants.get(pk=list_seated_entrant_ids(table)[1]))[0]
    text = "I was told that the round ends on Sunday, and it was decided on Friday. " * 3
    appeals.file_appeal(player=loser, code=tournament.code, pairing_id=table.pk, text=text, now=now)
    sweep.process_tournament(tournament.pk, now)
    return table
