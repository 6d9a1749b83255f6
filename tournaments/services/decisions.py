"""What an organiser decides in the middle of an event: each thing logged, and taken back where it can be."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Player
from games.services import contacts, house
from games.services.contacts import Contact
from games.services.errors import Conflict, Invalid, NotFound
from tournaments.models import Decision, Entrant, Event
from tournaments.models.limits import MAX_REASON_LENGTH
from tournaments.pairing import Finished, Waiting
from tournaments.pairing import Round as Paired
from tournaments.selectors import conflicts
from tournaments.selectors.changed_places import find_changed_places, goes_on, was_over
from tournaments.selectors.course import Course, seats_of
from tournaments.selectors.lineup import line_up
from tournaments.selectors.undecided import UNDECIDED

from .conflicts import refuse_own_table
from .entries import drop
from .events import look_again, organised
from .notices import members, tell, tell_of_round_end, tell_of_table_change
from .of_league import in_season
from .record import log_preview, logged
from .round_ends import players_at, update_round_ends

PLACES_CHANGE = "places-change"  # why a correction waits for a confirmation


def running(event: Event) -> None:
    """Raise Conflict unless it is running."""
    if event.status != Event.Status.RUNNING:
        raise Conflict(_("The event is not running."))


def preview(*, by: Player, code: str, now: datetime) -> Paired | Waiting | Finished:
    """What the next round would be, before the start the first: then it is logged who looked.

    Raises NotFound, Denied or Conflict.
    """
    event = organised(by=by, code=code, lock=False)
    if event.status != Event.Status.PUBLISHED:
        running(event)
        return Course(event).next()
    found = line_up(event)
    if len(found.playing) < 2:
        raise Conflict(_("It takes two to play."))
    log_preview(event, by, now)
    return found.course().next()


@transaction.atomic
def proceed(*, by: Player, code: str, now: datetime) -> Decision:
    """The round comes as it is, in spite of its warnings. Raises NotFound, Denied or Conflict."""
    event = organised(by=by, code=code)
    running(event)
    if not event.held:
        raise Conflict(_("The event does not wait for you."))
    if event.held == UNDECIDED:
        raise Conflict(_("A table waits for its result: write that first."), code=UNDECIDED)
    refuse_own_table(conflicts.sits_at(by, event, [table.pk for table in Course(event).stale()]))
    before = {"held": event.held, "warnings": event.warnings}
    look_again(event, now)
    Event.objects.filter(pk=event.pk).update(accepted=event.published.count() + 1)
    return logged(event, by, "proceed", now, before=before)


@transaction.atomic
def extend(
    *,
    by: Player,
    code: str,
    number: int,
    until: datetime,
    now: datetime,
    why: str = "",
    public_note: str = "",
) -> Decision:
    """A round ends later, or at all: then those who play in it are told.

    An end is never moved forward, as nobody would expect it. Raises NotFound, Denied, Invalid or Conflict.
    """
    event = organised(by=by, code=code)
    running(event)
    refuse_own_table(conflicts.plays_in_round(by, event, number))
    found = event.published.filter(number=number).first()
    if found is None or not found.tables.filter(settled_at=None).exists():
        raise Conflict(_("Nobody plays in this round."))
    if until <= now:
        raise Invalid(_("This time has passed already."), field="until")
    if found.ends_at and until < found.ends_at:
        raise Invalid(
            _("The round ends later than that already, and players count on it: an end can only be put off."),
            code="earlier-end",
            field="until",
        )
    if found.ends_at is None:
        playing = players_at(event, found.tables.filter(settled_at=None, void=False, game__isnull=False))
        tell_of_round_end(event, found, playing, now, first=True, text=public_note[:MAX_REASON_LENGTH])
    before = {"round": found.pk, "ends_at": found.ends_at.isoformat() if found.ends_at else None}
    found.ends_at = until
    found.save(update_fields=["ends_at"])
    update_round_ends(event, now)
    after = {"ends_at": until.isoformat()}
    return logged(event, by, "extend", now, why=why, public_note=public_note, before=before, after=after)


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
    public_note: str = "",
    confirmed: bool = False,
) -> Decision:
    """Write another result of a table, by the order of its seats; all that follows is worked out anew.

    `confirmed`: the places of an event that was over may change by it. Raises NotFound, Denied, Invalid or
    Conflict.
    """
    event = organised(by=by, code=code)
    if event.status not in (Event.Status.RUNNING, Event.Status.FINISHED):
        raise Conflict(_("The event is not running."))
    in_season(event)
    found = event.tables.filter(pk=table, void=False).select_related("game").first()
    if found is None:
        raise NotFound(_("There is no such table."))
    refuse_own_table(conflicts.sits_at(by, event, [found.pk]))
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
    before["seq"] = found.game.seq if found.game else None
    before["undecided"] = found.result is None and found.settled_at is not None
    if found.settled_at is None and found.game:
        house.release(code=found.game.code, now=now)
    found.result, found.settled_at = result, found.settled_at or now
    found.save(update_fields=["result", "settled_at"])
    again(event, now)
    refuse_own_stale_tables(by, event)
    check_confirmed(event, confirmed=confirmed)
    clear_places_if_reopened(event)
    tell(event, "event-result", f"corrected:{found.pk}:{event.decisions.count()}", members(event, seats), now,
         found.game, match=found.match, text=public_note[:MAX_REASON_LENGTH], **result)  # fmt: skip
    after = {"result": result}
    return logged(event, by, "correct", now, why=why, public_note=public_note, before=before, after=after)


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
    """What was decided by results is open again; the sweep comes to its own conclusion.

    Raises Conflict if games would follow after the event's seed is public: all could know their tiles.
    """
    if event.seed and not Course(event).is_over():
        raise Conflict(
            _("The event is over and its seed is public: nothing more can be played in it."),
            code="seed-public",
        )
    if event.status == Event.Status.FINISHED:
        event.status, event.finished_at = Event.Status.RUNNING, None
        event.save(update_fields=["status", "finished_at"])
    look_again(event, now)


def refuse_own_stale_tables(by: Player, event: Event) -> None:
    """Raise Denied if a correction makes a table void at which whoever makes it sits themselves."""
    refuse_own_table(conflicts.sits_at(by, event, [table.pk for table in Course(event).stale()]))


def check_confirmed(event: Event, *, confirmed: bool) -> None:
    """Raise Conflict if places that were told at the end change, or the event goes on, and nobody has agreed.

    The refusal says which places, for a page or a program to ask with.
    """
    course = Course(event)
    if confirmed or not was_over(course):
        return
    reopens = goes_on(course)
    changes = [] if reopens else find_changed_places(course)
    if not reopens and not changes:
        return
    said = (
        _("The tournament is over, and this would reopen it: another match would have to be played.")
        if reopens
        else _("The tournament is over, and this would change its final places.")
    )
    places = [one.as_dict() for one in changes]
    raise Conflict(said, code=PLACES_CHANGE, places=places, reopens=reopens)


def clear_places_if_reopened(event: Event) -> None:
    """Take the final places back where an event that was over goes on: nobody has one while it is played."""
    course = Course(event)
    if was_over(course) and goes_on(course):
        event.entrants.update(rank=None)


# ------------------------------------------------------------------------------------------------- entrants


def entrant_of(event: Event, entrant: int) -> Entrant:
    """An entrant by its number. Raises NotFound."""
    found = event.entrants.filter(pk=entrant).first()
    if found is None:
        raise NotFound(_("There is no such entrant."))
    return found


@transaction.atomic
def disqualify(
    *, by: Player, code: str, entrant: int, now: datetime, why: str = "", public_note: str = ""
) -> Decision:
    """An entrant is out; the sweep resigns their games that run. Raises NotFound, Denied or Conflict."""
    event = organised(by=by, code=code)
    running(event)
    found = entrant_of(event, entrant)
    refuse_own_table(conflicts.meets_entrant(by, event, found))
    if found.left is not None or found.status != Entrant.Status.ENTERED:
        raise Conflict(_("They have left this event already."))
    playing = event.tables.filter(settled_at=None, sittings__entrant=found).count()
    drop(event, [found], Entrant.Status.DISQUALIFIED, now)
    out, note = members(event, [found.pk]), public_note[:MAX_REASON_LENGTH]
    reason = f"out:{found.pk}:{event.decisions.count()}"
    tell_of_table_change(event, "event-out", reason, out, now, why="disqualified", text=note)
    before, after = {"entrant": found.pk}, {"playing": playing}
    return logged(event, by, "disqualify", now, why=why, public_note=public_note, before=before, after=after)
