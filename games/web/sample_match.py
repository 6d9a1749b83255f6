"""A match to watch: like the replay of a game, with captions for newcomers."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import picture_svg
from games.engine import load_edition, text
from games.game_text import format_tile_name
from games.sample_match import SAMPLE_PLAYER_NAMES, SAMPLE_SETUP, SamplePosition, list_sample_positions

from .replay import parse_seq, placed_cells


@require_safe
def show_sample_match(request: HttpRequest) -> HttpResponse:
    """Show the position of `?at=`, or the deal."""
    positions = list_sample_positions()
    last_step = len(positions) - 1
    step = min(parse_seq(request.GET.get("at", "")), last_step)
    context = {
        "step": step,
        "last_step": last_step,
        "edition": load_edition(SAMPLE_SETUP.edition),
        "steps": [
            ("first", 0 if step else None),
            ("back", step - 1 if step else None),
            ("forward", step + 1 if step < last_step else None),
            ("last", last_step if step < last_step else None),
        ],
        **_describe_position(positions[step]),
    }
    return render(request, "games/sample_match.html", context)


def _describe_position(position: SamplePosition) -> dict[str, Any]:
    """The board, the caption, the players' tiles and points."""
    names = dict(enumerate(SAMPLE_PLAYER_NAMES, 1))
    translator = text.GameTranslator(
        gettext=gettext, ngettext=ngettext, seat_names=names, side_seats={seat: (seat,) for seat in names}
    )
    view = position.view
    board = picture_svg.draw_board_svg(
        view,
        size=560,
        title=_("The board"),
        highlight=placed_cells({"events": position.events}),
        translator=translator,
    )
    return {
        "board": mark_safe(board),
        "remark": position.remark,
        "story": [text.narrate_event(event, translator) for event in position.events],
        "players": [
            {
                "name": names[seat["seat"]],
                "points": translator.format_points(view["points"][str(seat["seat"])]),
                "cards": translator.format_card_count(seat["cards"]),
                "tiles": [
                    mark_safe(
                        picture_svg.draw_tile_svg(
                            view["edition"], kind, size=44, title=format_tile_name(kind)
                        )
                    )
                    for kind in [seat["table"], view["drawn"] if view["turn"] == seat["seat"] else None]
                    if kind
                ],
            }
            for seat in view["seats"]
        ],
    }
