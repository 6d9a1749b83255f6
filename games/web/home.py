"""The home page, with a live board that bots play on."""

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

from games import picture_svg
from games.engine import text
from games.engine.demo_game import DEMO_PLAYER_NAMES, find_demo_position

from .seed_forms import make_viewer_offer

MAX_STORY_SENTENCES = 2  # shown of what just happened


@require_safe
def show_home(request: HttpRequest) -> HttpResponse:
    """Show the home page."""
    response = render(
        request,
        "games/home.html",
        live_board_context() | {"offer": make_viewer_offer(request, timezone.now())},
    )
    patch_cache_control(response, private=True, no_store=True)  # every visit needs a new offer
    return response


@require_safe
def show_live_board(request: HttpRequest) -> HttpResponse:
    """Return the live board alone, for the script; other requests are redirected to the home page."""
    if request.headers.get("Sec-Fetch-Dest", "empty") != "empty":
        return redirect("home")
    response = render(request, "games/live_board.html", live_board_context())
    response["Cache-Control"] = "no-store"
    return response


def live_board_context() -> dict[str, Any]:
    """Return the context of the live board."""
    translator = text.GameTranslator(
        gettext=gettext,
        ngettext=ngettext,
        seat_names=dict(enumerate(DEMO_PLAYER_NAMES, 1)),
        side_seats={n: (n,) for n in range(1, len(DEMO_PLAYER_NAMES) + 1)},
    )
    position = find_demo_position(int(timezone.now().timestamp()))
    view, events = position.view, position.events
    placed_cells = [event["cell"] for event in events if event["event"] == "placed"][-1:]
    sentences = [text.narrate_event(event, translator) for event in events if event["event"] != "drew"]
    return {
        "live_board": mark_safe(
            picture_svg.draw_board_svg(
                view,
                size=480,
                title=_("Bots playing live"),
                translator=translator,
                highlight=placed_cells,
            )
        ),
        "live_story": sentences[-MAX_STORY_SENTENCES:],
        "live_scores": [
            {"side": n, "name": name, "total": view["totals"][str(n)], "points": view["points"][str(n)]}
            for n, name in enumerate(DEMO_PLAYER_NAMES, 1)
        ],
        "live_match": view["match"],
        "live_lasts": position.seconds_shown,
    }
