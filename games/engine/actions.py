"""Which actions are legal, and why another is not."""

from __future__ import annotations

from collections.abc import Callable

from .board import frontier
from .cards import PROTECTION, WILD, ways
from .state import Fields, State

PASS = "pass"
# Past the lock on a state's own fields: a memory is no part of its value.
_remember: Callable[[State, tuple[str, ...]], None] = Fields.__dict__["legal"].__set__


def playable(s: Fields) -> tuple[str, ...]:
    """The kinds of tile that the seat on turn may place: its duties to the zero and the dark tile."""
    drawn, table = s.drawn, s.table[s.turn]
    if not table or table == drawn:
        return (drawn,)
    tiles = s.setup.box.tiles
    first, second = tiles[table].special, tiles[drawn].special
    if not first and not second:
        return (table, drawn)
    if first == "zero" or second == "dark":
        return (table,)
    return (drawn,)


def legal_actions(state: State, seat: int) -> tuple[str, ...]:
    """Every canonical action of the seat now, without `resign`; empty if it has nothing to decide."""
    phase = state.phase
    if phase == "react":
        return answers(state, seat) if seat in state.asked else ()
    if seat != state.turn or phase == "over":
        return ()
    found = state.legal
    if found is None:
        found = tuple(_found(state, seat))
        _remember(state, found)
    return found


def _found(state: State, seat: int) -> list[str]:
    if state.phase == "place":
        return placements(state)
    if state.phase == "stolen":
        return ways(state, seat, state.stolen)
    found = ["draw"]
    for card in dict.fromkeys(state.hands[seat]):
        found += ways(state, seat, card)
    return found


def answers(state: State, seat: int) -> tuple[str, ...]:
    """What a seat that is asked can say to an 8."""
    hand = state.hands[seat]
    return ("8",) * (PROTECTION in hand) + ("CV=8",) * (WILD in hand) + (PASS,)


def placements(state: State) -> list[str]:
    """Every placement that the seat on turn may make."""
    board, demand = state.setup.board, state.demand
    kinds, cells = playable(state), frontier(state.filled)
    if state.setup.strict:
        eights: list[str] = []
        closing: list[str] = []
        for kind in kinds:
            closes, strings = board.closes[kind], board.strings[kind]
            for x in cells:
                made = closes[demand[x]]
                if made:
                    closing += strings[x][made & 15]
                    if made > 15:
                        eights += strings[x][made >> 4]
        if eights:
            return eights
        if closing:
            return closing
    found: list[str] = []
    for kind in kinds:
        everywhere = board.everywhere[kind]
        for x in cells:
            found += everywhere[x]
    return found


def judge(state: State, seat: int, action: str) -> None:
    """Return if the action is legal; else raise Unreadable, Illegal or NotYours.

    At the start of a turn only the card that is played is looked at, which is open to all from then on: the
    time that it takes to replay a game must not tell what else its players hold.
    """
    if state.phase == "start" and seat == state.turn:
        card = str(action)[:2]  # whoever calls may bring anything
        if action == "draw" or (card in state.hands[seat] and action in ways(state, seat, card)):
            return
    elif action in legal_actions(state, seat):
        return
    from .refusals import refuse  # only ever needed on the way out

    raise refuse(state, seat, action)
