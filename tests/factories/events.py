"""Tournaments of a fixed cast, played by bots at times that the test sets."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any

from accounts.models import Player
from games.models import Game
from games.models.games import PLAYING_STATUSES
from tournaments.models import Decision, Entrant, League, Pairing, Tournament
from tournaments.selectors import TournamentState, list_players_of_entrant
from tournaments.services import (
    co_organisers,
    decisions,
    entries,
    proposals,
    replacements,
    simulation,
    sweep,
    tournaments,
)

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
QUICK = {"target": 1, "cards": False}  # short games


def get_host() -> Player:
    """Return the organiser of all tournaments."""
    return get_player("host")


def get_player(name: str) -> Player:
    """Return the player of this name, created if necessary."""
    player = Player.objects.filter(name=name).first()
    return player or Player.objects.create_user(email=f"{name}@example.org", name=name, joined_at=NOW)


def publish_tournament(
    *people: Player,
    organiser: Player,
    now: datetime,
    name: str = "The cup",
    rng: random.Random | None = None,
    **fields: Any,
) -> Tournament:
    """Publish a tournament and enter these people, by invitation if it requires one.

    An `rng` determines every lot and shuffle.
    """
    tournament = tournaments.create_tournament(organiser=organiser, name=name, now=now, **fields)
    if rng:
        simulation.set_seed_from_rng(tournament, rng)
    tournaments.publish_tournament(by=organiser, code=tournament.code, now=now)
    for player in people:
        if tournament.by_invitation:
            tournaments.invite_player(by=organiser, code=tournament.code, player=player, now=now)
        entries.enter_tournament(player=player, code=tournament.code, now=now)
    tournament.refresh_from_db()
    return tournament


def start_tournament(tournament: Tournament, now: datetime) -> Tournament:
    """Start a tournament and its first round."""
    assert tournament.organiser
    tournaments.start_tournament(by=tournament.organiser, code=tournament.code, now=now)
    sweep.process_tournament(tournament.pk, now)
    tournament.refresh_from_db()
    return tournament


def published(format: str, count: int, **fields: Any) -> Tournament:
    """Publish a tournament with so many entrants: p1, p2 …, in pairs a1 and b1, a2 and b2 …"""
    host, pairs = get_host(), fields.get("mode") == "pairs"
    # Every lot and shuffle is fixed, so that no game ends level by chance.
    rng = random.Random(f"{format}/{count}/{fields}/{Tournament.objects.count() + 1}")
    tournament = publish_tournament(
        *(get_player(f"p{number}") for number in range(1, count + 1) if not pairs),
        organiser=host,
        now=NOW,
        rng=rng,
        format=format,
        **QUICK | {"hold_on_warnings": False} | fields,
    )
    for number in range(1, count + 1 if pairs else 1):
        enter_pair(tournament, f"a{number}", f"b{number}")
    tournament.refresh_from_db()
    return tournament


def enter_pair(tournament: Tournament, name: str, other: str, now: datetime = NOW) -> Entrant:
    """Enter two players as a pair."""
    request = entries.ask_partner(
        player=get_player(name), partner=get_player(other), code=tournament.code, now=now
    )
    proposals.accept_proposal(player=get_player(other), proposal_id=request.pk, now=now)
    return entrant(tournament, name)


def add_organiser(about: Tournament | League, name: str, *, by: str = "host", now: datetime = NOW) -> None:
    """Make a player co-organiser of a tournament or a league, with their consent."""
    ask = (
        co_organisers.ask_tournament_co_organiser
        if isinstance(about, Tournament)
        else co_organisers.ask_league_co_organiser
    )
    request = ask(by=get_player(by), code=about.code, player=get_player(name), now=now)
    proposals.accept_proposal(player=get_player(name), proposal_id=request.pk, now=now)


def replace(
    tournament: Tournament, old: str, new: str, now: datetime = NOW, *, position: int = 1
) -> Decision:
    """Replace a player of an entrant by another, proposed by the organiser and accepted."""
    proposal = replacements.propose_replacement(
        by=get_host(),
        code=tournament.code,
        entrant=entrant(tournament, old).pk,
        player=get_player(new),
        position=position,
        now=now,
    )
    proposals.accept_proposal(player=get_player(new), proposal_id=proposal.pk, now=now)
    return tournament.decisions.order_by("-pk")[0]


def create_started_tournament(format: str, count: int, **fields: Any) -> Tournament:
    """Publish a tournament and start its first round."""
    tournament = published(format, count, **fields)
    tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    tournament.refresh_from_db()
    return tournament


def list_running_pairings(tournament: Tournament) -> list[Pairing]:
    """List the pairings whose game is running."""
    pairings = tournament.pairings.filter(settled_at=None, game__status__in=PLAYING_STATUSES)
    return list(pairings.select_related("game").prefetch_related("pairing_seats").order_by("pk"))


def play(table: Pairing, now: datetime = NOW) -> Game:
    """Play the game of a pairing to its end."""
    assert table.game
    simulation.play_game(
        table.game.code, policy="random", rng=random.Random(f"{table.match}/{table.game_number}"), now=now
    )
    table.game.refresh_from_db()
    return table.game


def play_round(tournament: Tournament, now: datetime) -> None:
    """Play all running games and settle them."""
    for table in list_running_pairings(tournament):
        play(table, now)
    sweep.sweep_tournaments(now=now)
    tournament.refresh_from_db()


def play_to_end(tournament: Tournament, now: datetime = NOW, *, max_sweeps: int = 60) -> datetime:
    """Play all rounds; return the time at the end."""
    for _ in range(max_sweeps):
        if tournament.status == "finished":
            return now
        now += DAY
        play_round(tournament, now)
        if tournament.hold_reason:
            decisions.approve_round(by=get_host(), code=tournament.code, now=now)
            sweep.sweep_tournaments(now=now)
            tournament.refresh_from_db()
    raise AssertionError("it does not end")


def decide(table: Pairing, *order: str, now: datetime = NOW) -> None:
    """Record a result as the organiser, names from first to last, also if it changes later pairings."""
    names = [name_at(table, place) for place in range(table.pairing_seats.count())]
    ranks = [order.index(name) + 1 for name in names]
    decisions.correct_result(
        by=get_host(), code=table.tournament.code, pairing_id=table.pk, ranks=ranks, now=now, confirmed=True
    )


def name_at(table: Pairing, place: int) -> str:
    """Return the player at a place of a pairing, counted from 0; the first of a pair."""
    sitting = table.pairing_seats.get(seat_no=place + 1)
    return list_players_of_entrant(sitting.entrant)[0].name


def entrant(tournament: Tournament, name: str) -> Entrant:
    """Return the entrant of a player."""
    return tournament.entrants.get(entrant_players__player__name=name)


def find_pairing_of(tournament: Tournament, name: str) -> Pairing:
    """Return the newest pairing of a player."""
    pairings = tournament.pairings.filter(pairing_seats__entrant__entrant_players__player__name=name)
    return pairings.select_related("game").order_by("-pk")[0]


def ranking(tournament: Tournament) -> list[str]:
    """List the players in the order of the standings."""
    state = TournamentState(tournament)
    return [
        list_players_of_entrant(state.entrants[int(line.entrant)])[0].name for line in state.build_standings()
    ]
