"""The end of a match or a game, on the game page and on the page of a turn link.

The last board of a match stays, with its summary, until the viewer goes on. Going on is a link, `?seen=N`,
which a cookie remembers for this game; a player who has played in the next match, or is choosing a move,
has gone on, too, but not if a standing order played. `?match=N` shows the summary again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.web.request_utils import parse_int, viewer_of
from games import picture_svg, selectors
from games.engine import ending_text, text
from games.engine.match_summary import MatchSummary
from games.engine.solo_progress import measure_solo_progress
from games.engine.text import GameTranslator
from games.game_text import format_tile_name
from games.models import Game
from games.permissions import Permission
from games.selectors import match_summary
from games.selectors.read_models import LogLineData

from .action_parts import CELLS_FROM_TOP, describe_cell
from .last_move import find_match_end_move

SEEN_COOKIE = "seen-match"
SEEN_COOKIE_SECONDS = 60 * 86400
CHOICE_PARAMETERS = ("card", "start", "cell", "action", "resign")  # of somebody who is choosing a move
View = Callable[..., HttpResponse]


def remember_seen_match(view: View) -> View:
    """Make a game page remember in a cookie which match the viewer has seen the end of."""

    @wraps(view)
    def show_and_remember(request: HttpRequest, code: str) -> HttpResponse:
        response = view(request, code)
        seen_match = parse_int(request.GET.get("seen", ""))
        if seen_match is not None and response.status_code == 200:
            response.set_cookie(
                SEEN_COOKIE,
                str(seen_match),
                max_age=SEEN_COOKIE_SECONDS,
                path=request.path,
                secure=request.is_secure(),
                httponly=True,
                samesite="Lax",
            )
        return response

    return show_and_remember


def build_ending_context(
    request: HttpRequest, page: selectors.GamePage, translator: GameTranslator
) -> dict[str, Any]:
    """Build the part of a game page about endings: summary of a match, result, goal of a solo match."""
    view, match_log = page.game_view.view, page.match_log
    status = view["status"]
    if status.is_over:
        viewer = viewer_of(request)
        return (
            build_result_context(view, translator)
            | build_next_game_context(page, viewer)
            | build_rematch_context(page.rematch, viewer)
        )
    if not status.is_playing:
        return {}
    if view["mode"] == Game.Mode.SOLO:
        return {"solo": build_solo_context(view, translator)}
    end_seq = match_summary.find_last_match_end(match_log[:1])  # the action that also began this match
    if end_seq is None:
        return {}
    last_match_no = view["match"] - 1
    if not is_summary_due(request, view, match_log, last_match_no, end_seq):
        return {"last_match": last_match_no}
    summary = match_summary.load_match_summary(view, end_seq)
    return {"summary": build_summary_context(summary, view, translator)} if summary else {}


def is_summary_due(
    request: HttpRequest,
    view: Mapping[str, Any],
    match_log: Sequence[LogLineData],
    last_match_no: int,
    end_seq: int,
) -> bool:
    """True if the viewer sees the end of the last match, and not the current one."""
    if parse_int(request.GET.get("match", "")) == last_match_no:
        return True
    if any(name in request.GET for name in CHOICE_PARAMETERS):
        return False
    seen_matches = (request.GET.get("seen", ""), request.COOKIES.get(SEEN_COOKIE, ""))
    if any((parse_int(seen_text) or 0) >= last_match_no for seen_text in seen_matches):
        return False
    own_seat_no = view["you"]["seat"] if "you" in view else 0
    if any(seat["seat"] == own_seat_no and seat["in_play"] for seat in view["seats"]):
        return not match_summary.has_played_since(view["id"], match_log, end_seq, own_seat_no)
    return len(match_log) == 1  # somebody who watches: until the next match goes on


def build_turn_link_context(
    request: HttpRequest, view: Mapping[str, Any], translator: GameTranslator
) -> dict[str, Any]:
    """The end of the last match for the page of a turn link, until its reader goes on: without a cookie."""
    if request.method != "GET" or any(name in request.GET for name in ("seen", *CHOICE_PARAMETERS)):
        return {}
    summary = match_summary.load_unseen_match_summary(view, view["you"]["seat"])
    return {"summary": build_summary_context(summary, view, translator)} if summary else {}


def build_played_context(
    view: Mapping[str, Any], own_lines: Sequence[LogLineData], translator: GameTranslator
) -> dict[str, Any]:
    """Build the part of a page about the end that an action by a turn link brought: game, match, or none."""
    if view["phase"] == "over":
        return build_result_context(view, translator)
    end_seq = match_summary.find_last_match_end(own_lines)
    summary = match_summary.load_match_summary(view, end_seq) if end_seq else None
    return {"summary": build_summary_context(summary, view, translator)} if summary else {}


# ------------------------------------------------------------------------------------------------- a match


def build_summary_context(
    summary: MatchSummary, view: Mapping[str, Any], translator: GameTranslator
) -> dict[str, Any]:
    """A match that has ended, for the template."""
    own_side = view["you"]["side"] if "you" in view else None
    board_view = {**view, "board": summary.board}
    last_move = find_match_end_move(summary, board_view, view["you"]["seat"] if "you" in view else None)
    last_move_cell = last_move["cell"] if last_move else ""
    return {
        "match_no": summary.match_no,
        "headline": ending_text.format_match_headline(summary, translator),
        "board": render_last_board(board_view, translator),
        "cells": [
            {"name": name, "label": describe_cell(board_view, name, last_move_cell)}
            for name in CELLS_FROM_TOP
        ],
        "last_move": last_move,
        "last_move_json": json.dumps(last_move) if last_move else "",
        "text_board": text.draw_text_board(board_view),
        "figures": text.describe_figures(board_view, translator),
        "eight": ending_text.describe_eight(summary.eight, translator) if summary.eight else [],
        "rows": [build_score_row(line, summary, view, translator, own_side) for line in summary.scores],
        "next_start": ending_text.describe_next_start(summary.next_start, translator)
        if summary.next_start
        else "",
        "next_match": summary.next_start.match_no if summary.next_start else None,
    }


def build_score_row(
    line: Any,
    summary: MatchSummary,
    view: Mapping[str, Any],
    translator: GameTranslator,
    own_side: int | None,
) -> dict[str, Any]:
    """Build the row of a side's figures and score in a match."""
    return {
        "side": line.side,
        "name": translator.format_side(line.side),
        "is_own": line.side == own_side,
        "closed_figures": [
            {"kind": kind, "points": points, "text": count_text}
            for kind, points, count_text in ending_text.format_figure_counts(line.figures, translator)
        ],
        "note": ending_text.describe_score_note(line, summary, translator),
        "silly_tile": render_small_tile(view["edition"], line.silly_tile) if line.silly_tile else "",
        "score": line.score,
        "total": line.total,
    }


