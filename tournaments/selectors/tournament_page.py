"""Data of a tournament's pages besides its state: the viewer's role, entrants, some pairings."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    OuterRef,
    Prefetch,
    QuerySet,
    When,
    prefetch_related_objects,
)

from accounts.models import Player
from games.models import Seat
from tournaments import pairing
from tournaments.models import Appeal, Division, Entrant, EntrantPlayer, Pairing, PairingSeat, Tournament
from tournaments.pairing import EntrantId, elimination
from tournaments.read_models.pairings import PairingData

from . import tournament_read_models
from .seeds import find_entrant_player
from .tournament_state import (
    ENTRANT_PLAYERS_PREFETCH,
    UNUSED_GAME_FIELDS,
    get_entrant_name,
    get_entrant_name_at_pairing,
)
from .tournaments import NoSuchTournament, can_organise_tournament, get_tournament_for

PAIRING_SEATS_PREFETCH = Prefetch(
    "pairing_seats",
    PairingSeat.objects.select_related("entrant").prefetch_related(
        Prefetch("entrant__entrant_players", ENTRANT_PLAYERS_PREFETCH.queryset)
    ),
)


@dataclass(frozen=True)
class ViewerContext:
    """A tournament and the viewer's role in it."""

    tournament: Tournament
    viewer: Player | None
    is_organiser: bool
    entrant_player: EntrantPlayer | None  # the viewer's own entry

    @property
    def entrant(self) -> Entrant | None:
        """The entrant that the viewer plays for."""
        return self.entrant_player.entrant if self.entrant_player else None


def load_viewer_context(viewer: Player | None, code: str) -> ViewerContext:
    """Load a tournament and the viewer's role. Raises NoSuchTournament."""
    tournament = get_tournament_for(viewer, code)
    entrant_player = None if viewer is None or viewer.is_guest else find_entrant_player(tournament, viewer)
    return ViewerContext(tournament, viewer, can_organise_tournament(viewer, tournament), entrant_player)


def count_entrants_by_status(tournament: Tournament) -> dict[str, int]:
    """Count the entrants by status."""
    counts = list_entrants_with_players(tournament).order_by().values_list("status").annotate(n=Count("pk"))
    return dict.fromkeys(Entrant.Status.values, 0) | dict(counts)


def get_division(tournament: Tournament) -> Division | None:
    """Return the division of a league tournament, None if it is of no league."""
    if tournament.division_id is None:
        return None
    return Division.objects.select_related("season__league").get(pk=tournament.division_id)


def find_waitlist_position(tournament: Tournament, entrant: Entrant) -> int:
    """Return the position in the waitlist, from 1."""
    return tournament.entrants.filter(status=Entrant.Status.WAITING, pk__lt=entrant.pk).count() + 1


def list_entrants_with_players(tournament: Tournament) -> QuerySet[Entrant]:
    """List entrants with players: not those whose players entered again."""
    return tournament.entrants.filter(Exists(EntrantPlayer.objects.filter(entrant=OuterRef("pk"))))


def list_entrants(tournament: Tournament) -> QuerySet[Entrant]:
    """List all entrants by seed, then by entry; the waitlist comes last.

    An entrant whose players forgot to confirm and entered again is listed once, as the newer one.
    """
    is_waiting = Case(When(status=Entrant.Status.WAITING, then=1), default=0)
    return (
        list_entrants_with_players(tournament)
        .order_by(is_waiting, F("seed").asc(nulls_last=True), "pk")
        .prefetch_related(ENTRANT_PLAYERS_PREFETCH)
    )


def load_first_entrants(tournament: Tournament, limit: int) -> tuple[list[Entrant], list[Entrant]]:
    """Load the first entered and the first waiting entrants, with their players."""
    entrants = list_entrants(tournament).prefetch_related(None)
    entered = list(entrants.exclude(status=Entrant.Status.WAITING)[:limit])
    waiting = list(entrants.filter(status=Entrant.Status.WAITING)[:limit])
    prefetch_related_objects([*entered, *waiting], ENTRANT_PLAYERS_PREFETCH)
    return entered, waiting


