"""Forgiving reading: what a person typed, as the canonical action it means here and now."""

from __future__ import annotations

import re
import unicodedata

from .actions import legal_actions, playable
from .board import CELL, CELLS
from .cards import magnets, victims
from .errors import Unreadable
from .refusals import shown
from .state import State

LONGEST = 200
_ROTATIONS = ("0", "90", "180", "270")
_CELL = re.compile(r"[a-e][1-5]")
_GLUED = re.compile(r"([a-j])([a-e][1-5])")
_DROP = (
    "card",
    "carta",
    "kaart",
    "play",
    "gioca",
    "speel",
    "tile",
    "tessera",
    "tegel",
    "seat",
    "posto",
    "plaats",
)
_WORDS = {
    "draw": "draw",
    "pesca": "draw",
    "trek": "draw",
    "pass": "pass",
    "passo": "pass",
    "pas": "pass",
    "resign": "resign",
    "abbandono": "resign",
    "opgeven": "resign",
}
# Names of the cards in the three languages of the table; codes stand for themselves.
_NAMES = {
    "time travel": "tt",
    "viaggio nel tempo": "tt",
    "tijdreizen": "tt",
    "magnetic inversion": "mi",
    "inversione magnetica": "mi",
    "magnetisch krachtveld": "mi",
    "revolution anti clockwise": "ra",
    "revolution anticlockwise": "ra",
    "revolution counter clockwise": "ra",
    "revolution counterclockwise": "ra",
    "anti clockwise revolution": "ra",
    "anticlockwise revolution": "ra",
    "revolution clockwise": "rc",
    "clockwise revolution": "rc",
    "rivoluzione antioraria": "ra",
    "rivoluzione oraria": "rc",
    "revolutie": "rv",
    "rivoluzione": "rv",
    "revolution": "rv",
    "quantum leap": "ql",
    "salto quantico": "ql",
    "kwantumsprong": "ql",
    "meteorite": "me",
    "meteoriet": "me",
    "alien kidnapping": "ak",
    "rapimento alieno": "ak",
    "buitenaardse ontvoering": "ak",
    "cosmic void": "cv",
    "vuoto cosmico": "cv",
    "kosmische leegte": "cv",
    "wildcard": "cv",
    "jolly": "cv",
    "infinity": "8",
    "infinito": "8",
    "oneindigheid": "8",
}
_NAME = re.compile(r"\b(" + "|".join(sorted(_NAMES, key=len, reverse=True)) + r")\b")
_DIRECTIONS = {
    "cw": "cw",
    "clockwise": "cw",
    "oraria": "cw",
    "rechtsom": "cw",
    "ccw": "ccw",
    "anticlockwise": "ccw",
    "counterclockwise": "ccw",
    "antioraria": "ccw",
    "linksom": "ccw",
}


def read(state: State, seat: int, text: object) -> str:
    """The canonical action that the text means. Raises Unreadable; legality is judged by `apply`."""
    if not isinstance(text, str) or not 0 < len(text) <= LONGEST:
        raise Unreadable(f"{shown(text)} is not an action")
    words = _words(text)
    action = _simple(state, words) or _card(state, seat, words) or _placement(state, seat, words)
    if action is None:
        raise Unreadable(f"{shown(text)} is not an action")
    return action


def _words(text: str) -> list[str]:
    """Lower-case words without the separators people put between them."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("°", " ")
    if re.search(r"[^\w\s\-=_,.;:/>→()`'\"!*]", plain) or re.search(r"-\s*-\s*\d|=\s*-", plain):
        return []
    plain = re.sub(r"[^\w]|_", " ", plain)
    plain = _NAME.sub(lambda match: _NAMES[match[1]], " ".join(plain.split()))
    return [word for word in plain.split() if word not in _DROP]


def _simple(state: State, words: list[str]) -> str | None:
    if len(words) == 1 and words[0] in _WORDS:
        return _WORDS[words[0]]
    if words in (["8"], ["oo"]):
        return "8"
    if words in (["cv", "8"], ["cv", "as", "8"], ["cv", "oo"]):
        return "CV=8"
    if words == ["cv"] and state.phase == "react":
        return "CV=8"
    return None


def _card(state: State, seat: int, words: list[str]) -> str | None:
    wild = ""
    if len(words) > 1 and words[0] == "cv":
        wild = "CV="
        words = words[2:] if words[1] in ("as", "come", "als") else words[1:]
    if not words:
        return None
    power, rest = words[0].upper(), words[1:]
    if power in ("TT", "RC", "RA", "ME") and not rest:
        return wild + power
    if power == "RV" and len(rest) == 1 and rest[0] in _DIRECTIONS:
        way = _DIRECTIONS[rest[0]]
        if "RV" in state.setup.box.cards:
            return f"{wild}RV-{way}"
        return wild + {"cw": "RC", "ccw": "RA"}[way]
    if power in ("MI", "AK") and len(rest) <= 1:
        return _targeted(state, seat, wild, power, rest)
    if power == "QL" and 2 <= len(rest) <= 3:
        return _leap(state, wild, rest)
    return None


def _targeted(state: State, seat: int, wild: str, power: str, rest: list[str]) -> str | None:
    if rest:
        return f"{wild}{power}-{rest[0]}" if re.fullmatch("[1-9]", rest[0]) else None
    # Who can be hit follows from what all can see; who holds the card must not show here.
    only = magnets(state, seat) if power == "MI" else victims(state, seat)
    return f"{wild}{power}-{only[0]}" if len(only) == 1 else None


def _leap(state: State, wild: str, rest: list[str]) -> str | None:
    start, end = rest[:2]
    if not (_CELL.fullmatch(start) and _CELL.fullmatch(end)):
        return None
    kind, _ = state.setup.board.tile[state.cells[CELL[start]]]
    rotation = _rotation(state, kind, rest[2:])
    return None if rotation is None else f"{wild}QL-{start}-{end}-{rotation}"


def _rotation(state: State, kind: str, rest: list[str]) -> int | None:
    """The canonical rotation; it may be left out where the tile looks the same in all."""
    tile = state.setup.box.tiles.get(kind)
    if not rest:
        return 0 if tile and len(tile.rotations) == 1 else None
    if len(rest) != 1 or rest[0] not in _ROTATIONS:
        return None
    rotation = int(rest[0])
    if tile is None:
        return rotation
    return next(r for r in tile.rotations if tile.turned(r) == tile.turned(rotation))


def _placement(state: State, seat: int, words: list[str]) -> str | None:
    if words and (glued := _GLUED.fullmatch(words[0])):
        words = [glued[1], glued[2], *words[1:]]
    if not words:
        return None
    if _CELL.fullmatch(words[0]):
        return _only_tile(state, seat, words[0], words[1:])
    kind = words[0].upper()
    if len(words) < 2 or kind not in state.setup.box.tiles or not _CELL.fullmatch(words[1]):
        return None
    rotation = _rotation(state, kind, words[2:])
    return None if rotation is None else f"{kind}-{words[1]}-{rotation}"


def _only_tile(state: State, seat: int, cell: str, rest: list[str]) -> str | None:
    """`b3 90` for the only tile it can be: the only one there is, or the only one that may go there so."""
    if state.phase != "place" or seat != state.turn or cell not in CELLS:
        return None
    meant = set()
    for kind in playable(state):
        rotation = _rotation(state, kind, rest)
        if rotation is not None:
            meant.add(f"{kind}-{cell}-{rotation}")
    if len(meant) > 1:
        meant &= set(legal_actions(state, seat))
    return meant.pop() if len(meant) == 1 else None
