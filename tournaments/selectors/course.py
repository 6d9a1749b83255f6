"""An event as it stands, in the words of the pairing room."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from django.db.models import Prefetch, prefetch_related_objects

from games.engine import fairness
from games.models import Player
from games.selectors.lists import NOT_LISTED
from tournaments import pairing
from tournaments.models import Entrant, Event, EventSecret, Member, Replacement, Table
from tournaments.pairing import Bracket, Finished, Result, Round, Standing, Waiting

from . import round_cache

MEMBERS = Prefetch("members", Member.objects.select_related("player"))
REPLACEMENTS = Prefetch("replacements", Replacement.objects.select_related("predecessor"))
UNTOLD = [f"game__{name}" for name in (*NOT_LISTED, "commitment")]  # what an event does not ask of its games


class Course:
    """An event with its entrants and tables; holds its secret key: for services and selectors alone."""

    def __init__(self, event: Event, entrants: Iterable[Entrant] | None = None) -> None:
        """`entrants`: those who would start, before any table is published."""
        self.event = event
        self.tables: list[Table] = []
        if entrants is not None:
            self.entrants = {one.pk: one for one in entrants}
            return
        entered = event.entrants.exclude(status=Entrant.Status.WAITING).order_by("pk")
        self.entrants = {one.pk: one for one in entered.prefetch_related(MEMBERS)}
        found = event.tables.filter(void=False).select_related("game", "published").defer(*UNTOLD)
        self.tables = list(found.prefetch_related("sittings").order_by("pk"))

    @cached_property
    def key(self) -> bytes:
        """What all lots of the event come from."""
        return event_key(self.event)

    @cached_property
    def plan(self) -> pairing.Event:
        """What the organiser has laid down, and who takes part."""
        return planned(self.event, self.entrants.values(), self.key)

    @cached_property
    def results(self) -> list[Result]:
        """Every table that was published and still means something."""
        return [result_of(table) for table in self.tables]

    def next(self) -> Round | Waiting | Finished:
        """What comes next; stores nothing but a copy of what took long to work out."""
        return round_cache.find_next_round(self.plan, self.results)

    def is_over(self) -> bool:
        """Whether nothing more is played; pairs no round of a Swiss event."""
        return pairing.is_over(self.plan, self.results)

    def standings(self) -> list[Standing]:
        """Who is ahead, and by what."""
        return pairing.standings(self.plan, self.results)

    def bracket(self) -> Bracket:
        """Everything there is to draw."""
        return self._bracket

    @cached_property
    def _bracket(self) -> Bracket:
        return pairing.bracket(self.plan, self.results)

    def stale(self) -> list[Table]:
        """Tables whose match is played by others now."""
        if self.event.format not in (Event.Format.KNOCKOUT, Event.Format.DOUBLE):
            return []
        gone = set(self.bracket().stale)
        return [table for table, result in zip(self.tables, self.results, strict=True) if result in gone]


def planned(event: Event, entrants: Iterable[Entrant], key: bytes) -> pairing.Event:
    """An event as the pairing room knows it. Raises ValueError if it cannot be played."""
    return pairing.Event(
        format=event.format,  # type: ignore[arg-type]
        entrants=tuple(
            pairing.Entrant(one.pk, one.seed, one.joined, one.left, frozenset(one.absent)) for one in entrants
        ),
        key=key,
        table=event.table,
        rounds=event.rounds,
        laps=event.laps,
        at_once=event.at_once,
        advance=event.advance,
        third_place=event.third_place,
    )


def event_key(event: Event) -> bytes:
    """The key of an event: from its seed, as that of a game, with the code in the place of other seeds."""
    seed = EventSecret.objects.values_list("seed", flat=True).get(event=event)
    return fairness.game_key(bytes(seed), [event.code])


def seats_of(table: Table) -> list[int]:
    """The entrants at a table, in the order of their seats."""
    return [one.entrant_id for one in sorted(table.sittings.all(), key=lambda one: one.number)]


def result_of(table: Table) -> Result:
    """A published table; without ranks while it is played."""
    seats = tuple(seats_of(table))
    told = table.result or {}
    if len(seats) == 1 or "ranks" not in told:
        return Result(table.match, table.round, seats, game=table.rematch)
    return Result(
        table.match,
        table.round,
        seats,
        tuple(told["ranks"]),
        points=tuple(told.get("points", ())),
        eights=tuple(told.get("eights", ())),
        forfeits=frozenset(told.get("forfeits", ())),
        game=table.rematch,
    )


def replacements_of(entrant: Entrant) -> list[Replacement]:
    """Who played for an entrant before, oldest first; asked only of those where somebody did."""
    if not entrant.was_replaced:
        return []
    prefetch_related_objects([entrant], REPLACEMENTS)
    return list(entrant.replacements.all())


def players_at(entrant: Entrant, table: Table) -> list[Player | None]:
    """Who played for an entrant at a table, in the order of their seats; None is a former player."""
    found = []
    for member in sorted(entrant.members.all(), key=lambda one: one.number):
        player = member.player
        for one in reversed(replacements_of(entrant)):
            if one.number == member.number and table.pk <= one.last_table and table.pk not in one.open_tables:
                player = one.predecessor
        found.append(player)
    return found


def name_at(entrant: Entrant, table: Table) -> str:
    """What an entrant was called at a table: by those who played there."""
    return " & ".join(player.name for player in players_at(entrant, table) if player) or "–"


def predecessors_at(entrant: Entrant, table: Table) -> list[str]:
    """Who began to play at a table for an entrant, and was replaced there."""
    before = [one.predecessor for one in replacements_of(entrant) if table.pk in one.open_tables]
    return [player.name for player in before if player]


def people(entrant: Entrant) -> list[Player]:
    """Who plays for an entrant, in the order of their seats; nobody in the place of a former player."""
    members = sorted(entrant.members.all(), key=lambda one: one.number)
    return [one.player for one in members if one.player]


def name_of(entrant: Entrant) -> str:
    """What an entrant is called."""
    return " & ".join(player.name for player in people(entrant)) or "–"
