"""Answers to proposals: accept, decline, withdraw."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import Player
from common.refusals import check_allowed
from common.service_errors import Conflict, NotFound
from games.services.lobby import check_client_seed
from tournaments.leagues.services import leagues
from tournaments.models import League, Proposal, Removal, Tournament
from tournaments.proposal_permissions import (
    find_answer_refusal,
    find_closed_refusal,
    find_withdrawal_refusal,
    is_involved,
)
from tournaments.refusals import Refusal, refuse_own_pairing
from tournaments.selectors.conflicts_of_interest import has_interest_in_entrant
from tournaments.selectors.proposals import get_commitment
from tournaments.selectors.tournaments import can_organise_tournament

from . import entries
from .co_organisers import add_co_organiser, build_asker_left_error
from .page_wake_ups import wake_league_pages, wake_tournament_pages
from .proposal_outcomes import record_proposal_answer
from .replacements import check_new_player, get_replaceable_entrant_player
from .substitutes import replace_player

ProposalStatus, ProposalKind = Proposal.Status, Proposal.Kind


def lock_proposal(player: Player, proposal_id: int) -> Proposal:
    """Return a proposal for a player involved in it; lock its tournament or league. Raises NotFound."""
    proposal = (
        Proposal.objects.filter(pk=proposal_id).select_related("tournament", "player", "proposer").first()
    )
    if proposal is None or not is_involved(player, proposal):
        raise NotFound(_("Proposal not found."))
    # Locked before the proposal is read again, so that a second answer sees the first.
    if proposal.tournament_id:
        wake_tournament_pages(Tournament.objects.select_for_update().get(pk=proposal.tournament_id))
    if proposal.league_id:
        wake_league_pages(League.objects.select_for_update().get(pk=proposal.league_id))
    proposal.refresh_from_db()
    return proposal


def get_tournament(proposal: Proposal) -> Tournament:
    """Return the tournament of a proposal about one."""
    assert proposal.tournament
    return proposal.tournament


@transaction.atomic
def accept_proposal(*, player: Player, proposal_id: int, now: datetime, client_seed: str = "") -> Proposal:
    """Accept a proposal and put it into effect, with a client seed. Accepting again changes nothing.

    Raises NotFound, Denied, Invalid or Conflict.
    """
    check_client_seed(client_seed)
    proposal = lock_proposal(player, proposal_id)
    check_allowed(find_answer_refusal(proposal, player))
    if proposal.status == ProposalStatus.ACCEPTED:
        return proposal
    check_allowed(find_closed_refusal(proposal))
    if proposal.proposer is None or not proposal.proposer.is_active:
        raise Conflict(_("The player who asked you has left the site."), code="lapsed")
    proposal.commitment = get_commitment(proposal)
    proposal.save(update_fields=["commitment"])
    record_proposal_answer(
        proposal, ProposalStatus.ACCEPTED, now
    )  # before its effects, which would let it lapse
    if proposal.kind == ProposalKind.PARTNER:
        tournament = get_tournament(proposal)
        entries.check_entry(tournament, [proposal.proposer, player], now)
        entries.enter_players(
            tournament, [proposal.proposer, player], now, [proposal.client_seed, client_seed]
        )
    elif proposal.kind == ProposalKind.LEAGUE_PARTNER:
        assert proposal.league
        client_seeds = (proposal.client_seed or None, client_seed or None)
        leagues.join_as_pair(proposal.league, proposal.proposer, player, now, client_seeds)
    elif proposal.kind == ProposalKind.CO_ORGANISER:
        add_co_organiser(proposal, now)
    else:
        replace_entrant_player(proposal, now, client_seed)
    return proposal


def replace_entrant_player(proposal: Proposal, now: datetime, client_seed: str) -> None:
    """Put the new player into the entrant. Raises Denied, NotFound or Conflict."""
    tournament, entrant_player = get_tournament(proposal), proposal.entrant_player
    assert entrant_player is not None
    if not can_organise_tournament(proposal.proposer, tournament):
        raise build_asker_left_error()
    if entrant_player.player_id != proposal.predecessor_id:
        raise Conflict(_("Somebody else plays there now."), code="lapsed")
    entrant_player = get_replaceable_entrant_player(
        tournament, entrant_player.entrant_id, entrant_player.position
    )
    refuse_own_pairing(has_interest_in_entrant(proposal.proposer, tournament, entrant_player.entrant))
    check_new_player(tournament, entrant_player, proposal.player)
    lift_removals(proposal, now)
    replace_player(
        tournament,
        entrant_player,
        proposal.player,
        by=proposal.proposer,
        now=now,
        reason=proposal.reason,
        public_note=proposal.public_note,
        client_seed=client_seed,
    )


def lift_removals(proposal: Proposal, now: datetime) -> None:
    """Lift removals from before the proposal: an organiser asked the player back.

    The caller locks the tournament and league. Raises Conflict if the player was removed after the proposal.
    """
    tournament = get_tournament(proposal)
    subject_filter = Q(tournament=tournament)
    if tournament.division:
        subject_filter |= Q(league=tournament.division.season.league_id)
    active_removals = Removal.objects.filter(subject_filter, player=proposal.player, lifted_at=None)
    if active_removals.filter(created_at__gt=proposal.created_at).exists():
        raise Refusal.PROPOSAL_LAPSED.build_error()
    active_removals.update(lifted_at=now)


@transaction.atomic
def decline_proposal(*, player: Player, proposal_id: int, now: datetime) -> Proposal:
    """Decline a proposal and notify its author. Declining again changes nothing.

    Raises NotFound, Denied or Conflict.
    """
    proposal = lock_proposal(player, proposal_id)
    check_allowed(find_answer_refusal(proposal, player))
    if proposal.status == ProposalStatus.DECLINED:
        return proposal
    check_allowed(find_closed_refusal(proposal))
    return record_proposal_answer(proposal, ProposalStatus.DECLINED, now)


@transaction.atomic
def withdraw_proposal(*, player: Player, proposal_id: int, now: datetime) -> Proposal:
    """Withdraw an open proposal; organisers may withdraw each other's. Withdrawing again changes nothing.

    Raises NotFound, Denied or Conflict.
    """
    proposal = lock_proposal(player, proposal_id)
    check_allowed(find_withdrawal_refusal(proposal, player))
    if proposal.proposer_id != player.pk and proposal.tournament and proposal.entrant_player:
        refuse_own_pairing(
            has_interest_in_entrant(player, proposal.tournament, proposal.entrant_player.entrant)
        )
    if proposal.status == ProposalStatus.WITHDRAWN:
        return proposal
    check_allowed(find_closed_refusal(proposal))
    return record_proposal_answer(proposal, ProposalStatus.WITHDRAWN, now)
