"""Decisions of organisers while a tournament runs. Each is logged; most can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.services import contact_limits
from common.refusals import check_allowed
from common.service_errors import Conflict, Invalid, NotFound
from games.services import system_games
from tournaments import permissions
from tournaments.contact_kinds import TournamentContactKind
from tournaments.models import Decision, Entrant, ResultSource, Tournament
from tournaments.models.limits import MAX_REASON_LENGTH
from tournaments.notice_kinds import NoticeReason, TournamentNoticeKind
from tournaments.pairing import PlannedRound, TournamentFinished, WaitingForResults
from tournaments.refusals import Refusal, refuse_own_pairing
from tournaments.selectors import conflicts_of_interest
from tournaments.selectors.lineup import build_line_up
from tournaments.selectors.rank_changes import find_rank_changes, had_final_ranks, is_unfinished
from tournaments.selectors.tournament_state import TournamentState, list_seated_entrant_ids

from .decision_log import log_decision, log_preview
from .entries import drop_entrants
from .league_of_tournament import lock_league_of_tournament
from .notices import list_player_ids, notify_players, notify_round_end, notify_table_change
from .round_ends import list_player_ids_at_pairings, update_round_ends
from .tournaments import get_organised_tournament, reschedule_tournament

RANK_CHANGES_CODE = "rank-changes"  # error code: the correction needs a confirmation


def preview_next_round(
    *, by: Player, code: str, now: datetime
) -> PlannedRound | WaitingForResults | TournamentFinished:
    """Plan the next round without publishing it. Before the start, log which organiser looked.

    Raises NotFound, Denied or Conflict.
    """
    tournament = get_organised_tournament(by=by, code=code, lock=False)
    check_allowed(permissions.find_preview_refusal(tournament))
    if tournament.is_running:
        return TournamentState(tournament).plan_next_round()
    line_up = build_line_up(tournament)
    if len(line_up.playing) < 2:
        raise Conflict(_("A tournament needs at least two players."))
    log_preview(tournament, by, now)
    return line_up.build_state().plan_next_round()


@transaction.atomic
def approve_round(*, by: Player, code: str, now: datetime) -> Decision:
    """Approve a round that is on hold, despite its warnings. Raises NotFound, Denied or Conflict."""
    tournament = get_organised_tournament(by=by, code=code)
    check_allowed(permissions.find_approval_refusal(tournament))
    refuse_own_pairing(
        conflicts_of_interest.sits_at_any_pairing(
            by, tournament, [pairing.pk for pairing in TournamentState(tournament).list_stale_pairings()]
        )
    )
    before = {"hold_reason": tournament.hold_reason, "warnings": tournament.warnings}
    reschedule_tournament(tournament, now)
    Tournament.objects.filter(pk=tournament.pk).update(approved_round=tournament.rounds.count() + 1)
    return log_decision(tournament, by, Decision.Action.PROCEED, now, before=before)


@transaction.atomic
def extend_round(
    *,
    by: Player,
    code: str,
    round_number: int,
    until: datetime,
    now: datetime,
    reason: str = "",
    public_note: str = "",
) -> Decision:
    """Put off the end of a round, or set one; players are notified of a first end.

    An end is never brought forward: players rely on it. Raises NotFound, Denied, Invalid or Conflict.
    """
    tournament = get_organised_tournament(by=by, code=code)
    check_allowed(permissions.find_not_running_refusal(tournament))
    refuse_own_pairing(conflicts_of_interest.has_open_pairing_in_round(by, tournament, round_number))
    extended_round = tournament.rounds.filter(number=round_number).first()
    if extended_round is None or not extended_round.pairings.filter(settled_at=None).exists():
        raise Conflict(_("No game of this round is in progress."))
    if until <= now:
        raise Invalid(_("That time has passed. Choose a later one."), field="until")
    if extended_round.ends_at and until < extended_round.ends_at:
        raise Invalid(
            _("Players count on the current end of the round. You can only move it later."),
            code="earlier-end",
            field="until",
        )
    if extended_round.ends_at is None:
        playing = list_player_ids_at_pairings(
            tournament, extended_round.pairings.filter(settled_at=None, is_void=False, game__isnull=False)
        )
        notify_round_end(
            tournament, extended_round, playing, now, first=True, text=public_note[:MAX_REASON_LENGTH]
        )
    before = {
        "round": extended_round.pk,
        "ends_at": extended_round.ends_at.isoformat() if extended_round.ends_at else None,
    }
    extended_round.ends_at = until
    extended_round.save(update_fields=["ends_at"])
    update_round_ends(tournament, now)
    after = {"ends_at": until.isoformat()}
    return log_decision(
        tournament,
        by,
        Decision.Action.EXTEND,
        now,
        reason=reason,
        public_note=public_note,
        before=before,
        after=after,
    )


# ------------------------------------------------------------------------------------------------- results


@transaction.atomic
def correct_result(
    *,
    by: Player,
    code: str,
    pairing_id: int,
    ranks: Sequence[int],
    now: datetime,
    points: Sequence[int] | None = None,
    eights: Sequence[int] | None = None,
    forfeits: Sequence[int] = (),
    reason: str = "",
    public_note: str = "",
    confirmed: bool = False,
) -> Decision:
    """Replace the result of a pairing, given in the order of its seats. Later rounds are computed again.

    1. Check access, conflict of interest and the result itself; count the contact to the players.
    2. Release a game that still runs, and store the result.
    3. Reopen the tournament, and check that no own pairing becomes void.
    4. Require `confirmed` if final ranks change or the tournament reopens.
    5. Notify the players and log the decision.

    Raises NotFound, Denied, Invalid or Conflict.
    """
    tournament = get_organised_tournament(by=by, code=code)
    lock_league_of_tournament(tournament)
    check_allowed(permissions.find_correction_refusal(tournament))
    pairing = tournament.pairings.filter(pk=pairing_id, is_void=False).select_related("game").first()
    if pairing is None:
        raise NotFound(_("Table not found."))
    refuse_own_pairing(conflicts_of_interest.sits_at_any_pairing(by, tournament, [pairing.pk]))
    seats = list_seated_entrant_ids(pairing)
    check_result(seats, ranks, points, eights, forfeits)
    old_result = pairing.result or {}
    zeros = [0] * len(seats)
    result = {
        "ranks": list(ranks),
        "points": list(points if points is not None else old_result.get("points", zeros)),
        "eights": list(eights if eights is not None else old_result.get("eights", zeros)),
        "forfeits": list(forfeits),
        "timeouts": [entrant_id for entrant_id in old_result.get("timeouts", ()) if entrant_id in forfeits],
        "by": ResultSource.ORGANISER,
    }
    players_at_pairing = Player.objects.filter(
        pk__in=[player_id for player_id in list_player_ids(tournament, seats) if player_id]
    )
    contact_limits.count_contacts(
        kind=TournamentContactKind.CORRECTION, sender=by, recipients=players_at_pairing, now=now
    )
    before = {"pairing": pairing.pk, "result": pairing.result, "status": tournament.status}
    before["rated"] = bool(pairing.game and pairing.game.rated)
    before["seq"] = pairing.game.seq if pairing.game else None
    before["undecided"] = pairing.result is None and pairing.settled_at is not None
    if pairing.settled_at is None and pairing.game:
        system_games.release_game(code=pairing.game.code, now=now)
    pairing.result, pairing.settled_at = result, pairing.settled_at or now
    pairing.save(update_fields=["result", "settled_at"])
    reopen_tournament(tournament, now)
    refuse_own_stale_pairings(by, tournament)
    check_rank_changes_confirmed(tournament, confirmed=confirmed)
    clear_ranks_if_reopened(tournament)
    notify_players(
        tournament,
        TournamentNoticeKind.RESULT,
        f"corrected:{pairing.pk}:{tournament.decisions.count()}",
        list_player_ids(tournament, seats),
        now,
        pairing.game,
        match=pairing.match,
        text=public_note[:MAX_REASON_LENGTH],
        **result,
    )
    after = {"result": result}
    return log_decision(
        tournament,
        by,
        Decision.Action.CORRECT,
        now,
        reason=reason,
        public_note=public_note,
        before=before,
        after=after,
    )


def check_result(
    seats: Sequence[int],
    ranks: Sequence[int],
    points: Sequence[int] | None,
    eights: Sequence[int] | None,
    forfeits: Sequence[int],
) -> None:
    """Raise Invalid unless ranks, points, eights and forfeits fit the seats of a pairing."""
    for name, values in {"ranks": ranks, "points": points, "eights": eights}.items():
        if values is not None and len(values) != len(seats):
            raise Invalid(_("Give one value for each seat."), field=name)
    if len(seats) < 2 or not all(1 <= rank <= len(seats) for rank in ranks) or 1 not in ranks:
        raise Invalid(_("Give each seat a place, and at least one seat the first."), field="ranks")
    for name, values in {"points": points, "eights": eights}.items():
        if any(value < 0 for value in values or ()):
            raise Invalid(_("Points cannot be negative."), field=name)
    if not set(forfeits) <= set(seats):
        raise Invalid(_("Only entrants at this table can forfeit."), field="forfeits")


def reopen_tournament(tournament: Tournament, now: datetime) -> None:
    """Set a finished tournament to running and make it due; the sweep then decides how it goes on.

    Raises Conflict if more games would follow after the seed was published: their tiles would be known.
    """
    if tournament.seed and not TournamentState(tournament).is_over():
        raise Conflict(
            _("The tournament is over and its secret number is public, so no more games can start."),
            code="seed-public",
        )
    if tournament.is_finished:
        tournament.status, tournament.finished_at = Tournament.Status.RUNNING, None
        tournament.save(update_fields=["status", "finished_at"])
    reschedule_tournament(tournament, now)


def refuse_own_stale_pairings(by: Player, tournament: Tournament) -> None:
    """Raise Denied if a correction would void a pairing of the organiser who makes it."""
    refuse_own_pairing(
        conflicts_of_interest.sits_at_any_pairing(
            by, tournament, [pairing.pk for pairing in TournamentState(tournament).list_stale_pairings()]
        )
    )


def check_rank_changes_confirmed(tournament: Tournament, *, confirmed: bool) -> None:
    """Raise Conflict if final ranks change or the tournament reopens, and nobody has confirmed that.

    The error lists the changed ranks, so that a page or a program can ask for confirmation.
    """
    state = TournamentState(tournament)
    if confirmed or not had_final_ranks(state):
        return
    reopens = is_unfinished(state)
    rank_changes = [] if reopens else find_rank_changes(state)
    if not reopens and not rank_changes:
        return
    message = (
        _("The tournament is over. This would reopen it, because another game must be played.")
        if reopens
        else _("The tournament is over. This would change its final places.")
    )
    place_data = [rank_change.as_dict() for rank_change in rank_changes]
    raise Conflict(message, code=RANK_CHANGES_CODE, places=place_data, reopens=reopens)


def clear_ranks_if_reopened(tournament: Tournament) -> None:
    """Clear the final ranks if a finished tournament goes on."""
    state = TournamentState(tournament)
    if had_final_ranks(state) and is_unfinished(state):
        tournament.entrants.update(rank=None)


# ------------------------------------------------------------------------------------------------- entrants


def get_entrant(tournament: Tournament, entrant_id: int) -> Entrant:
    """Return an entrant of the tournament by id. Raises NotFound."""
    entrant = tournament.entrants.filter(pk=entrant_id).first()
    if entrant is None:
        raise Refusal.NO_SUCH_ENTRANT.build_error()
    return entrant


@transaction.atomic
def disqualify_entrant(
    *, by: Player, code: str, entrant: int, now: datetime, reason: str = "", public_note: str = ""
) -> Decision:
    """Disqualify an entrant; the sweep resigns their running games. Raises NotFound, Denied or Conflict."""
    tournament = get_organised_tournament(by=by, code=code)
    check_allowed(permissions.find_disqualification_refusal(tournament))
    disqualified_entrant = get_entrant(tournament, entrant)
    refuse_own_pairing(conflicts_of_interest.has_interest_in_entrant(by, tournament, disqualified_entrant))
    check_allowed(permissions.find_disqualification_refusal(tournament, disqualified_entrant))
    open_pairing_count = tournament.pairings.filter(
        settled_at=None, pairing_seats__entrant=disqualified_entrant
    ).count()
    drop_entrants(tournament, [disqualified_entrant], Entrant.Status.DISQUALIFIED, now)
    player_ids, note = list_player_ids(tournament, [disqualified_entrant.pk]), public_note[:MAX_REASON_LENGTH]
    dedup_suffix = f"out:{disqualified_entrant.pk}:{tournament.decisions.count()}"
    notify_table_change(
        tournament,
        TournamentNoticeKind.OUT,
        dedup_suffix,
        player_ids,
        now,
        reason=NoticeReason.DISQUALIFIED,
        text=note,
    )
    before, after = {"entrant": disqualified_entrant.pk}, {"open_pairing_count": open_pairing_count}
    return log_decision(
        tournament,
        by,
        Decision.Action.DISQUALIFY,
        now,
        reason=reason,
        public_note=public_note,
        before=before,
        after=after,
    )
