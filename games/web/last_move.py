"""The last tile that was placed or moved, for the mark on the board and for the script that shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games import picture_svg
from games.engine import load_edition
from games.engine.match_summary import MatchSummary

from .action_parts import parse_leap


def find_last_move(
    match_log: Sequence[Mapping[str, Any]], view: Mapping[str, Any], viewer_seat: int | None = None
) -> dict[str, Any] | None:
    """Return cell, tile, side and closed figures of the match's last placement or leap; None without one.

    `match_log` is the log of the current match, oldest action first. Every viewer may know all of it.
    """
    for log_line in reversed(match_log):
        if any(event["event"] == "match began" for event in log_line["events"]):
            return None  # this action ended the match before, and its tile lies on a board that is gone
        cell = _find_changed_cell(log_line)
        tile = view["board"]["cells"].get(cell)
        if tile:
            closed_figures = [
                (event["place"], event["value"])
                for event in log_line["events"]
                if event["event"] == "closed" and event["seat"] == log_line["seat"]
            ]
            if any(event["event"] == "infinity" for event in log_line["events"]):
                closed_figures += _list_eights(view)
            return _describe_move(log_line["seat"], cell, closed_figures, view, viewer_seat)
    return None


def find_match_end_move(
    summary: MatchSummary, board_view: Mapping[str, Any], viewer_seat: int | None
) -> dict[str, Any] | None:
    """Return the same of the move that led to the end of a match; `board_view` has its final board."""
    move = summary.last_move
    if move is None or move.cell not in board_view["board"]["cells"]:
        return None
    closed_figures = [*move.closed_figures, *(_list_eights(board_view) if summary.eight else ())]
    return _describe_move(move.seat, move.cell, closed_figures, board_view, viewer_seat)


def _find_changed_cell(log_line: Mapping[str, Any]) -> str:
    """Return the cell on which an action put a tile; empty if it put none."""
    for event in log_line["events"]:
        if event["event"] == "placed":
            return str(event["cell"])
        if event["event"] == "played" and (leap := parse_leap(event["action"])):
            return leap[1]
    return ""


def _list_eights(view: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Return place and value of the 8s on the board."""
    return [(figure["place"], 8) for figure in view["board"]["figures"] if figure["value"] == 8]


def _describe_move(
    seat_no: int,
    cell: str,
    closed_figures: Sequence[tuple[str, int]],
    view: Mapping[str, Any],
    viewer_seat: int | None,
) -> dict[str, Any]:
    """Return a move as the board template and the script need it."""
    tile = view["board"]["cells"][cell]
    sides = {seat["seat"]: seat["side"] for seat in view["seats"]}
    return {
        "cell": cell,
        "side": sides.get(seat_no),
        "own": seat_no == viewer_seat,
        "tile_id": f"otto-{picture_svg.tile_id(load_edition(view['edition']).tiles[tile['tile']])}",
        "rotation": tile["rotation"],
        "figures": [
            [point.real, point.imag, value]
            for place, value in closed_figures
            for point in picture_svg.preview_positions(place, value)
        ],
    }
