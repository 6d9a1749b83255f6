"""The end of a tournament, in the caller's transaction, which locks it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from notifications.models import FeedEntry
from tournaments.models import Entrant, Tournament
from tournaments.notice_kinds import TournamentNoticeKind
from tournaments.pairing import (
    list_stale_result_notes,
)
from tournaments.selectors import seeding
from tournaments.selectors.rank_changes import RankChange, find_rank_changes, had_final_ranks
from tournaments.selectors.tournament_state import (
    TournamentState,
    build_pairing_result,
)

from .holds import hold_for_organiser
from .league_of_tournament import mark_league_due
from .notices import (
    build_feed_entries,
    list_player_ids,
    load_player_ids_by_entrant,
    notify_corrected_end,
    notify_players,
)
from .proposal_outcomes import lapse_tournament_proposals
from .seed_publication import SEED_PUBLISH_RETRY, publish_tournament_seed
from .sweep_steps import StepName
from .void_pairings import make_pairings_void

FIRST_END_KEY = "end"  # deduplication key of an end without corrections


def finish_tournament(state: TournamentState, now: datetime) -> StepName | None:
    """Finish the tournament: store ranks, publish the seed unless a game still runs, notify the players.

    1. Hold for the organiser if a correction would void pairings at the end.
    2. Make stale pairings void and store the ranks.
    3. Publish the seed, or schedule a retry.
    4. Notify players: all at the first end, those with changed ranks after a correction.
    """
    tournament = state.tournament
    stale_pairings = state.list_stale_pairings()
    warnings = list_stale_result_notes(
        state.spec, [build_pairing_result(pairing) for pairing in stale_pairings]
    )
    if (
        warnings
        and tournament.hold_on_warnings
        and tournament.approved_round != tournament.rounds.count() + 1
    ):
        return hold_for_organiser(tournament, Tournament.HoldReason.STALE_AT_END, warnings, now)
    make_pairings_void(tournament, stale_pairings, now)
    was_finished, rank_changes = had_final_ranks(state), find_rank_changes(state)
    for standing in state.build_standings():
        state.entrants[int(standing.entrant)].rank = standing.rank
    Entrant.objects.bulk_update(state.entrants.values(), ["rank"])
    tournament.status, tournament.finished_at, tournament.last_error = Tournament.Status.FINISHED, now, ""
    publish_tournament_seed(tournament, now)
    tournament.next_sweep_at = None if tournament.seed else now + SEED_PUBLISH_RETRY
    tournament.save(update_fields=["status", "finished_at", "next_sweep_at", "last_error"])
    lapse_tournament_proposals(tournament, now)
    end_key = build_end_key(tournament)
    if was_finished:
        notify_corrected_end(
            tournament, build_rank_change_entries(tournament, end_key, rank_changes, now), now
        )
    elif end_key != FIRST_END_KEY:  # it went on after a correction
        notify_corrected_end(
            tournament,
            build_feed_entries(
                tournament, TournamentNoticeKind.END, end_key, list_player_ids(tournament), now
            ),
            now,
        )
    else:
        notify_players(tournament, TournamentNoticeKind.END, end_key, list_player_ids(tournament), now)
    mark_league_due(tournament, now)
    return StepName.FINISHED


def build_rank_change_entries(
    tournament: Tournament, dedup_suffix: str, rank_changes: Sequence[RankChange], now: datetime
) -> list[FeedEntry]:
    """Build the feed entries for players whose rank changed when the tournament ended again."""
    player_ids_by_entrant = load_player_ids_by_entrant(tournament)
    entries = []
    for rank_change in rank_changes:
        entries += build_feed_entries(
            tournament,
            TournamentNoticeKind.END,
            dedup_suffix,
            player_ids_by_entrant.get(rank_change.entrant, ()),
            now,
            before=rank_change.before,
            after=rank_change.after,
        )
    return entries


def build_end_key(tournament: Tournament) -> str:
    """Return the deduplication key of this end: another one after each correction."""
    correction_count = tournament.decisions.filter(action__in=seeding.CORRECTION_ACTIONS).count()
    return f"end:{correction_count}" if correction_count else FIRST_END_KEY
