"""A tournament with entrants and pairings, translated for the pairing room."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from django.db.models import Prefetch, prefetch_related_objects

from accounts.models import Player
from games.engine import fairness
from games.selectors.lists import DEFERRED_LIST_FIELDS
from tournaments import pairing
from tournaments.models import Entrant, EntrantPlayer, Pairing, Replacement, Tournament, TournamentSecret
from tournaments.pairing import (
    Bracket,
    PairingResult,
    PlannedRound,
    Standing,
    TournamentFinished,
    WaitingForResults,
)

from . import round_cache

ENTRANT_PLAYERS_PREFETCH = Prefetch("entrant_players", EntrantPlayer.objects.select_related("player"))
REPLACEMENTS_PREFETCH = Prefetch("replacements", Replacement.objects.select_related("predecessor"))
UNUSED_GAME_FIELDS = [
    f"game__{name}" for name in (*DEFERRED_LIST_FIELDS, "commitment")
]  # game columns that are not read


class TournamentState:
    """A tournament with its entrants and pairings. Holds the secret key: for services and selectors only."""

    def __init__(self, tournament: Tournament, entrants: Iterable[Entrant] | None = None) -> None:
        """`entrants`: those who would start, to preview a tournament without published pairings."""
        self.tournament = tournament
        self.pairings: list[Pairing] = []
        if entrants is not None:
            self.entrants = {entrant.pk: entrant for entrant in entrants}
            return
        entered_entrants = tournament.entrants.exclude(status=Entrant.Status.WAITING).order_by("pk")
        self.entrants = {
            entrant.pk: entrant for entrant in entered_entrants.prefetch_related(ENTRANT_PLAYERS_PREFETCH)
        }
        pairings = (
            tournament.pairings.filter(is_void=False)
            .select_related("game", "round")
            .defer(*UNUSED_GAME_FIELDS)
        )
        self.pairings = list(pairings.prefetch_related("pairing_seats").order_by("pk"))

    @cached_property
    def key(self) -> bytes:
        """The key that all lots of the tournament are drawn from."""
        return derive_tournament_key(self.tournament)

    @cached_property
    def spec(self) -> pairing.TournamentSpec:
        """The settings and entrants as a `TournamentSpec`."""
        return build_spec(self.tournament, self.entrants.values(), self.key)

    @cached_property
    def results(self) -> list[PairingResult]:
        """The result of each published pairing that is not void."""
        return [build_pairing_result(pairing) for pairing in self.pairings]

    def plan_next_round(self) -> PlannedRound | WaitingForResults | TournamentFinished:
        """Plan the next round; Swiss rounds come from a cache. Writes nothing to the database."""
        return round_cache.plan_next_round_cached(self.spec, self.results)

    def is_over(self) -> bool:
        """Tell whether no round is left, without pairing one."""
        return pairing.is_tournament_over(self.spec, self.results)

    def build_standings(self) -> list[Standing]:
        """Rank the entrants with all tie-breaks."""
        return pairing.build_standings(self.spec, self.results)

    def build_bracket(self) -> Bracket:
        """Return all matches for display."""
        return self._cached_bracket

    @cached_property
    def _cached_bracket(self) -> Bracket:
        """The bracket, computed once."""
        return pairing.build_bracket(self.spec, self.results)

    def list_stale_pairings(self) -> list[Pairing]:
        """List the pairings whose match other entrants play now."""
        if self.tournament.format not in (Tournament.Format.KNOCKOUT, Tournament.Format.DOUBLE):
            return []
        stale_results = set(self.build_bracket().stale_results)
        return [
            pairing
            for pairing, result in zip(self.pairings, self.results, strict=True)
            if result in stale_results
        ]


def build_spec(tournament: Tournament, entrants: Iterable[Entrant], key: bytes) -> pairing.TournamentSpec:
    """Build the `TournamentSpec` of a tournament. Raises ValueError if it cannot be played."""
    return pairing.TournamentSpec(
        format=tournament.format,  # type: ignore[arg-type]
        entrants=tuple(
            pairing.EntrantSpec(
                entrant.pk,
                entrant.seed,
                entrant.first_round,
                entrant.left_after_round,
                frozenset(entrant.absent_rounds),
            )
            for entrant in entrants
        ),
        key=key,
        table_size=tournament.table_size,
        round_count=tournament.round_count,
        cycles=tournament.cycles,
        all_rounds_at_once=tournament.all_rounds_at_once,
        advancing_count=tournament.advancing_count,
        third_place=tournament.third_place,
    )


def derive_tournament_key(tournament: Tournament) -> bytes:
    """Derive a tournament's key from its seed, as for a game, with the code in place of client seeds."""
    seed = TournamentSecret.objects.values_list("seed", flat=True).get(tournament=tournament)
    return fairness.derive_game_key(bytes(seed), [tournament.code])


