"""Undo of decisions, as long as nothing has followed from them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Game, Player
from games.services import system_games
from games.services.errors import Conflict, NotFound
from tournaments.models import Decision, Entrant, Pairing, Replacement, Round, Tournament
from tournaments.selectors.conflicts_of_interest import is_about_own_pairing
from tournaments.selectors.tournament_state import list_seated_entrant_ids

from . import decisions, ratings, replacements
from .conflicts_of_interest import refuse_own_pairing
from .decision_log import find_newest_pairing_id, log_decision
from .league_of_tournament import check_season_open
from .notices import list_player_ids, tell_of_table_change
from .round_ends import update_round_ends
from .tournaments import get_organised_tournament, reschedule_tournament


@transaction.atomic
def undo_decision(
    *,
    by: Player,
    code: str,
    decision: int,
    now: datetime,
    why: str = "",
    public_note: str = "",
    confirmed: bool = False,
) -> Decision:
    """Undo a decision from which nothing has followed. Raises NotFound, Denied or Conflict.

    `confirmed` allows final ranks of a finished tournament to change.
    """
    tournament = get_organised_tournament(by=by, code=code)
    check_season_open(tournament)
    undone_decision = tournament.decisions.filter(pk=decision).first()
    if undone_decision is None:
        raise NotFound(_("There is no such decision."))
    undo_function = UNDO_FUNCTIONS.get(undone_decision.what)
    was_undone = Decision.objects.filter(undoes=undone_decision).exists()
    if undo_function is None or was_undone or find_newest_pairing_id(tournament) > undone_decision.last_table:
        raise Conflict(_("This cannot be taken back any more."))
    refuse_own_pairing(is_about_own_pairing(by, undone_decision))
    undo_function(tournament, undone_decision, now)
    if undone_decision.what == "correct":
        decisions.refuse_own_stale_pairings(by, tournament)
        decisions.check_rank_changes_confirmed(tournament, confirmed=confirmed)
        decisions.clear_ranks_if_reopened(tournament)
    return log_decision(
        tournament,
        by,
        f"undo-{undone_decision.what}",
        now,
        reason=why,
        public_note=public_note,
        before=undone_decision.after,
        after=undone_decision.before,
        undoes=undone_decision,
    )


def undo_correction(tournament: Tournament, decision: Decision, now: datetime) -> None:
    """Restore the result from before a correction. Raises Conflict if it was corrected or played on since."""
    pairing = Pairing.objects.get(pk=decision.before["table"])
    if pairing.game_id:  # nobody moves meanwhile
        pairing.game = Game.objects.select_for_update().get(pk=pairing.game_id)
    # A player who came later did not sit at a game that was decided before.
    was_replaced = Replacement.objects.filter(entrant__sittings__table=pairing, at__gte=decision.at).exists()
    if (
        pairing.result != decision.after["result"]
        or pairing.void
        or (was_replaced and not decision.before["result"])
    ):
        raise Conflict(_("This cannot be taken back any more."))
    if pairing.game and decision.before["result"] is None and pairing.game.seq != decision.before["seq"]:
        # The game went on unrated or was resigned; those moves must not count now.
        raise Conflict(_("This cannot be taken back any more."))
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
    reason, players = (
        f"uncorrected:{decision.pk}",
        list_player_ids(tournament, list_seated_entrant_ids(pairing)),
    )
    tell_of_table_change(tournament, "event-result", reason, players, now, pairing.game, **data)


def undo_disqualification(tournament: Tournament, decision: Decision, now: datetime) -> None:
    """Who was disqualified is back, if no game was lost by it, and is told so."""
    decisions.check_running(tournament)
    if decision.after["playing"]:
        raise Conflict(_("This cannot be taken back any more."))
    entrant = decisions.get_entrant(tournament, decision.before["entrant"])
    entrant.status, entrant.left = Entrant.Status.ENTERED, None
    entrant.save(update_fields=["status", "left"])
    reschedule_tournament(tournament, now)
    reason, back = f"readmitted:{decision.pk}", list_player_ids(tournament, [entrant.pk])
    tell_of_table_change(tournament, "event-place", reason, back, now, why="readmitted")


def undo_extension(tournament: Tournament, decision: Decision, now: datetime) -> None:
    """Restore the earlier end of a round. Raises Conflict if that has passed."""
    round = Round.objects.get(pk=decision.before["round"])
    old_end = decision.before["ends_at"]
    ends_at = datetime.fromisoformat(old_end) if old_end else None
    if ends_at and ends_at <= now:
        raise Conflict(_("This cannot be taken back any more."))
    round.ends_at = ends_at
    round.save(update_fields=["ends_at"])
    update_round_ends(tournament, now)


UNDO_FUNCTIONS: dict[str, Callable[[Tournament, Decision, datetime], None]] = {
    "correct": undo_correction,
    "disqualify": undo_disqualification,
    "replace": replacements.undo_replacement,
    "extend": undo_extension,
}