def render_last_board(board_view: Mapping[str, Any], translator: GameTranslator) -> SafeString:
    """The board as the match ended; an 8 glows on it."""
    svg = picture_svg.draw_board_svg(
        board_view, size=560, title=_("The board at the end of the match"), translator=translator
    )
    return mark_safe(svg)  # our own SVG, all text escaped


def render_small_tile(edition_name: str, kind: str) -> SafeString:
    """A tile beside a score."""
    return mark_safe(picture_svg.draw_tile_svg(edition_name, kind, size=36, title=format_tile_name(kind)))


# -------------------------------------------------------------------------------------------------- a game


def build_result_context(view: Mapping[str, Any], translator: GameTranslator) -> dict[str, Any]:
    """The result of a game that is over, for the template."""
    game_end = match_summary.load_game_end(view)
    if game_end is None:
        return {}
    own_side = view["you"]["side"] if "you" in view else None
    result = game_end.result
    context: dict[str, Any] = {
        "result": {
            "headline": translator.capitalize_sentence(
                ending_text.format_result_headline(result, own_side, translator)
            ),
            "outcome": find_outcome(result.winner, own_side),
            "reasons": ending_text.describe_result(result, translator, game_end.timed_out_side),
            "ranking": [
                {
                    "rank": line.rank,
                    "side": line.side,
                    "name": translator.format_side(line.side),
                    "total": line.total,
                    "is_own": line.side == own_side,
                    "has_won": line.side == result.winner,
                    "resigned": line.has_resigned,
                }
                for line in result.ranking
            ],
        }
    }
    if view["mode"] == Game.Mode.SOLO:
        context["solo"] = build_solo_context(view, translator)
    elif game_end.last_match:
        context["final_match"] = build_summary_context(game_end.last_match, view, translator)
    return context


def build_next_game_context(page: selectors.GamePage, viewer: Player | None) -> dict[str, Any]:
    """Build the offers of a next game: the same again, and for a guest a game against the same bot.

    A solo match is played again once: from then on the latest one leads on.
    """
    view = page.game_view.view
    if viewer is None or page.game_view.seat_no is None:
        return {}
    if viewer.is_guest:
        return {"bot_policy": next((seat["bot"] for seat in view["seats"] if seat["bot"]), "")}
    if Permission.REMATCH not in page.permissions:
        return {}
    return {"asks_for_rematch": view["mode"] != Game.Mode.SOLO or page.rematch is None}


def build_rematch_context(rematch: Game | None, viewer: Player | None) -> dict[str, Any]:
    """Build the part about the rematch: its players, and whether the viewer sits in it already."""
    if rematch is None or viewer is None:
        return {}
    seats = [seat for seat in rematch.seats.select_related("player").order_by("join_order") if seat.player_id]
    return {
        "rematch_names": [selectors.seat_name(seat) for seat in seats if seat.player_id != viewer.pk],
        "in_rematch": any(seat.player_id == viewer.pk for seat in seats),
    }


def find_outcome(winner: int | None, own_side: int | None) -> str:
    """The outcome for the viewer: won, lost, drawn or watched."""
    if own_side is None:
        return "watched"
    if winner is None:
        return "drawn"
    return "won" if winner == own_side else "lost"


def build_solo_context(view: Mapping[str, Any], translator: GameTranslator) -> dict[str, Any]:
    """The goal of a solo match, or what was reached in it."""
    progress = measure_solo_progress(view)
    if not progress.is_over:
        sentences = ending_text.describe_solo_goal(progress, translator)
    else:
        sentences = ending_text.describe_solo_result(progress, translator)
    grade = progress.grade or ""
    return {
        "is_over": progress.is_over,
        "score": progress.score,
        "grade": grade,
        "grade_text": ending_text.format_solo_grade(grade, translator) if grade else "",
        "sentences": sentences,
        "levels": ending_text.describe_solo_levels(translator),
        "placed": progress.markers_placed,
        "marker_count": progress.marker_count,
        "has_eight": progress.has_eight,
    }
