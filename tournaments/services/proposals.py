"""Answers to proposals: accept, decline, withdraw."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from games.models import Player
from games.services.errors import Conflict, Denied, NotFound
from games.services.lobby import check_client_seed
from tournaments.models import League, Proposal, Removal, Tournament
from tournaments.selectors.conflicts_of_interest import has_interest_in_entrant
from tournaments.selectors.proposals import can_withdraw, get_commitment, is_involved
from tournaments.selectors.tournaments import can_organise_tournament

from . import entries, leagues
from .co_organisers import add_co_organiser, build_asker_left_error
from .conflicts_of_interest import refuse_own_pairing
from .proposal_outcomes import record_proposal_answer
from .replacements import check_new_player, get_replaceable_entrant_player
from .substitutes import replace_player

ProposalStatus, ProposalKind = Proposal.Status, Proposal.Kind


def lock_proposal(player: Player, proposal_id: int) -> Proposal:
    """Return a proposal for a player involved in it; lock its tournament or league. Raises NotFound."""
    proposal = Proposal.objects.filter(pk=proposal_id).select_related("event", "player", "by").first()
    if proposal is None or not is_involved(player, proposal):
        raise NotFound(_("There is no such proposal."))
    # Locked before the proposal is read again, so that a second answer sees the first.
    if proposal.event_id:
        Tournament.objects.select_for_update().get(pk=proposal.event_id)
    if proposal.league_id:
        League.objects.select_for_update().get(pk=proposal.league_id)
    proposal.refresh_from_db()
    return proposal


def get_tournament(proposal: Proposal) -> Tournament:
    """Return the tournament of a proposal about one."""
    assert proposal.event
    return proposal.event


@transaction.atomic
def accept_proposal(*, player: Player, proposal_id: int, now: datetime, client_seed: str = "") -> Proposal:
    """Accept a proposal and put it into effect, with a client seed. Accepting again changes nothing.

    Raises NotFound, Denied, Invalid or Conflict.
    """
    check_client_seed(client_seed)
    proposal = lock_proposal(player, proposal_id)
    if proposal.player_id != player.pk:
        raise Denied(_("Only who was asked can answer."))
    if proposal.status == ProposalStatus.ACCEPTED:
        return proposal
    check_proposal_open(proposal)
    if proposal.by is None or not proposal.by.is_active:
        raise Conflict(_("Whoever asked you is here no more."), code="lapsed")
    proposal.commitment = get_commitment(proposal)
    proposal.save(update_fields=["commitment"])
    record_proposal_answer(
        proposal, ProposalStatus.ACCEPTED, now
    )  # before its effects, which would let it lapse
    if proposal.kind == ProposalKind.PARTNER:
        tournament = get_tournament(proposal)
        entries.check_entry(tournament, [proposal.by, player], now)
        entries.enter_players(tournament, [proposal.by, player], now, [proposal.client_seed, client_seed])
    elif proposal.kind == ProposalKind.LEAGUE_PARTNER:
        assert proposal.league
        client_seeds = (proposal.client_seed or None, client_seed or None)
        leagues.join_as_pair(proposal.league, proposal.by, player, now, client_seeds)
    elif proposal.kind == ProposalKind.CO_ORGANISER:
        add_co_organiser(proposal, now)
    else:
        replace_entrant_player(proposal, now, client_seed)
    return proposal


def replace_entrant_player(proposal: Proposal, now: datetime, client_seed: str) -> None:
    """Put the new player into the entrant. Raises Denied, NotFound or Conflict."""
    tournament, entrant_player = get_tournament(proposal), proposal.member
    assert entrant_player is not None
    if not can_organise_tournament(proposal.by, tournament):
        raise build_asker_left_error()
    if entrant_player.player_id != proposal.predecessor_id:
        raise Conflict(_("Somebody else plays there by now."), code="lapsed")
    entrant_player = get_replaceable_entrant_player(
        tournament, entrant_player.entrant_id, entrant_player.number
    )
    refuse_own_pairing(has_interest_in_entrant(proposal.by, tournament, entrant_player.entrant))
    check_new_player(tournament, entrant_player, proposal.player)
    lift_removals(proposal, now)
    replace_player(
        tournament,
        entrant_player,
        proposal.player,
        by=proposal.by,
        now=now,
        reason=proposal.why,
        public_note=proposal.public_note,
        client_seed=client_seed,
    )


def lift_removals(proposal: Proposal, now: datetime) -> None:
    """Lift removals from before the proposal: an organiser asked the player back.

    The caller locks the tournament and league. Raises Conflict if the player was removed after the proposal.
    """
    tournament = get_tournament(proposal)
    subject_filter = Q(event=tournament)
    if tournament.division:
        subject_filter |= Q(league=tournament.division.season.league_id)
    active_removals = Removal.objects.filter(subject_filter, player=proposal.player, lifted_at=None)
    if active_removals.filter(at__gt=proposal.at).exists():
        raise Conflict(_("This proposal is no longer open."), code="lapsed")
    active_removals.update(lifted_at=now)


@transaction.atomic
def decline_proposal(*, player: Player, proposal_id: int, now: datetime) -> Proposal:
    """Decline a proposal and notify its author. Declining again changes nothing.

    Raises NotFound, Denied or Conflict.
    """
    proposal = lock_proposal(player, proposal_id)
    if proposal.player_id != player.pk:
        raise Denied(_("Only who was asked can answer."))
    if proposal.status == ProposalStatus.DECLINED:
        return proposal
    check_proposal_open(proposal)
    return record_proposal_answer(proposal, ProposalStatus.DECLINED, now)


@transaction.atomic
def withdraw_proposal(*, player: Player, proposal_id: int, now: datetime) -> Proposal:
    """Withdraw an open proposal; organisers may withdraw each other's. Withdrawing again changes nothing.

    Raises NotFound, Denied or Conflict.
    """
    proposal = lock_proposal(player, proposal_id)
    if not can_withdraw(player, proposal):
        raise Denied(_("Only who made a proposal can withdraw it."))
    if proposal.by_id != player.pk and proposal.event and proposal.member:
        refuse_own_pairing(has_interest_in_entrant(player, proposal.event, proposal.member.entrant))
    if proposal.status == ProposalStatus.WITHDRAWN:
        return proposal
    check_proposal_open(proposal)
    return record_proposal_answer(proposal, ProposalStatus.WITHDRAWN, now)


def check_proposal_open(proposal: Proposal) -> None:
    """Raise Conflict unless the proposal is open."""
    if proposal.status != ProposalStatus.OPEN:
        message = _("This proposal is no longer open.")
        raise Conflict(message, code="lapsed" if proposal.status == ProposalStatus.LAPSED else "answered")
