"""Co-organisers of tournaments and leagues: proposed by an organiser, effective once they accept."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.models import Player
from games.services import contact_limits
from games.services.contact_limits import ContactKind
from games.services.errors import Conflict, Denied
from tournaments.models import Decision, League, Proposal, Tournament
from tournaments.selectors.tournaments import can_organise_league, can_organise_tournament

from .leagues import check_not_closed, lock_league
from .notices import notify_league_players, notify_players
from .proposal_outcomes import check_not_asked_too_often
from .tournaments import get_organised_tournament

ProposalStatus, ProposalKind = Proposal.Status, Proposal.Kind


@transaction.atomic
def ask_tournament_co_organiser(*, by: Player, code: str, player: Player, now: datetime) -> Proposal:
    """Propose to a player that they co-organise a tournament; they get rights only when they accept.

    An identical open proposal is returned instead. Raises NotFound, Denied, Conflict or LimitReached.
    """
    tournament = get_organised_tournament(by=by, code=code)
    if tournament.status == Tournament.Status.CANCELLED:
        raise Conflict(_("The event is over."))
    if tournament.organiser_id == player.pk or tournament.helpers.filter(pk=player.pk).exists():
        raise Conflict(_("They organise it already."), code="already-joined")
    proposals = Proposal.objects.filter(event=tournament, kind=ProposalKind.CO_ORGANISER)
    if open_proposal := proposals.filter(player=player, status=ProposalStatus.OPEN).first():
        return open_proposal
    check_can_ask(proposals, by, player, now)
    proposal = proposals.create(
        kind=ProposalKind.CO_ORGANISER, event=tournament, by=by, player=player, at=now
    )
    notify_players(
        tournament, "event-co-organiser", f"proposal:{proposal.pk}", [player.pk], now, proposal=proposal.pk
    )
    return proposal


@transaction.atomic
def ask_league_co_organiser(*, by: Player, code: str, player: Player, now: datetime) -> Proposal:
    """Propose to a player that they co-organise a league and the tournaments of its divisions.

    An identical open proposal is returned instead. Raises NotFound, Denied, Conflict or LimitReached.
    """
    league = lock_league(code, by)
    check_not_closed(league)
    if league.organiser_id == player.pk or league.helpers.filter(pk=player.pk).exists():
        raise Conflict(_("They organise it already."), code="already-joined")
    proposals = Proposal.objects.filter(league=league, kind=ProposalKind.CO_ORGANISER)
    if open_proposal := proposals.filter(player=player, status=ProposalStatus.OPEN).first():
        return open_proposal
    check_can_ask(proposals, by, player, now)
    proposal = proposals.create(kind=ProposalKind.CO_ORGANISER, league=league, by=by, player=player, at=now)
    notify_league_players(
        league, "league-co-organiser", f"proposal:{proposal.pk}", [player.pk], now, proposal=proposal.pk
    )
    return proposal


def check_can_ask(proposals: QuerySet[Proposal], by: Player, player: Player, now: datetime) -> None:
    """Count the contact, since a proposal sends a mail. Raises Denied, Conflict or LimitReached."""
    if player.guest or not player.is_active:
        raise Denied(_("Sign up to organise something."))
    check_not_asked_too_often(proposals.filter(by=by), player)
    contact_limits.count_contacts(kind=ContactKind.CO_ORGANISER, sender=by, recipients=[player], now=now)


def withdraw_co_organiser_proposals(proposals: QuerySet[Proposal], player: Player, now: datetime) -> None:
    """Withdraw the open co-organiser proposals made to a player."""
    open_proposals = proposals.filter(
        kind=ProposalKind.CO_ORGANISER, player=player, status=ProposalStatus.OPEN
    )
    open_proposals.update(status=ProposalStatus.WITHDRAWN, answered_at=now)


def add_co_organiser(proposal: Proposal, now: datetime) -> None:
    """Make the player who accepted a co-organiser. Raises Conflict.

    The caller locks the tournament or league.
    """
    asker, player = proposal.by, proposal.player
    if proposal.league:
        check_not_closed(proposal.league)
        if not can_organise_league(asker, proposal.league):
            raise build_asker_left_error()
        proposal.league.helpers.add(player)
        return
    tournament = proposal.event
    assert tournament
    if tournament.status == Tournament.Status.CANCELLED:
        raise Conflict(_("The event is over."), code="lapsed")
    if not can_organise_tournament(asker, tournament):
        raise build_asker_left_error()
    tournament.helpers.add(player)
    Decision.objects.create(event=tournament, by=asker, at=now, what="helper", after={"player": player.pk})


def build_asker_left_error() -> Conflict:
    """Build the error for a proposal whose author is no longer an organiser."""
    return Conflict(_("Whoever asked you does not organise it any more."), code="lapsed")


@transaction.atomic
def remove_tournament_co_organiser(*, by: Player, code: str, player: Player, now: datetime) -> Tournament:
    """Remove a co-organiser of a tournament, or withdraw the proposal; players may remove themselves.

    Raises NotFound or Denied.
    """
    tournament = get_organised_tournament(by=by, code=code)
    withdraw_co_organiser_proposals(Proposal.objects.filter(event=tournament), player, now)
    if tournament.helpers.filter(pk=player.pk).exists():
        tournament.helpers.remove(player)
        Decision.objects.create(event=tournament, by=by, at=now, what="helper", before={"player": player.pk})
    return tournament


@transaction.atomic
def remove_league_co_organiser(*, by: Player, code: str, player: Player, now: datetime) -> League:
    """Remove a co-organiser of a league, or withdraw the proposal. Raises NotFound or Denied."""
    league = lock_league(code, by)
    withdraw_co_organiser_proposals(Proposal.objects.filter(league=league), player, now)
    league.helpers.remove(player)
    return league
