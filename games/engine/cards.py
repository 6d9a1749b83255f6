"""Secret cards: the actions that each allows, and their effects."""

from __future__ import annotations

from functools import cache

from .board import CELL_INDEX, CELL_NAMES, CENTRE_CELL, FULL_BOARD_MASK, PLACE_CELLS, cells_of
from .fairness import iter_random_numbers, next_number_below
from .state import MutableState, StateFields
from .turns import GameEvent, find_next_seat, lay_tile, list_seats_from, replace_at

PROTECTION_CARD, WILD_CARD = "OO", "CV"
REVOLUTION_STEPS = {"RC": 1, "RA": -1, "RV-cw": 1, "RV-ccw": -1}


def seats_in_play(state: StateFields) -> list[int]:
    """The seats whose side has not resigned."""
    return [
        seat
        for seat in range(1, state.setup.seats + 1)
        if state.setup.sides[seat] not in state.resigned_sides
    ]


def list_card_actions(state: StateFields, seat: int, card: str) -> list[str]:
    """Every action that plays a card now; empty if it can have no effect."""
    if card in ("TT", "RC", "RA", "ME"):
        return [card]
    if card == "RV":
        return ["RV-cw", "RV-ccw"]
    if card == "MI":
        return [f"MI-{other}" for other in list_swap_targets(state, seat)]
    if card == "AK":
        return [f"AK-{other}" for other in list_kidnap_targets(state, seat)]
    if card == "QL":
        return list_leaps(state, "QL")
    if card == WILD_CARD:
        return [
            card_action
            for other in state.setup.edition_data.cards
            if other not in (PROTECTION_CARD, WILD_CARD)
            for card_action in (
                list_leaps(state, "CV=QL")
                if other == "QL"
                else [f"CV={card_action}" for card_action in list_card_actions(state, seat, other)]
            )
        ]
    return []  # the protection card only answers an 8


def list_swap_targets(state: StateFields, seat: int) -> list[int]:
    """The seats whose table tile can be swapped with this seat's."""
    if not state.table_tiles[seat]:
        return []
    return [target for target in seats_in_play(state) if target != seat and state.table_tiles[target]]


def list_kidnap_targets(state: StateFields, seat: int) -> list[int]:
    """The opposing seats that hold a card."""
    sides = state.setup.sides
    return [target for target in seats_in_play(state) if sides[target] != sides[seat] and state.hands[target]]


def build_movable_mask(state: MutableState | StateFields) -> int:
    """The cells, as a bit mask, whose tile may leap: not the centre, nor part of a marked figure."""
    fixed_mask = 1 << CENTRE_CELL
    for place, _, _ in state.marked_figures:
        for x in PLACE_CELLS[place]:
            fixed_mask |= 1 << x
    return state.filled_mask & ~fixed_mask


@cache
def _format_leaps(prefix: str, start: int, end: int, rotations: tuple[int, ...]) -> tuple[str, ...]:
    """The leap actions from start to end, one per rotation. Cached: at most a few thousand entries."""
    return tuple(f"{prefix}-{CELL_NAMES[start]}-{CELL_NAMES[end]}-{rotation}" for rotation in rotations)


def list_leaps(state: StateFields, prefix: str) -> list[str]:
    """All quantum leaps: every movable tile to every free cell, or rotated in place."""
    board, cells = state.setup.board, state.cells
    tiles = state.setup.edition_data.tiles
    free = cells_of(FULL_BOARD_MASK & ~state.filled_mask)
    actions: list[str] = []
    for start in cells_of(build_movable_mask(state)):
        kind, rotation = board.tile_of_code[cells[start]]
        rotations = tiles[kind].rotations
        for end in free:
            actions += _format_leaps(prefix, start, end, rotations)
        actions += _format_leaps(prefix, start, start, tuple(r for r in rotations if r != rotation))
    return actions


