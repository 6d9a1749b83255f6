"""How the divisions of a season stand: everybody's place, why they are there, and where it would lead."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Any

from django.db.models import Count, Exists, OuterRef, Prefetch, QuerySet

from games.engine import fairness
from games.models import Player
from tournaments.models import Division, Entrant, Event, EventSecret, League, Member, Place, Season, Table
from tournaments.pairing import Standing
from tournaments.pairing import league as pairing

from . import facts
from .course import Course, name_of, people, seats_of

NO_KEY = bytes(32)  # a lot among those who are wholly level is drawn when the season ends, not before


def divisions(league: League, number: int, viewer: Player | None = None) -> QuerySet[Division]:
    """The divisions of a season from the top: its season, how many places, and whether it is the viewer's."""
    found = Division.objects.filter(season__league=league, season__number=number).select_related("season")
    theirs = Member.objects.filter(
        entrant__place__division=OuterRef("pk"), player=viewer.pk if viewer else None
    )
    return found.annotate(size=Count("places"), mine=Exists(theirs)).order_by("number")


class Group(Course):
    """What one group of a division plays, from rows that were read together with those of others."""

    def __init__(
        self, event: Event, entrants: Mapping[int, Entrant], tables: list[Table], seed: bytes
    ) -> None:
        self.event, self.entrants, self.tables = event, dict(entrants), tables
        self.key = fairness.game_key(seed, [event.code])


class Standings:
    """Some divisions of a season, in as many queries whether they are one or sixty."""

    def __init__(
        self, league: League, season: Season, sizes: Collection[Division], numbers: Collection[int]
    ) -> None:
        """`sizes`: all divisions, as `divisions` gives them; `numbers`: those to be told of."""
        self.league, self.season = league, season
        self.sizes = {one.number: one.size for one in sizes}  # type: ignore[attr-defined]
        self.numbers = [one for one in self.sizes if one in numbers]
        members = Prefetch("entrant__members", Member.objects.select_related("player"))
        found = Place.objects.filter(season=season, division__number__in=self.numbers)
        found = found.select_related("division", "player", "entrant__event").prefetch_related(members)
        self.places = list(found.order_by("division__number", "number"))

    @cached_property
    def groups(self) -> dict[int, Group]:
        """All groups, by their events."""
        events = {one.entrant.event_id: one.entrant.event for one in self.places if one.entrant}
        entrants: dict[int, dict[int, Entrant]] = {pk: {} for pk in events}
        for one in self.places:
            if one.entrant:
                entrants[one.entrant.event_id][one.entrant.pk] = one.entrant
        seeds = dict(EventSecret.objects.filter(event__in=events).values_list("event_id", "seed"))
        played: dict[int, list[Table]] = {pk: [] for pk in events}
        found = Table.objects.filter(event__in=events, void=False).select_related("game", "published")
        for table in found.defer("game__opening", "game__clocks").prefetch_related("sittings").order_by("pk"):
            played[table.event_id].append(table)
        return {pk: Group(event, entrants[pk], played[pk], bytes(seeds[pk])) for pk, event in events.items()}

    def facts(self) -> list[dict[str, Any]]:
        """The divisions from the top."""
        return [self.division(number) for number in self.numbers]

    def division(self, number: int) -> dict[str, Any]:
        """One division: how many go up and down from it, its groups, and everybody in order."""
        places = [one for one in self.places if one.division.number == number]
        swaps = pairing.exchanges(list(self.sizes.values()), self.league.moves)
        up, down = (
            (swaps[number - 2] if number > 1 else 0),
            (swaps[number - 1] if number <= len(swaps) else 0),
        )
        groups = sorted(
            {one.entrant.event_id for one in places if one.entrant},
            key=lambda pk: self.groups[pk].event.group,
        )
        lines = {pk: self.groups[pk].standings() for pk in groups}
        line_of = {line.entrant: line for table in lines.values() for line in table}
        order = {id: n for n, id in enumerate(pairing.final_order(list(lines.values()), key=NO_KEY), 1)}
        ranked = sorted(
            places, key=lambda one: (one.rank or order.get(one.entrant_id or 0, len(places)), one.number)
        )
        return {
            "number": number,
            "size": len(places),
            "up": up,
            "down": down,
            "final": self.season.finished_at is not None,
            "groups": [
                {
                    "group": self.groups[pk].event.group,
                    "tournament": self.groups[pk].event.code,
                    "status": self.groups[pk].event.status,
                    "round": max((table.round for table in self.groups[pk].tables), default=0),
                }
                for pk in groups
            ],
            "places": [
                self.place(one, rank, line_of.get(one.entrant_id or 0))
                | {"heading": "up" if rank <= up else "down" if rank > len(places) - down else ""}
                for rank, one in enumerate(ranked, 1)
            ],
        }

    def place(self, one: Place, rank: int, line: Standing | None) -> dict[str, Any]:
        """Whoever has a place, how they stand, and why they are in this division."""
        here = people(one.entrant) if one.entrant else [one.player] if one.player else []
        return {
            "rank": rank,
            "began": one.number,
            "entrant": one.entrant_id,
            "name": name_of(one.entrant) if one.entrant else "–",
            "players": [player.name for player in here],
            "group": one.entrant.event.group if one.entrant else 1,
            "why": self.why(one),
            "played": line.played if line else 0,
            "points": line["points"] if line else 0,
            "game_points": line["game-points"] if line else 0,
            "eights": line["eights"] if line else 0,
            "withdrawn": line.withdrawn if line else True,
        }

    def why(self, one: Place) -> dict[str, Any]:
        """Why somebody is in this division; nobody came to the first season from below or above."""
        if self.season.number == 1 and one.why.get("code") == "newcomer":
            return {**one.why, "by": "start"}
        return dict(one.why)

    def tables_of(self, player: Player) -> list[dict[str, Any]]:
        """Everything that somebody plays in these divisions, and for which entrant, as it was published."""
        found = []
        for group in self.groups.values():
            mine = next((pk for pk, one in group.entrants.items() if player in people(one)), None)
            found += [
                facts.table(group, one) | {"mine": mine} for one in group.tables if mine in seats_of(one)
            ]
        return found
