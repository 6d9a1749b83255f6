"""Taking a decision back, where nothing has followed from it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Game, Player
from games.services import house
from games.services.errors import Conflict, NotFound
from tournaments.models import Decision, Entrant, Event, Replacement, Round, Table
from tournaments.selectors.conflicts import concerns
from tournaments.selectors.course import seats_of

from . import decisions, ratings, replacements
from .conflicts import refuse_own_table
from .events import look_again, organised
from .notices import members, tell_of_table_change
from .of_league import in_season
from .record import logged, newest
from .round_ends import update_round_ends


@transaction.atomic
def undo(
    *,
    by: Player,
    code: str,
    decision: int,
    now: datetime,
    why: str = "",
    public_note: str = "",
    confirmed: bool = False,
) -> Decision:
    """Take a decision back, if nothing has followed from it. Raises NotFound, Denied or Conflict.

    `confirmed`: the places of an event that was over may change by it.
    """
    event = organised(by=by, code=code)
    in_season(event)
    found = event.decisions.filter(pk=decision).first()
    if found is None:
        raise NotFound(_("There is no such decision."))
    back = BACK.get(found.what)
    undone = Decision.objects.filter(undoes=found).exists()
    if back is None or undone or newest(event) > found.last_table:
        raise Conflict(_("This cannot be taken back any more."))
    refuse_own_table(concerns(by, found))
    back(event, found, now)
    if found.what == "correct":
        decisions.refuse_own_stale_tables(by, event)
        decisions.check_confirmed(event, confirmed=confirmed)
        decisions.clear_places_if_reopened(event)
    return logged(
        event,
        by,
        f"undo-{found.what}",
        now,
        why=why,
        public_note=public_note,
        before=found.after,
        after=found.before,
        undoes=found,
    )


def uncorrect(event: Event, decision: Decision, now: datetime) -> None:
    """The result is what it was, unless it was corrected once more."""
    table = Table.objects.get(pk=decision.before["table"])
    if table.game_id:  # nobody moves meanwhile
        table.game = Game.objects.select_for_update().get(pk=table.game_id)
    # Who plays for an entrant now did not sit at a game that was decided before they came.
    replaced = Replacement.objects.filter(entrant__sittings__table=table, at__gte=decision.at).exists()
    if table.result != decision.after["result"] or table.void or (replaced and not decision.before["result"]):
        raise Conflict(_("This cannot be taken back any more."))
    if table.game and decision.before["result"] is None and table.game.seq != decision.before["seq"]:
        # It was played on, or resigned, for nothing: what happened then must not count afterwards.
        raise Conflict(_("This cannot be taken back any more."))
    table.result = decision.before["result"]
    if table.result is None and not decision.before.get("undecided"):
        table.settled_at = None
        if table.game and decision.before["rated"]:
            house.reclaim(code=table.game.code, now=now)
            ratings.look_back(to=table.game.finished_at)
    table.save(update_fields=["result", "settled_at"])
    update_round_ends(event, now)
    decisions.again(event, now)
    facts = {"match": table.match, "taken_back": True, **(table.result or {})}
    reason, players = f"uncorrected:{decision.pk}", members(event, seats_of(table))
    tell_of_table_change(event, "event-result", reason, players, now, table.game, **facts)


def readmit(event: Event, decision: Decision, now: datetime) -> None:
    """Who was disqualified is back, if no game was lost by it, and is told so."""
    decisions.running(event)
    if decision.after["playing"]:
        raise Conflict(_("This cannot be taken back any more."))
    entrant = decisions.entrant_of(event, decision.before["entrant"])
    entrant.status, entrant.left = Entrant.Status.ENTERED, None
    entrant.save(update_fields=["status", "left"])
    look_again(event, now)
    reason, back = f"readmitted:{decision.pk}", members(event, [entrant.pk])
    tell_of_table_change(event, "event-place", reason, back, now, why="readmitted")


def shorten(event: Event, decision: Decision, now: datetime) -> None:
    """The round ends when it did, if that is still to come."""
    round = Round.objects.get(pk=decision.before["round"])
    before = decision.before["ends_at"]
    ends = datetime.fromisoformat(before) if before else None
    if ends and ends <= now:
        raise Conflict(_("This cannot be taken back any more."))
    round.ends_at = ends
    round.save(update_fields=["ends_at"])
    update_round_ends(event, now)


BACK: dict[str, Callable[[Event, Decision, datetime], None]] = {
    "correct": uncorrect,
    "disqualify": readmit,
    "replace": replacements.take_back,
    "extend": shorten,
}
