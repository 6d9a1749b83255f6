"""Undo of decisions, as long as nothing has followed from them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Player
from common.refusals import check_allowed
from common.service_errors import NotFound
from games.models import Game
from games.services import system_games
from tournaments import permissions
from tournaments.models import Decision, Entrant, Pairing, Replacement, Round, Tournament
from tournaments.models.decisions import UNDO_ACTIONS
from tournaments.notice_kinds import NoticeReason, TournamentNoticeKind
from tournaments.ratings import services as ratings
from tournaments.refusals import Refusal, refuse_own_pairing
from tournaments.selectors.conflicts_of_interest import is_about_own_pairing
from tournaments.selectors.tournament_state import list_seated_entrant_ids

from . import decisions, replacements
from .decision_log import find_newest_pairing_id, log_decision
from .league_of_tournament import lock_league_of_tournament
from .notices import list_player_ids, notify_table_change
from .round_ends import update_round_ends
from .tournaments import get_organised_tournament, reschedule_tournament


@transaction.atomic
def undo_decision(
    *,
    by: Player,
    code: str,
    decision: int,
    now: datetime,
    reason: str = "",
    public_note: str = "",
    confirmed: bool = False,
) -> Decision:
    """Undo a decision from which nothing has followed. Raises NotFound, Denied or Conflict.

    `confirmed` allows final ranks of a finished tournament to change.
    """
    tournament = get_organised_tournament(by=by, code=code)
    lock_league_of_tournament(tournament)
    if permissions.is_season_over(tournament):
        raise Refusal.SEASON_OVER.build_error()
    undone_decision = tournament.decisions.filter(pk=decision).first()
    if undone_decision is None:
        raise NotFound(_("Decision not found."))
    check_allowed(permissions.find_undo_refusal(undone_decision, find_newest_pairing_id(tournament)))
    refuse_own_pairing(is_about_own_pairing(by, undone_decision))
    undone_action = Decision.Action(undone_decision.action)
    UNDO_FUNCTIONS[undone_action](tournament, undone_decision, now)
    if undone_action == Decision.Action.CORRECT:
        decisions.refuse_own_stale_pairings(by, tournament)
        decisions.check_rank_changes_confirmed(tournament, confirmed=confirmed)
        decisions.clear_ranks_if_reopened(tournament)
    return log_decision(
        tournament,
        by,
        UNDO_ACTIONS[undone_action],
        now,
        reason=reason,
        public_note=public_note,
        before=undone_decision.after,
        after=undone_decision.before,
        undoes=undone_decision,
    )


def undo_correction(tournament: Tournament, decision: Decision, now: datetime) -> None:
    """Restore the result from before a correction. Raises Conflict if it was corrected or played on since."""
    pairing = Pairing.objects.get(pk=decision.before["pairing"])
    if pairing.game_id:  # nobody moves meanwhile
        pairing.game = Game.objects.select_for_update().get(pk=pairing.game_id)
    # A player who came later did not sit at a game that was decided before.
    was_replaced = Replacement.objects.filter(
        entrant__pairing_seats__pairing=pairing, created_at__gte=decision.created_at
    ).exists()
    if (
        pairing.result != decision.after["result"]
        or pairing.is_void
        or (was_replaced and not decision.before["result"])
    ):
        raise Refusal.NOT_UNDOABLE.build_error()
    if pairing.game and decision.before["result"] is None and pairing.game.seq != decision.before["seq"]:
        # The game went on unrated or was resigned; those moves must not count now.
        raise Refusal.NOT_UNDOABLE.build_error()
    pairing.result = decision.before["result"]
    if pairing.result is None and not decision.before.get("undecided"):
        pairing.settled_at = None
        if pairing.game and decision.before["rated"]:
            system_games.reclaim_game(code=pairing.game.code, now=now)
            ratings.rewind_rating_cursor(ended_at=pairing.game.finished_at)
    pairing.save(update_fields=["result", "settled_at"])
    update_round_ends(tournament, now)
    decisions.reopen_tournament(tournament, now)
    data = {"match": pairing.match, "taken_back": True, **(pairing.result or {})}
    dedup_suffix, players = (
        f"uncorrected:{decision.pk}",
        list_player_ids(tournament, list_seated_entrant_ids(pairing)),
    )
    notify_table_change(
        tournament, TournamentNoticeKind.RESULT, dedup_suffix, players, now, pairing.game, **data
    )


def undo_disqualification(tournament: Tournament, decision: Decision, now: datetime) -> None:
    """Readmit a disqualified entrant and notify its players. Raises Conflict if a game was lost by it."""
    check_allowed(permissions.find_disqualification_refusal(tournament))
    if decision.after["open_pairing_count"]:
        raise Refusal.NOT_UNDOABLE.build_error()
    entrant = decisions.get_entrant(tournament, decision.before["entrant"])
    entrant.status, entrant.left_after_round = Entrant.Status.ENTERED, None
    entrant.save(update_fields=["status", "left_after_round"])
    reschedule_tournament(tournament, now)
    dedup_suffix, back = f"readmitted:{decision.pk}", list_player_ids(tournament, [entrant.pk])
    notify_table_change(
        tournament, TournamentNoticeKind.PLACE, dedup_suffix, back, now, reason=NoticeReason.READMITTED
    )


def undo_extension(tournament: Tournament, decision: Decision, now: datetime) -> None:
    """Restore the earlier end of a round. Raises Conflict if that has passed."""
    round = Round.objects.get(pk=decision.before["round"])
    old_end = decision.before["ends_at"]
    ends_at = datetime.fromisoformat(old_end) if old_end else None
    if ends_at and ends_at <= now:
        raise Refusal.NOT_UNDOABLE.build_error()
    round.ends_at = ends_at
    round.save(update_fields=["ends_at"])
    update_round_ends(tournament, now)


UNDO_FUNCTIONS: dict[Decision.Action, Callable[[Tournament, Decision, datetime], None]] = {
    Decision.Action.CORRECT: undo_correction,
    Decision.Action.DISQUALIFY: undo_disqualification,
    Decision.Action.REPLACE: replacements.undo_replacement,
    Decision.Action.EXTEND: undo_extension,
}
