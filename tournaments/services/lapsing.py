"""What became of a proposal is written down and told; some lapse because things have changed."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from games.models import Player
from games.services.errors import Conflict
from tournaments.models import Event, Proposal

from .notices import tell, tell_league

S, KIND = Proposal.Status, Proposal.Kind
MAX_PROPOSALS_TO_ONE_PLAYER = 5  # by one player, in one event or league


def check_not_pestered(asked_before: QuerySet[Proposal], player: Player) -> None:
    """Raise Conflict if somebody has been asked the same by the same too often: each time is a mail."""
    if asked_before.filter(player=player).count() >= MAX_PROPOSALS_TO_ONE_PLAYER:
        raise Conflict(_("You have asked them often enough."), code="asked-too-often")


def answer(found: Proposal, status: str, now: datetime) -> Proposal:
    """Write down what became of a proposal, and tell those for whom it is news."""
    found.status, found.answered_at = status, now
    found.save(update_fields=["status", "answered_at"])
    people = {
        S.ACCEPTED: [found.by_id],
        S.DECLINED: [found.by_id],
        # Whoever is asked to organise something gets no other mail of it before they agree.
        S.LAPSED: [found.by_id, found.player_id if found.kind != KIND.CO_ORGANISER else None],
    }.get(S(status), [])
    reason = f"answered:{found.pk}"
    facts: dict[str, Any] = {"proposal": found.pk, "answer": str(status)}
    if found.league:
        tell_league(found.league, "league-answered", reason, people, now, **facts)
    elif found.event:
        tell(found.event, "event-answered", reason, people, now, **facts)
    return found


def lapse(found: QuerySet[Proposal], now: datetime) -> None:
    """These can be agreed to no more; whoever asked and whoever was asked are told."""
    for one in found.filter(status=S.OPEN).select_related("event", "league").order_by("pk"):
        answer(one, S.LAPSED, now)


def lapse_of_event(event: Event, now: datetime) -> None:
    """A round has come, or the event is over: what was proposed before has lost its sense."""
    kinds = Q(kind=KIND.REPLACEMENT)
    if not (event.status == Event.Status.PUBLISHED or (event.late and event.status == Event.Status.RUNNING)):
        kinds |= Q(kind=KIND.PARTNER)
    if event.status == Event.Status.CANCELLED:
        kinds |= Q(kind=KIND.CO_ORGANISER)
    lapse(Proposal.objects.filter(kinds, event=event), now)


def lapse_of_entrants(entrants: list[int], now: datetime) -> None:
    """Somebody else plays for these, or nobody does: nobody is asked to any more."""
    lapse(Proposal.objects.filter(member__entrant__in=entrants), now)
