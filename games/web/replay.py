"""The replay of a game, position by position."""

from __future__ import annotations

import re
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.dateparse import parse_datetime
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.web.request_utils import viewer_of
from games import picture_svg, selectors
from games.engine import text
from games.engine.text import GameTranslator
from games.game_text import build_translator, format_tile_name, seat_display_name
from games.selectors import Position
from games.selectors.replay import Match, ReplayViewData

MAX_SEQ = 10**9  # beyond the end of every game


@require_safe
def show_replay(request: HttpRequest, code: str) -> HttpResponse:
    """Show the position after the action with seq `at`, or the deal."""
    try:
        position = selectors.load_position_for(viewer_of(request), code, parse_seq(request.GET.get("at", "")))
    except selectors.NoSuchGame:
        raise Http404(_("There is no such game.")) from None
    if position is None:
        return render(request, "games/replay.html", {"code": code})
    translator = build_translator(position.view)
    context = {
        "code": code,
        "position": position,
        "game": position.view,
        "address": request.build_absolute_uri(f"{request.path}?at={position.seq}"),
        "names": translator.format_and_list([seat_display_name(seat) for seat in position.view["seats"]]),
        **navigation_context(position),
        **position_context(position, translator),
    }
    return render(request, "games/replay.html", context)


def parse_seq(seq_text: str) -> int:
    """Return the seq of a query parameter: 0 if it is malformed, `MAX_SEQ` if it is too large."""
    if not re.fullmatch(r"\s*[+-]?\d+\s*", seq_text):
        return 0
    digits = seq_text.strip().lstrip("+")
    if digits.startswith("-"):
        return 0
    return int(digits) if len(digits) < len(str(MAX_SEQ)) else MAX_SEQ


def match_name(match: Match) -> str:
    """Return the name of a match."""
    if match.kind == "blind":
        return _("Blind match")
    return _("Solo match") if match.kind == "solo" else _("Match {n}").format(n=match.number)


def navigation_context(position: Position) -> dict[str, Any]:
    """Return the navigation: first, back, forward, last, and the matches."""
    seq, matches = position.seq, position.matches
    match_index = matches.index(current_match(position))
    return {
        "steps": [
            ("first", 0 if seq else None),
            ("back", seq - 1 if seq else None),
            ("forward", seq + 1 if seq < position.last_seq else None),
            ("last", position.last_seq if seq < position.last_seq else None),
        ],
        "match": match_name(matches[match_index]),
        "matches": [
            (match_name(match), match.start_seq, index == match_index) for index, match in enumerate(matches)
        ],
        "previous_match": matches[match_index - 1] if match_index else None,
        "next_match": matches[match_index + 1] if match_index + 1 < len(matches) else None,
    }


def current_match(position: Position) -> Match:
    """Return the match that the position belongs to."""
    return [match for match in position.matches if match.start_seq <= position.seq][-1]


def position_context(position: Position, translator: GameTranslator) -> dict[str, Any]:
    """Return the board, the last action and everything beside the board."""
    view, log_line = position.view, position.lines[-1]
    match = current_match(position)
    changed_cells = placed_cells(log_line)
    title = (
        _("The board after move {n}").format(n=position.seq) if position.seq else _("The board at the start")
    )
    return {
        "board": render_board(view, translator, title, () if position.board else changed_cells),
        "text_board": text.draw_text_board(view),
        "final_board": render_board(
            {**view, "board": position.board},
            translator,
            _("The board at the end of the match"),
            changed_cells,
        )
        if position.board
        else None,
        "mover": translator.format_seat(log_line["seat"]) if log_line["seat"] else "",
        "played_at": position.seq and parse_datetime(position.moves[position.seq - 1].at or ""),
        "story": text.narrate_actions([log_line], translator),
        "scores": [
            (translator.format_side(int(side)), view["points"][side], total)
            for side, total in view["totals"].items()
        ],
        "seats": [
            seat | {"picture": render_tile(view, seat["table"])} if seat["table"] else seat
            for seat in view["seats"]
        ],
        "drawn_tile": render_tile(view, view["drawn"]) if view["drawn"] else None,
        "stolen_card": translator.format_card(view["stolen"]) if view["stolen"] else "",
        "hands": describe_hands(view, translator),
        "moves": [
            (
                move.seq,
                translator.capitalize_sentence(
                    f"{translator.format_seat(move.seat)}: {text.describe_action(move.action, translator)}"
                ),
            )
            for move in position.moves
            if move.match == match.number
        ],
    }


def describe_hands(view: ReplayViewData, translator: GameTranslator) -> list[str]:
    """Return the cards that the viewer, and a partner, held at this position."""
    you = view.get("you")
    if not you:
        return []
    sentences = (
        [_("Your cards then: {cards}").format(cards=translator.format_cards_with_codes(you["hand"]))]
        if you["hand"]
        else []
    )
    if you["partner"] and you["partner"]["hand"]:
        who, cards = (
            translator.format_seat(you["partner"]["seat"]),
            translator.format_cards_with_codes(you["partner"]["hand"]),
        )
        sentences.append(_("Cards of {who}: {cards}").format(who=who, cards=cards))
    return sentences


def placed_cells(log_line: dict[str, Any]) -> tuple[str, ...]:
    """Return the cell on which a log line put a tile, as a tuple of none or one."""
    for event in log_line["events"]:
        if event["event"] == "placed":
            return (event["cell"],)
        if event["event"] == "played" and event["action"].removeprefix("CV=").startswith("QL"):
            return (event["action"].split("-")[2],)
    return ()


def render_board(
    view: ReplayViewData, translator: GameTranslator, title: str, changed_cells: tuple[str, ...]
) -> SafeString:
    """Return the board as SVG."""
    # Our own SVG, all text escaped.
    return mark_safe(
        picture_svg.draw_board_svg(
            view, size=560, title=title, highlight=changed_cells, translator=translator
        )
    )


def render_tile(view: ReplayViewData, kind: str) -> SafeString:
    """Return one tile as SVG."""
    return mark_safe(picture_svg.draw_tile_svg(view["edition"], kind, size=44, title=format_tile_name(kind)))
