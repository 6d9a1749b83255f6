"""What ada organises, for looking at her pages: a draft, what is open, what waits for her, what runs."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from tests.games.cast import player
from tournaments.models import Tournament
from tournaments.selectors import list_players_of_entrant, list_seated_entrant_ids
from tournaments.services import appeals, co_organisers, decisions, entries, proposals, sweep, tournaments

PLAYERS = ("gus", "hal", "ivy", "jan")  # who have nothing else to do in this world


def organised(paths: dict[str, str], now: datetime) -> None:
    """Make it all; gives the addresses of the organiser's pages."""
    ada = player("ada")
    draft = tournaments.create_tournament(organiser=ada, name="Spring cup", format="knockout", now=now)
    open_one = laid_down(
        *("Tuesday Swiss", "swiss", 3, now),
        capacity=2,
        confirmation=True,
        starts_at=now + timedelta(days=3),
        text="For everybody. " * 20,
    )
    held = laid_down("The long Swiss of the canal houses", "swiss", 3, now, rounds=3)
    runs = laid_down("Autumn knock-out", "knockout", 4, now, round_length=14 * 86400, ask=False)
    for event in (held, runs):
        tournaments.start_tournament(by=ada, code=event.code, now=now)
        sweep.process_tournament(event.pk, now)
    table = decided(runs, now)
    for name, event in {"draft": draft, "open": open_one, "held": held, "runs": runs}.items():
        paths[f"organise {name}"] = f"/tournaments/{event.code}/organise/"
        paths[f"edit {name}"] = f"/tournaments/{event.code}/edit/"
        paths[f"preview {name}"] = f"/tournaments/{event.code}/preview/"
    appeal, entrant = table.appeals.get(), runs.entrants.latest("pk")
    paths["answer"] = f"{paths['organise runs']}answer/?appeal={appeal.pk}"
    paths["correct"] = f"{paths['organise runs']}correct/?table={table.pk}"
    paths["remove"] = f"{paths['organise open']}remove/?entrant={open_one.entrants.latest('pk').pk}"
    paths["disqualify"] = f"{paths['organise runs']}disqualify/?entrant={entrant.pk}"


def laid_down(name: str, format: str, count: int, now: datetime, **fields: Any) -> Tournament:
    """An event of ada's that so many have entered."""
    event = tournaments.create_tournament(
        organiser=player("ada"), name=name, format=format, now=now, target=4, **fields
    )
    tournaments.publish_tournament(by=player("ada"), code=event.code, now=now)
    for who in PLAYERS[:count]:
        entries.enter_tournament(player=player(who), code=event.code, now=now)
    return event


def decided(event: Tournament, now: datetime) -> Any:
    """A log with something of each kind in it, and an appeal; gives its table."""
    by = {"by": player("ada"), "code": event.code, "now": now}
    table = event.tables.order_by("pk")[0]
    decisions.correct_result(**by, table=table.pk, ranks=[1, 2], points=[24, 17], why="They agreed on it.")
    decisions.extend_round(
        **by, round_number=1, until=now + timedelta(days=20), why="Dirk is ill.", public_note="Holidays."
    )
    for helper in ("bob", "dirk"):
        asked = co_organisers.ask_tournament_co_organiser(**by, player=player(helper))
        proposals.accept_proposal(player=player(helper), proposal_id=asked.pk, now=now)
    co_organisers.ask_tournament_co_organiser(**by, player=player("cleo"))
    tournaments.edit_tournament(**by, text="By the book.")
    loser = list_players_of_entrant(event.entrants.get(pk=list_seated_entrant_ids(table)[1]))[0]
    text = "I was told that the round ends on Sunday, and it was decided on Friday. " * 3
    appeals.file_appeal(player=loser, code=event.code, pairing_id=table.pk, text=text, now=now)
    sweep.process_tournament(event.pk, now)
    return table
