"""Conflicts of interest: organisers may not decide about pairings at which they sit, or sat."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import Player
from games.models import Seat, SeatHandover
from tournaments.models import Decision, Entrant, EntrantPlayer, Pairing, PairingSeat, Tournament

NO_RESULT = Q(result__isnull=True)  # tables that are not over: still played, or not decided yet


def list_own_pairings(player: Player | None, tournament: Tournament) -> QuerySet[Pairing]:
    """List the pairings of a tournament at which a player sits, or sat until they were replaced."""
    own_entries = EntrantPlayer.objects.filter(tournament=tournament, player=player)
    pairing_seats = PairingSeat.objects.filter(
        pairing=OuterRef("pk"), entrant__in=own_entries.values("entrant")
    )
    seats = Seat.objects.filter(game=OuterRef("game"), player=player)
    handovers = SeatHandover.objects.filter(game=OuterRef("game"))
    own_handovers = handovers.filter(Q(predecessor=player) | Q(successor=player))
    return tournament.pairings.filter(
        Exists(pairing_seats) | Exists(seats) | Exists(own_handovers), is_void=False
    )


@dataclass(frozen=True)
class OwnPairings:
    """A player's pairings of a tournament, loaded once for a whole page."""

    pairing_ids: frozenset[int]
    open_rounds: frozenset[int]  # numbers of rounds with an open one
    open_round_ids: frozenset[int]


def load_own_pairings(player: Player | None, tournament: Tournament) -> OwnPairings:
    """Load a player's pairings; before the start there are none."""
    if tournament.started_at is None:
        return OwnPairings(frozenset(), frozenset(), frozenset())
    columns = ("pk", "round_id", "round__number", "is_open")
    rows = list(list_own_pairings(player, tournament).annotate(is_open=NO_RESULT).values_list(*columns))
    return OwnPairings(
        pairing_ids=frozenset(pk for pk, *_rest in rows),
        open_rounds=frozenset(number for _pk, _id, number, is_open in rows if is_open),
        open_round_ids=frozenset(round_id for _pk, round_id, _number, is_open in rows if is_open),
    )


def sits_at_any_pairing(player: Player | None, tournament: Tournament, pairing_ids: Iterable[int]) -> bool:
    """Tell whether a player sits, or sat, at one of these pairings."""
    return list_own_pairings(player, tournament).filter(pk__in=list(pairing_ids)).exists()


def has_interest_in_entrant(player: Player | None, tournament: Tournament, entrant: Entrant) -> bool:
    """Tell whether a player plays for an entrant, or at an open pairing with it."""
    if not tournament.is_running:
        return False
    if entrant.entrant_players.filter(player=player).exists():
        return True
    return list_own_pairings(player, tournament).filter(NO_RESULT, pairing_seats__entrant=entrant).exists()


def list_entrants_of_interest(player: Player | None, tournament: Tournament) -> set[int]:
    """List the entrants for which `has_interest_in_entrant` is true, in one go."""
    if not tournament.is_running:
        return set()
    own_entrant_ids = EntrantPlayer.objects.filter(tournament=tournament, player=player).values_list(
        "entrant_id", flat=True
    )
    open_pairings = list_own_pairings(player, tournament).filter(NO_RESULT)
    return {
        *own_entrant_ids,
        *PairingSeat.objects.filter(pairing__in=open_pairings).values_list("entrant_id", flat=True),
    }


def has_open_pairing_in_round(player: Player | None, tournament: Tournament, round_no: int) -> bool:
    """Tell whether a player has an open pairing in a round."""
    return list_own_pairings(player, tournament).filter(NO_RESULT, round__number=round_no).exists()


def has_open_pairing(player: Player | None, tournament: Tournament) -> bool:
    """Tell whether a player has an open pairing."""
    return list_own_pairings(player, tournament).filter(NO_RESULT).exists()


def is_about_own_pairing(
    player: Player | None, decision: Decision, own_pairings: OwnPairings | None = None
) -> bool:
    """Tell whether a decision is about a player's own pairing, so that they cannot undo it.

    `own_pairings` are the player's pairings of the tournament, if already loaded.
    """
    tournament, before = decision.tournament, decision.before
    if decision.action in (Decision.Action.CORRECT, Decision.Action.EXTEND):
        own_pairings = own_pairings or load_own_pairings(player, tournament)
        return (
            before.get("pairing") in own_pairings.pairing_ids
            or before.get("round") in own_pairings.open_round_ids
        )
    if decision.action == Decision.Action.DISQUALIFY:
        entrant_filter = Q(pk=before.get("entrant"))
    elif decision.action == Decision.Action.REPLACE:
        entrant_filter = Q(entrant_players=before.get("entrant_player"))
    else:
        return False
    entrant = tournament.entrants.filter(entrant_filter).first()
    return entrant is not None and has_interest_in_entrant(player, tournament, entrant)
