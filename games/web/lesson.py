"""The lesson: four turns to try. The actions played so far are in the query string; nothing is stored."""

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
from games.engine import ActionError
from games.engine.read_models import PositionData
from games.game_text import build_translator

from .move_picker import MovePicker
from .seed_forms import make_viewer_offer

MAX_ACTIONS_PER_STEP = 3  # longest sequence of actions in a step


@require_safe
def start_lesson(request: HttpRequest) -> HttpResponse:
    """Redirect to the first step."""
    return redirect("lesson-step", number=1)


@require_http_methods(["GET", "HEAD", "POST"])
def show_step(request: HttpRequest, number: int) -> HttpResponse:
    """Show one step; on POST play an action and redirect to the step with that action in its query."""
    if not 1 <= number <= len(lesson.LESSON_STEPS):
        raise Http404(_("There is no such step."))
    lesson_step, step_url = lesson.LESSON_STEPS[number - 1], reverse("lesson-step", args=[number])
    played_actions = [
        action for action in request.GET.get("played", "").split(",")[:MAX_ACTIONS_PER_STEP] if action
    ]
    try:
        if request.method == "POST":
            next_actions = [*played_actions, request.POST.get("action", "")]
            lesson.play_lesson_actions(lesson_step, next_actions)
            return redirect(f"{step_url}?{urlencode({'played': ','.join(next_actions)})}#main")
        view, legal_actions = (
            lesson.play_lesson_actions(lesson_step, played_actions)[0],
            lesson.list_lesson_actions(lesson_step, played_actions),
        )
    except ActionError:
        messages.error(request, _("This cannot be played now. Choose anew."))
        return redirect(step_url)
    response = render(
        request, "games/lesson.html", step_context(request, number, played_actions, view, legal_actions)
    )
    patch_cache_control(response, private=True, no_store=True)  # the last step has an offer for a game
    return response


def step_context(
    request: HttpRequest,
    number: int,
    played_actions: list[str],
    position: PositionData,
    legal_actions: tuple[str, ...],
) -> dict[str, Any]:
    """Return the context of a step."""
    names = {1: _("you"), 2: _("the board")}
    view: dict[str, Any] = {
        **position,
        "seats": [{**seat, "name": names[seat["seat"]]} for seat in position["seats"]],
    }
    played_text = ",".join(played_actions)
    kept_query = {"played": played_text} if played_actions else {}
    picker = MovePicker(view, legal_actions, request.GET, build_translator(view), kept_query)
    return picker.template_context() | {
        "game": view,
        "legal": legal_actions,
        "step": lesson.LESSON_STEPS[number - 1].name,
        "number": number,
        "steps": len(lesson.LESSON_STEPS),
        "next": number + 1 if number < len(lesson.LESSON_STEPS) else None,
        "first_part": not played_actions,
        "play_at": f"?{urlencode(kept_query)}",
        "offer": make_viewer_offer(request, timezone.now()),
    }
