"""Facts of events as templates take them: every code in words, every table as a line."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.web.asking import viewer_of
from tournaments import words
from tournaments.models import Event
from tournaments.pairing import Id
from tournaments.selectors import NoSuchEvent, page
from tournaments.words.places import Names

T = TypeVar("T")


def look(request: HttpRequest, code: str) -> page.Seen:
    """The event that an address names. Raises Http404."""
    try:
        return page.seen(viewer_of(request), code)
    except NoSuchEvent:
        raise Http404(_("There is no such tournament.")) from None


def part(request: HttpRequest, found: Any, size: int) -> Page[Any]:
    """The part of a long list that an address asks for; what cannot be read is the first."""
    return Paginator(found, size).get_page(request.GET.get("page", "1")[:9])


def show(request: HttpRequest, seen: page.Seen, template: str, **facts: Any) -> HttpResponse:
    """A page of an event, with the head that all of them share."""
    event = seen.event
    paired = event.format in (Event.Format.SWISS, Event.Format.ROUND_ROBIN)
    told = {
        "event": event,
        "seen": seen,
        "format": words.format_name(event.format),
        "status": words.status(event.status),
        "has_rounds": paired,
        "has_bracket": event.format != Event.Format.SWISS,
        "started": event.started_at is not None,
    }
    return render(request, f"tournaments/{template}.html", told | facts)


def table(
    told: Mapping[str, Any], names: Names, *, rounds: int | None = None, mine: int | None = None
) -> dict[str, Any]:
    """A table as a line: where, who, how it stands or ended, and why these meet."""
    over = told["state"] == "over"
    first = [seat for seat in told["seats"] if seat["rank"] == 1 and not seat["forfeit"]]
    seats = []
    for number, seat in enumerate(told["seats"], 1):
        won = over and seat in first
        seats.append(
            seat
            | {
                "number": number,
                "mine": seat["entrant"] == mine,
                "ending": ending(seat, won=won, level=len(first) > 1) if over else "",
                "won": won and len(first) == 1,
            }
        )
    return {
        **told,
        "name": words.match_name(told["match"], rounds),
        "in_round": words.table_name(told["match"]),
        "how": capfirst(_("bye")) if told["state"] == "bye" else "",
        "own": any(seat["mine"] for seat in seats),
        "seats": seats,
        "reasons": [words.reason(note, names) for note in told["reasons"]],
        "ended": words.ended(told["by"] or "undecided", told["seats"]) if over else "",
    }


def ending(seat: Mapping[str, Any], *, won: bool, level: bool) -> str:
    """How a table ended for one of those who sat there; of the others their rank says enough."""
    if seat["timeout"]:
        return _("out of time")
    if seat["forfeit"]:
        return _("did not play to the end")
    if won:
        return _("level") if level else _("won")
    return ""


def opponents(told: Mapping[str, Any]) -> str:
    """The others at a table, in a sentence."""
    return words.call({n: seat["name"] for n, seat in enumerate(told["seats"])},
                      [n for n, seat in enumerate(told["seats"]) if not seat["mine"]])  # fmt: skip


def criteria(keys: Iterable[str]) -> list[dict[str, str]]:
    """The columns of standings, explained."""
    found = []
    for key in keys:
        head, meaning = words.criterion(key)
        found.append({"key": key, "head": head, "meaning": meaning})
    return found


def standing(
    line: Mapping[str, Any],
    stages: Mapping[float, str],
    mine: int | None = None,
    still_in: Container[Id] = (),
) -> dict[str, Any]:
    """A line of the standings; how far one came in a bracket is told by the name of the round."""

    def told(key: str, value: float | None) -> str:
        if key == "reached":
            return stages.get(value or 0, "–")
        return "–" if key == "place" and line["entrant"] in still_in else words.amount(value)

    return {
        **line,
        "mine": line["entrant"] == mine,
        "values": [told(one["key"], one["value"]) for one in line["criteria"]],
        "behind": words.parted(line["parted_by"]),
        "former": words.former_players(line.get("before", ())),
    }


def playing_on(matches: Sequence[Mapping[str, Any]]) -> set[Id]:
    """Who is still to play in a bracket."""
    to_come = (one for one in matches if one["state"] in ("waiting", "ready", "open"))
    return {seat["entrant"] for one in to_come for seat in one["seats"] if seat["entrant"] is not None}


def stages(matches: Sequence[Mapping[str, Any]]) -> dict[float, str]:
    """The names of the rounds of a bracket, by what the standings count."""
    last = last_round(matches)
    return {one["stage"]: words.round_name(one["bracket"], one["round"], last) for one in matches}


def last_round(matches: Sequence[Mapping[str, Any]]) -> int | None:
    """How many rounds a main bracket has; None where there is none."""
    return max((one["round"] for one in matches if one["bracket"] == "main"), default=None)
