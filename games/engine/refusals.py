"""Why an action is refused, in words that name the rule."""

from __future__ import annotations

import re

from .actions import placements, playable
from .board import CELL, CELLS, CENTRE, PLACE_CELLS, PLACE_NAME, frontier
from .cards import PROTECTION, WILD, magnets, victims, ways
from .errors import Illegal, NotYours, Refused, Unreadable
from .state import State

_CELL = "[a-e][1-5]"
_PLACEMENT = re.compile(rf"([A-Z])-({_CELL})-(0|90|180|270)")
_CARD = re.compile(
    rf"(CV=)?(?:(TT|RC|RA|ME|RV-cw|RV-ccw)|(MI|AK)-([1-9])|QL-({_CELL})-({_CELL})-(0|90|180|270))"
)
_ANSWERS = ("8", "CV=8", "pass")
_NAMED_AT_MOST = 6


def refuse(state: State, seat: int, action: str) -> Refused:
    """The refusal of an action that `judge` did not let through."""
    if not isinstance(action, str) or not _readable(action):
        return Unreadable(f"{shown(action)} is not an action")
    if state.phase == "over":
        return Illegal("the game is over", rule="over")
    if seat not in state.to_act:
        return NotYours(_not_yours(state, seat))
    return _REASONS[state.phase](state, seat, action)


def shown(text: object) -> str:
    """A stranger's text, short enough to repeat."""
    words = text if isinstance(text, str) else repr(text)
    return repr(words if len(words) <= 40 else words[:37] + "...")


def listed(actions: list[str]) -> str:
    """Some actions, and how many more."""
    more = len(actions) - _NAMED_AT_MOST
    return ", ".join(actions[:_NAMED_AT_MOST]) + (f" and {more} more" if more > 0 else "")


def _readable(action: str) -> bool:
    return (
        action == "draw"
        or action in _ANSWERS
        or _PLACEMENT.fullmatch(action) is not None
        or _CARD.fullmatch(action) is not None
    )


def _not_yours(state: State, seat: int) -> str:
    if not 1 <= seat <= state.setup.seats:
        return f"there is no seat {seat}"
    if state.setup.sides[seat] in state.out:
        return "your side has resigned"
    if state.phase == "react":
        waiting = " and ".join(str(other) for other in state.asked)
        return f"an 8 was made and you are not asked; the answer is up to seat {waiting}"
    return f"it is the turn of seat {state.turn}"


def _in_start(state: State, seat: int, action: str) -> Refused:
    if _PLACEMENT.fullmatch(action):
        return Illegal(
            "you hold secret cards, so first say whether you play one: `draw` plays none", rule="draw-first"
        )
    if action in _ANSWERS:
        return Illegal("nobody has made an 8", rule="no-infinity")
    card = action[:2]
    if card not in state.hands[seat]:
        return Illegal(f"you do not hold {card}", rule="no-such-card")
    return _card_choice(state, seat, action)


def _in_stolen(state: State, seat: int, action: str) -> Refused:
    card = state.stolen
    if action[:2] == card and _CARD.fullmatch(action):
        return _card_choice(state, seat, action)
    could = ways(state, seat, card)
    return Illegal(
        f"the kidnapped card {card} must be played at once: {listed(could)}",
        rule="must-play-stolen",
        instead=could,
    )


def _in_react(state: State, seat: int, action: str) -> Refused:
    if action in ("8", "CV=8"):
        card = PROTECTION if action == "8" else WILD
        return Illegal(f"you do not hold {card}", rule="no-such-card")
    return Illegal("an 8 was made: answer with `8`, `CV=8` or `pass`", rule="must-answer")


