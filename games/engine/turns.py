"""A turn: claim, draw, place, pass on. Functions work on a draft and tell events; phases such as `begin`,
`draw` and `finish` never last: the engine walks on from them by itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from . import solo
from .board import CELLS, FIGURE_KIND, FULL, PLACE_NAME, Figure
from .state import Draft

Event = dict[str, Any]
SLOT = {1: 0, 2: 1, 4: 2}  # where a marker's value stands in `markers`


def next_seat(d: Draft, seat: int) -> int:
    """The next seat clockwise that is still in play."""
    seats, sides, out = d.setup.seats, d.setup.sides, d.out
    seat = seat % seats + 1
    while out and sides[seat] in out:
        seat = seat % seats + 1
    return seat


def seats_from(d: Draft, first: int) -> list[int]:
    """The seats in play, clockwise from one of them."""
    seats = [first]
    while (seat := next_seat(d, seats[-1])) != first:
        seats.append(seat)
    return seats


def replaced(row: tuple[Any, ...], index: int, value: object) -> tuple[Any, ...]:
    """The tuple with one entry changed."""
    return (*row[:index], value, *row[index + 1 :])


def told(event: str, seat: int, side: int | None, figure: Figure) -> Event:
    """An event about one figure."""
    place, value = figure
    return {
        "event": event,
        "seat": seat,
        "side": side,
        "kind": FIGURE_KIND[value],
        "place": PLACE_NAME[place],
        "value": value,
    }


def give(d: Draft, seat: int, figures: Iterable[Figure], event: str, events: list[Event]) -> list[Figure]:
    """Mark figures for the seat's side, in order, while it has markers; what is left over comes back."""
    side = d.setup.sides[seat]
    left = list(d.markers[side])
    marked, over = [], []
    for place, value in figures:
        slot = SLOT[value]
        if left[slot]:
            left[slot] -= 1
            marked.append((place, value, side))
            events.append(told(event, seat, side, (place, value)))
        else:
            over.append((place, value))
    if marked:
        d.marked += tuple(marked)
        d.markers = replaced(d.markers, side, tuple(left))
    return over


def close(d: Draft, seat: int, figures: list[Figure], events: list[Event]) -> None:
    """Figures that the seat has just closed get their markers, or stay unmarked."""
    over = give(d, seat, figures, "closed", events)
    if over:
        events.extend(told("closed", seat, None, figure) for figure in over)
        if d.setup.box.unmarked == "at-once":
            over = [
                figure
                for figure in over
                if all(give(d, other, [figure], "claimed", events) for other in seats_from(d, seat)[1:])
            ]
        d.unmarked = tuple(sorted({*d.unmarked, *over}))


def begin(d: Draft, events: list[Event]) -> None:
    """Step 1 of a turn, and the question whether there is a card to think about."""
    seat = d.turn
    if d.unmarked:
        d.unmarked = tuple(give(d, seat, d.unmarked, "claimed", events))
    if d.hands[seat] and d.extra != 2:
        d.phase = "start"
    else:
        draw(d, events)


def draw(d: Draft, events: list[Event]) -> None:
    """Step 3: the top tile of the tower, and what a dark one does."""
    if not d.tower:
        d.phase = "tower"
        return
    seat, tile, table = d.turn, d.tower[0], d.table[d.turn]
    d.tower = d.tower[1:]
    events.append({"event": "drew", "seat": seat, "tile": tile})
    tiles = d.setup.box.tiles
    d.phase = "place"
    if tiles[tile].special != "dark":
        d.drawn = tile
    elif d.kind == "blind":
        d.gone += tile
        events.append({"event": "lost turn", "seat": seat})
        d.phase = "finish"
    elif not table:
        d.table = replaced(d.table, seat, tile)
        events.append({"event": "lost turn", "seat": seat})
        d.phase = "finish"
    elif tiles[table].special == "dark":
        cancel_darks(d, seat, tile, events)
    else:
        d.drawn = tile


def cancel_darks(d: Draft, seat: int, tile: str, events: list[Event]) -> None:
    """Two dark tiles leave the match; a new table tile and a new card come, and the turn is over."""
    d.gone += d.table[seat] + tile
    d.table = replaced(d.table, seat, d.tower[:1])
    d.tower = d.tower[1:]
    card = d.deck[:1]
    if card:
        d.deck = d.deck[1:]
        d.hands = replaced(d.hands, seat, d.hands[seat] + card)
    events.append(
        {"event": "dark tiles left", "seat": seat, "table": d.table[seat] or None, "card": bool(card)}
    )
    d.phase = "finish"


def place(d: Draft, seat: int, kind: str, t: int, x: int, events: list[Event]) -> None:
    """Steps 4 and 5, for a placement known to be legal."""
    board = d.setup.board
    events.append(
        {"event": "placed", "seat": seat, "tile": kind, "cell": CELLS[x], "rotation": board.tile[t][1]}
    )
    if kind != d.drawn:
        d.table = replaced(d.table, seat, d.drawn)
    d.drawn = ""
    put_down(d, seat, t, x, events)
    if d.kind == "solo":
        solo.after_placement(d)
    elif d.phase != "infinity":
        d.phase = "full" if d.filled == FULL else "finish"


def put_down(d: Draft, seat: int, t: int, x: int, events: list[Event]) -> None:
    """A tile comes to lie on a free cell: figures are marked; an 8 makes the phase `infinity`."""
    board, wanted = d.setup.board, d.demand[x]
    d.cells, d.vertices, d.demand = board.laid(d.cells, d.vertices, d.demand, x, t)
    d.filled |= 1 << x
    if not wanted:
        return
    figures, eights = board.closing(x, t, wanted)
    if figures:
        close(d, seat, figures, events)
    if eights:
        side = d.setup.sides[seat]
        d.eights += tuple(eights)
        events.extend(
            {"event": "infinity", "seat": seat, "side": side, "cell": CELLS[cell]} for cell in eights
        )
        d.maker = side
        d.phase = "infinity"


def finish(d: Draft, events: list[Event]) -> None:
    """The turn is over: the second one of a Time travel, or the next seat's."""
    if d.extra == 1:
        d.extra = 2
        events.append({"event": "second turn", "seat": d.turn})
    else:
        d.extra = 0
        d.turn = next_seat(d, d.turn)
    begin(d, events)
