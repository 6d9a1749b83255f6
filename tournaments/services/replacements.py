"""Replacement of a player of an entrant: proposed by an organiser, done when the new player accepts."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.services import contact_limits
from common.refusals import check_allowed
from common.service_errors import Conflict, Invalid
from games.models.games import PLAYING_STATUSES
from games.selectors.handovers import has_held_seat
from tournaments.contact_kinds import TournamentContactKind
from tournaments.models import (
    Decision,
    Entrant,
    EntrantPlayer,
    LeagueMember,
    Proposal,
    Replacement,
    Tournament,
)
from tournaments.notice_kinds import NoticeReason, TournamentNoticeKind
from tournaments.permissions import find_bot_refusal, find_replacement_refusal
from tournaments.refusals import Refusal, refuse_own_pairing
from tournaments.selectors.conflicts_of_interest import has_interest_in_entrant
from tournaments.selectors.removals import is_removed

from .client_seeds import restore_client_seed
from .entries import check_eligible
from .league_of_tournament import lock_league_of_tournament
from .notices import count_table_change_mails, notify_table_change
from .proposal_outcomes import check_not_asked_too_often, notify_proposed_player
from .substitutes import get_league_status, list_running_games, notify_opponents, opponents_of, swap_players
from .tournaments import get_organised_tournament
from .waitlist import find_waiting_entrant, put_back_on_waitlist


@transaction.atomic
def propose_replacement(
    *,
    by: Player,
    code: str,
    entrant: int,
    player: Player | None,
    now: datetime,
    position: int = 1,
    reason: str = "",
    public_note: str = "",
) -> Proposal:
    """Ask a player to replace one of an entrant; nothing changes until they accept.

    Without a `player`, the one who waits longest and may sit there is asked. The `public_note` is shown to
    that player, and to everybody after acceptance. `position` is 2 for the second player of a pair. An
    identical open proposal is returned instead. Raises NotFound, Denied, Invalid or Conflict.
    """
    tournament = get_organised_tournament(by=by, code=code)
    entrant_player = get_replaceable_entrant_player(tournament, entrant, position)
    refuse_own_pairing(has_interest_in_entrant(by, tournament, entrant_player.entrant))
    player = player or find_longest_waiting_player(tournament, entrant_player)
    check_new_player(tournament, entrant_player, player)
    open_proposal = Proposal.objects.filter(
        entrant_player=entrant_player, status=Proposal.Status.OPEN
    ).first()
    if open_proposal is not None:
        if open_proposal.player_id == player.pk and open_proposal.predecessor_id == entrant_player.player_id:
            return open_proposal
        raise Conflict(
            _("You have already asked somebody. Withdraw that proposal first."), code="already-asked"
        )
    check_not_asked_too_often(
        tournament.proposals.filter(proposer=by, kind=Proposal.Kind.REPLACEMENT), player
    )
    is_substitute = get_league_status(tournament, player) == LeagueMember.Status.SUBSTITUTE
    if not is_substitute and find_waiting_entrant(tournament, player) is None:  # they asked for a place
        contact_limits.count_contacts(
            kind=TournamentContactKind.REPLACEMENT, sender=by, recipients=[player], now=now
        )
    proposal = Proposal.objects.create(
        kind=Proposal.Kind.REPLACEMENT,
        tournament=tournament,
        proposer=by,
        player=player,
        entrant_player=entrant_player,
        predecessor_id=entrant_player.player_id,
        reason=reason[:500],
        public_note=public_note[:500],
        created_at=now,
    )
    notify_proposed_player(tournament, proposal, TournamentNoticeKind.REPLACEMENT_REQUEST, now)
    return proposal


def get_replaceable_entrant_player(tournament: Tournament, entrant_id: int, position: int) -> EntrantPlayer:
    """Return the player of an entrant who can be replaced now. Raises NotFound or Conflict."""
    entrant = tournament.entrants.filter(pk=entrant_id).first()
    if entrant is None:
        raise Refusal.NO_SUCH_ENTRANT.build_error()
    check_allowed(find_replacement_refusal(tournament, entrant))
    entrant_player = entrant.entrant_players.filter(position=position).select_related("entrant").first()
    if entrant_player is None:
        raise Refusal.NO_SUCH_ENTRANT.build_error()
    return entrant_player


def find_longest_waiting_player(tournament: Tournament, entrant_player: EntrantPlayer) -> Player:
    """Return the player who waits longest on the waitlist and may take over the seat.

    In pairs a player must be named, since they would leave a partner behind. Raises Invalid or Conflict.
    """
    if tournament.mode == Tournament.Mode.PAIRS:
        raise Invalid(_("Name a player."), field="player")
    waiting_players = tournament.entrant_players.filter(
        entrant__status=Entrant.Status.WAITING, player__is_active=True, player__is_guest=False
    )
    declined_proposals = tournament.proposals.filter(
        entrant_player=entrant_player, status=Proposal.Status.DECLINED
    ).values("player")
    games = list_running_games(tournament, entrant_player)
    for waiting_player in (
        waiting_players.exclude(player__in=declined_proposals)
        .order_by("entrant", "position")
        .select_related("player")
    ):
        if waiting_player.player and not any(has_held_seat(waiting_player.player, game) for game in games):
            return waiting_player.player
    raise Conflict(_("Nobody on the waiting list can take this seat."), code="waitlist-empty")


def check_new_player(tournament: Tournament, entrant_player: EntrantPlayer, player: Player) -> None:
    """Raise Denied or Conflict unless the player may replace the entrant player."""
    if player.is_guest or not player.is_active:
        check_eligible(tournament, player)
    check_allowed(find_bot_refusal(tournament, player))
    lock_league_of_tournament(tournament)
    is_waiting = find_waiting_entrant(tournament, player) is not None
    if (has_place(tournament, player) and not is_waiting) or has_partner_next_season(tournament, player):
        raise Conflict(_("This player already takes part."), code="already-joined")
    if any(has_held_seat(player, game) for game in list_running_games(tournament, entrant_player)):
        raise Conflict(
            _("This player has sat at this table before and seen cards there."), code="already-joined"
        )


def undo_replacement(tournament: Tournament, decision: Decision, now: datetime) -> None:
    """The first player plays again, as long as the second has seen no hand; all of them hear of it.

    Raises Conflict.
    """
    entrant_player = EntrantPlayer.objects.filter(pk=decision.before["entrant_player"]).first()
    player = Player.objects.filter(pk=decision.before["player"]).first()
    pairings = tournament.pairings.filter(game__code__in=decision.after["seqs"])
    has_ended_pairing = pairings.exclude(settled_at=None, game__status__in=PLAYING_STATUSES).exists()
    if (
        entrant_player is None
        or player is None
        or has_ended_pairing
        or find_replacement_refusal(tournament)
        or has_place(tournament, player)
    ):
        raise Refusal.NOT_UNDOABLE.build_error()
    if entrant_player.player_id != decision.after["player"] or is_removed(player, tournament):
        raise Refusal.NOT_UNDOABLE.build_error()
    newcomer = decision.after["player"]
    mailed_ids = count_table_change_mails(
        tournament, [player.pk, newcomer, *opponents_of(tournament, entrant_player)], now
    )
    seqs = swap_players(
        tournament,
        entrant_player,
        player,
        now,
        former_status=decision.before["was"],
        undo=True,
        send_mail=player.pk in mailed_ids,
    )
    restore_client_seed(entrant_player, decision.before)
    put_back_on_waitlist(tournament, decision.before)
    Replacement.objects.filter(decision=decision).delete()
    has_other_replacements = Replacement.objects.filter(entrant=entrant_player.entrant_id).exists()
    Entrant.objects.filter(pk=entrant_player.entrant_id).update(was_replaced=has_other_replacements)
    dedup_suffix = f"put-back:{decision.pk}"
    data: dict[str, Any] = {
        "entrant": entrant_player.entrant_id,
        "games": list(seqs),
        "reason": NoticeReason.PUT_BACK,
    }
    notify_table_change(
        tournament,
        TournamentNoticeKind.REPLACED,
        dedup_suffix,
        [player.pk],
        now,
        mailed_ids=mailed_ids,
        **data,
    )
    notify_table_change(
        tournament,
        TournamentNoticeKind.OUT,
        dedup_suffix,
        [newcomer],
        now,
        mailed_ids=mailed_ids,
        reason=NoticeReason.PUT_BACK,
    )
    notify_opponents(tournament, entrant_player, newcomer, dedup_suffix, now, mailed_ids)


def has_place(tournament: Tournament, player: Player) -> bool:
    """Return whether the player takes part, or has a placement in the same season of the league."""
    if (
        tournament.division
        and tournament.division.season.placements.filter(Q(player=player) | Q(partner=player)).exists()
    ):
        return True
    return tournament.entrant_players.filter(player=player).exists()


def has_partner_next_season(tournament: Tournament, player: Player) -> bool:
    """Return whether the player has a partner for the next season of the league."""
    if tournament.division is None:
        return False
    return tournament.division.season.league.league_members.filter(
        player=player, partner__isnull=False
    ).exists()
