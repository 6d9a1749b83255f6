"""An event as mails speak of it: who the reader is in it, how it stands, what comes next."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

from django.db.models import Count, Max
from django.utils.translation import gettext as _

from games.mail.compose import Nothing
from games.mail.scene import when
from games.models import Delivery
from tournaments import words
from tournaments.models import Entrant, Event, Table
from tournaments.pairing import Bracket, Match, Standing, swiss
from tournaments.selectors import Course, facts, seats_of

OPEN = ("waiting", "ready", "open")  # matches that are still to be decided
BRACKETS = {"R": "main", "W": "winners", "L": "losers"}


class Known:
    """One event, read and worked out once for all mails of a moment."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self.course = Course(event)
        self.names = facts.names(self.course)

    @cached_property
    def standings(self) -> dict[Any, Standing]:
        """The lines of the standings, by entrant."""
        return {line.entrant: line for line in self.course.standings()}

    @cached_property
    def bracket(self) -> Bracket:
        """All matches of a knock-out."""
        return self.course.bracket()

    @property
    def by_bracket(self) -> bool:
        """Whether who loses is out."""
        return self.event.format in (Event.Format.KNOCKOUT, Event.Format.DOUBLE)

    @cached_property
    def rounds(self) -> int | None:
        """How many rounds the bracket has, by which its last ones have names."""
        if not self.by_bracket:
            return None
        return max((one.round for one in self.bracket.matches if one.bracket == "main"), default=None)

    def entrant(self, player: int) -> Entrant:
        """Whom a player plays for. Raises Nothing."""
        for one in self.course.entrants.values():
            if any(member.player_id == player for member in one.members.all()):
                return one
        raise Nothing

    def others(self, table: Table, mine: int) -> str:
        """Whom one meets at a table."""
        return words.call(self.names, [pk for pk in seats_of(table) if pk != mine])

    def round_name(self, match: str) -> str:
        """The round of a match."""
        head, _dot, number = match.partition(".")
        if number and head[:1] in BRACKETS and head[1:].isdecimal():
            return words.round_name(BRACKETS[head[0]], int(head[1:]), self.rounds)
        return words.match_name(match)

    # ------------------------------------------------------------------------------------ sentences

    def why(self, table: Table, mine: int) -> str:
        """Why these meet, in a sentence or two: of the draw and of earlier matches what one does not know."""
        notes = [note for note in table.reasons if not note["code"].startswith("seat-")]
        told = [note for note in notes if note.get("entrant") != mine or len(notes) == 1]
        return " ".join(words.reason(note, self.names) for note in told[:2])

    def until(self, table: Table) -> str:
        """When a round ends; empty if that is open."""
        if table.published.ends_at is None:
            return ""
        return _("The round ends on %(when)s: what is still being played then is decided by the points.") % {
            "when": when(table.published.ends_at)
        }

    def score(self, table: Table) -> str:
        """Who made how many points."""
        told = facts.table(self.course, table)["seats"]
        if any(seat["points"] is None for seat in told):
            return ""
        return ", ".join(f"{seat['name']} {seat['points']}" for seat in told) + "."

    def outcome(self, table: Table, mine: int) -> str:
        """How a table ended for the reader."""
        ranks = dict(zip(seats_of(table), (table.result or {}).get("ranks", ()), strict=False))
        if mine not in ranks:
            raise Nothing
        who = {"who": self.others(table, mine), "n": ranks[mine], "of": len(ranks)}
        if len(ranks) > 2:
            return _("Place %(n)d of %(of)d at your table (%(who)s)") % who
        if len(set(ranks.values())) == 1:
            return _("Level against %(who)s") % who
        return _("You beat %(who)s") % who if ranks[mine] == 1 else _("You lost to %(who)s") % who

    def result(self, table: Table, mine: int) -> list[str]:
        """The same with what was made, and how it was decided if not on the board."""
        told = table.result or {}
        lines = [self.score(table)]
        if told.get("by") != "game":
            lines.append(words.ended(told.get("by")))
        if mine in told.get("forfeits", ()):
            lines.append(
                _("It counts as forfeited by you. If that is not right, appeal on the table’s page.")
            )
        return [line for line in lines if line]

    def place(self, mine: int) -> str:
        """Where one stands among those who play on, whatever happens."""
        line = self.standings.get(mine)
        if line is None:
            return ""
        made = {"n": line.rank, "of": len(self.standings), "points": words.points(line["points"] or 0)}
        return _("You are in place %(n)d of %(of)d, with %(points)s.") % made

    def next_step(self, table: Table, mine: int) -> str:
        """What follows from a result."""
        entrant = self.course.entrants[mine]
        if self.event.status != Event.Status.RUNNING or entrant.left is not None:
            return ""
        if self.by_bracket:
            return self.on_or_out(table, mine)
        last = self.last_round(table)
        if self.event.at_once or last is None or table.round < last:
            return self.place(mine)
        return " ".join([self.place(mine), _("That was your last game.")])

    def last_round(self, table: Table) -> int | None:
        """How many rounds there are where everybody plays on."""
        if self.event.format == Event.Format.SWISS:
            return swiss.rounds(self.course.plan)
        return next((note["rounds"] for note in table.reasons if note["code"] == "schedule"), None)

    def on_or_out(self, table: Table, mine: int) -> str:
        """Where one goes from a table of a knock-out."""
        mine_to_come = [one for one in self.bracket.matches if mine in one.seats and one.state in OPEN]
        if not mine_to_come:
            return self.out(mine)
        coming = mine_to_come[0]
        if coming.id == table.match:
            return _("It was level: you play again, with the short clock.")
        return self.goes_on(coming, mine)

    def goes_on(self, coming: Match, mine: int) -> str:
        """The next match, and against whom if that is known."""
        told = {"round": self.round_name(coming.id)}
        others = [pk for pk in coming.seats if pk is not None and pk != mine]
        if others and None not in coming.seats:
            told["who"] = words.call(self.names, others)
            return _("You go on: %(round)s, against %(who)s.") % told
        return _("You go on: %(round)s. Who comes there is still being played.") % told

    def out(self, mine: int) -> str:
        """One's last match is over; the place is certain when its round and all before it are."""
        line = self.standings.get(mine)
        last = max((one.stage for one in self.bracket.matches if mine in one.seats), default=0)
        earlier = [one for one in self.bracket.matches if one.state in OPEN and one.stage <= last]
        if line is None or line.rank == 1:
            return ""
        if earlier:
            return _("You are out.")
        return _("You are out, in place %(n)d of %(of)d.") % {"n": line.rank, "of": len(self.names)}


