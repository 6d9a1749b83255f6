"""The first page: what this is, a board that is being played, and a way in."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.safestring import mark_safe
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import picture
from games.engine import text
from games.engine.show import NAMES, now_shown

from .asking import offer_for

SENTENCES = 2  # of what just happened


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What OTTO online is."""
    answer = render(request, "games/home.html", live() | {"offer": offer_for(request, timezone.now())})
    patch_cache_control(answer, private=True, no_store=True)  # who comes back needs another commitment
    return answer


@require_safe
def show(request: HttpRequest) -> HttpResponse:
    """The live board alone, for a script; to anybody else the first page."""
    if request.headers.get("Sec-Fetch-Dest", "empty") != "empty":
        return redirect("home")
    answer = render(request, "games/live.html", live())
    answer["Cache-Control"] = "no-store"
    return answer


def live() -> dict[str, Any]:
    """What is on show."""
    words = text.Words(
        gettext=gettext,
        ngettext=ngettext,
        names=dict(enumerate(NAMES, 1)),
        sides={n: (n,) for n in range(1, len(NAMES) + 1)},
    )
    view, events, lasts = now_shown(int(timezone.now().timestamp()))
    placed = [event["cell"] for event in events if event["event"] == "placed"][-1:]
    told = [text.tell(event, words) for event in events if event["event"] != "drew"]
    return {
        "live_board": mark_safe(
            picture.svg(
                view, size=480, title=_("A board that bots are playing on"), words=words, highlight=placed
            )
        ),
        "live_story": told[-SENTENCES:],
        "live_scores": [
            {"side": n, "name": name, "total": view["totals"][str(n)], "points": view["points"][str(n)]}
            for n, name in enumerate(NAMES, 1)
        ],
        "live_match": view["match"],
        "live_lasts": lasts,
    }
