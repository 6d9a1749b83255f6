"""Appeals: a player asks the organisers to review a pairing, and an organiser answers."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.services import contact_limits
from common.refusals import check_allowed
from common.service_errors import Conflict, Invalid, NotFound
from tournaments.contact_kinds import TournamentContactKind
from tournaments.models import Appeal, EntrantPlayer, Replacement, Tournament
from tournaments.models.limits import MAX_APPEAL_LENGTH
from tournaments.notice_kinds import TournamentNoticeKind
from tournaments.permissions import (
    APPEAL_PERIOD_AFTER_END,
    find_appeal_refusal,
    find_pairing_appeal_refusal,
)
from tournaments.refusals import refuse_own_pairing
from tournaments.selectors.conflicts_of_interest import sits_at_any_pairing
from tournaments.selectors.timeout_evidence import has_left_pairing

from .entries import get_own_entrant
from .league_of_tournament import lock_league_of_tournament, mark_league_due
from .notices import notify_organisers, notify_players
from .tournaments import get_organised_tournament, lock_visible_tournament


@transaction.atomic
def file_appeal(*, player: Player, code: str, pairing_id: int, text: str, now: datetime) -> Appeal:
    """File an appeal about one of the player's own pairings, once per pairing.

    Allowed while the tournament runs and for some time after its end. A player who was replaced may appeal
    about the pairings they played. Raises NotFound, Denied, Invalid or Conflict.
    """
    tournament = lock_visible_tournament(code)
    pairing = tournament.pairings.filter(pk=pairing_id).first()
    if pairing is None or not has_left_pairing(pairing, player):
        get_own_entrant(tournament, player)
    lock_league_of_tournament(tournament)
    check_allowed(find_appeal_refusal(tournament, now), days=APPEAL_PERIOD_AFTER_END.days)
    if pairing is None:
        raise NotFound(_("Table not found."))
    if not text.strip():
        raise Invalid(_("Describe what is wrong."), field="text")
    seats = pairing.pairing_seats.filter(entrant__entrant_players__player=player)
    check_allowed(
        find_pairing_appeal_refusal(
            tournament,
            now,
            has_played=has_left_pairing(pairing, player) or seats.exists(),
            has_appealed=pairing.appeals.filter(created_by=player).exists(),
        )
    )
    recipients = [tournament.organiser] if tournament.organiser else []
    contact_limits.count_contacts(
        kind=TournamentContactKind.APPEAL, sender=player, recipients=recipients, now=now
    )
    appeal = Appeal.objects.create(
        pairing=pairing, created_by=player, text=text.strip()[:MAX_APPEAL_LENGTH], created_at=now
    )
    notify_organisers(
        tournament,
        TournamentNoticeKind.APPEAL,
        f"appeal:{appeal.pk}",
        now,
        match=pairing.match,
        appeal=appeal.pk,
    )
    mark_league_due(tournament, now)  # the season does not end before the answer
    return appeal


@transaction.atomic
def answer_appeal(*, by: Player, code: str, appeal_id: int, text: str, now: datetime) -> Appeal:
    """Answer an appeal as organiser; a correction is a separate decision.

    Raises NotFound, Denied or Conflict.
    """
    tournament = get_organised_tournament(by=by, code=code)
    appeal = (
        Appeal.objects.filter(pk=appeal_id, pairing__tournament=tournament).select_related("pairing").first()
    )
    if appeal is None:
        raise NotFound(_("Appeal not found."))
    refuse_own_pairing(sits_at_any_pairing(by, tournament, [appeal.pairing_id]))
    if appeal.answered_at:
        raise Conflict(_("Somebody has already answered this appeal."))
    appeal.answer, appeal.answered_by, appeal.answered_at = text.strip()[:MAX_APPEAL_LENGTH], by, now
    appeal.save(update_fields=["answer", "answered_by", "answered_at"])
    match, dedup_suffix = appeal.pairing.match, f"answer:{appeal.pk}"
    notify_players(
        tournament,
        TournamentNoticeKind.APPEAL,
        dedup_suffix,
        [appeal.created_by_id],
        now,
        match=match,
        appeal=appeal.pk,
        answered=True,
    )
    mark_league_due(tournament, now)
    return appeal


def build_evidence_condition(*, now: datetime) -> Exists:
    """Build the condition that a delivery may still be evidence in an appeal.

    True if it was created in a tournament of its player that can still be appealed, or that has an unanswered
    appeal. Includes players who were replaced there.
    """
    is_running = Q(finished_at=None) & ~Q(status=Tournament.Status.CANCELLED)
    ended_recently = Q(finished_at__gt=now - APPEAL_PERIOD_AFTER_END)
    has_open_appeal = Exists(Appeal.objects.filter(pairing__tournament=OuterRef("pk"), answered_at=None))
    appealable_tournaments = Tournament.objects.filter(
        is_running | ended_recently | has_open_appeal, started_at__isnull=False
    )
    delivery_player = OuterRef(OuterRef("player"))
    takes_part = Exists(EntrantPlayer.objects.filter(tournament=OuterRef("pk"), player=delivery_player))
    took_part = Exists(
        Replacement.objects.filter(entrant__tournament=OuterRef("pk"), predecessor=delivery_player)
    )
    return Exists(
        appealable_tournaments.filter(takes_part | took_part, started_at__lte=OuterRef("created_at"))
    )