# ------------------------------------------------------------------------------------------ what it is about


def event_of(delivery: Delivery) -> Event:
    """The event that a mail is about. Raises Nothing."""
    found = Event.objects.filter(code=delivery.data.get("event", ""))
    event = found.select_related("organiser", "division__season__league").first()
    if event is None:
        raise Nothing
    return event


def known(event: Event) -> Known:
    """An event as it stands; hundreds of mails of one round work it out once."""
    tables = event.tables.aggregate(all=Count("pk"), settled=Count("settled_at"), last=Max("settled_at"))
    entrants = event.entrants.aggregate(all=Count("pk"), gone=Count("left"))
    mark = (
        *tables.values(),
        *entrants.values(),
        event.decisions.count(),
        event.members.filter(player__isnull=False).count(),
    )
    return remembered(event.pk, event.code, event.status, mark)


@lru_cache(maxsize=4)
def remembered(pk: int, code: str, status: str, mark: tuple[Any, ...]) -> Known:
    """The same, for as long as nothing changes."""
    return Known(Event.objects.select_related("organiser", "division__season__league").get(pk=pk))


def table_of(delivery: Delivery, event: Event) -> Table:
    """The table that a result is of. Raises Nothing."""
    found = event.tables.filter(void=False).select_related("game", "published").prefetch_related("sittings")
    if delivery.game_id:
        found = found.filter(game=delivery.game_id)
    table = found.filter(match=delivery.data.get("match", "")).order_by("-pk").first()
    if table is None:
        raise Nothing
    return table
