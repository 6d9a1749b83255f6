"""Tournaments of the largest size for tests of pages, written straight into the database."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

from accounts.models import Player
from tests import database
from tests.factories.events import NOW, QUICK, get_host
from tournaments.models import Entrant, EntrantPlayer, Pairing, PairingSeat, Round, Tournament
from tournaments.pairing import PlannedRound
from tournaments.selectors import TournamentState, list_seated_entrant_ids
from tournaments.services import rounds, tournaments


def create_large_tournament(format: str, count: int, **fields: Any) -> Tournament:
    """Create a running tournament before its first round, with so many entrants with long names."""
    tournament = tournaments.create_tournament(
        organiser=get_host(), name="The large one", format=format, now=NOW, **QUICK | fields
    )
    if not Player.objects.filter(email="many1@example.org").exists():
        Player.objects.bulk_create(
            [
                Player(email=f"many{n}@example.org", name=f"A player with a name {n:04}", joined_at=NOW)
                for n in range(1, count + 1)
            ]
        )
    people = list(Player.objects.filter(email__startswith="many").order_by("pk")[:count])
    entrants = Entrant.objects.bulk_create(
        [Entrant(tournament=tournament, seed=n, entered_at=NOW) for n in range(1, count + 1)]
    )
    EntrantPlayer.objects.bulk_create(
        [
            EntrantPlayer(tournament=tournament, entrant=entrant_row, player=who)
            for entrant_row, who in zip(entrants, people, strict=True)
        ]
    )
    Tournament.objects.filter(pk=tournament.pk).update(status=Tournament.Status.RUNNING, started_at=NOW)
    tournament.refresh_from_db()
    database.analyse_tables()
    return tournament


def publish_round(tournament: Tournament) -> None:
    """Plan and publish the next round."""
    state = TournamentState(tournament)
    coming = state.plan_next_round()
    assert isinstance(coming, PlannedRound)
    rounds.publish_round(state, coming, tournament.rounds.count() + 1, NOW)


def settle_round(tournament: Tournament, rng: random.Random) -> None:
    """Settle every pairing with a random result, the first by a walk-out."""
    tables = list(
        tournament.pairings.filter(settled_at=None).prefetch_related("pairing_seats").order_by("pk")
    )
    for number, table in enumerate(tables):
        seats = list_seated_entrant_ids(table)
        order = rng.sample(range(1, len(seats) + 1), len(seats))
        table.result = {
            "ranks": order,
            "points": [30 - 7 * rank for rank in order],
            "eights": [rng.randrange(3) for _ in order],
            "forfeits": [seats[order.index(len(order))]] if number == 0 else [],
            "by": "game",
        }
        table.settled_at = NOW + timedelta(days=1)
    Pairing.objects.bulk_update(tables, ["result", "settled_at"], batch_size=500)
    database.analyse_tables()


def add_swiss_round(tournament: Tournament, number: int) -> None:
    """Add a round of a Swiss tournament with arbitrary pairings."""
    entrants = list(tournament.entrants.order_by("pk").values_list("pk", flat=True))
    half, round_row = (
        len(entrants) // 2,
        Round.objects.create(tournament=tournament, number=number, published_at=NOW),
    )
    pairs = [(entrants[n], entrants[half + (n + number) % half]) for n in range(half)]
    tables = Pairing.objects.bulk_create(
        [
            Pairing(
                tournament=tournament,
                round=round_row,
                match=f"R{number}.{n}",
                bracket_round=number,
                reasons=[{"code": "same-score", "points": 1.5}, {"code": "seat-lot", "first": pair[0]}],
            )
            for n, pair in enumerate(pairs, 1)
        ]
    )
    PairingSeat.objects.bulk_create(
        [
            PairingSeat(pairing=table, entrant_id=entrant_id, seat_no=seat)
            for table, pair in zip(tables, pairs, strict=True)
            for seat, entrant_id in enumerate(pair, 1)
        ]
    )
