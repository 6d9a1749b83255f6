"""What a given viewer may see. Nothing else of a state ever leaves the server."""

from __future__ import annotations

from typing import Any

from .actions import legal_actions
from .board import CELLS, FIGURE_KIND, NEIGHBOUR, PLACE_NAME
from .state import State


def view(state: State, viewer: int | None = None) -> dict[str, Any]:
    """The game as seen from a seat, or by a spectator (None). Raises ValueError if there is no such seat."""
    setup = state.setup
    if viewer is not None and not 1 <= viewer <= setup.seats:
        raise ValueError(f"there is no seat {viewer}")
    sides = setup.side_numbers
    seen = {
        "edition": setup.edition,
        "mode": setup.mode,
        "options": {"cards": setup.cards, "obligation": setup.obligation, "target": setup.target},
        "seq": state.seq,
        "phase": state.phase,
        "match": state.match,
        "kind": state.kind,
        "turn": state.turn,
        "second_turn": state.extra == 2,
        "to_act": list(state.to_act),
        "seats": [
            {
                "seat": seat,
                "side": setup.sides[seat],
                "cards": len(state.hands[seat]),
                "table": state.table[seat] or None,
                "in_play": setup.sides[seat] not in state.out,
            }
            for seat in range(1, setup.seats + 1)
        ],
        "board": {"cells": _cells(state), "figures": figures(state)},
        "drawn": state.drawn or None,
        "stolen": state.stolen or None,
        "markers": {
            str(side): {str(value): n for (value, _), n in zip(setup.box.markers, left, strict=True)}
            for side, left in zip(sides, state.markers[1:], strict=True)
        },
        "points": {
            str(side): sum(value for _, value, owner in state.marked if owner == side) for side in sides
        },
        "totals": {str(side): state.totals[side] for side in sides},
        "tower_left": len(state.tower),
        "deck_left": len(state.deck),
        "played": list(state.spent),
        "gone": list(state.gone),
        "protected": list(state.kept),
        "matches": state.finished_matches,
        "shootout": [dict(tiles) for tiles in state.shootout],
        "winner": state.winner or None,
    }
    if viewer is not None:
        seen["you"] = _you(state, viewer)
    return seen


def figures(state: State) -> list[dict[str, Any]]:
    """The closed figures on the board, unmarked ones with side None, each 8 with the side that made it."""
    everything: list[tuple[int, int, int | None]] = [*state.marked]
    everything += [(place, value, None) for place, value in state.unmarked]
    found = [
        {"kind": FIGURE_KIND[value], "place": PLACE_NAME[place], "value": value, "side": side}
        for place, value, side in sorted(everything, key=lambda figure: figure[0])
    ]
    for cell in state.eights:
        place = "+".join(CELLS[x] for x in _eight_cells(state, cell))
        found.append({"kind": FIGURE_KIND[8], "place": place, "value": 8, "side": state.maker})
    return found


def _eight_cells(state: State, cell: int) -> list[int]:
    """The crossing tile and its two ends, from the left or from below."""
    kind, rotation = state.setup.board.tile[state.cells[cell]]
    crossing = state.setup.box.tiles[kind].turned(rotation)[2]
    before, after = (3, 1) if crossing == "WE" else (2, 0)
    return [NEIGHBOUR[cell][before], cell, NEIGHBOUR[cell][after]]


def _cells(state: State) -> dict[str, dict[str, Any]]:
    tile = state.setup.board.tile
    return {CELLS[x]: {"tile": tile[t][0], "rotation": tile[t][1]} for x, t in enumerate(state.cells) if t}


def _you(state: State, seat: int) -> dict[str, Any]:
    setup = state.setup
    partner = next((other for other in setup.partners(setup.sides[seat]) if other != seat), None)
    return {
        "seat": seat,
        "side": setup.sides[seat],
        "hand": list(state.hands[seat]),
        "partner": {"seat": partner, "hand": list(state.hands[partner])} if partner else None,
        "legal_count": len(legal_actions(state, seat)),
    }
