"""Why an action is refused, in words that name the rule."""

from __future__ import annotations

import re

from .actions import placements, playable
from .board import CELL, CELLS, CENTRE, PLACE_CELLS, PLACE_NAME, frontier
from .cards import PROTECTION, WILD, magnets, victims, ways
from .errors import Illegal, NotYours, Refused, Unreadable
from .phrases import gettext_noop as _
from .state import State

_CELL = "[a-e][1-5]"
_PLACEMENT = re.compile(rf"([A-Z])-({_CELL})-(0|90|180|270)")
_CARD = re.compile(
    rf"(CV=)?(?:(TT|RC|RA|ME|RV-cw|RV-ccw)|(MI|AK)-([1-9])|QL-({_CELL})-({_CELL})-(0|90|180|270))"
)
_ANSWERS = ("8", "CV=8", "pass")


def refuse(state: State, seat: int, action: str) -> Refused:
    """The refusal of an action that `judge` did not let through."""
    if not isinstance(action, str) or not _readable(action):
        return Unreadable(_("{text} is not an action"), text=shown(action))
    if state.phase == "over":
        return Illegal(_("the game is over"), rule="over")
    if seat not in state.to_act:
        return _not_yours(state, seat)
    return _REASONS[state.phase](state, seat, action)


def shown(text: object) -> str:
    """A stranger's text, short enough to repeat."""
    words = text if isinstance(text, str) else repr(text)
    return repr(words if len(words) <= 40 else words[:37] + "...")


def _readable(action: str) -> bool:
    return (
        action == "draw"
        or action in _ANSWERS
        or _PLACEMENT.fullmatch(action) is not None
        or _CARD.fullmatch(action) is not None
    )


def _not_yours(state: State, seat: int) -> NotYours:
    if not 1 <= seat <= state.setup.seats:
        return NotYours(_("there is no seat {n}"), n=seat)
    if state.setup.sides[seat] in state.out:
        return NotYours(_("your side has resigned"))
    if state.phase == "react":
        return NotYours(
            _("an 8 was made and you are not asked; the answer is up to {seats}"), seats=state.asked
        )
    return NotYours(_("it is the turn of {seat}"), seat=state.turn)


def _in_start(state: State, seat: int, action: str) -> Refused:
    if _PLACEMENT.fullmatch(action):
        return Illegal(
            _("you hold secret cards, so first say whether you play one: `draw` plays none"),
            rule="draw-first",
        )
    if action in _ANSWERS:
        return Illegal(_("nobody has made an 8"), rule="no-infinity")
    card = action[:2]
    if card not in state.hands[seat]:
        return Illegal(_("you do not hold {card}"), rule="no-such-card", card=card)
    return _card_choice(state, seat, action)


def _in_stolen(state: State, seat: int, action: str) -> Refused:
    card = state.stolen
    if action[:2] == card and _CARD.fullmatch(action):
        return _card_choice(state, seat, action)
    could = ways(state, seat, card)
    return Illegal(
        _("the kidnapped card {card} must be played at once: {actions}"),
        rule="must-play-stolen",
        instead=could,
        card=card,
        actions=could,
    )


def _in_react(state: State, seat: int, action: str) -> Refused:
    if action in ("8", "CV=8"):
        card = PROTECTION if action == "8" else WILD
        return Illegal(_("you do not hold {card}"), rule="no-such-card", card=card)
    return Illegal(_("an 8 was made: answer with `8`, `CV=8` or `pass`"), rule="must-answer")


def _in_place(state: State, seat: int, action: str) -> Refused:
    match = _PLACEMENT.fullmatch(action)
    if not match:
        if action in _ANSWERS:
            return Illegal(_("nobody has made an 8"), rule="no-infinity")
        return Illegal(_("you have drawn a tile, so now you must place one"), rule="must-place")
    kind, cell, rotation = match[1], CELL[match[2]], int(match[3])
    problem = _tile_problem(state, seat, kind) or _cell_problem(state, cell)
    if problem:
        return problem
    if rotation not in state.setup.box.tiles[kind].rotations:
        same = _looks_like(state, kind, rotation)
        return _turned(kind, rotation, same)
    could = placements(state)
    board, demand = state.setup.board, state.demand
    if any(board.closes[tile][demand[x]] > 15 for tile, _t, x in (board.placement[each] for each in could)):
        return Illegal(
            _("you can make an 8, so you must: {actions}"),
            rule="must-make-eight",
            instead=could,
            actions=could,
        )
    return Illegal(
        _("you can close a figure, so you must: {actions}"), rule="must-close", instead=could, actions=could
    )


