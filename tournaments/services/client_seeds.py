"""The players' own part of the randomness of an event: brought on entry, fixed when they are paired."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from games.models import Player
from games.services.errors import Conflict, Denied, NotFound
from games.services.lobby import check_client_seed
from tournaments.models import Event, League, Member, Membership

SEED_FIELDS = ("client_seed", "entry_number", "seed_fixed")


def next_entry_number(event: Event) -> int:
    """The number of the next player who enters; the caller holds the event."""
    return (event.members.aggregate(last=Max("entry_number"))["last"] or 0) + 1


@transaction.atomic
def set_client_seed(*, player: Player, code: str, client_seed: str, now: datetime) -> Member:
    """Bring another seed, or none with an empty text, before the start or before one is first paired.

    Raises NotFound, Denied, Invalid or Conflict.
    """
    check_client_seed(client_seed)
    event = Event.objects.select_for_update().filter(code=code).exclude(status=Event.Status.DRAFT).first()
    if event is None:
        raise NotFound(_("There is no such event."))
    member = event.members.filter(player=player).first()
    if member is None:
        raise Denied(_("You do not take part in this event."))
    if member.seed_fixed or event.status in (Event.Status.FINISHED, Event.Status.CANCELLED):
        raise Conflict(_("Your part of the shuffle cannot be changed any more."), code="seed-fixed")
    member.client_seed = client_seed
    member.save(update_fields=["client_seed"])
    return member


def number_entries(event: Event) -> None:
    """Give a number to members that a release before this one wrote; the caller holds the event."""
    missing = list(event.members.filter(entry_number=None).order_by("pk"))
    if missing:
        for number, member in enumerate(missing, next_entry_number(event)):
            member.entry_number = number
        Member.objects.bulk_update(missing, ["entry_number"])


def fix_client_seeds(event: Event, entrants: Iterable[int]) -> None:
    """From here on the seeds of these entrants' players stay; the caller holds the event."""
    number_entries(event)
    event.members.filter(entrant__in=list(entrants), seed_fixed=False).update(seed_fixed=True)


def hand_over_membership(event: Event, member: Member, player: Player, client_seed: str = "") -> None:
    """Somebody else plays as a member: as a new entry, with a seed of their own for games to come.

    Who brings none has the one that they brought into the league.
    """
    league_seed = Membership.objects.filter(league__played__divisions=event.division_id, player=player)
    known = league_seed.values_list("client_seed", flat=True).first() if event.division_id else None
    member.entry_number = next_entry_number(event)
    member.player, member.client_seed, member.seed_fixed = player, client_seed or known or "", False
    member.save(update_fields=["player", "client_seed", "entry_number", "seed_fixed"])


def seed_facts(member: Member) -> dict[str, Any]:
    """What a member brings to the shuffles, to be restored if a change of players is taken back."""
    return {name: getattr(member, name) for name in SEED_FIELDS}


def restore_seed(member: Member, facts: Mapping[str, Any]) -> None:
    """Give a member back what they had brought, and the number of their entry."""
    for name in SEED_FIELDS:
        setattr(member, name, facts[name])
    member.save(update_fields=SEED_FIELDS)


@transaction.atomic
def set_league_seed(*, player: Player, code: str, client_seed: str, now: datetime) -> Membership:
    """Bring another seed for the seasons to come. Raises NotFound, Denied, Invalid or Conflict."""
    check_client_seed(client_seed)
    league = League.objects.select_for_update().filter(code=code).first()
    if league is None:
        raise NotFound(_("There is no such league."))
    if league.status == League.Status.CLOSED:
        raise Conflict(_("The league is closed already."))
    membership = league.memberships.filter(player=player).exclude(status=Membership.Status.OUT).first()
    if membership is None:
        raise Denied(_("You are not in this league."))
    membership.client_seed = client_seed
    membership.save(update_fields=["client_seed"])
    return membership
