"""A game looked at again, position by position."""

from __future__ import annotations

import re
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.dateparse import parse_datetime
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import picture, selectors
from games.engine import text
from games.engine.text import Words
from games.selectors import Position
from games.selectors.replay import Match
from games.words import name_on, tile_name, words_for

from .asking import viewer_of

FARTHEST = 10**9  # beyond the end of every game


@require_safe
def replay(request: HttpRequest, code: str) -> HttpResponse:
    """The position after the action that `at` names; the deal without one."""
    try:
        position = selectors.position_for(viewer_of(request), code, asked(request.GET.get("at", "")))
    except selectors.NoSuchGame:
        raise Http404(_("There is no such game.")) from None
    if position is None:
        return render(request, "games/replay.html", {"code": code})
    words = words_for(position.view)
    facts = {
        "code": code,
        "position": position,
        "game": position.view,
        "address": request.build_absolute_uri(f"{request.path}?at={position.seq}"),
        "names": words.listed([name_on(seat) for seat in position.view["seats"]]),
        **steps_of(position),
        **shown(position, words),
    }
    return render(request, "games/replay.html", facts)


def asked(at: str) -> int:
    """The seq that an address asks for, whatever it holds; the end for a number beyond every game."""
    if not re.fullmatch(r"\s*[+-]?\d+\s*", at):
        return 0
    number = at.strip().lstrip("+")
    if number.startswith("-"):
        return 0
    return int(number) if len(number) < len(str(FARTHEST)) else FARTHEST


def named(match: Match) -> str:
    """What a match is called."""
    if match.kind == "blind":
        return _("Blind match")
    return _("Solo match") if match.kind == "solo" else _("Match {n}").format(n=match.number)


def steps_of(position: Position) -> dict[str, Any]:
    """Where one can go from here."""
    seq, matches = position.seq, position.matches
    here = matches.index(current(position))
    return {
        "steps": [
            ("first", 0 if seq else None),
            ("back", seq - 1 if seq else None),
            ("forward", seq + 1 if seq < position.last else None),
            ("last", position.last if seq < position.last else None),
        ],
        "match": named(matches[here]),
        "matches": [(named(match), match.began, number == here) for number, match in enumerate(matches)],
        "earlier": matches[here - 1] if here else None,
        "later": matches[here + 1] if here + 1 < len(matches) else None,
    }


def current(position: Position) -> Match:
    """The match that is being played here."""
    return [match for match in position.matches if match.began <= position.seq][-1]


def shown(position: Position, words: Words) -> dict[str, Any]:
    """The board, what happened last, and everything beside the board."""
    view, line = position.view, position.lines[-1]
    match = current(position)
    marked = cell_of(line)
    title = (
        _("The board after move {n}").format(n=position.seq) if position.seq else _("The board at the start")
    )
    return {
        "board": drawn(view, words, title, () if position.board else marked),
        "text_board": text.board(view),
        "ended_board": drawn(
            view | {"board": position.board}, words, _("The board as the match ended"), marked
        )
        if position.board
        else None,
        "mover": words.who(line["seat"]) if line["seat"] else "",
        "played_at": position.seq and parse_datetime(position.moves[position.seq - 1].at or ""),
        "story": text.story([line], words),
        "scores": [
            (words.side(int(side)), view["points"][side], total) for side, total in view["totals"].items()
        ],
        "seats": [
            seat | {"picture": tile(view, seat["table"])} if seat["table"] else seat for seat in view["seats"]
        ],
        "drawn": tile(view, view["drawn"]) if view["drawn"] else None,
        "stolen": words.card(view["stolen"]) if view["stolen"] else "",
        "hands": hands(view, words),
        "moves": [
            (move.seq, words.said(f"{words.who(move.seat)}: {text.choice(move.action, words)}"))
            for move in position.moves
            if move.match == match.number
        ],
    }


def hands(view: dict[str, Any], words: Words) -> list[str]:
    """The cards that the viewer held then, and those of a partner."""
    you = view.get("you")
    if not you:
        return []
    told = [_("Your cards then: {cards}").format(cards=words.coded(you["hand"]))] if you["hand"] else []
    if you["partner"] and you["partner"]["hand"]:
        who, cards = words.who(you["partner"]["seat"]), words.coded(you["partner"]["hand"])
        told.append(_("Cards of {who}: {cards}").format(who=who, cards=cards))
    return told


def cell_of(line: dict[str, Any]) -> tuple[str, ...]:
    """The cell where a line of the log put a tile, if it did."""
    for event in line["events"]:
        if event["event"] == "placed":
            return (event["cell"],)
        if event["event"] == "played" and event["action"].removeprefix("CV=").startswith("QL"):
            return (event["action"].split("-")[2],)
    return ()


def drawn(view: dict[str, Any], words: Words, title: str, marked: tuple[str, ...]) -> SafeString:
    # Drawn by us, every text in it escaped.
    return mark_safe(picture.svg(view, size=560, title=title, highlight=marked, words=words))


def tile(view: dict[str, Any], kind: str) -> SafeString:
    return mark_safe(picture.tile_svg(view["edition"], kind, size=44, title=tile_name(kind)))