def list_seated_entrant_ids(pairing: Pairing) -> list[int]:
    """List the entrant ids of a pairing in seat order."""
    return [
        pairing_seat.entrant_id
        for pairing_seat in sorted(pairing.pairing_seats.all(), key=lambda pairing_seat: pairing_seat.seat_no)
    ]


def build_pairing_result(pairing: Pairing) -> PairingResult:
    """Build the `PairingResult` of a pairing; without ranks while it is being played."""
    seats = tuple(list_seated_entrant_ids(pairing))
    stored_result = pairing.result or {}
    if len(seats) == 1 or "ranks" not in stored_result:
        return PairingResult(pairing.match, pairing.bracket_round, seats, game_number=pairing.game_number)
    return PairingResult(
        pairing.match,
        pairing.bracket_round,
        seats,
        tuple(stored_result["ranks"]),
        points=tuple(stored_result.get("points", ())),
        eights=tuple(stored_result.get("eights", ())),
        forfeits=frozenset(stored_result.get("forfeits", ())),
        game_number=pairing.game_number,
    )


def list_replacements(entrant: Entrant) -> list[Replacement]:
    """List who played for an entrant before, oldest first; queries only if somebody was replaced."""
    if not entrant.was_replaced:
        return []
    prefetch_related_objects([entrant], REPLACEMENTS_PREFETCH)
    return list(entrant.replacements.all())


def list_players_at_pairing(entrant: Entrant, pairing: Pairing) -> list[Player | None]:
    """List who played for an entrant at a pairing, by position; None is a deleted account."""
    players = []
    for entrant_player in sorted(entrant.entrant_players.all(), key=lambda row: row.position):
        player = entrant_player.player
        for replacement in reversed(list_replacements(entrant)):
            if (
                replacement.position == entrant_player.position
                and pairing.pk <= replacement.last_pairing_id
                and pairing.pk not in replacement.open_pairing_ids
            ):
                player = replacement.predecessor
        players.append(player)
    return players


def get_entrant_name_at_pairing(entrant: Entrant, pairing: Pairing) -> str:
    """Return an entrant's name at a pairing: of those who played there."""
    return (
        " & ".join(player.display_name for player in list_players_at_pairing(entrant, pairing) if player)
        or "–"
    )


def list_predecessors_at_pairing(entrant: Entrant, pairing: Pairing) -> list[str]:
    """List the names of those who began a pairing for an entrant and were replaced during it."""
    predecessors = [
        replacement.predecessor
        for replacement in list_replacements(entrant)
        if pairing.pk in replacement.open_pairing_ids
    ]
    return [player.display_name for player in predecessors if player]


def list_players_of_entrant(entrant: Entrant) -> list[Player]:
    """List the players of an entrant by position, without deleted accounts."""
    entrant_players = sorted(
        entrant.entrant_players.all(), key=lambda entrant_player: entrant_player.position
    )
    return [entrant_player.player for entrant_player in entrant_players if entrant_player.player]


def get_entrant_name(entrant: Entrant) -> str:
    """Return an entrant's name."""
    return " & ".join(player.display_name for player in list_players_of_entrant(entrant)) or "–"
