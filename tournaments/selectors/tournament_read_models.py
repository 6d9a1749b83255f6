"""Public read models of tournaments, for pages and for the API.

Nothing here is secret: pairings appear once they are published, the seed at the end.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Count, Q, QuerySet

from common.instants import format_instant
from games.options import read_api_options
from tournaments.models import Entrant, League, Pairing, PairingState, Tournament
from tournaments.options import GAME_SETTINGS_OPTIONS, TOURNAMENT_OPTIONS
from tournaments.pairing import BracketMatch, EntrantId, Standing
from tournaments.read_models.pairings import (
    BracketData,
    BracketMatchData,
    BracketSeatData,
    PairingData,
    PairingSeatData,
    StandingData,
)
from tournaments.read_models.tournaments import (
    EntrantData,
    FormerPlayer,
    NoteData,
    TournamentSummaryData,
    get_public_status,
)

from .seeds import list_client_seeds
from .tournament_state import (
    TournamentState,
    get_entrant_name,
    get_entrant_name_at_pairing,
    list_players_of_entrant,
    list_predecessors_at_pairing,
    list_replacements,
    list_seated_entrant_ids,
)

ENTERED_COUNT = Count("entrants", filter=Q(entrants__status=Entrant.Status.ENTERED))
WAITING_COUNT = Count("entrants", filter=Q(entrants__status=Entrant.Status.WAITING))


def with_counts(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Annotate tournaments with the number of their entrants."""
    return tournaments.select_related("organiser").annotate(entered=ENTERED_COUNT)


def build_summary(tournament: Tournament) -> TournamentSummaryData:
    """Build a tournament for a list; needs `with_counts`."""
    return TournamentSummaryData(
        id=tournament.code,
        name=tournament.name,
        format=Tournament.Format(tournament.format),
        status=get_public_status(tournament),
        mode=Tournament.Mode(tournament.mode),
        table_size=tournament.table_size,
        clock=tournament.time_control,
        rated=tournament.rated,
        organiser=tournament.organiser.name if tournament.organiser else None,
        entered=tournament.entered,  # type: ignore[attr-defined]
        capacity=tournament.capacity,
        created_at=tournament.created_at,
        opens_at=tournament.opens_at,
        closes_at=tournament.closes_at,
        starts_at=tournament.starts_at,
        started_at=tournament.started_at,
        finished_at=tournament.finished_at,
    )


def settings_dict(tournament: Tournament) -> dict[str, Any]:
    """Return all settings of a tournament."""
    return read_api_options(tournament, TOURNAMENT_OPTIONS) | game_settings_dict(tournament)


def game_settings_dict(subject: Tournament | League) -> dict[str, Any]:
    """Return the game settings of a tournament or league by their API names."""
    return read_api_options(subject, GAME_SETTINGS_OPTIONS)


def rename_settings_for_api(settings: dict[str, Any]) -> dict[str, Any]:
    """Return settings by their API names, as a decision stores them: moments are text there."""
    options = TOURNAMENT_OPTIONS | GAME_SETTINGS_OPTIONS
    renamed_settings = {}
    for name, value in settings.items():
        option = options.get(name)
        is_moment = option is not None and option.kind == "moment" and value
        renamed_settings[option.key if option else name] = (
            format_instant(datetime.fromisoformat(value)) if is_moment else value
        )
    return renamed_settings


def build_entrant(entrant: Entrant) -> EntrantData:
    """Build an entrant; needs its players prefetched."""
    return EntrantData(
        id=entrant.pk,
        name=get_entrant_name(entrant),
        players=[player.name for player in list_players_of_entrant(entrant)],
        bots=[player.name for player in list_players_of_entrant(entrant) if player.is_bot],
        status=Entrant.Status(entrant.status),
        seed=entrant.seed,
        first_round=entrant.first_round,
        left_after_round=entrant.left_after_round,
        absent_rounds=entrant.absent_rounds,
        confirmed=entrant.confirmed_at is not None,
        client_seeds=list_client_seeds(entrant),
        rank=entrant.rank,
        former_players=build_former_players(entrant),
    )


def build_former_players(entrant: Entrant) -> list[FormerPlayer]:
    """List who played for an entrant before, oldest first, and since which round somebody else has."""
    return [
        FormerPlayer(
            replacement.position,
            replacement.predecessor.name if replacement.predecessor else None,
            replacement.since_round,
        )
        for replacement in list_replacements(entrant)
    ]


def build_pairing(state: TournamentState, pairing: Pairing) -> PairingData:
    """Build a pairing: seats, reasons and result."""
    return build_pairing_with_entrants(
        pairing, {pk: state.entrants[pk] for pk in list_seated_entrant_ids(pairing)}
    )


def get_pairing_state(pairing: Pairing, *, is_bye: bool) -> PairingState:
    """Return how far a pairing is."""
    if is_bye:
        return PairingState.BYE
    return PairingState.OVER if pairing.settled_at else PairingState.PLAYING


