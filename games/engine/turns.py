"""Turns: claim figures, draw, place, pass on.

Functions change a mutable state and append events. The phases `begin`, `draw` and `finish` need no decision:
the engine runs them by itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from . import solo
from .board import CELL_NAMES, FIGURE_KIND_OF_VALUE, FULL_BOARD_MASK, PLACE_NAMES, Figure
from .state import MutableState

GameEvent = dict[str, Any]
MARKER_SLOT_OF_VALUE = {1: 0, 2: 1, 4: 2}  # index of a marker's value in `markers_left`


def find_next_seat(state: MutableState, seat: int) -> int:
    """The next seat clockwise that is still in play."""
    seats, sides, out = state.setup.seats, state.setup.sides, state.resigned_sides
    seat = seat % seats + 1
    while out and sides[seat] in out:
        seat = seat % seats + 1
    return seat


def list_seats_from(state: MutableState, first: int) -> list[int]:
    """The seats in play, clockwise from the first."""
    seats = [first]
    while (seat := find_next_seat(state, seats[-1])) != first:
        seats.append(seat)
    return seats


def replace_at(row: tuple[Any, ...], index: int, value: object) -> tuple[Any, ...]:
    """The tuple with one entry replaced."""
    return (*row[:index], value, *row[index + 1 :])


def build_figure_event(event_name: str, seat: int, side: int | None, figure: Figure) -> GameEvent:
    """An event about one figure."""
    place, value = figure
    return {
        "event": event_name,
        "seat": seat,
        "side": side,
        "kind": FIGURE_KIND_OF_VALUE[value],
        "place": PLACE_NAMES[place],
        "value": value,
    }


def mark_figures(
    state: MutableState, seat: int, figures: Iterable[Figure], event_name: str, events: list[GameEvent]
) -> list[Figure]:
    """Mark figures for the seat's side while it has markers; return the figures left unmarked."""
    side = state.setup.sides[seat]
    markers_left = list(state.markers_left[side])
    marked, leftover = [], []
    for place, value in figures:
        slot = MARKER_SLOT_OF_VALUE[value]
        if markers_left[slot]:
            markers_left[slot] -= 1
            marked.append((place, value, side))
            events.append(build_figure_event(event_name, seat, side, (place, value)))
        else:
            leftover.append((place, value))
    if marked:
        state.marked_figures += tuple(marked)
        state.markers_left = replace_at(state.markers_left, side, tuple(markers_left))
    return leftover


def close_figures(state: MutableState, seat: int, figures: list[Figure], events: list[GameEvent]) -> None:
    """Mark the figures that the seat has just closed; the rest stay unmarked."""
    leftover = mark_figures(state, seat, figures, "closed", events)
    if leftover:
        events.extend(build_figure_event("closed", seat, None, figure) for figure in leftover)
        if state.setup.edition_data.unmarked_rule == "at-once":
            leftover = [
                figure
                for figure in leftover
                if all(
                    mark_figures(state, other_seat, [figure], "claimed", events)
                    for other_seat in list_seats_from(state, seat)[1:]
                )
            ]
        state.unmarked_figures = tuple(sorted({*state.unmarked_figures, *leftover}))


def claim_figures(state: MutableState, seat: int, events: list[GameEvent]) -> None:
    """Mark the unmarked figures for the seat on turn, as far as the edition and its markers allow.

    By the rule `next-side` only the next turn of another side than the one that closed them may: the rest is
    lost. A turn of the same side follows only in a Time travel and in solo.
    """
    is_next_side_rule = state.setup.edition_data.unmarked_rule == "next-side"
    if is_next_side_rule and (state.extra_turn == 2 or state.match_kind == "solo"):
        return
    leftover = tuple(mark_figures(state, seat, state.unmarked_figures, "claimed", events))
    if is_next_side_rule and leftover:
        state.lost_figures = tuple(sorted({*state.lost_figures, *leftover}))
        events.extend(build_figure_event("lost figure", seat, None, figure) for figure in leftover)
        leftover = ()
    state.unmarked_figures = leftover


def begin_turn(state: MutableState, events: list[GameEvent]) -> None:
    """Step 1 of a turn: claim unmarked figures. Then offer to play a card, or draw."""
    seat = state.turn
    if state.unmarked_figures:
        claim_figures(state, seat, events)
    if state.hands[seat] and state.extra_turn != 2:
        state.phase = "start"
    else:
        draw_tile(state, events)


