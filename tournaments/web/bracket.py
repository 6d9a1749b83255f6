"""The bracket of a knock-out and the schedule of a round robin: as a picture, and the same as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments import drawing, words
from tournaments.api.costs import charged_course
from tournaments.models import Event
from tournaments.pairing import Id
from tournaments.pairing.outcomes import settled
from tournaments.selectors import Course, facts

from .showing import last_round, look, part, show

Matches = Sequence[Mapping[str, Any]]
ALL_AT_ONCE, LINES = 48, 40  # matches that are shown together, and of one round on a page
LARGEST_CROSS, LARGEST_SCHEDULE, LARGEST_IN_PASSING = 24, 128, 32  # entrants
ALIVE = ("open", "ready")


def knockout(event: Event) -> bool:
    """Whether there is a bracket, properly speaking."""
    return event.format in (Event.Format.KNOCKOUT, Event.Format.DOUBLE)


def in_passing(course: Course) -> bool:
    """Whether the page of the tournament itself shows the picture."""
    entrants = len(course.entrants)
    return (knockout(course.event) or has_cross(course.event, entrants)) and entrants <= LARGEST_IN_PASSING


def has_cross(event: Event, entrants: int) -> bool:
    """Whether everybody against everybody fits into a picture."""
    return event.format == Event.Format.ROUND_ROBIN and event.table == 2 and entrants <= LARGEST_CROSS


# ------------------------------------------------------------------------------------------------ the picture


def draw(course: Course, matches: Matches | None = None) -> drawing.Picture | None:
    """The picture of an event, if it has one; `matches` are those of its bracket, if they are at hand."""
    if knockout(course.event):
        found = facts.bracket(course)["matches"] if matches is None else matches
        last = last_round(found)
        return drawing.bracket(
            found,
            naming=lambda bracket, round: words.round_name(bracket, round, last),
            empty=lambda source: words.source_in_short(source) if course.event.table > 2 else "",
            points=made(course),
        )
    if not has_cross(course.event, len(course.entrants)):
        return None
    lines, cells = facts.standings(course), crossed(course)
    order = [line["entrant"] for line in lines]
    return drawing.cross(
        [line["name"] for line in lines],
        [[" ".join(cells.get((one, other), ())) for other in order] for one in order],
        [words.amount(line["criteria"][0]["value"]) for line in lines],
    )


def size_of(course: Course, matches: Matches | None = None) -> tuple[int, int] | None:
    """How large the picture will be, so that a page keeps room for it."""
    picture = draw(course, matches)
    return (picture.width, picture.height) if picture else None


def made(course: Course) -> dict[str, dict[Id, int]]:
    """What everybody made in each match; of a rematch, that."""
    found: dict[str, dict[Id, int]] = {}
    stale = {table.pk for table in course.stale()}
    for one in course.tables:
        if one.pk in stale:  # others play this match now: what was made there is not theirs
            continue
        told = one.result or {}
        if told.get("points") and any(told["points"]):
            sittings = sorted(one.sittings.all(), key=lambda sitting: sitting.number)
            seats = (sitting.entrant_id for sitting in sittings)
            found[one.match] = dict(zip(seats, told["points"], strict=False))
    return found


def crossed(course: Course) -> dict[tuple[Id, Id], list[str]]:
    """What each made against each, game after game: 1, ½ or 0, and a dot while it is played."""
    found: dict[tuple[Id, Id], list[str]] = {}
    for result in course.results:
        outcome = settled(course.plan, result)
        for one, other in permutations(result.seats, 2):
            told = words.amount(outcome.ahead(one, other)) if outcome else "·"
            found.setdefault((one, other), []).append(told)
    return found


@require_safe
def picture(request: HttpRequest, code: str) -> HttpResponse:
    """The picture alone; it knows day and night by itself."""
    seen = look(request, code)
    event = seen.event
    drawable = event.started_at and event.format != Event.Format.SWISS
    found = draw(charged_course(request, event)) if drawable else None
    if found is None:
        raise Http404(_("There is no picture of this tournament."))
    answer = HttpResponse(found.svg(event.name), content_type="image/svg+xml")
    answer["Content-Security-Policy"] = (
        f"default-src 'none'; style-src '{drawing.STYLE_HASH}'; frame-ancestors 'none'; sandbox"
    )
    answer["Cache-Control"] = "private, no-cache"
    return answer


# --------------------------------------------------------------------------------------------------- the page


@require_safe
def page_of(request: HttpRequest, code: str) -> HttpResponse:
    """The picture, and the same round after round; of a large one, one round at a time."""
    seen = look(request, code)
    event = seen.event
    if event.started_at is None:
        return show(request, seen, "bracket", here="bracket", rounds=[])
    course = charged_course(request, event)
    large = event.format == Event.Format.ROUND_ROBIN and len(course.entrants) > LARGEST_SCHEDULE
    if event.format == Event.Format.SWISS or large:
        number = max((one.round for one in course.tables), default=1)
        return redirect("tournament-round", code=code, number=number)
    matches = facts.bracket(course)["matches"]
    last = last_round(matches) if knockout(event) else None
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for one in matches:
        groups.setdefault(f"{one['bracket']}-{one['round']}", []).append(one)
    names = {
        key: words.round_name(some[0]["bracket"], some[0]["round"], last) for key, some in groups.items()
    }
    chosen, listed = "", None
    if len(matches) > ALL_AT_ONCE:
        chosen = request.GET.get("round", "")
        if chosen not in groups:
            alive = (key for key, some in groups.items() if any(one["state"] in ALIVE for one in some))
            chosen = next(alive, list(groups)[-1])
        listed = part(request, groups[chosen], LINES)
        groups = {chosen: list(listed)}
    lines = Lines(course, last, seen.mine.pk if seen.mine else None)
    return show(
        request,
        seen,
        "bracket",
        here="bracket",
        picture=size_of(course, matches),
        names=names,
        chosen=chosen,
        part=listed,
        rounds=[
            {"name": names[key], "key": key, "lines": [lines.line(one) for one in some]}
            for key, some in groups.items()
        ],
    )


class Lines:
    """Matches as lines of a table, with what has become of them."""

    def __init__(self, course: Course, last: int | None, mine: int | None) -> None:
        self.knockout, self.last, self.mine = knockout(course.event), last, mine
        stale = {table.pk for table in course.stale()}
        self.tables = {one.match: one.pk for one in course.tables if one.pk not in stale}
        self.points = made(course)
        self.first: dict[str, list[Id]] = {}
        for result in course.results:
            if len(result.seats) > 1 and (outcome := settled(course.plan, result)):
                self.first[result.match] = next(iter(outcome.tiers()), [])

    def line(self, one: Mapping[str, Any]) -> dict[str, Any]:
        """A match."""
        names = {seat["entrant"]: seat["name"] for seat in one["seats"]}
        points = self.points.get(one["match"], {})
        return {
            "name": words.table_name(one["match"]),
            "table": self.tables.get(one["match"]),
            "state": self.state(one),
            "notes": [words.reason(note, names) for note in one["notes"]],
            "own": self.mine is not None and self.mine in names,
            "seats": [
                {
                    "name": seat["name"],
                    "points": points.get(seat["entrant"]),
                    "source": "" if seat["name"] else words.source(seat["source"], self.last),
                    "ending": self.ending(one, seat),
                }
                for seat in one["seats"]
            ],
        }

    def state(self, one: Mapping[str, Any]) -> str:
        """How far a match has come; nothing where its result says so."""
        if one["pending"]:
            return words.state("pending")
        return words.state(one["state"]) if one["state"] != "decided" else ""

    def ending(self, one: Mapping[str, Any], seat: Mapping[str, Any]) -> str:
        """What a match was to one of those who sat there, if anything good."""
        if not self.knockout:
            first = self.first.get(one["match"], [])
            return "" if seat["entrant"] not in first else _("won") if len(first) == 1 else _("level")
        over = one["state"] in ("decided", "walkover", "bye")
        if not over or seat["place"] is None or seat["place"] > one["advance"]:
            return ""
        at_the_end = one["bracket"] in ("final", "third") or one["round"] == self.last
        return _("won") if at_the_end else _("goes on")
