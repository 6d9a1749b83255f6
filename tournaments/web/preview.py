"""The next round before it is published, with its reasons."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.text import capfirst
from django.views.decorators.http import require_safe

from games.services.errors import Refusal
from tournaments import words
from tournaments.api.costs import charge_preview
from tournaments.models import Event
from tournaments.pairing import Finished, Round, Waiting
from tournaments.selectors import desk
from tournaments.services import decisions

from .gate import for_organisers, player_of, show
from .showing import part

ON_A_PAGE, WAITS = 25, 10


@require_safe
@for_organisers
def preview(request: HttpRequest, event: Event) -> HttpResponse:
    """Who would meet whom, and why; nothing is stored."""
    charge_preview(request)
    try:
        coming = decisions.preview(by=player_of(request), code=event.code, now=timezone.now())
    except Refusal as refusal:
        messages.error(request, capfirst(str(refusal)))
        return redirect("tournament-organise", code=event.code)
    shown: dict[str, Any] = {"finished": isinstance(coming, Finished)}
    if isinstance(coming, Waiting):
        waits = [words.match_name(match) for match in coming.matches]
        shown |= {"waits": waits[:WAITS], "more_waits": max(len(waits) - WAITS, 0)}
    if isinstance(coming, Round):
        shown |= of_round(request, coming)
    return show(request, event, "preview", **shown)


def of_round(request: HttpRequest, coming: Round) -> dict[str, Any]:
    """A part of the round, and what is odd about it."""
    found = part(request, coming.pairings, ON_A_PAGE)
    here = list(found.object_list)
    odd = [note.as_dict() for note in coming.warnings[:WAITS]]
    notes = [note.as_dict() for one in here for note in one.reasons]
    names = desk.names_in([*odd, *notes, *({"entrants": one.seats} for one in here)])
    return {
        "number": coming.number,
        "part": found,
        "lines": [
            {
                "match": words.match_name(one.match),
                "rematch": one.rematch,
                "bye": len(one.seats) == 1,
                "names": [names[pk] for pk in one.seats],
                "reasons": [words.reason(note.as_dict(), names) for note in one.reasons],
            }
            for one in here
        ],
        "warnings": [words.warning(note, names) for note in odd],
        "more_warnings": max(len(coming.warnings) - WAITS, 0),
    }