def _tile_problem(state: State, seat: int, kind: str) -> Illegal | None:
    tiles, drawn, table = state.setup.box.tiles, state.drawn, state.table[seat]
    if kind in playable(state):
        return None
    if kind not in (drawn, table):
        have = [tile for tile in (table, drawn) if tile]
        return Illegal(
            _("you do not have tile {tile}; you have {tiles}"), rule="no-such-tile", tile=kind, tiles=have
        )
    if tiles[kind].special == "dark":
        return Illegal(_("a dark tile is never placed"), rule="dark-tile")
    other = table if kind == drawn else drawn
    if tiles[other].special == "zero":
        return Illegal(_("you have the zero tile {tile}, so you must place it"), rule="zero-tile", tile=other)
    return Illegal(_("{tile} cannot be placed now"), rule="dark-tile", tile=kind)


def _cell_problem(state: State, cell: int) -> Illegal | None:
    if state.filled >> cell & 1:
        return Illegal(_("{cell} is taken"), rule="cell-taken", cell=CELLS[cell])
    if cell not in frontier(state.filled):
        return Illegal(_("{cell} is not beside a tile on the board"), rule="not-beside", cell=CELLS[cell])
    return None


def _looks_like(state: State, kind: str, rotation: int) -> int:
    tile = state.setup.box.tiles[kind]
    return next(r for r in tile.rotations if tile.turned(r) == tile.turned(rotation))


def _turned(kind: str, rotation: int, same: int) -> Illegal:
    sentence = _("{tile} turned by {degrees} looks like {same}; write {same}")
    return Illegal(sentence, rule="rotation", tile=kind, degrees=rotation, same=same)


def _card_choice(state: State, seat: int, action: str) -> Illegal:
    """The card is there, but not this way."""
    match = _CARD.fullmatch(action)
    if not match:
        return Illegal(_("the 8 is played only when an 8 has just been made"), rule="no-infinity")
    power = action.removeprefix("CV=")[:2]
    if power not in state.setup.box.cards:
        return Illegal(_("this edition has no {card}"), rule="no-such-card", card=power)
    if match[3] == "MI":
        seats = magnets(state, seat)
        if not seats:
            return Illegal(_("there is no table tile to swap with"), rule="no-target")
        return Illegal(_("you can swap with {one_of} only"), rule="no-target", one_of=seats)
    if match[3] == "AK":
        seats = victims(state, seat)
        if not seats:
            return Illegal(_("no opponent holds a card"), rule="no-target")
        return Illegal(_("you can rob {one_of} only"), rule="no-target", one_of=seats)
    return _leap_problem(state, CELL[match[5]], CELL[match[6]], int(match[7]))


def _leap_problem(state: State, start: int, end: int, rotation: int) -> Illegal:
    if start == CENTRE:
        return Illegal(_("the centre tile never moves"), rule="centre")
    if not state.cells[start]:
        return Illegal(_("there is no tile on {cell}"), rule="cell-empty", cell=CELLS[start])
    held = [place for place, *_rest in state.marked if start in PLACE_CELLS[place]]
    if held:
        return Illegal(
            _("the tile on {cell} is part of a marked figure ({place})"),
            rule="marked-figure",
            cell=CELLS[start],
            place=PLACE_NAME[held[0]],
        )
    if start != end and state.cells[end]:
        return Illegal(_("{cell} is taken"), rule="cell-taken", cell=CELLS[end])
    kind, now = state.setup.board.tile[state.cells[start]]
    same = _looks_like(state, kind, rotation)
    if start == end and same == now:
        return Illegal(_("a leap must change something"), rule="no-change")
    return _turned(kind, rotation, same)


_REASONS = {"start": _in_start, "stolen": _in_stolen, "react": _in_react, "place": _in_place}
