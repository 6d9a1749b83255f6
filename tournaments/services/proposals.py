"""What people do with a proposal: agree to it, decline it, withdraw it."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from games.models import Player
from games.services.errors import Conflict, Denied, NotFound
from games.services.lobby import check_client_seed
from tournaments.models import Event, League, Proposal, Removal
from tournaments.selectors.conflicts import meets_entrant
from tournaments.selectors.events import may_organise
from tournaments.selectors.proposals import commitment_of, is_involved, may_withdraw

from . import entries, leagues
from .co_organisers import add_co_organiser, asker_has_left
from .conflicts import refuse_own_table
from .lapsing import answer
from .replacements import check_newcomer, replaceable
from .substitutes import put_in_place

S, KIND = Proposal.Status, Proposal.Kind


def find_proposal(player: Player, pk: int) -> Proposal:
    """A proposal for whoever has to do with it, what it is about locked. Raises NotFound."""
    found = Proposal.objects.filter(pk=pk).select_related("event", "player", "by").first()
    if found is None or not is_involved(player, found):
        raise NotFound(_("There is no such proposal."))
    # The event or league is held before the proposal is read anew: whoever answers second sees the first.
    if found.event_id:
        Event.objects.select_for_update().get(pk=found.event_id)
    if found.league_id:
        League.objects.select_for_update().get(pk=found.league_id)
    found.refresh_from_db()
    return found


def event_of(proposal: Proposal) -> Event:
    """The event of a proposal that is about one."""
    assert proposal.event
    return proposal.event


@transaction.atomic
def accept(*, player: Player, proposal: int, now: datetime, client_seed: str = "") -> Proposal:
    """Agree, and bring a client seed; from here on it counts. Twice is the same as once.

    Raises NotFound, Denied, Invalid or Conflict.
    """
    check_client_seed(client_seed)
    found = find_proposal(player, proposal)
    if found.player_id != player.pk:
        raise Denied(_("Only who was asked can answer."))
    if found.status == S.ACCEPTED:
        return found
    check_open(found)
    if found.by is None or not found.by.is_active:
        raise Conflict(_("Whoever asked you is here no more."), code="lapsed")
    found.commitment = commitment_of(found)
    found.save(update_fields=["commitment"])
    answer(found, S.ACCEPTED, now)  # first, so that it does not lapse by what it brings about
    if found.kind == KIND.PARTNER:
        event = event_of(found)
        entries.check_entry(event, [found.by, player], now)
        entries.enter_together(event, [found.by, player], now, [found.client_seed, client_seed])
    elif found.kind == KIND.LEAGUE_PARTNER:
        assert found.league
        seeds = (found.client_seed or None, client_seed or None)
        leagues.join_together(found.league, found.by, player, now, seeds)
    elif found.kind == KIND.CO_ORGANISER:
        add_co_organiser(found, now)
    else:
        replace_member(found, now, client_seed)
    return found


def replace_member(found: Proposal, now: datetime, client_seed: str) -> None:
    """Put the newcomer into the seat. Raises Denied, NotFound or Conflict."""
    event, member = event_of(found), found.member
    assert member is not None
    if not may_organise(found.by, event):
        raise asker_has_left()
    if member.player_id != found.predecessor_id:
        raise Conflict(_("Somebody else plays there by now."), code="lapsed")
    member = replaceable(event, member.entrant_id, member.number)
    refuse_own_table(meets_entrant(found.by, event, member.entrant))
    check_newcomer(event, member, found.player)
    lift_removals(found, now)
    put_in_place(
        event,
        member,
        found.player,
        by=found.by,
        now=now,
        why=found.why,
        public_note=found.public_note,
        client_seed=client_seed,
    )


def lift_removals(found: Proposal, now: datetime) -> None:
    """Whom an organiser has asked after removing them may come back; the caller holds the event and league.

    Raises Conflict if they were removed after they were asked.
    """
    event = event_of(found)
    place = Q(event=event)
    if event.division:
        place |= Q(league=event.division.season.league_id)
    in_force = Removal.objects.filter(place, player=found.player, lifted_at=None)
    if in_force.filter(at__gt=found.at).exists():
        raise Conflict(_("This proposal is no longer open."), code="lapsed")
    in_force.update(lifted_at=now)


@transaction.atomic
def decline(*, player: Player, proposal: int, now: datetime) -> Proposal:
    """Say no; whoever asked is told. Twice is the same as once. Raises NotFound, Denied or Conflict."""
    found = find_proposal(player, proposal)
    if found.player_id != player.pk:
        raise Denied(_("Only who was asked can answer."))
    if found.status == S.DECLINED:
        return found
    check_open(found)
    return answer(found, S.DECLINED, now)


@transaction.atomic
def withdraw(*, player: Player, proposal: int, now: datetime) -> Proposal:
    """Take a proposal back before it is answered; organisers may for each other.

    Twice is the same as once. Raises NotFound, Denied or Conflict.
    """
    found = find_proposal(player, proposal)
    if not may_withdraw(player, found):
        raise Denied(_("Only who made a proposal can withdraw it."))
    if found.by_id != player.pk and found.event and found.member:
        refuse_own_table(meets_entrant(player, found.event, found.member.entrant))
    if found.status == S.WITHDRAWN:
        return found
    check_open(found)
    return answer(found, S.WITHDRAWN, now)


def check_open(found: Proposal) -> None:
    """Raise Conflict unless a proposal waits for its answer."""
    if found.status != S.OPEN:
        said = _("This proposal is no longer open.")
        raise Conflict(said, code="lapsed" if found.status == S.LAPSED else "answered")