def list_waitlist_names(tournament: Tournament, limit: int) -> list[str]:
    """List the names on the waitlist, the longest waiting first."""
    entrants = list_entrants(tournament).filter(status=Entrant.Status.WAITING).order_by("pk")[:limit]
    return [get_entrant_name(entrant) for entrant in entrants]


def list_pairings(tournament: Tournament, own_entrant: Entrant | None = None) -> QuerySet[Pairing]:
    """List the valid pairings of a tournament with all that a line shows; the viewer's own first."""
    pairings = (
        tournament.pairings.filter(is_void=False).select_related("game", "round").defer(*UNUSED_GAME_FIELDS)
    )
    if own_entrant:
        pairings = pairings.order_by(
            Exists(PairingSeat.objects.filter(pairing=OuterRef("pk"), entrant=own_entrant)).desc(), "pk"
        )
    else:
        pairings = pairings.order_by("pk")
    return pairings.prefetch_related(PAIRING_SEATS_PREFETCH)


def get_pairing(tournament: Tournament, pk: int) -> Pairing:
    """Return one pairing of a tournament. Raises NoSuchTournament."""
    pairings = tournament.pairings.filter(pk=pk).select_related("game", "round").defer(*UNUSED_GAME_FIELDS)
    pairing = pairings.prefetch_related(PAIRING_SEATS_PREFETCH).first()
    if pairing is None:
        raise NoSuchTournament(pk)
    return pairing


def get_names_at_pairing(pairing: Pairing) -> dict[EntrantId, str]:
    """Return the names of a pairing's entrants by id."""
    return {
        pairing_seat.entrant_id: get_entrant_name_at_pairing(pairing_seat.entrant, pairing)
        for pairing_seat in pairing.pairing_seats.all()
    }


def build_prefetched_pairing(pairing: Pairing) -> PairingData:
    """Build a pairing that was loaded by `list_pairings` or `get_pairing`."""
    return tournament_read_models.build_pairing_with_entrants(
        pairing,
        {pairing_seat.entrant_id: pairing_seat.entrant for pairing_seat in pairing.pairing_seats.all()},
    )


def list_pairing_appeals(pairing: Pairing, viewer_context: ViewerContext) -> list[Appeal]:
    """List a pairing's appeals: all for organisers, their own for other players."""
    if viewer_context.viewer is None:
        return []
    appeals = pairing.appeals.select_related("created_by", "answered_by").order_by("pk")
    return list(appeals if viewer_context.is_organiser else appeals.filter(created_by=viewer_context.viewer))


def count_bracket_rounds(tournament: Tournament) -> int | None:
    """Count the rounds of the main bracket of a knock-out; None for other formats."""
    if tournament.format != Tournament.Format.KNOCKOUT or tournament.started_at is None:
        return None
    starters = (
        tournament.entrants.exclude(status=Entrant.Status.WAITING)
        .filter(first_round__lte=1)
        .exclude(left_after_round=0)
    )
    entrant_count = starters.count()
    if entrant_count < 2:
        return None
    bracket_matches = elimination.plan_bracket(
        pairing.TournamentSpec(
            "knockout",
            tuple(pairing.EntrantSpec(number, number) for number in range(entrant_count)),
            bytes(32),
            table_size=tournament.table_size,
            advancing_count=tournament.advancing_count,
        )
    )
    return max(match.round for match in bracket_matches)


def find_tournaments_to_move_in(viewer: Player | None, tournament_ids: list[int]) -> set[int]:
    """Find the tournaments among these in which a game waits for the viewer's move."""
    if viewer is None or not tournament_ids:
        return set()
    seats = Seat.objects.filter(
        player=viewer, game__pairing__tournament__in=tournament_ids, game__pairing__settled_at=None
    )
    seat_rows = seats.values_list("game__pairing__tournament_id", "seat_no", "game__to_act_mask")
    return {
        tournament_id for tournament_id, seat_no, to_act in seat_rows if seat_no and to_act >> seat_no & 1
    }
