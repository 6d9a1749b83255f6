"""The lessons: turns to try. The actions played so far are in the query string; nothing is stored."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.http import urlencode
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games import lesson
from games.engine import ActionError
from games.engine.edition import find_edition_of_language
from games.engine.read_models import PositionData
from games.game_text import build_translator

from .move_picker import MovePicker
from .seed_forms import make_viewer_offer

MAX_ACTIONS_PER_STEP = 3  # longest sequence of actions in a step
FIRST_LESSON = "first"


@require_safe
def start_lesson(request: HttpRequest) -> HttpResponse:
    """Redirect to the first step."""
    return redirect("lesson-step", number=1)


@require_http_methods(["GET", "HEAD", "POST"])
def show_step(request: HttpRequest, name: str, number: int) -> HttpResponse:
    """Show one step; on POST play an action and redirect to the step with that action in its query."""
    if name not in lesson.LESSONS or not 1 <= number <= len(lesson.LESSONS[name].steps):
        raise Http404(_("There is no such step."))
    shown_lesson, step_url = lesson.LESSONS[name], build_step_url(name, number)
    edition = find_edition_of_language(get_language() or "")
    lesson_step = lesson.find_edition_step(shown_lesson.steps[number - 1], edition)
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
        messages.error(request, _("You cannot play this now. Choose something else."))
        return redirect(step_url)
    context = build_step_context(request, lesson_step, played_actions, view, legal_actions)
    context |= list_step_links(shown_lesson, number)
    if not legal_actions and context["next_url"] is None:
        context["offer"] = make_viewer_offer(request, timezone.now())
    response = render(request, "games/lesson.html", context)
    patch_cache_control(response, private=True, no_store=True)  # the last step has an offer for a game
    return response


def build_step_url(name: str, number: int) -> str:
    """The address of a step."""
    return reverse("lesson-step", args=[number] if name == FIRST_LESSON else [name, number])


def list_step_links(shown_lesson: lesson.Lesson, number: int) -> dict[str, Any]:
    """List the links of a step: to the next one, or after the last to the next lesson; and to all lessons."""
    lessons = list(lesson.LESSONS.values())
    following = lessons[lessons.index(shown_lesson) + 1 :]
    is_last_step = number == len(shown_lesson.steps)
    return {
        "lesson": shown_lesson,
        "number": number,
        "steps": len(shown_lesson.steps),
        "next_url": None if is_last_step else build_step_url(shown_lesson.name, number + 1),
        "next_lesson_url": build_step_url(following[0].name, 1) if is_last_step and following else None,
        "lessons": [(each.title, build_step_url(each.name, 1), each is shown_lesson) for each in lessons],
    }


def build_step_context(
    request: HttpRequest,
    step: lesson.LessonStep,
    played_actions: list[str],
    position: PositionData,
    legal_actions: tuple[str, ...],
) -> dict[str, Any]:
    """Return the context of a step: its position, what can be chosen, and what the learner reads."""
    names = name_players(position)
    view: dict[str, Any] = {
        **position,
        "seats": [{**seat, "name": names[seat["seat"]]} for seat in position["seats"]],
    }
    kept_query = {"played": ",".join(played_actions)} if played_actions else {}
    picker = MovePicker(view, legal_actions, request.GET, build_translator(view), kept_query)
    return picker.template_context() | {
        "game": view,
        "legal": legal_actions,
        "step": step,
        **({"duty": _("Play your card.")} if step.wanted and not played_actions else {}),
        "text": step.tasks[min(len(played_actions), len(step.tasks) - 1)] if legal_actions else step.result,
        "players": [
            {"name": seat["name"], "tile": picker.render_tile(seat["table"], size=44), "kind": seat["table"]}
            for seat in view["seats"]
            if seat["table"]
        ],
        "play_at": f"?{urlencode(kept_query)}",
    }


def name_players(position: PositionData) -> dict[int, str]:
    """Name the seats of the lesson: two, or four in pairs."""
    if len(position["seats"]) == lesson.BOARD_SEAT:
        return {lesson.LEARNER_SEAT: _("you"), lesson.BOARD_SEAT: _("your opponent")}
    return {
        lesson.LEARNER_SEAT: _("you"),
        lesson.BOARD_SEAT: _("the opponent on your left"),
        lesson.PARTNER_SEAT: _("your partner"),
        lesson.LAST_SEAT: _("the opponent on your right"),
    }
