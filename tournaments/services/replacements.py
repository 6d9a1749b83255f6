"""Somebody else plays on for an entrant: proposed by an organiser, and done when the newcomer agrees."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from games.models import Player
from games.selectors.handovers import has_sat
from games.services import contacts, house
from games.services.contacts import Contact
from games.services.errors import Conflict, Invalid, NotFound
from tournaments.models import Decision, Entrant, Event, Member, Membership, Proposal, Replacement
from tournaments.selectors.conflicts import meets_entrant
from tournaments.selectors.removals import is_removed

from .client_seeds import restore_seed
from .conflicts import refuse_own_table
from .entries import admit
from .events import organised
from .lapsing import check_not_pestered
from .notices import count_table_change, tell, tell_of_table_change
from .of_league import hold_league
from .substitutes import membership, opponents_of, running_games, swap, tell_opponents
from .waiting import entry_on_list, put_back_on_list


@transaction.atomic
def propose_replacement(
    *,
    by: Player,
    code: str,
    entrant: int,
    player: Player | None,
    now: datetime,
    number: int = 1,
    why: str = "",
    public_note: str = "",
) -> Proposal:
    """Ask somebody to play on for an entrant; nothing changes until they agree.

    Without a `player` it is who has waited longest on the waiting list and may sit there. Whoever is asked
    reads the `public_note`, and so does everybody once they have agreed. `number` is 2 for the second of a
    pair. The same proposal made twice is one. Raises NotFound, Denied or
    Conflict.
    """
    event = organised(by=by, code=code)
    member = replaceable(event, entrant, number)
    refuse_own_table(meets_entrant(by, event, member.entrant))
    player = player or longest_waiting(event, member)
    check_newcomer(event, member, player)
    asked = Proposal.objects.filter(member=member, status=Proposal.Status.OPEN).first()
    if asked is not None:
        if asked.player_id == player.pk and asked.predecessor_id == member.player_id:
            return asked
        raise Conflict(_("Somebody has been asked already: withdraw that first."), code="already-asked")
    check_not_pestered(event.proposals.filter(by=by, kind=Proposal.Kind.REPLACEMENT), player)
    stands_by = membership(event, player) == Membership.Status.SUBSTITUTE
    if not stands_by and entry_on_list(event, player) is None:  # who stands by or waits has asked for it
        contacts.count_contacts(kind=Contact.REPLACEMENT, sender=by, recipients=[player], now=now)
    made = Proposal.objects.create(
        kind=Proposal.Kind.REPLACEMENT,
        event=event,
        by=by,
        player=player,
        member=member,
        predecessor_id=member.player_id,
        why=why[:500],
        public_note=public_note[:500],
        at=now,
    )
    tell(event, "event-replacement", f"proposal:{made.pk}", [player.pk], now, proposal=made.pk)
    return made


def replaceable(event: Event, entrant: int, number: int) -> Member:
    """Who can be replaced as things stand. Raises NotFound or Conflict."""
    found = event.entrants.filter(pk=entrant).first()
    if found is None:
        raise NotFound(_("There is no such entrant."))
    has_place = found.status == Entrant.Status.ENTERED and found.left is None
    if event.status not in (Event.Status.PUBLISHED, Event.Status.RUNNING) or not has_place:
        raise Conflict(_("Nobody can be replaced here now."))
    member = found.members.filter(number=number).select_related("entrant").first()
    if member is None:
        raise NotFound(_("There is no such entrant."))
    return member


def longest_waiting(event: Event, member: Member) -> Player:
    """Who has waited longest for a place of their own and may take that of a member.

    Of pairs that wait nobody is picked: whoever would leave a partner behind is named. Raises Invalid or
    Conflict.
    """
    if event.mode == Event.Mode.PAIRS:
        raise Invalid(_("Say who."))
    waiting = event.members.filter(
        entrant__status=Entrant.Status.WAITING, player__is_active=True, player__guest=False
    )
    declined = event.proposals.filter(member=member, status=Proposal.Status.DECLINED).values("player")
    games = running_games(event, member)
    for one in waiting.exclude(player__in=declined).order_by("entrant", "number").select_related("player"):
        if one.player and not any(has_sat(one.player, game) for game in games):
            return one.player
    raise Conflict(_("Nobody on the waiting list can play here."), code="nobody-waits")


def check_newcomer(event: Event, member: Member, player: Player) -> None:
    """Raise Denied or Conflict unless a player may take the place of a member."""
    if player.guest or not player.is_active:
        admit(event, player)
    hold_league(event)
    waits = entry_on_list(event, player) is not None
    if (has_place(event, player) and not waits) or has_partner(event, player):
        raise Conflict(_("They take part already."), code="already-joined")
    if any(has_sat(player, game) for game in running_games(event, member)):
        raise Conflict(_("They have sat at this table before, and seen a hand there."), code="already-joined")


def take_back(event: Event, decision: Decision, now: datetime) -> None:
    """The first player plays again, as long as the second has seen no hand; all of them hear of it.

    Raises Conflict.
    """
    member = Member.objects.filter(pk=decision.before["member"]).first()
    player = Player.objects.filter(pk=decision.before["player"]).first()
    tables = event.tables.filter(game__code__in=decision.after["seqs"])
    ended = tables.exclude(settled_at=None, game__status__in=house.PLAYING).exists()
    over = event.status not in (Event.Status.PUBLISHED, Event.Status.RUNNING)
    if member is None or player is None or ended or over or has_place(event, player):
        raise Conflict(_("This cannot be taken back any more."))
    if member.player_id != decision.after["player"] or is_removed(player, event):
        raise Conflict(_("This cannot be taken back any more."))
    newcomer = decision.after["player"]
    mailed = count_table_change(event, [player.pk, newcomer, *opponents_of(event, member)], now)
    seqs = swap(
        event,
        member,
        player,
        now,
        before=decision.before["was"],
        back=True,
        mailed=player.pk in mailed,
    )
    restore_seed(member, decision.before)
    put_back_on_list(event, decision.before)
    Replacement.objects.filter(decision=decision).delete()
    others = Replacement.objects.filter(entrant=member.entrant_id).exists()
    Entrant.objects.filter(pk=member.entrant_id).update(was_replaced=others)
    reason = f"put-back:{decision.pk}"
    again: dict[str, Any] = {"entrant": member.entrant_id, "games": list(seqs), "why": "put-back"}
    tell_of_table_change(event, "event-replaced", reason, [player.pk], now, mailed=mailed, **again)
    tell_of_table_change(event, "event-out", reason, [newcomer], now, mailed=mailed, why="put-back")
    tell_opponents(event, member, newcomer, reason, now, mailed)


def has_place(event: Event, player: Player) -> bool:
    """Whether somebody takes part, or has a place in the same season of a league."""
    if event.division and event.division.season.places.filter(Q(player=player) | Q(partner=player)).exists():
        return True
    return event.members.filter(player=player).exists()


def has_partner(event: Event, player: Player) -> bool:
    """Whether somebody has a partner for the next season of a league."""
    if event.division is None:
        return False
    return event.division.season.league.memberships.filter(player=player, partner__isnull=False).exists()
