"""Standing orders of a seat: what they play by themselves, and what ends them.

Everything here is decided from what everybody sees: an order acts at once, so whether and when it does must
not depend on a hand, on the order of the tower or on anything else that is hidden.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from .actions import list_offered_actions
from .board import list_frontier_cells
from .state import State
from .turns import GameEvent

ORDERED_DRAW = "draw"
PUBLIC_PHASES = ("place", "stolen")  # whose legal actions follow from the board and the open tiles and cards


class OrderEnd(StrEnum):
    """The reasons for which standing orders end by themselves."""

    CARD_PLAYED = "card-played"
    EIGHT_POSSIBLE = "eight-possible"


def find_ordered_action(
    state: State, seat: int, *, draws_automatically: bool, plays_only_action: bool, has_hints: bool = True
) -> str | None:
    """The action that the orders of a seat play now, or None.

    At the start of a turn the legal actions depend on the hand, so the only legal one is not played there:
    that would show that no card can be played. An answer to an 8 has an order of its own. Without hints the
    order does not look for figures, either: what a duty forbids counts as an action.
    """
    if seat not in state.seats_to_act:
        return None
    if state.phase == "start":
        return ORDERED_DRAW if draws_automatically else None
    if state.phase in PUBLIC_PHASES and plays_only_action:
        actions = list_offered_actions(state, seat, has_hints=has_hints)
        return actions[0] if len(actions) == 1 else None
    return None


def find_order_end(state: State, seat: int, recent_events: Iterable[GameEvent]) -> OrderEnd | None:
    """Find the reason that ends a seat's orders before they act; `recent_events`: since it last looked."""
    if any(is_card_against(event, seat) for event in recent_events):
        return OrderEnd.CARD_PLAYED
    return OrderEnd.EIGHT_POSSIBLE if is_eight_possible(state) else None


def is_card_against(event: GameEvent, seat: int) -> bool:
    """True if an event is a card of another seat that changes the table tile or the hand of a seat."""
    if event["event"] != "played" or event["seat"] == seat:
        return False
    card_action = str(event["action"]).removeprefix("CV=")
    power = card_action[:2]
    if power in ("MI", "AK"):
        return int(card_action[3:]) == seat
    return power in ("RC", "RA", "RV", "ME")


def is_eight_possible(state: State) -> bool:
    """True if an 8 can be made with an open tile, or with one that may be in the tower for all one sees."""
    demands, closing_rotations = state.demands, state.setup.board.closing_rotations
    cells = list_frontier_cells(state.filled_mask)
    return any(
        closing_rotations[kind][demands[x]] > 15
        for kind in list_open_and_unseen_tiles(state)
        if kind in closing_rotations
        for x in cells
    )


def list_open_and_unseen_tiles(state: State) -> list[str]:
    """The kinds of tile that lie open, and those of which not every copy has been seen in this match."""
    tiles, tile_of_code = state.setup.edition_data.tiles, state.setup.board.tile_of_code
    open_tiles = [tile for tile in (*state.table_tiles, state.drawn_tile) if tile]
    seen_counts = Counter(open_tiles)
    seen_counts.update(state.removed_tiles)
    seen_counts.update(tile_of_code[code][0] for code in state.cells if code)
    seen_counts[state.setup.edition_data.centre] -= 1  # fixed on the board, not one of the tower's
    return [kind for kind, tile in tiles.items() if kind in open_tiles or seen_counts[kind] < tile.copies]
