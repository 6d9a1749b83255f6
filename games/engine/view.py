"""The view of a state for one viewer: the only form in which a state leaves the server."""

from __future__ import annotations

from typing import Any

from .actions import legal_actions
from .board import CELL_NAMES, CELL_NEIGHBOURS, FIGURE_KIND_OF_VALUE, PLACE_NAMES
from .state import State


def build_view(state: State, viewer: int | None = None) -> dict[str, Any]:
    """The game as seen by a seat, or by a spectator (None). Raises ValueError if there is no such seat."""
    setup = state.setup
    if viewer is not None and not 1 <= viewer <= setup.seats:
        raise ValueError(f"there is no seat {viewer}")
    sides = setup.side_numbers
    game_view = {
        "edition": setup.edition,
        "mode": setup.mode,
        "options": {"cards": setup.cards, "obligation": setup.obligation, "target": setup.target},
        "seq": state.seq,
        "phase": state.phase,
        "match": state.match_no,
        "kind": state.match_kind,
        "turn": state.turn,
        "second_turn": state.extra_turn == 2,
        "to_act": list(state.seats_to_act),
        "seats": [
            {
                "seat": seat,
                "side": setup.sides[seat],
                "cards": len(state.hands[seat]),
                "table": state.table_tiles[seat] or None,
                "in_play": setup.sides[seat] not in state.resigned_sides,
            }
            for seat in range(1, setup.seats + 1)
        ],
        "board": {"cells": _build_cells(state), "figures": list_figures(state)},
        "drawn": state.drawn_tile or None,
        "stolen": state.stolen_card or None,
        "markers": {
            str(side): {str(value): n for (value, _), n in zip(setup.edition_data.markers, left, strict=True)}
            for side, left in zip(sides, state.markers_left[1:], strict=True)
        },
        "points": {
            str(side): sum(value for _, value, owner in state.marked_figures if owner == side)
            for side in sides
        },
        "totals": {str(side): state.totals[side] for side in sides},
        "tower_left": len(state.tower),
        "deck_left": len(state.deck),
        "played": list(state.played_cards),
        "gone": list(state.removed_tiles),
        "protected": list(state.protected_sides),
        "matches": state.finished_matches,
        "shootout": [dict(tiles) for tiles in state.shootout_rounds],
        "winner": state.winner or None,
    }
    if viewer is not None:
        game_view["you"] = _build_viewer_part(state, viewer)
    return game_view


def list_figures(state: State) -> list[dict[str, Any]]:
    """The closed figures on the board; side None if unmarked, for an 8 the side that made it."""
    all_figures: list[tuple[int, int, int | None]] = [*state.marked_figures]
    all_figures += [(place, value, None) for place, value in state.unmarked_figures]
    figure_dicts = [
        {"kind": FIGURE_KIND_OF_VALUE[value], "place": PLACE_NAMES[place], "value": value, "side": side}
        for place, value, side in sorted(all_figures, key=lambda figure: figure[0])
    ]
    for cell in state.eight_cells:
        place = "+".join(CELL_NAMES[x] for x in _list_eight_cells(state, cell))
        figure_dicts.append(
            {"kind": FIGURE_KIND_OF_VALUE[8], "place": place, "value": 8, "side": state.eight_side}
        )
    return figure_dicts


def _list_eight_cells(state: State, cell: int) -> list[int]:
    """The crossing cell and its two ends, from the left or from below."""
    kind, rotation = state.setup.board.tile_of_code[state.cells[cell]]
    crossing = state.setup.edition_data.tiles[kind].rotate_features(rotation).crossing
    before, after = (3, 1) if crossing == "WE" else (2, 0)
    return [CELL_NEIGHBOURS[cell][before], cell, CELL_NEIGHBOURS[cell][after]]


def _build_cells(state: State) -> dict[str, dict[str, Any]]:
    """The tiles on the board by cell name."""
    tile = state.setup.board.tile_of_code
    return {
        CELL_NAMES[x]: {"tile": tile[t][0], "rotation": tile[t][1]} for x, t in enumerate(state.cells) if t
    }


def _build_viewer_part(state: State, seat: int) -> dict[str, Any]:
    """What only the viewing seat may see: its hand, and that of its partner."""
    setup = state.setup
    partner = next(
        (other_seat for other_seat in setup.seats_of_side(setup.sides[seat]) if other_seat != seat), None
    )
    return {
        "seat": seat,
        "side": setup.sides[seat],
        "hand": list(state.hands[seat]),
        "partner": {"seat": partner, "hand": list(state.hands[partner])} if partner else None,
        "legal_count": len(legal_actions(state, seat)),
    }
