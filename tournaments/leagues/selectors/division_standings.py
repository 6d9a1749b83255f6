"""Standings of the divisions of a season: ranks, reasons of placements, promotion and relegation."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Count, Exists, OuterRef, Prefetch, QuerySet

from accounts.models import Player
from games.engine import fairness
from tournaments.leagues.read_models import DivisionData, DivisionGroupData, DivisionPlacementData
from tournaments.models import (
    Division,
    DivisionPlacement,
    Entrant,
    EntrantPlayer,
    League,
    Pairing,
    Season,
    Tournament,
    TournamentSecret,
)
from tournaments.pairing import NewcomerOrigin, PlacementReason, Standing
from tournaments.pairing import league as league_pairing
from tournaments.read_models.pairings import PairingData
from tournaments.read_models.tournaments import NoteData, get_public_status
from tournaments.selectors import tournament_read_models
from tournaments.selectors.tournament_state import (
    TournamentState,
    get_entrant_name,
    list_players_of_entrant,
    list_seated_entrant_ids,
)

UNDRAWN_LOT_KEY = bytes(32)  # lots that break full ties are drawn only at the end of the season


def list_divisions(league: League, number: int, viewer: Player | None = None) -> QuerySet[Division]:
    """List the divisions of a season from the top, annotated with `placement_count` and `is_own`."""
    divisions = Division.objects.filter(season__league=league, season__number=number).select_related("season")
    own_entries = EntrantPlayer.objects.filter(
        entrant__placement__division=OuterRef("pk"), player=viewer.pk if viewer else None
    )
    return divisions.annotate(placement_count=Count("placements"), is_own=Exists(own_entries)).order_by(
        "number"
    )


@dataclass(frozen=True)
class OwnPairing:
    """A pairing of a player, and the entrant that they play for."""

    pairing: PairingData
    entrant_id: int


class GroupState(TournamentState):
    """The state of one group of a division, from rows that were loaded for all groups together."""

    def __init__(
        self, tournament: Tournament, entrants: Mapping[int, Entrant], pairings: list[Pairing], seed: bytes
    ) -> None:
        self.tournament, self.entrants, self.pairings = tournament, dict(entrants), pairings
        self.key = fairness.derive_game_key(seed, [tournament.code])


class DivisionStandings:
    """The standings of some divisions of a season; the number of queries does not depend on how many."""

    def __init__(
        self,
        league: League,
        season: Season,
        divisions: Collection[Division],
        shown_numbers: Collection[int],
        *,
        describe_placement: Callable[[Mapping[str, Any]], str],
    ) -> None:
        """`divisions`: all of the season, from `list_divisions`; `shown_numbers`: those to build.

        `describe_placement` puts the reason of a placement into words.
        """
        self.league, self.season, self.describe_placement = league, season, describe_placement
        self.division_sizes = {division.number: division.placement_count for division in divisions}  # type: ignore[attr-defined]
        self.shown_numbers = [number for number in self.division_sizes if number in shown_numbers]
        entrant_players_prefetch = Prefetch(
            "entrant__entrant_players", EntrantPlayer.objects.select_related("player")
        )
        placements = DivisionPlacement.objects.filter(season=season, division__number__in=self.shown_numbers)
        placements = placements.select_related("division", "player", "entrant__tournament").prefetch_related(
            entrant_players_prefetch
        )
        self.placements = list(placements.order_by("division__number", "start_position"))

    @cached_property
    def groups(self) -> dict[int, GroupState]:
        """The state of each group by the id of its tournament."""
        tournaments = {
            placement.entrant.tournament_id: placement.entrant.tournament
            for placement in self.placements
            if placement.entrant
        }
        entrants: dict[int, dict[int, Entrant]] = {pk: {} for pk in tournaments}
        for placement in self.placements:
            if placement.entrant:
                entrants[placement.entrant.tournament_id][placement.entrant.pk] = placement.entrant
        seeds = dict(
            TournamentSecret.objects.filter(tournament__in=tournaments).values_list("tournament_id", "seed")
        )
        pairings_by_tournament: dict[int, list[Pairing]] = {pk: [] for pk in tournaments}
        pairings = Pairing.objects.filter(tournament__in=tournaments, is_void=False).select_related(
            "game", "round"
        )
        for pairing in (
            pairings.defer("game__initial_events", "game__seat_clocks")
            .prefetch_related("pairing_seats")
            .order_by("pk")
        ):
            pairings_by_tournament[pairing.tournament_id].append(pairing)
        return {
            pk: GroupState(tournament, entrants[pk], pairings_by_tournament[pk], bytes(seeds[pk]))
            for pk, tournament in tournaments.items()
        }

    def build_divisions(self) -> list[DivisionData]:
        """Build the divisions from the top."""
        return [self.build_division(number) for number in self.shown_numbers]

    def build_division(self, number: int) -> DivisionData:
        """Build one division: promotion and relegation counts, groups, and placements in order."""
        placements = [placement for placement in self.placements if placement.division.number == number]
        exchange_counts = league_pairing.count_exchanges(
            list(self.division_sizes.values()), self.league.promotion_count
        )
        promoted_count, relegated_count = (
            (exchange_counts[number - 2] if number > 1 else 0),
            (exchange_counts[number - 1] if number <= len(exchange_counts) else 0),
        )
        groups = sorted(
            {placement.entrant.tournament_id for placement in placements if placement.entrant},
            key=lambda pk: self.groups[pk].tournament.group,
        )
        standings_by_group = {pk: self.groups[pk].build_standings() for pk in groups}
        line_by_entrant = {
            line.entrant: line for standings in standings_by_group.values() for line in standings
        }
        rank_by_entrant = {
            entrant_id: n
            for n, entrant_id in enumerate(
                league_pairing.rank_division(list(standings_by_group.values()), key=UNDRAWN_LOT_KEY), 1
            )
        }
        ranked_placements = sorted(
            placements,
            key=lambda placement: (
                placement.rank or rank_by_entrant.get(placement.entrant_id or 0, len(placements)),
                placement.start_position,
            ),
        )
        return DivisionData(
            number=number,
            size=len(placements),
            up=promoted_count,
            down=relegated_count,
            final=self.season.finished_at is not None,
            groups=[
                DivisionGroupData(
                    group=self.groups[pk].tournament.group,
                    tournament=self.groups[pk].tournament.code,
                    status=get_public_status(self.groups[pk].tournament),
                    round=max((pairing.bracket_round for pairing in self.groups[pk].pairings), default=0),
                )
                for pk in groups
            ],
            placements=[
                self.build_placement(
                    placement,
                    rank,
                    line_by_entrant.get(placement.entrant_id or 0),
                    heading="up"
                    if rank <= promoted_count
                    else "down"
                    if rank > len(placements) - relegated_count
                    else None,
                )
                for rank, placement in enumerate(ranked_placements, 1)
            ],
        )

    def build_placement(
        self, placement: DivisionPlacement, rank: int, line: Standing | None, *, heading: str | None
    ) -> DivisionPlacementData:
        """Build one placement: players, standing, and the reason for it."""
        players = (
            list_players_of_entrant(placement.entrant)
            if placement.entrant
            else [placement.player]
            if placement.player
            else []
        )
        reason = self.get_placement_reason(placement)
        return DivisionPlacementData(
            rank=rank,
            start_position=placement.start_position,
            entrant=placement.entrant_id,
            name=get_entrant_name(placement.entrant) if placement.entrant else "–",
            players=[player.name for player in players],
            group=placement.entrant.tournament.group if placement.entrant else 1,
            reason=NoteData(reason.get("code", ""), reason),
            words=self.describe_placement(reason),
            played=line.played if line else 0,
            points=(line["points"] if line else None) or 0,
            game_points=(line["game-points"] if line else None) or 0,
            eights=(line["eights"] if line else None) or 0,
            withdrawn=line.withdrawn if line else True,
            heading=heading,
        )

    def get_placement_reason(self, placement: DivisionPlacement) -> dict[str, Any]:
        """Return the reason of a placement; in the first season everybody simply starts."""
        if self.season.number == 1 and placement.reason.get("code") == PlacementReason.NEWCOMER:
            return {**placement.reason, "by": NewcomerOrigin.START.value}
        return dict(placement.reason)

    def find_entry(self, player: Player) -> EntrantPlayer | None:
        """Find a player's entry in these divisions, with its entrant and tournament."""
        return next(
            (
                entrant_player
                for placement in self.placements
                if placement.entrant
                for entrant_player in placement.entrant.entrant_players.all()
                if entrant_player.player_id == player.pk
            ),
            None,
        )

    def list_pairings_of(self, player: Player) -> list[OwnPairing]:
        """List a player's pairings in these divisions."""
        own_pairings = []
        for group in self.groups.values():
            own_entrant_id = next(
                (pk for pk, entrant in group.entrants.items() if player in list_players_of_entrant(entrant)),
                None,
            )
            if own_entrant_id is not None:
                own_pairings += [
                    OwnPairing(tournament_read_models.build_pairing(group, pairing), own_entrant_id)
                    for pairing in group.pairings
                    if own_entrant_id in list_seated_entrant_ids(pairing)
                ]
        return own_pairings
