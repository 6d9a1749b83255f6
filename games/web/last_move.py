"""The last tile that was placed or moved, for the mark on the board and for the script that shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games import picture_svg
from games.engine import load_edition

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
            return _describe_move(log_line, cell, tile, view, viewer_seat)
    return None


def _find_changed_cell(log_line: Mapping[str, Any]) -> str:
    """Return the cell on which an action put a tile; empty if it put none."""
    for event in log_line["events"]:
        if event["event"] == "placed":
            return str(event["cell"])
        if event["event"] == "played" and (leap := parse_leap(event["action"])):
            return leap[1]
    return ""


def _describe_move(
    log_line: Mapping[str, Any],
    cell: str,
    tile: Mapping[str, Any],
    view: Mapping[str, Any],
    viewer_seat: int | None,
) -> dict[str, Any]:
    """Return a move as the board template and the script need it."""
    edition = load_edition(view["edition"])
    sides = {seat["seat"]: seat["side"] for seat in view["seats"]}
    closed_figures = [
        (event["place"], event["value"])
        for event in log_line["events"]
        if event["event"] == "closed" and event["seat"] == log_line["seat"]
    ]
    closed_figures += [
        (figure["place"], 8)
        for figure in view["board"]["figures"]
        if figure["value"] == 8 and any(event["event"] == "infinity" for event in log_line["events"])
    ]
    return {
        "seq": log_line["seq"],
        "cell": cell,
        "side": sides.get(log_line["seat"]),
        "own": log_line["seat"] == viewer_seat,
        "tile_id": f"otto-{picture_svg.tile_id(edition.tiles[tile['tile']])}",
        "rotation": tile["rotation"],
        "figures": [
            [point.real, point.imag, value]
            for place, value in closed_figures
            for point in picture_svg.preview_positions(place, value)
        ],
    }
