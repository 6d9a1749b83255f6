"""Whose tables somebody may not decide about: those at which they sit themselves, or sat before."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from games.models import Player, Seat, SeatHandover
from tournaments.models import Decision, Entrant, Event, Member, Sitting, Table

NO_RESULT = Q(result__isnull=True)  # tables that are not over: still played, or not decided yet


def own_tables(player: Player | None, event: Event) -> QuerySet[Table]:
    """Tables of an event at which somebody plays, or played until they were replaced."""
    mine = Member.objects.filter(event=event, player=player)
    sits = Sitting.objects.filter(table=OuterRef("pk"), entrant__in=mine.values("entrant"))
    seat = Seat.objects.filter(game=OuterRef("game"), player=player)
    handed = SeatHandover.objects.filter(game=OuterRef("game"))
    sat = handed.filter(Q(predecessor=player) | Q(successor=player))
    return event.tables.filter(Exists(sits) | Exists(seat) | Exists(sat), void=False)


@dataclass(frozen=True)
class OwnTables:
    """The tables of an event at which somebody sits or sat, read at once for a whole page."""

    tables: frozenset[int]
    open_rounds: frozenset[int]  # numbers of rounds in which one of them is not over
    open_round_ids: frozenset[int]


def load_own_tables(player: Player | None, event: Event) -> OwnTables:
    """Read them; before the start there are none."""
    if event.started_at is None:
        return OwnTables(frozenset(), frozenset(), frozenset())
    columns = ("pk", "published_id", "published__number", "is_open")
    rows = list(own_tables(player, event).annotate(is_open=NO_RESULT).values_list(*columns))
    return OwnTables(
        tables=frozenset(pk for pk, *_rest in rows),
        open_rounds=frozenset(number for _pk, _id, number, is_open in rows if is_open),
        open_round_ids=frozenset(id for _pk, id, _number, is_open in rows if is_open),
    )


def sits_at(player: Player | None, event: Event, tables: Iterable[int]) -> bool:
    """Whether somebody has an interest of their own in one of these tables."""
    return own_tables(player, event).filter(pk__in=list(tables)).exists()


def meets_entrant(player: Player | None, event: Event, entrant: Entrant) -> bool:
    """Whether somebody plays for an entrant, or at a table with it that is not over."""
    if event.status != Event.Status.RUNNING:
        return False
    if entrant.members.filter(player=player).exists():
        return True
    return own_tables(player, event).filter(NO_RESULT, sittings__entrant=entrant).exists()


def entrants_met(player: Player | None, event: Event) -> set[int]:
    """The same for all entrants at once."""
    if event.status != Event.Status.RUNNING:
        return set()
    mine = Member.objects.filter(event=event, player=player).values_list("entrant_id", flat=True)
    tables = own_tables(player, event).filter(NO_RESULT)
    return {*mine, *Sitting.objects.filter(table__in=tables).values_list("entrant_id", flat=True)}


def plays_in_round(player: Player | None, event: Event, number: int) -> bool:
    """Whether a table of somebody's in a round is not over."""
    return own_tables(player, event).filter(NO_RESULT, published__number=number).exists()


def plays_now(player: Player | None, event: Event) -> bool:
    """Whether a table of somebody's is not over."""
    return own_tables(player, event).filter(NO_RESULT).exists()


def concerns(player: Player | None, decision: Decision, own: OwnTables | None = None) -> bool:
    """Whether a decision is about a table of somebody's own, so that they cannot take it back.

    `own` are the tables of that player in the event, if they were read already.
    """
    event, before = decision.event, decision.before
    if decision.what in ("correct", "extend"):
        own = own or load_own_tables(player, event)
        return before.get("table") in own.tables or before.get("round") in own.open_round_ids
    about = {"disqualify": Q(pk=before.get("entrant")), "replace": Q(members=before.get("member"))}
    if decision.what not in about:
        return False
    found = event.entrants.filter(about[decision.what]).first()
    return found is not None and meets_entrant(player, event, found)


def own_table_reason() -> str:
    """Why somebody cannot decide, and who can."""
    return _(
        "You sit at this table yourself, so somebody else must decide: another organiser, whom you can ask "
        "under “People”, or the operators of this site."
    )
