"""Removals by organisers: entrants before the start, members of a league, and their readmission."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Player
from common.refusals import check_allowed
from common.service_errors import NotFound
from tournaments.leagues.permissions import find_closed_refusal
from tournaments.leagues.services import leagues
from tournaments.models import Decision, League, LeagueMember, Removal, Tournament
from tournaments.models.limits import MAX_REASON_LENGTH
from tournaments.notice_kinds import NoticeReason, TournamentNoticeKind
from tournaments.permissions import find_removal_refusal
from tournaments.selectors.removals import is_removed

from .decision_log import log_decision
from .decisions import get_entrant
from .notices import notify_players
from .proposal_outcomes import lapse_entrant_proposals
from .tournaments import get_organised_tournament
from .waitlist import move_up_waitlist


@transaction.atomic
def remove_entrant(
    *, by: Player, code: str, entrant: int, now: datetime, reason: str = "", public_note: str = ""
) -> Decision:
    """Remove an entrant before the start or from the waitlist; the entrant who waits longest moves up.

    The players are notified and can enter again only by invitation. After the start an entrant is
    disqualified instead. Raises NotFound, Denied or Conflict.
    """
    public_note = public_note[:MAX_REASON_LENGTH]
    tournament = get_organised_tournament(by=by, code=code)
    removed_entrant = get_entrant(tournament, entrant)
    check_allowed(find_removal_refusal(tournament, removed_entrant))
    player_ids = [
        player_id
        for player_id in removed_entrant.entrant_players.order_by("position").values_list(
            "player_id", flat=True
        )
        if player_id
    ]
    lapse_entrant_proposals([removed_entrant.pk], now)
    # The proposals stay, because the mail about their outcome is composed later.
    tournament.proposals.filter(entrant_player__entrant=removed_entrant).update(entrant_player=None)
    notify_players(
        tournament,
        TournamentNoticeKind.OUT,
        f"removed:{removed_entrant.pk}",
        player_ids,
        now,
        reason=NoticeReason.REMOVED,
        text=public_note,
    )
    tournament.invites.filter(player__in=player_ids).delete()
    create_removals(player_ids, by=by, reason=reason, now=now, tournament=tournament)
    removed_entrant.delete()
    move_up_waitlist(tournament, now)
    before = {"players": player_ids}
    return log_decision(
        tournament, by, Decision.Action.REMOVE, now, reason=reason, public_note=public_note, before=before
    )


@transaction.atomic
def remove_league_member(
    *, by: Player, code: str, player: Player, now: datetime, reason: str = "", public_note: str = ""
) -> League:
    """Remove a member from a league after the current season; in pairs the partner is out as well.

    The player is notified with the `public_note` and cannot join until readmitted. Raises NotFound, Denied or
    Conflict.
    """
    league = leagues.lock_league(code, by)
    check_allowed(find_closed_refusal(league))
    league_member = (
        league.league_members.filter(player=player).exclude(status=LeagueMember.Status.OUT).first()
    )
    if league_member is None:
        if is_removed(player, league):
            return league
        raise NotFound(_("This player is not in the league."))
    leagues.withdraw_partner_proposals(league, [player], now)
    leagues.split_pair(league, league_member, now)
    leagues.save_league_member(league, player.pk, LeagueMember.Status.OUT, None, now)
    note = public_note[:MAX_REASON_LENGTH]
    [removal] = create_removals([player.pk], by=by, reason=reason, now=now, league=league)
    notify_players(
        league, TournamentNoticeKind.LEAGUE_OUT, f"removed:{removal.pk}", [player.pk], now, text=note
    )
    return league


@transaction.atomic
def readmit_league_member(*, by: Player, code: str, player: Player, now: datetime) -> League:
    """Let a removed player join the league again. Repeating it changes nothing. Raises NotFound or Denied."""
    league = leagues.lock_league(code, by)
    league.removals.filter(player=player, lifted_at=None).update(lifted_at=now)
    return league


def create_removals(
    player_ids: Iterable[int],
    *,
    by: Player,
    reason: str,
    now: datetime,
    tournament: Tournament | None = None,
    league: League | None = None,
) -> list[Removal]:
    """Store that these players cannot come back. The caller locks the tournament or league."""
    defaults = {"created_by": by, "reason": reason[:MAX_REASON_LENGTH], "created_at": now}
    return [
        Removal.objects.update_or_create(
            tournament=tournament, league=league, player_id=player_id, lifted_at=None, defaults=defaults
        )[0]
        for player_id in player_ids
    ]
