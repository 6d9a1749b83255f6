"""Error messages for illegal actions, each naming the rule that forbids the action."""

from __future__ import annotations

import re

from .actions import list_placements, list_playable_tiles
from .board import CELL_INDEX, CELL_NAMES, CENTRE_CELL, PLACE_CELLS, PLACE_NAMES, list_frontier_cells
from .cards import PROTECTION_CARD, WILD_CARD, list_card_actions, list_kidnap_targets, list_swap_targets
from .errors import ActionError, IllegalAction, NotYourTurn, UnreadableAction
from .phrases import gettext_noop as _
from .state import State

_CELL_PATTERN = "[a-e][1-5]"
_PLACEMENT_PATTERN = re.compile(rf"([A-Z])-({_CELL_PATTERN})-(0|90|180|270)")
_CARD_PATTERN = re.compile(
    rf"(CV=)?(?:(TT|RC|RA|ME|RV-cw|RV-ccw)|(MI|AK)-([1-9])|QL-({_CELL_PATTERN})-({_CELL_PATTERN})-(0|90|180|270))"
)
_ANSWERS = ("8", "CV=8", "pass")
# The message about a broken duty where no placement is to be given away.
_DUTY_SENTENCES = {
    "must-make-eight": _("you can make an 8, so you must"),
    "must-close": _("you can close a figure, so you must"),
}


def build_action_error(state: State, seat: int, action: str) -> ActionError:
    """The error for an action that `check_legal` rejected."""
    if not isinstance(action, str) or not _is_readable(action):
        return UnreadableAction(_("{text} is not an action"), text=quote_text(action))
    if state.phase == "over":
        return IllegalAction(_("the game is over"), rule="over")
    if seat not in state.seats_to_act:
        return _explain_not_your_turn(state, seat)
    return _EXPLAIN_IN_PHASE[state.phase](state, seat, action)


def hide_placements(error: IllegalAction) -> IllegalAction:
    """The error without the placements that would fulfil the duty it names; others as they are."""
    sentence = _DUTY_SENTENCES.get(error.rule)
    return IllegalAction(sentence, rule=error.rule) if sentence else error


def quote_text(text: object) -> str:
    """A player's text, quoted and short enough to repeat in a message."""
    plain_text = text if isinstance(text, str) else repr(text)
    return repr(plain_text if len(plain_text) <= 40 else plain_text[:37] + "...")


def _is_readable(action: str) -> bool:
    """True if a string has the form of a canonical action."""
    return (
        action == "draw"
        or action in _ANSWERS
        or _PLACEMENT_PATTERN.fullmatch(action) is not None
        or _CARD_PATTERN.fullmatch(action) is not None
    )


def _explain_not_your_turn(state: State, seat: int) -> NotYourTurn:
    """The error for a seat that has nothing to decide."""
    if not 1 <= seat <= state.setup.seats:
        return NotYourTurn(_("there is no seat {n}"), n=seat)
    if state.setup.sides[seat] in state.resigned_sides:
        return NotYourTurn(_("your side has resigned"))
    if state.phase == "react":
        return NotYourTurn(_("only {seats} can answer the 8 now"), seats=state.seats_to_answer)
    return NotYourTurn(_("it is the turn of {seat}"), seat=state.turn)


def _explain_in_start(state: State, seat: int, action: str) -> ActionError:
    """The error for an action at the start of a turn."""
    if _PLACEMENT_PATTERN.fullmatch(action):
        return IllegalAction(
            _("you hold secret cards: play one, or say `draw`"),
            rule="draw-first",
        )
    if action in _ANSWERS:
        return IllegalAction(_("nobody has made an 8"), rule="no-infinity")
    card = action[:2]
    if card not in state.hands[seat]:
        return IllegalAction(_("you do not hold {card}"), rule="no-such-card", card=card)
    return _explain_card(state, seat, action)


def _explain_in_stolen(state: State, seat: int, action: str) -> ActionError:
    """The error for an action while a stolen card must be played."""
    card = state.stolen_card
    if action[:2] == card and _CARD_PATTERN.fullmatch(action):
        return _explain_card(state, seat, action)
    legal_actions = list_card_actions(state, seat, card)
    return IllegalAction(
        _("you must play the kidnapped card {card} at once: {actions}"),
        rule="must-play-stolen",
        alternatives=legal_actions,
        card=card,
        actions=legal_actions,
    )


def _explain_in_react(state: State, seat: int, action: str) -> ActionError:
    """The error for an action while an 8 must be answered."""
    if action in ("8", "CV=8"):
        card = PROTECTION_CARD if action == "8" else WILD_CARD
        return IllegalAction(_("you do not hold {card}"), rule="no-such-card", card=card)
    return IllegalAction(_("somebody made an 8: answer with `8`, `CV=8` or `pass`"), rule="must-answer")