def play_card(state: MutableState, seat: int, action: str, events: list[GameEvent]) -> None:
    """Play a card from the hand, or the stolen card; the action must be legal."""
    card = action[:2]
    if state.phase == "stolen":
        state.stolen_card = ""
    else:
        hand = state.hands[seat]
        card_index = hand.index(card)
        state.hands = replace_at(state.hands, seat, hand[:card_index] + hand[card_index + 1 :])
    state.played_cards += (card,)
    events.append({"event": "played", "seat": seat, "card": card, "action": action})
    state.phase = "draw"
    card_action = action.removeprefix("CV=")
    power = card_action[:2]
    if power == "TT":
        state.extra_turn = 1
    elif power == "MI":
        swap_table_tiles(state, seat, int(card_action[3:]))
    elif power in ("RC", "RA", "RV"):
        rotate_table_tiles(state, REVOLUTION_STEPS[card_action])
    elif power == "ME":
        replace_table_tiles(state, seat, events)
    elif power == "QL":
        leap_tile(state, seat, card_action, events)
    else:
        kidnap_card(state, seat, int(card_action[3:]), events)


def swap_table_tiles(state: MutableState, seat: int, other_seat: int) -> None:
    """Magnetic inversion: swap the table tiles of two seats."""
    own_tile, other_tile = state.table_tiles[seat], state.table_tiles[other_seat]
    state.table_tiles = replace_at(replace_at(state.table_tiles, seat, other_tile), other_seat, own_tile)


def rotate_table_tiles(state: MutableState, step: int) -> None:
    """Revolution: every table tile moves by one seat, clockwise for 1, anti-clockwise for -1."""
    seats = list_seats_from(state, find_next_seat(state, state.turn))
    table = list(state.table_tiles)
    for i, seat in enumerate(seats):
        table[seats[(i + step) % len(seats)]] = state.table_tiles[seat]
    state.table_tiles = tuple(table)


def replace_table_tiles(state: MutableState, seat: int, events: list[GameEvent]) -> None:
    """Meteorite: all table tiles leave the match; each seat takes a new one while the tower lasts."""
    seats = list_seats_from(state, seat)
    table = list(state.table_tiles)
    state.removed_tiles += "".join(table[each_seat] for each_seat in seats)
    for each_seat in seats:
        table[each_seat] = state.tower[:1]
        state.tower = state.tower[1:]
    state.table_tiles = tuple(table)
    events.append(
        {
            "event": "new tiles",
            "seat": seat,
            "table": {str(each_seat): table[each_seat] or None for each_seat in sorted(seats)},
        }
    )


def leap_tile(state: MutableState, seat: int, card_action: str, events: list[GameEvent]) -> None:
    """Quantum leap: lift a tile, dissolve its unmarked figures, and place it again."""
    _, start_name, end_name, rotation = card_action.split("-")
    start, end = CELL_INDEX[start_name], CELL_INDEX[end_name]
    board = state.setup.board
    kind, _ = board.tile_of_code[state.cells[start]]
    state.unmarked_figures = tuple(
        figure for figure in state.unmarked_figures if start not in PLACE_CELLS[figure[0]]
    )
    if state.lost_figures:
        state.lost_figures = tuple(
            figure for figure in state.lost_figures if start not in PLACE_CELLS[figure[0]]
        )
    state.cells, state.vertices, state.demands = board.rebuild_position(
        [*state.cells[:start], 0, *state.cells[start + 1 :]]
    )
    state.filled_mask &= ~(1 << start)
    lay_tile(state, seat, board.code_of_tile[kind, int(rotation)], end, events)


def kidnap_card(state: MutableState, seat: int, victim: int, events: list[GameEvent]) -> None:
    """Alien kidnapping: take a random card of the victim; it must be played at once or is lost."""
    state.kidnap_count += 1
    hand = state.hands[victim]
    index = next_number_below(iter_random_numbers(state.setup.key, f"kidnap/{state.kidnap_count}"), len(hand))
    state.hands = replace_at(state.hands, victim, hand[:index] + hand[index + 1 :])
    state.stolen_card = hand[index]
    state.phase = "stolen"
    events.append({"event": "kidnapped", "seat": seat, "victim": victim, "card": state.stolen_card})
    drop_unplayable_stolen_card(state, events)


def drop_unplayable_stolen_card(state: MutableState, events: list[GameEvent]) -> None:
    """Discard a stolen card that can have no effect now, and go on with the turn."""
    if not list_card_actions(state, state.turn, state.stolen_card):
        events.append({"event": "lost card", "seat": state.turn, "card": state.stolen_card})
        state.played_cards += (state.stolen_card,)
        state.stolen_card = ""
        state.phase = "draw"