def _in_place(state: State, seat: int, action: str) -> Refused:
    match = _PLACEMENT.fullmatch(action)
    if not match:
        if action in _ANSWERS:
            return Illegal("nobody has made an 8", rule="no-infinity")
        return Illegal("you have drawn a tile, so now you must place one", rule="must-place")
    kind, cell, rotation = match[1], CELL[match[2]], int(match[3])
    problem = _tile_problem(state, seat, kind) or _cell_problem(state, cell)
    if problem:
        return problem
    if rotation not in state.setup.box.tiles[kind].rotations:
        same = _looks_like(state, kind, rotation)
        return Illegal(f"{kind} turned by {rotation} looks like {same}; write {same}", rule="rotation")
    could = placements(state)
    board, demand = state.setup.board, state.demand
    if any(board.closes[tile][demand[x]] > 15 for tile, _, x in (board.placement[each] for each in could)):
        return Illegal(
            f"you can make an 8, so you must: {listed(could)}", rule="must-make-eight", instead=could
        )
    return Illegal(f"you can close a figure, so you must: {listed(could)}", rule="must-close", instead=could)


def _tile_problem(state: State, seat: int, kind: str) -> Illegal | None:
    tiles, drawn, table = state.setup.box.tiles, state.drawn, state.table[seat]
    if kind in playable(state):
        return None
    if kind not in (drawn, table):
        have = " and ".join(tile for tile in (table, drawn) if tile)
        return Illegal(f"you do not have tile {kind}; you have {have}", rule="no-such-tile")
    if tiles[kind].special == "dark":
        return Illegal("a dark tile is never placed", rule="dark-tile")
    other = table if kind == drawn else drawn
    if tiles[other].special == "zero":
        return Illegal(f"you have the zero tile {other}, so you must place it", rule="zero-tile")
    return Illegal(f"{kind} cannot be placed now", rule="dark-tile")


def _cell_problem(state: State, cell: int) -> Illegal | None:
    if state.filled >> cell & 1:
        return Illegal(f"{CELLS[cell]} is taken", rule="cell-taken")
    if cell not in frontier(state.filled):
        return Illegal(f"{CELLS[cell]} is not beside a tile on the board", rule="not-beside")
    return None


def _looks_like(state: State, kind: str, rotation: int) -> int:
    tile = state.setup.box.tiles[kind]
    return next(r for r in tile.rotations if tile.turned(r) == tile.turned(rotation))


def _card_choice(state: State, seat: int, action: str) -> Illegal:
    """The card is there, but not this way."""
    match = _CARD.fullmatch(action)
    if not match:
        return Illegal("the 8 is played only when an 8 has just been made", rule="no-infinity")
    power = action.removeprefix("CV=")[:2]
    if power not in state.setup.box.cards:
        return Illegal(f"this edition has no {power}", rule="no-such-card")
    if match[3] == "MI":
        seats = magnets(state, seat)
        if not seats:
            return Illegal("there is no table tile to swap with", rule="no-target")
        return Illegal(f"you can swap with seat {_either(seats)} only", rule="no-target")
    if match[3] == "AK":
        seats = victims(state, seat)
        if not seats:
            return Illegal("no opponent holds a card", rule="no-target")
        return Illegal(f"you can rob seat {_either(seats)} only", rule="no-target")
    return _leap_problem(state, CELL[match[5]], CELL[match[6]], int(match[7]))


def _either(seats: list[int]) -> str:
    return " or ".join(map(str, seats))


def _leap_problem(state: State, start: int, end: int, rotation: int) -> Illegal:
    if start == CENTRE:
        return Illegal("the centre tile never moves", rule="centre")
    if not state.cells[start]:
        return Illegal(f"there is no tile on {CELLS[start]}", rule="cell-empty")
    held = [place for place, _, _ in state.marked if start in PLACE_CELLS[place]]
    if held:
        return Illegal(
            f"the tile on {CELLS[start]} is part of a marked figure ({PLACE_NAME[held[0]]})",
            rule="marked-figure",
        )
    if start != end and state.cells[end]:
        return Illegal(f"{CELLS[end]} is taken", rule="cell-taken")
    kind, now = state.setup.board.tile[state.cells[start]]
    same = _looks_like(state, kind, rotation)
    if start == end and same == now:
        return Illegal("a leap must change something", rule="no-change")
    return Illegal(f"{kind} turned by {rotation} looks like {same}; write {same}", rule="rotation")


_REASONS = {"start": _in_start, "stolen": _in_stolen, "react": _in_react, "place": _in_place}
