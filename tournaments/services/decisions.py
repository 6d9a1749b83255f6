"""What an organiser decides in the middle of an event: each thing logged, and taken back where it can be."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from games.models import Player
from games.services import contacts, house
from games.services.contacts import Contact
from games.services.errors import Conflict, Invalid, NotFound
from tournaments.models import Decision, Entrant, Event, Membership
from tournaments.pairing import Finished, Waiting
from tournaments.pairing import Round as Paired
from tournaments.selectors.course import Course, seats_of
from tournaments.selectors.lineup import line_up

from .entries import admit, drop
from .events import look_again, organised
from .notices import members, tell
from .of_league import hold_league, in_season
from .record import logged
from .substitutes import membership, swap


def running(event: Event) -> None:
    """Raise Conflict unless it is running."""
    if event.status != Event.Status.RUNNING:
        raise Conflict(_("The event is not running."))


def preview(*, by: Player, code: str, now: datetime) -> Paired | Waiting | Finished:
    """What the next round would be, before the start the first; nothing is stored.

    Raises NotFound, Denied or Conflict.
    """
    event = organised(by=by, code=code, lock=False)
    if event.status != Event.Status.PUBLISHED:
        running(event)
        return Course(event).next()
    found = line_up(event)
    if len(found.playing) < 2:
        raise Conflict(_("It takes two to play."))
    return found.course().next()


@transaction.atomic
def proceed(*, by: Player, code: str, now: datetime) -> Decision:
    """The round comes as it is, in spite of its warnings. Raises NotFound, Denied or Conflict."""
    event = organised(by=by, code=code)
    running(event)
    if not event.held:
        raise Conflict(_("The event does not wait for you."))
    before = {"held": event.held, "warnings": event.warnings}
    look_again(event, now)
    Event.objects.filter(pk=event.pk).update(accepted=event.published.count() + 1)
    return logged(event, by, "proceed", now, before=before)


@transaction.atomic
def extend(*, by: Player, code: str, number: int, until: datetime, now: datetime, why: str = "") -> Decision:
    """A round ends later, or at all. Raises NotFound, Denied, Invalid or Conflict."""
    event = organised(by=by, code=code)
    running(event)
    found = event.published.filter(number=number).first()
    if found is None or not found.tables.filter(settled_at=None).exists():
        raise Conflict(_("Nobody plays in this round."))
    if until <= now:
        raise Invalid(_("This time has passed already."))
    before = {"round": found.pk, "ends_at": found.ends_at.isoformat() if found.ends_at else None}
    found.ends_at = until
    found.save(update_fields=["ends_at"])
    return logged(event, by, "extend", now, why=why, before=before, after={"ends_at": until.isoformat()})


# ------------------------------------------------------------------------------------------------- results


@transaction.atomic
def correct(
    *,
    by: Player,
    code: str,
    table: int,
    ranks: Sequence[int],
    now: datetime,
    points: Sequence[int] | None = None,
    eights: Sequence[int] | None = None,
    forfeits: Sequence[int] = (),
    why: str = "",
) -> Decision:
    """Write another result of a table, by the order of its seats; all that follows is worked out anew.

    Raises NotFound, Denied, Invalid or Conflict.
    """
    event = organised(by=by, code=code)
    if event.status not in (Event.Status.RUNNING, Event.Status.FINISHED):
        raise Conflict(_("The event is not running."))
    in_season(event)
    found = event.tables.filter(pk=table, void=False).select_related("game").first()
    if found is None:
        raise NotFound(_("There is no such table."))
    seats = seats_of(found)
    check_result(seats, ranks, points, eights, forfeits)
    old = found.result or {}
    zeros = [0] * len(seats)
    result = {
        "ranks": list(ranks),
        "points": list(points if points is not None else old.get("points", zeros)),
        "eights": list(eights if eights is not None else old.get("eights", zeros)),
        "forfeits": list(forfeits),
        "timeouts": [one for one in old.get("timeouts", ()) if one in forfeits],
        "by": "organiser",
    }
    at_table = Player.objects.filter(pk__in=[one for one in members(event, seats) if one])
    contacts.count_contacts(kind=Contact.CORRECTION, sender=by, recipients=at_table, now=now)
    before = {"table": found.pk, "result": found.result, "status": event.status}
    before["rated"] = bool(found.game and found.game.rated)
    if found.settled_at is None and found.game:
        house.release(code=found.game.code, now=now)
    found.result, found.settled_at = result, found.settled_at or now
    found.save(update_fields=["result", "settled_at"])
    again(event, now)
    tell(event, "event-result", f"corrected:{found.pk}:{event.decisions.count()}", members(event, seats), now,
         found.game, match=found.match, **result)  # fmt: skip
    return logged(event, by, "correct", now, why=why, before=before, after={"result": result})


def check_result(
    seats: Sequence[int],
    ranks: Sequence[int],
    points: Sequence[int] | None,
    eights: Sequence[int] | None,
    forfeits: Sequence[int],
) -> None:
    """Raise Invalid unless it is a result of that table."""
    for values in (ranks, points, eights):
        if values is not None and len(values) != len(seats):
            raise Invalid(_("A result has one value for each seat."))
    if len(seats) < 2 or not all(1 <= rank <= len(seats) for rank in ranks) or 1 not in ranks:
        raise Invalid(_("Ranks go from 1, and somebody is first."))
    if any(value < 0 for values in (points or (), eights or ()) for value in values):
        raise Invalid(_("Points are not negative."))
    if not set(forfeits) <= set(seats):
        raise Invalid(_("Only who sits there can forfeit."))


def again(event: Event, now: datetime) -> None:
    """What was decided by results is open again; the sweep comes to its own conclusion."""
    if event.status == Event.Status.FINISHED:
        event.status, event.finished_at = Event.Status.RUNNING, None
        event.save(update_fields=["status", "finished_at"])
    look_again(event, now)


# ------------------------------------------------------------------------------------------------- entrants


def entrant_of(event: Event, entrant: int) -> Entrant:
    """An entrant by its number. Raises NotFound."""
    found = event.entrants.filter(pk=entrant).first()
    if found is None:
        raise NotFound(_("There is no such entrant."))
    return found


@transaction.atomic
def disqualify(*, by: Player, code: str, entrant: int, now: datetime, why: str = "") -> Decision:
    """An entrant is out; the sweep resigns their games that run. Raises NotFound, Denied or Conflict."""
    event = organised(by=by, code=code)
    running(event)
    found = entrant_of(event, entrant)
    if found.left is not None or found.status != Entrant.Status.ENTERED:
        raise Conflict(_("They have left this event already."))
    playing = event.tables.filter(settled_at=None, sittings__entrant=found).count()
    drop(event, [found], Entrant.Status.DISQUALIFIED, now)
    tell(event, "event-out", f"out:{found.pk}", members(event, [found.pk]), now, why="disqualified", text=why)
    return logged(
        event, by, "disqualify", now, why=why, before={"entrant": found.pk}, after={"playing": playing}
    )


@transaction.atomic
def replace(
    *,
    by: Player,
    code: str,
    entrant: int,
    player: Player,
    now: datetime,
    number: int = 1,
    why: str = "",
) -> Decision:
    """Somebody else plays on for an entrant, in running games too, with the hand that is there.

    `number` is 2 for the second of a pair. Raises NotFound, Denied or Conflict.
    """
    event = organised(by=by, code=code)
    found = entrant_of(event, entrant)
    if event.status not in (Event.Status.PUBLISHED, Event.Status.RUNNING) or found.left is not None:
        raise Conflict(_("Nobody can be replaced here now."))
    member = found.members.filter(number=number).first()
    if member is None:
        raise NotFound(_("There is no such entrant."))
    if player.guest or not player.is_active:
        admit(event, player)
    hold_league(event)
    if has_place(event, player) or has_partner(event, player):
        raise Conflict(_("They take part already."), code="already-joined")
    standing = membership(event, player)
    if standing != Membership.Status.SUBSTITUTE:  # who stands by has asked for it
        contacts.count_contacts(kind=Contact.REPLACEMENT, sender=by, recipients=[player], now=now)
    before = {"member": member.pk, "player": member.player_id, "was": standing}
    who_was = member.player_id
    seqs = swap(event, member, player, now)
    number = event.decisions.count()
    tell(event, "event-replaced", f"replaced:{number}", [player.pk], now, entrant=found.pk, games=list(seqs))
    tell(event, "event-out", f"replaced-by:{number}", [who_was], now, why="replaced", text=why)
    return logged(
        event, by, "replace", now, why=why, before=before, after={"player": player.pk, "seqs": seqs}
    )


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
