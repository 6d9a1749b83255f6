"""Co-organisers of tournaments and leagues: proposed by an organiser, effective once they accept."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.services import contact_limits
from common.refusals import check_allowed
from common.service_errors import Conflict
from tournaments import permissions
from tournaments.contact_kinds import TournamentContactKind
from tournaments.leagues.permissions import find_closed_refusal
from tournaments.leagues.services.leagues import lock_league
from tournaments.models import Decision, League, Proposal, Tournament
from tournaments.notice_kinds import TournamentNoticeKind
from tournaments.refusals import Refusal
from tournaments.selectors.tournaments import can_organise_league, can_organise_tournament

from .proposal_outcomes import check_not_asked_too_often, notify_proposed_player
from .tournaments import get_organised_tournament

ProposalStatus, ProposalKind = Proposal.Status, Proposal.Kind


@transaction.atomic
def ask_tournament_co_organiser(*, by: Player, code: str, player: Player, now: datetime) -> Proposal:
    """Propose to a player that they co-organise a tournament; they get rights only when they accept.

    An identical open proposal is returned instead. Raises NotFound, Denied, Conflict or LimitReached.
    """
    tournament = get_organised_tournament(by=by, code=code)
    check_allowed(permissions.find_co_organiser_refusal(tournament))
    return propose_co_organiser(tournament, by, player, now)


@transaction.atomic
def ask_league_co_organiser(*, by: Player, code: str, player: Player, now: datetime) -> Proposal:
    """Propose to a player that they co-organise a league and the tournaments of its divisions.

    An identical open proposal is returned instead. Raises NotFound, Denied, Conflict or LimitReached.
    """
    league = lock_league(code, by)
    check_allowed(find_closed_refusal(league))
    return propose_co_organiser(league, by, player, now)


def propose_co_organiser(subject: Tournament | League, by: Player, player: Player, now: datetime) -> Proposal:
    """Return the open proposal to a player, or make one, which counts as a contact by mail.

    Raises Denied, Conflict or LimitReached.
    """
    if subject.organiser_id == player.pk or subject.co_organisers.filter(pk=player.pk).exists():
        raise Refusal.ALREADY_ORGANISES.build_error()
    proposals = subject.proposals.filter(kind=ProposalKind.CO_ORGANISER)
    if open_proposal := proposals.filter(player=player, status=ProposalStatus.OPEN).first():
        return open_proposal
    check_allowed(permissions.find_organising_refusal(player))
    check_not_asked_too_often(proposals.filter(proposer=by), player)
    contact_limits.count_contacts(
        kind=TournamentContactKind.CO_ORGANISER, sender=by, recipients=[player], now=now
    )
    proposal = subject.proposals.create(
        kind=ProposalKind.CO_ORGANISER, proposer=by, player=player, created_at=now
    )
    kind = (
        TournamentNoticeKind.LEAGUE_CO_ORGANISER_REQUEST
        if isinstance(subject, League)
        else TournamentNoticeKind.CO_ORGANISER_REQUEST
    )
    notify_proposed_player(subject, proposal, kind, now)
    return proposal


def withdraw_co_organiser_proposals(subject: Tournament | League, player: Player, now: datetime) -> None:
    """Withdraw the open co-organiser proposals made to a player."""
    open_proposals = subject.proposals.filter(
        kind=ProposalKind.CO_ORGANISER, player=player, status=ProposalStatus.OPEN
    )
    open_proposals.update(status=ProposalStatus.WITHDRAWN, answered_at=now)


def add_co_organiser(proposal: Proposal, now: datetime) -> None:
    """Make the player who accepted a co-organiser. Raises Conflict.

    The caller locks the tournament or league.
    """
    asker, player = proposal.proposer, proposal.player
    if proposal.league:
        check_allowed(find_closed_refusal(proposal.league))
        if not can_organise_league(asker, proposal.league):
            raise build_asker_left_error()
        proposal.league.co_organisers.add(player)
        return
    tournament = proposal.tournament
    assert tournament
    if permissions.find_co_organiser_refusal(tournament):
        raise Refusal.PROPOSAL_LAPSED.build_error()
    if not can_organise_tournament(asker, tournament):
        raise build_asker_left_error()
    tournament.co_organisers.add(player)
    Decision.objects.create(
        tournament=tournament,
        created_by=asker,
        created_at=now,
        action=Decision.Action.CO_ORGANISER,
        after={"player": player.pk},
    )


def build_asker_left_error() -> Conflict:
    """Build the error for a proposal whose author is no longer an organiser."""
    return Conflict(_("The player who asked you is no longer an organiser."), code="lapsed")


@transaction.atomic
def remove_tournament_co_organiser(*, by: Player, code: str, player: Player, now: datetime) -> Tournament:
    """Remove a co-organiser of a tournament, or withdraw the proposal; players may remove themselves.

    Raises NotFound or Denied.
    """
    tournament = get_organised_tournament(by=by, code=code)
    withdraw_co_organiser_proposals(tournament, player, now)
    if tournament.co_organisers.filter(pk=player.pk).exists():
        tournament.co_organisers.remove(player)
        Decision.objects.create(
            tournament=tournament,
            created_by=by,
            created_at=now,
            action=Decision.Action.CO_ORGANISER,
            before={"player": player.pk},
        )
    return tournament


@transaction.atomic
def remove_league_co_organiser(*, by: Player, code: str, player: Player, now: datetime) -> League:
    """Remove a co-organiser of a league, or withdraw the proposal. Raises NotFound or Denied."""
    league = lock_league(code, by)
    withdraw_co_organiser_proposals(league, player, now)
    league.co_organisers.remove(player)
    return league
