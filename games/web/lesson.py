"""The lesson: four turns to try. What was played stands in the address, and nothing is stored."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games import lesson
from games.engine import Refused
from games.words import words_for

from .asking import offer_for
from .choosing import Choice

MOST = 3  # actions that a step can take


@require_safe
def first(request: HttpRequest) -> HttpResponse:
    """The beginning."""
    return redirect("lesson-step", number=1)


@require_http_methods(["GET", "HEAD", "POST"])
def step(request: HttpRequest, number: int) -> HttpResponse:
    """One step: what there is to do, or that it is done; an action leads on to its own address."""
    if not 1 <= number <= len(lesson.STEPS):
        raise Http404(_("There is no such step."))
    at, here = lesson.STEPS[number - 1], reverse("lesson-step", args=[number])
    played = [action for action in request.GET.get("played", "").split(",")[:MOST] if action]
    try:
        if request.method == "POST":
            onwards = [*played, request.POST.get("action", "")]
            lesson.after(at, onwards)
            return redirect(f"{here}?{urlencode({'played': ','.join(onwards)})}#main")
        view, legal = lesson.after(at, played)[0], lesson.legal(at, played)
    except Refused:
        messages.error(request, _("This cannot be played now. Choose anew."))
        return redirect(here)
    answer = render(request, "games/lesson.html", facts(request, number, played, view, legal))
    patch_cache_control(answer, private=True, no_store=True)  # it ends with an offer for a game
    return answer


def facts(
    request: HttpRequest, number: int, played: list[str], view: dict[str, Any], legal: tuple[str, ...]
) -> dict[str, Any]:
    """What the page shows."""
    names = {1: _("you"), 2: _("the board")}
    for seat in view["seats"]:
        seat["name"] = names[seat["seat"]]
    done = ",".join(played)
    keep = {"played": done} if played else {}
    choice = Choice(view, legal, request.GET, words_for(view), keep)
    return choice.facts() | {
        "game": view,
        "legal": legal,
        "step": lesson.STEPS[number - 1].name,
        "number": number,
        "steps": len(lesson.STEPS),
        "next": number + 1 if number < len(lesson.STEPS) else None,
        "first_part": not played,
        "play_at": f"?{urlencode(keep)}",
        "offer": offer_for(request, timezone.now()),
    }