def _explain_in_place(state: State, seat: int, action: str) -> ActionError:
    """The error for an action while a tile must be placed."""
    match = _PLACEMENT_PATTERN.fullmatch(action)
    if not match:
        if action in _ANSWERS:
            return IllegalAction(_("nobody has made an 8"), rule="no-infinity")
        return IllegalAction(_("you have drawn a tile, so now you must place one"), rule="must-place")
    kind, cell, rotation = match[1], CELL_INDEX[match[2]], int(match[3])
    error = _find_tile_error(state, seat, kind) or _find_cell_error(state, cell)
    if error:
        return error
    if rotation not in state.setup.edition_data.tiles[kind].rotations:
        canonical_rotation = _find_canonical_rotation(state, kind, rotation)
        return _build_rotation_error(kind, rotation, canonical_rotation)
    legal_placements = list_placements(state)
    board, demand = state.setup.board, state.demands
    if any(
        board.closing_rotations[tile][demand[x]] > 15
        for tile, _t, x in (board.placements[placement] for placement in legal_placements)
    ):
        return IllegalAction(
            _("you can make an 8, so you must: {actions}"),
            rule="must-make-eight",
            alternatives=legal_placements,
            actions=legal_placements,
        )
    return IllegalAction(
        _("you can close a figure, so you must: {actions}"),
        rule="must-close",
        alternatives=legal_placements,
        actions=legal_placements,
    )


def _find_tile_error(state: State, seat: int, kind: str) -> IllegalAction | None:
    """The error if the seat may not place this kind of tile, else None."""
    tiles, drawn_tile, table_tile = state.setup.edition_data.tiles, state.drawn_tile, state.table_tiles[seat]
    if kind in list_playable_tiles(state):
        return None
    if kind not in (drawn_tile, table_tile):
        held_tiles = [tile for tile in (table_tile, drawn_tile) if tile]
        return IllegalAction(
            _("you do not have tile {tile}; you have {tiles}"),
            rule="no-such-tile",
            tile=kind,
            tiles=held_tiles,
        )
    if tiles[kind].special == "dark":
        return IllegalAction(_("you never place a dark tile"), rule="dark-tile")
    other_tile = table_tile if kind == drawn_tile else drawn_tile
    if tiles[other_tile].special == "zero":
        return IllegalAction(
            _("you have the zero tile {tile}, so you must place it"), rule="zero-tile", tile=other_tile
        )
    return IllegalAction(_("you cannot place {tile} now"), rule="dark-tile", tile=kind)


def _find_cell_error(state: State, cell: int) -> IllegalAction | None:
    """The error if no tile may go on this cell, else None."""
    if state.filled_mask >> cell & 1:
        return IllegalAction(_("{cell} is taken"), rule="cell-taken", cell=CELL_NAMES[cell])
    if cell not in list_frontier_cells(state.filled_mask):
        return IllegalAction(
            _("{cell} is not beside a tile on the board"), rule="not-beside", cell=CELL_NAMES[cell]
        )
    return None


def _find_canonical_rotation(state: State, kind: str, rotation: int) -> int:
    """The canonical rotation that looks the same."""
    tile = state.setup.edition_data.tiles[kind]
    return next(r for r in tile.rotations if tile.rotate_features(r) == tile.rotate_features(rotation))


def _build_rotation_error(kind: str, rotation: int, canonical_rotation: int) -> IllegalAction:
    """The error for a rotation that is not the canonical one."""
    sentence = _("{tile} turned by {degrees} looks like {same}; write {same}")
    return IllegalAction(sentence, rule="rotation", tile=kind, degrees=rotation, same=canonical_rotation)


def _explain_card(state: State, seat: int, action: str) -> IllegalAction:
    """The error for a card that the seat holds but may not play this way."""
    match = _CARD_PATTERN.fullmatch(action)
    if not match:
        return IllegalAction(
            _("you can play the 8 only when somebody has just made an 8"), rule="no-infinity"
        )
    power = action.removeprefix("CV=")[:2]
    if power not in state.setup.edition_data.cards:
        return IllegalAction(_("this edition has no {card}"), rule="no-such-card", card=power)
    if match[3] == "MI":
        seats = list_swap_targets(state, seat)
        if not seats:
            return IllegalAction(_("there is no table tile to swap with"), rule="no-target")
        return IllegalAction(_("you can only swap with {one_of}"), rule="no-target", one_of=seats)
    if match[3] == "AK":
        seats = list_kidnap_targets(state, seat)
        if not seats:
            return IllegalAction(_("no opponent holds a card"), rule="no-target")
        return IllegalAction(_("you can only rob {one_of}"), rule="no-target", one_of=seats)
    return _explain_leap(state, CELL_INDEX[match[5]], CELL_INDEX[match[6]], int(match[7]))


def _explain_leap(state: State, start: int, end: int, rotation: int) -> IllegalAction:
    """The error for an illegal quantum leap."""
    if start == CENTRE_CELL:
        return IllegalAction(_("the centre tile never moves"), rule="centre")
    if not state.cells[start]:
        return IllegalAction(_("there is no tile on {cell}"), rule="cell-empty", cell=CELL_NAMES[start])
    marked_places = [place for place, *_rest in state.marked_figures if start in PLACE_CELLS[place]]
    if marked_places:
        return IllegalAction(
            _("the tile on {cell} is part of a marked figure ({place})"),
            rule="marked-figure",
            cell=CELL_NAMES[start],
            place=PLACE_NAMES[marked_places[0]],
        )
    if start != end and state.cells[end]:
        return IllegalAction(_("{cell} is taken"), rule="cell-taken", cell=CELL_NAMES[end])
    kind, current_rotation = state.setup.board.tile_of_code[state.cells[start]]
    canonical_rotation = _find_canonical_rotation(state, kind, rotation)
    if start == end and canonical_rotation == current_rotation:
        return IllegalAction(_("a leap must change something"), rule="no-change")
    return _build_rotation_error(kind, rotation, canonical_rotation)


_EXPLAIN_IN_PHASE = {
    "start": _explain_in_start,
    "stolen": _explain_in_stolen,
    "react": _explain_in_react,
    "place": _explain_in_place,
}
