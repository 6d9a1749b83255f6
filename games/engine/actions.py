"""Legal actions: list them, and check one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .board import list_frontier_cells
from .cards import PROTECTION_CARD, WILD_CARD, list_card_actions
from .state import State, StateFields

PASS_ACTION = "pass"
# Bypasses State.__setattr__: the cache is not part of the state's value.
_cache_legal_actions: Callable[[State, tuple[str, ...]], None] = StateFields.__dict__["legal_cache"].__set__


def list_playable_tiles(state: StateFields) -> tuple[str, ...]:
    """The kinds of tile that the seat on turn may place under the zero-tile and dark-tile rules."""
    drawn_tile, table_tile = state.drawn_tile, state.table_tiles[state.turn]
    if not table_tile or table_tile == drawn_tile:
        return (drawn_tile,)
    tiles = state.setup.edition_data.tiles
    table_special, drawn_special = tiles[table_tile].special, tiles[drawn_tile].special
    if not table_special and not drawn_special:
        return (table_tile, drawn_tile)
    if table_special == "zero" or drawn_special == "dark":
        return (table_tile,)
    return (drawn_tile,)


def legal_actions(state: State, seat: int) -> tuple[str, ...]:
    """Every canonical action of the seat now, without `resign`; empty if it has nothing to decide.

    Cached on the state for the seat on turn.
    """
    phase = state.phase
    if phase == "react":
        return list_answers(state, seat) if seat in state.seats_to_answer else ()
    if seat != state.turn or phase == "over":
        return ()
    actions = state.legal_cache
    if actions is None:
        actions = tuple(_compute_legal_actions(state, seat))
        _cache_legal_actions(state, actions)
    return actions


def _compute_legal_actions(state: State, seat: int) -> list[str]:
    """The legal actions of the seat on turn, computed without the cache."""
    if state.phase == "place":
        return list_placements(state)
    if state.phase == "stolen":
        return list_card_actions(state, seat, state.stolen_card)
    actions = ["draw"]
    for card in dict.fromkeys(state.hands[seat]):
        actions += list_card_actions(state, seat, card)
    return actions


def list_answers(state: State, seat: int) -> tuple[str, ...]:
    """The answers to an 8 that a seat can give."""
    hand = state.hands[seat]
    return ("8",) * (PROTECTION_CARD in hand) + ("CV=8",) * (WILD_CARD in hand) + (PASS_ACTION,)


def list_offered_actions(state: State, seat: int, *, has_hints: bool) -> tuple[str, ...]:
    """The actions that a page or mail offers a seat: the legal ones.

    Without hints also the placements that only a duty forbids, so that the offer does not show where a figure
    can be closed.
    """
    if has_hints or state.phase != "place" or seat != state.turn:
        return legal_actions(state, seat)
    kinds, cells = list_playable_tiles(state), list_frontier_cells(state.filled_mask)
    return tuple(_list_free_placements(state, kinds, cells))


def list_placements(state: State) -> list[str]:
    """Every placement that the seat on turn may make; under a strict obligation only those that fulfil it."""
    kinds, cells = list_playable_tiles(state), list_frontier_cells(state.filled_mask)
    if state.setup.is_strict and (actions := _list_dutiful_placements(state, kinds, cells)):
        return actions
    return _list_free_placements(state, kinds, cells)


def _list_free_placements(state: State, kinds: Sequence[str], cells: Sequence[int]) -> list[str]:
    """Every placement of these tiles on these cells."""
    actions: list[str] = []
    for kind in kinds:
        strings_by_cell = state.setup.board.all_placement_strings[kind]
        for x in cells:
            actions += strings_by_cell[x]
    return actions


def _list_dutiful_placements(state: State, kinds: Sequence[str], cells: Sequence[int]) -> list[str]:
    """The placements that make an 8; if there are none those that close a figure; empty without a duty."""
    board, demand = state.setup.board, state.demands
    eight_actions: list[str] = []
    closing_actions: list[str] = []
    for kind in kinds:
        rotations_by_demand, strings = board.closing_rotations[kind], board.placement_strings[kind]
        for x in cells:
            rotation_bits = rotations_by_demand[demand[x]]
            if rotation_bits:
                closing_actions += strings[x][rotation_bits & 15]
                if rotation_bits > 15:
                    eight_actions += strings[x][rotation_bits >> 4]
    return eight_actions or closing_actions


def misses_duty(state: State, action: str) -> bool:
    """True if a placement is one that a strict obligation would refuse."""
    kinds, cells = list_playable_tiles(state), list_frontier_cells(state.filled_mask)
    dutiful_actions = _list_dutiful_placements(state, kinds, cells)
    return bool(dutiful_actions) and action not in dutiful_actions


def check_legal(state: State, seat: int, action: str) -> None:
    """Return if the action is legal; else raise UnreadableAction, IllegalAction or NotYourTurn.

    At the start of a turn only the card that is played is checked, not the whole hand: it is public from then
    on, so the time that a replay takes does not reveal the other cards.
    """
    if state.phase == "start" and seat == state.turn:
        card = str(action)[:2]  # the caller may pass any type
        if action == "draw" or (card in state.hands[seat] and action in list_card_actions(state, seat, card)):
            return
    elif action in legal_actions(state, seat):
        return
    from .action_errors import build_action_error  # imported late: needed for errors only

    raise build_action_error(state, seat, action)
