"""A round of a tournament, and one of its tables: who sat there, why, how it ended, what to do about it."""

from __future__ import annotations

from typing import Any

from django.db.models import Max
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.services.errors import Denied
from games.web.asking import viewer_of
from tournaments import words
from tournaments.selectors import NoSuchEvent, desk, event_for, evidence, may, page
from tournaments.selectors.course import players_at

from .lines import evidence_lines
from .showing import look, part, show, table

LINES = 25  # tables on a page
LATEST = 10  # times that somebody was out of time
NUMBERED = 15  # rounds that are all named at once


@require_safe
def round_of(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """A round: its tables, with the reasons for them."""
    seen = look(request, code)
    event = seen.event
    last = event.tables.filter(void=False).aggregate(last=Max("round"))["last"] or 0
    if not 1 <= number <= last:
        raise Http404(_("There is no such round."))
    listed = part(request, page.tables(event, seen.mine).filter(round=number), LINES)
    rounds, mine = page.rounds(event), seen.mine.pk if seen.mine else None
    return show(
        request,
        seen,
        "round",
        here="bracket",
        number=number,
        last=last,
        numbers=range(1, last + 1) if last <= NUMBERED else (),
        name=words.round_name("main", number, rounds),
        part=listed,
        ends_at=next((one.published.ends_at for one in listed if one.settled_at is None), None),
        lines=[
            table(page.told(one), names, rounds=rounds, mine=mine)
            for one, names in zip(listed, desk.names_at(list(listed)), strict=True)
        ],
    )


@require_safe
def table_of(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """One table."""
    seen = look(request, code)
    try:
        found = page.table_for(seen.event, pk)
    except NoSuchEvent:
        raise Http404(_("There is no such table.")) from None
    mine = seen.mine.pk if seen.mine else None
    [names] = desk.names_at([found])
    told = table(page.told(found), names, rounds=page.rounds(seen.event), mine=mine)
    sitting = {
        one.entrant_id: [player.name for player in players_at(one.entrant, found) if player]
        for one in found.sittings.all()
    }
    for seat in told["seats"]:
        seat["people"] = sitting[seat["entrant"]]
    appealed = page.appeals(found, seen)
    left = seen.viewer is not None and evidence.has_left_table(found, seen.viewer)
    hurried = any(seat["timeout"] or seat["forfeit"] for seat in told["seats"])
    facts: dict[str, Any] = {
        "here": "",
        "table": told,
        "void": found.void,
        "evidence": (hurried and found.game is not None and (told["own"] or seen.organises))
        or (left and bool(evidence.of_table(found, seen.viewer))),
        "appeals": appealed,
        "may_appeal": ((told["own"] and told["state"] == "over") or left)
        and not may.too_late_to_appeal(seen.event, timezone.now())
        and not any(one.by_id == seen.viewer.pk for one in appealed if seen.viewer),
        "game_open": not seen.event.private or told["own"],
    }
    return show(request, seen, "table", **facts)


@require_safe
def evidence_of(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """What was sent to whom before the clock acted, and what became of it: for those it concerns."""
    viewer = viewer_of(request)
    try:
        event = event_for(viewer, code)
        found = page.table_for(event, pk)
        lines = evidence.of_table(found, viewer)
    except (NoSuchEvent, Denied):
        raise Http404(_("There is no such table.")) from None
    told = table(page.told(found), desk.names_at([found])[0])
    latest = lines[::-1][:LATEST]
    return render(
        request,
        "tournaments/evidence.html",
        {
            "event": event,
            "table": told,
            "evidence": evidence_lines(latest),
            "more_evidence": len(lines) - len(latest),
        },
    )