def build_pairing_with_entrants(pairing: Pairing, entrants_by_id: dict[int, Entrant]) -> PairingData:
    """Build a pairing from its entrants; the names are those of the players of then."""
    stored_result = pairing.result or {}
    seats = list_seated_entrant_ids(pairing)

    def result_value(name: str, place: int) -> Any:
        """Return one value of the stored result by seat, None without a result."""
        return stored_result[name][place] if stored_result.get(name) else None

    is_bye = len(seats) == 1
    return PairingData(
        id=pairing.pk,
        match=pairing.match,
        round=pairing.round.number,
        bracket_round=pairing.bracket_round,
        rematch=pairing.game_number > 1,
        game_number=pairing.game_number,
        attempt=pairing.attempt,
        state=get_pairing_state(pairing, is_bye=is_bye),
        game=pairing.game.code if pairing.game else None,
        ends_at=pairing.round.ends_at,
        settled_at=pairing.settled_at,
        by=None if is_bye else stored_result.get("by"),
        seats=[
            PairingSeatData(
                entrant=pk,
                name=get_entrant_name_at_pairing(entrants_by_id[pk], pairing),
                former_players=list_predecessors_at_pairing(entrants_by_id[pk], pairing),
                rank=result_value("ranks", place),
                points=result_value("points", place),
                eights=result_value("eights", place),
                forfeit=pk in stored_result.get("forfeits", ()),
                timeout=pk in stored_result.get("timeouts", ()),
            )
            for place, pk in enumerate(seats)
        ],
        reasons=NoteData.build_list(pairing.reasons),
    )


def get_entrant_names(state: TournamentState) -> dict[EntrantId, str]:
    """Return the entrants' names by id."""
    return {pk: get_entrant_name(entrant) for pk, entrant in state.entrants.items()}


def build_standings(state: TournamentState) -> list[StandingData]:
    """Build the standings with all tie-breaks, and what separates each line from the line above.

    Empty before the start.
    """
    if state.tournament.started_at is None:
        return []
    return [build_standing(line, state.entrants[int(line.entrant)]) for line in state.build_standings()]


def build_standing(line: Standing, entrant: Entrant) -> StandingData:
    """Build a line of the standings."""
    return StandingData(
        rank=line.rank,
        entrant=entrant.pk,
        name=get_entrant_name(entrant),
        played=line.played,
        byes=line.byes,
        withdrawn=line.withdrawn,
        criteria=line.criteria,
        separated_by=line.separated_by,
        former_players=build_former_players(entrant),
    )


def build_match(
    match: BracketMatch,
    names: dict[EntrantId, str],
    game_codes: dict[str, list[str]],
    names_by_seat: dict[tuple[str, EntrantId], str],
    *,
    is_pending: bool = False,
) -> BracketMatchData:
    """Build a match of the bracket; a seat without an entrant says what fills it.

    `names_by_seat` are the names of those who played for an entrant that somebody else plays for now.
    `is_pending`: after a correction other entrants are to play it, and the old pairing is not void yet.
    """
    seats = match.seats or (None,) * len(match.sources)
    return BracketMatchData(
        match=match.id,
        bracket=match.bracket,
        round=match.round,
        stage=match.stage,
        state=match.state,
        pending=is_pending,
        advancing_count=match.advancing_count,
        seats=[
            BracketSeatData(
                entrant=int(pk) if pk is not None else None,
                name=names_by_seat.get((match.id, pk), names[pk]) if pk is not None else None,
                place=match.finishing_order.index(pk) + 1 if pk in match.finishing_order else None,
                source=source,
            )
            for pk, source in zip(seats, match.sources, strict=True)
        ],
        notes=[NoteData(note.code, note.as_dict()) for note in match.notes],
        games=game_codes.get(match.id, []),
    )


def build_bracket(state: TournamentState) -> BracketData:
    """Build all matches for display; empty before the start."""
    if state.tournament.started_at is None:
        return BracketData(matches=[], champion=None)
    names, bracket = get_entrant_names(state), state.build_bracket()
    game_codes: dict[str, list[str]] = {}
    names_by_seat: dict[tuple[str, EntrantId], str] = {}
    stale_ids = {stale_pairing.pk for stale_pairing in state.list_stale_pairings()}
    pending_matches = {
        stale_pairing.match
        for stale_pairing in state.pairings
        if stale_pairing.pk in stale_ids
        and all(state.entrants[pk].left_after_round is None for pk in list_seated_entrant_ids(stale_pairing))
    }
    for pairing in state.pairings:
        if pairing.pk in stale_ids:
            continue
        if pairing.game:
            game_codes.setdefault(pairing.match, []).append(pairing.game.code)
        for pk in list_seated_entrant_ids(pairing):
            if state.entrants[pk].was_replaced:
                names_by_seat[pairing.match, pk] = get_entrant_name_at_pairing(state.entrants[pk], pairing)
    return BracketData(
        matches=[
            build_match(match, names, game_codes, names_by_seat, is_pending=match.id in pending_matches)
            for match in bracket.matches
        ],
        champion=names[bracket.champion] if bracket.champion is not None else None,
    )