def draw_tile(state: MutableState, events: list[GameEvent]) -> None:
    """Step 3: draw the top tile of the tower and apply the dark-tile rules."""
    if not state.tower:
        state.phase = "tower"
        return
    seat, tile, table_tile = state.turn, state.tower[0], state.table_tiles[state.turn]
    state.tower = state.tower[1:]
    events.append({"event": "drew", "seat": seat, "tile": tile})
    tiles = state.setup.edition_data.tiles
    state.phase = "place"
    if tiles[tile].special != "dark":
        state.drawn_tile = tile
    elif state.match_kind == "blind":
        state.removed_tiles += tile
        events.append({"event": "lost turn", "seat": seat})
        state.phase = "finish"
    elif not table_tile:
        state.table_tiles = replace_at(state.table_tiles, seat, tile)
        events.append({"event": "lost turn", "seat": seat})
        state.phase = "finish"
    elif tiles[table_tile].special == "dark":
        remove_dark_tiles(state, seat, tile, events)
    else:
        state.drawn_tile = tile


def deal_card(state: MutableState, seat: int) -> bool:
    """Deal a seat the top card; False if the deck is empty or cards come in a later match only."""
    if not state.deck or state.match_no < state.setup.cards_from:
        return False
    state.hands = replace_at(state.hands, seat, state.hands[seat] + state.deck[:1])
    state.deck = state.deck[1:]
    return True


def remove_dark_tiles(state: MutableState, seat: int, tile: str, events: list[GameEvent]) -> None:
    """Remove two dark tiles from the match, deal a new table tile and a card, and end the turn."""
    state.removed_tiles += state.table_tiles[seat] + tile
    state.table_tiles = replace_at(state.table_tiles, seat, state.tower[:1])
    state.tower = state.tower[1:]
    has_card = deal_card(state, seat)
    events.append(
        {
            "event": "dark tiles left",
            "seat": seat,
            "table": state.table_tiles[seat] or None,
            "card": has_card,
        }
    )
    state.phase = "finish"


def place_tile(state: MutableState, seat: int, kind: str, t: int, x: int, events: list[GameEvent]) -> None:
    """Steps 4 and 5: place a tile and keep the other one; the placement must be legal."""
    board = state.setup.board
    events.append(
        {
            "event": "placed",
            "seat": seat,
            "tile": kind,
            "cell": CELL_NAMES[x],
            "rotation": board.tile_of_code[t][1],
        }
    )
    if kind != state.drawn_tile:
        state.table_tiles = replace_at(state.table_tiles, seat, state.drawn_tile)
    state.drawn_tile = ""
    lay_tile(state, seat, t, x, events)
    if state.match_kind == "solo":
        solo.set_phase_after_placement(state)
    elif state.phase != "infinity":
        state.phase = "full" if state.filled_mask == FULL_BOARD_MASK else "finish"


def lay_tile(state: MutableState, seat: int, t: int, x: int, events: list[GameEvent]) -> None:
    """Lay a tile on a free cell and mark the figures that it closes; an 8 sets the phase `infinity`."""
    board, cell_demand = state.setup.board, state.demands[x]
    state.cells, state.vertices, state.demands = board.with_tile(
        state.cells, state.vertices, state.demands, x, t
    )
    state.filled_mask |= 1 << x
    if not cell_demand:
        return
    figures, eights = board.find_closed_figures(x, t, cell_demand)
    if figures:
        close_figures(state, seat, figures, events)
    if eights:
        side = state.setup.sides[seat]
        state.eight_cells += tuple(eights)
        events.extend(
            {"event": "infinity", "seat": seat, "side": side, "cell": CELL_NAMES[cell]} for cell in eights
        )
        state.eight_side = side
        state.phase = "infinity"


def finish_turn(state: MutableState, events: list[GameEvent]) -> None:
    """End the turn: the second turn of a Time travel follows, or the next seat."""
    if state.extra_turn == 1:
        state.extra_turn = 2
        events.append({"event": "second turn", "seat": state.turn})
    else:
        state.extra_turn = 0
        state.turn = find_next_seat(state, state.turn)
    begin_turn(state, events)
