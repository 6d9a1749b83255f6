"""Proposals as those see them who made them, have to answer them, or organise what they are about."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

from games.models import Player
from tournaments.models import Event, League, Proposal

from .events import may_organise, may_run
from .seeds import next_commitment

WITH_NAMES = ("event", "league", "by", "player", "predecessor", "member")
S, KIND = Proposal.Status, Proposal.Kind
OF_ORGANISERS = (KIND.REPLACEMENT, KIND.CO_ORGANISER)


class NoSuchProposal(LookupError):
    """There is no such proposal for this viewer."""


def proposals_of(player: Player) -> QuerySet[Proposal]:
    """What somebody was asked, or has asked others, newest first."""
    mine = Proposal.objects.filter(Q(player=player) | Q(by=player))
    return mine.select_related(*WITH_NAMES).order_by("-pk")


def open_proposals(player: Player | None, about: Event | League) -> list[Proposal]:
    """What waits for an answer in an event or a league and concerns somebody."""
    if player is None or player.guest:
        return []
    field = "event" if isinstance(about, Event) else "league"
    return list(proposals_of(player).filter(status=S.OPEN, **{field: about}).order_by("pk"))


def replacements_asked_for(event: Event) -> list[Proposal]:
    """The replacements in an event that wait for an answer."""
    found = event.proposals.filter(status=S.OPEN, kind=KIND.REPLACEMENT)
    return list(found.select_related(*WITH_NAMES).order_by("pk"))


def co_organisers_asked(about: Event | League) -> list[Proposal]:
    """Who is asked to organise an event or a league, too, and has not answered."""
    found = about.proposals.filter(status=S.OPEN, kind=KIND.CO_ORGANISER)
    return list(found.select_related(*WITH_NAMES).order_by("pk"))


def proposal_for(viewer: Player | None, pk: int) -> Proposal:
    """A proposal that concerns a viewer. Raises NoSuchProposal."""
    found = Proposal.objects.filter(pk=pk).select_related(*WITH_NAMES).first()
    if viewer is None or found is None or not is_involved(viewer, found):
        raise NoSuchProposal(pk)
    return found


def is_asked_to_organise(player: Player, pk: int) -> bool:
    """Whether a proposal asks somebody to organise something."""
    return player.proposals.filter(pk=pk, kind=KIND.CO_ORGANISER).exists()


def is_involved(player: Player, proposal: Proposal) -> bool:
    """Whether somebody made a proposal, has to answer it, or organises what it is about."""
    return player.pk in (proposal.player_id, proposal.by_id) or may_withdraw(player, proposal)


def may_withdraw(player: Player, proposal: Proposal) -> bool:
    """Who made it, and of what only organisers propose all who organise the event or league."""
    if proposal.by_id == player.pk:
        return True
    return proposal.kind in OF_ORGANISERS and organises(player, proposal)


def organises(player: Player, proposal: Proposal) -> bool:
    """Whether somebody organises what a proposal is about."""
    if proposal.event:
        return may_organise(player, proposal.event)
    return proposal.league is not None and may_run(player, proposal.league)


def may_read_reason(player: Player, proposal: Proposal) -> bool:
    """Whoever wrote why, and those who organise with them; not whoever is asked."""
    return proposal.by_id == player.pk or organises(player, proposal)


def commitment_of(proposal: Proposal) -> str:
    """What the site has sealed before whoever is asked to play brings a seed; as it was, once they have."""
    if proposal.kind == KIND.CO_ORGANISER or proposal.status not in (S.OPEN, S.ACCEPTED):
        return ""
    return proposal.commitment or next_commitment(proposal.event or proposal.league)


def deeds_of(proposal: Proposal, viewer: Player) -> list[str]:
    """What is open to a viewer, by the names of the API."""
    if proposal.status != S.OPEN:
        return []
    answers = ["accept", "decline"] if proposal.player_id == viewer.pk else []
    return [*answers, *(["withdraw"] if may_withdraw(viewer, proposal) else [])]


def told(proposal: Proposal, viewer: Player) -> dict[str, Any]:
    """A proposal as plain facts."""
    return {
        "id": proposal.pk,
        "kind": proposal.kind,
        "status": proposal.status,
        "tournament": proposal.event.code if proposal.event else None,
        "league": proposal.league.code if proposal.league else None,
        "by": proposal.by.name if proposal.by else None,
        "player": proposal.player.name,
        "replaces": proposal.predecessor.name if proposal.predecessor else None,
        "why": proposal.why if may_read_reason(viewer, proposal) else None,
        "public_note": proposal.public_note,
        "commitment": commitment_of(proposal) or None,
        "at": proposal.at,
        "answered_at": proposal.answered_at,
        "may": deeds_of(proposal, viewer),
    }
