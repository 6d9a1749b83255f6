"""Forgiving reading: what a person typed, as the canonical action it means here and now.

Every word must be known and have its place: a text with one word too many is prose, and is not read. Nothing
here looks at more than the seat may know: the board, the open tiles, the number of cards in a hand.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence, Set

from .actions import legal_actions, playable
from .board import CELL
from .cards import STEPS, magnets, victims
from .errors import Unreadable
from .phrases import gettext_noop as _
from .refusals import shown
from .state import State

LONGEST = 200
_ROTATIONS = (0, 90, 180, 270)
_HINT_LEAP = _("say which tile leaps, where to and how it is turned, as in QL-b3-d5-180")

# ------------------------------------------------------------------------------------------------- characters

_INVISIBLE = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\u20e3\ufe0e\ufe0f\ufeff"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212"
_DEGREES = "°º⁰˚∘"
_TYPOGRAPHY = str.maketrans(
    dict.fromkeys(_INVISIBLE, "")
    | dict.fromkeys(_DASHES, "-")
    | dict.fromkeys(_DEGREES, " ")
    | {"´": "'", "∞": " oo "}
)
_STRANGE = re.compile(r"[^\w\s\-=,.;:/>→⇒➡()\[\]`'\"‘’‚“”„«»‹›!*#]")
_QUOTED = re.compile(r"[\W_]*[>»›]")  # how a line begins that a mail program repeats
_INITIALS = re.compile(r"[^\W\d]>")  # and how some programs mark it: `AB> resign`
# A minus is a separator (B-b3-90, B - b3 - 90). Directly before a number it is one only if it also directly
# follows a word; else it may be a sign (B b3 -90, B-b3--90, MI -3). A turn back and a turn are not the same,
# and which is meant cannot be known, so a text with such a number is never read.
_SIGNED = re.compile(r"(?<![^\W_])-(?=(?:[^\w\s>-]|_)*[0-9])|-\s*-\s*[0-9]|=\s*-")

# ------------------------------------------------------------------------------------------------------ words

# Whole texts. Nothing may stand beside them: `I resign`, but not `I resign myself to losing`.
_WHOLE = {
    "draw": "draw|i draw|draw tile|draw a tile|draw the tile|i draw a tile|i draw the tile"
    "|pesca|pesco|io pesco|pescare|pesca tessera|pesca una tessera|pesca la tessera|pesco una tessera"
    "|pesco la tessera|io pesco una tessera|pescare una tessera"
    "|trek|trekken|ik trek|trek tegel|trek een tegel|trek de tegel|ik trek een tegel|ik trek de tegel"
    "|tegel trekken|een tegel trekken",
    "pass": "pass|i pass|passo|io passo|passa|passare|pas|ik pas|passen",
    "resign": "resign|i resign|abbandono|io abbandono|mi arrendo|opgeven|ik geef op|ik geef het op",
}
_SAID = {text: action for action, texts in _WHOLE.items() for text in texts.split("|")}
# Names in the three languages of the table, with the words between which a space may be left out.
_CALLED = {
    "tt": "time travel|viaggio nel tempo|tijd reizen",
    "mi": "magnetic inversion|inversione magnetica|magnetisch kracht veld",
    "rv": "revolution|rivoluzione|revolutie",
    "ql": "quantum leap|salto quantico|kwantum sprong",
    "me": "meteorite|meteoriet",
    "ak": "alien kidnapping|rapimento alieno|buitenaardse ontvoering",
    "cv": "cosmic void|vuoto cosmico|kosmische leegte|wild card|jolly",
    "oo": "infinity|infinito|oneindigheid|oneindig|eight|otto|acht",
    "cw": "clock wise|oraria|orario|senso orario|in senso orario|rechts om|met de klok mee"
    "|met de wijzers van de klok mee",
    "ccw": "anti clock wise|counter clock wise|anti oraria|anti orario|senso anti orario"
    "|in senso anti orario|links om|tegen de klok in|tegen de wijzers van de klok in",
    "a": "the a tile",  # in `a tile` it is no tile's name
    "?": "a tile",
}
_NAMES = {name.replace(" ", ""): code for code, names in _CALLED.items() for name in names.split("|")}
_NAME = re.compile(
    r"\b(?:"
    + "|".join(sorted("|".join(_CALLED.values()).split("|"), key=len, reverse=True)).replace(" ", " ?")
    + r")\b"
)
_CARDS = ("tt", "mi", "rc", "ra", "rv", "ql", "me", "ak", "oo", "cv")
_GLUED = re.compile(
    r"(cv)?(tt|mi|rc|ra|rv|ql|me|ak|oo)?(c?cw)?([a-j](?=[a-e][1-5]))?([a-e][1-5])?([a-e][1-5])?([0-9]+)?"
)


def _each(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Small words, each only where it does no harm: before what is played, and between that and where it goes.
_VERBS = _each("play place put use gioca gioco metti metto usa uso speel leg zet plaats gebruik")
_ARTICLES = _each("the my l il lo la un una de het een mijn")
_NOUNS = _each("card carta kaart")
_LEAD = _VERBS | _ARTICLES | _NOUNS | _each("ik io tile tessera tegel")
_LINK = _ARTICLES | _each(
    """with player seat number nr n from to on onto in into at place cell tile rotation degrees degree deg
    con giocatore posto numero da dal a al su sul sulla nel nella casella tessera rotazione gradi grado
    met speler plaats stoel nummer van naar op aan vak tegel rotatie graden graad"""
)
_TURNED = _each("turned rotated by girata ruotata di gedraaid")  # not of a leap: it might be by so much
_AS = ("as", "come", "als")
_EIGHT = re.compile(r"(?:8|oo)(?: (?:or|o|of) (?:8|oo))?")
_WAYS = {"cw": 1, "ccw": -1}


def read(state: State, seat: int, text: object) -> str:
    """The canonical action that the text means. Raises Unreadable; legality is judged by `apply`."""
    if isinstance(text, str) and 0 < len(text) <= LONGEST:
        plain = _plain(text)
        action = _SAID.get(plain) or _meant(state, seat, _words(plain))
        if action:
            return action
    raise Unreadable(_("{text} is not an action"), text=shown(text))


def _plain(text: str) -> str:
    """Lower-case words with one space between them; nothing if the text cannot be an action at all."""
    plain = unicodedata.normalize("NFKC", text.translate(_TYPOGRAPHY)).casefold()
    if _STRANGE.search(plain) or _INITIALS.search(plain) or any(map(_QUOTED.match, plain.splitlines())):
        return ""
    if _SIGNED.search(plain):
        raise Unreadable(_("{text} is not an action: write numbers without a minus"), text=shown(text))
    if ">" in plain and not any(cell in plain for cell in CELL):
        return ""  # an arrow leads to a cell
    return " ".join(re.sub(r"[\W_]", " ", plain).split())


def _words(plain: str) -> list[str]:
    """The words with names as codes, and glued ones apart."""
    named = _NAME.sub(lambda match: _NAMES[match[0].replace(" ", "")], plain)
    words: list[str] = []
    for word in named.split():
        glued = _GLUED.fullmatch(word)
        words += [part for part in glued.groups() if part] if glued else [word]
    return words


def _lead(words: list[str], *, begun: bool = False) -> list[str]:
    """The words from the first one on that counts. `I` and `a` are tiles too, and small words only here."""
    for i, word in enumerate(words):
        follows = words[i + 1] if i + 1 < len(words) else ""
        pronoun = word == "i" and i == 0 and follows in _VERBS
        article = word == "a" and (i > 0 or begun) and (follows in _CARDS or follows in [*"abcdefghij"])
        if word not in _LEAD and not pronoun and not article:
            return words[i:]
    return []


def _without(words: list[str], small: Set[str]) -> list[str]:
    return [word for word in words if word not in small]


def _number(word: str) -> bool:
    return word.isascii() and word.isdigit()


def _meant(state: State, seat: int, words: list[str]) -> str | None:
    words = _lead(words)
    if len(words) > 1 and words[-1] in _NOUNS:
        words = words[:-1]
    if words[:1] != ["cv"]:
        return _card(state, seat, words) or _placement(state, seat, words)
    if words == ["cv"]:
        if state.phase == "react":
            return "CV=8"
        raise Unreadable(_("say which card CV stands for, as in CV=TT"))
    action = _card(state, seat, _lead(words[2:] if words[1] in _AS else words[1:], begun=True))
    return action and f"CV={action}"


def _card(state: State, seat: int, words: list[str]) -> str | None:
    if not words:
        return None
    if _EIGHT.fullmatch(" ".join(_without(words, _ARTICLES))):
        return "8"
    power, rest = words[0], words[1:]
    if power in ("tt", "rc", "ra", "me") and not rest:
        return power.upper()
    if words.count("rv") == 1 and len(words) <= 2:
        return _revolution(state, _without(words, {"rv"}))
    if power in ("mi", "ak"):
        return _targeted(state, seat, power.upper(), rest)
    return _leap(state, _without(rest, _LINK)) if power == "ql" else None


def _revolution(state: State, way: list[str]) -> str | None:
    """The card of that direction in this edition; without one only where there is no other."""
    if way and way[0] not in _WAYS:
        return None
    steps = [_WAYS[word] for word in way] or [*_WAYS.values()]
    found = [card for card, step in STEPS.items() if card[:2] in state.setup.box.cards and step in steps]
    if len(found) > 1:
        clockwise, back = sorted(found, key=STEPS.__getitem__, reverse=True)
        sentence = _("say which way: clockwise ({clockwise}) or anti-clockwise ({back})")
        raise Unreadable(sentence, clockwise=clockwise, back=back)
    return found[0] if found else f"RV-{way[0] if way else 'cw'}"


def _targeted(state: State, seat: int, power: str, rest: list[str]) -> str | None:
    typed = _without(rest, _LINK)
    if len(typed) == 1 and re.fullmatch("[1-9]", typed[0]):
        return f"{power}-{typed[0]}"
    if not all(map(_number, typed)) or len(typed) > 1:
        return None
    # Who can be hit follows from what all can see; who holds the card must not show here.
    known = 1 <= seat <= state.setup.seats
    seats = (magnets if power == "MI" else victims)(state, seat) if known else []
    if len(seats) > 1 or (seats and rest):
        raise Unreadable(_("say which seat: {choices}"), choices=seats)
    return f"{power}-{seats[0] if seats else 1 if seat != 1 else 2}"  # nobody can be hit: `apply` says so


def _leap(state: State, words: list[str]) -> str | None:
    cells = [word for word in words[:2] if word in CELL]
    typed = words[len(cells) :]
    if not words or (len(cells) == 1 and not typed):
        raise Unreadable(_HINT_LEAP)
    if not cells or words[0] not in CELL:
        return None
    kind, _turn = state.setup.board.tile[state.cells[CELL[cells[0]]]]
    rotation = _rotation(state, kind, typed) if kind or typed else 0  # nothing lies there: `apply` says so
    return None if rotation is None else f"QL-{cells[0]}-{cells[-1]}-{rotation}"


def _rotation(state: State, kind: str, typed: list[str]) -> int | None:
    """The canonical rotation; it may be left out where the tile looks the same in all."""
    tile = state.setup.box.tiles.get(kind)
    if len(typed) > 1 or not all(map(_number, typed)):
        return None
    if not typed and tile and len(tile.rotations) == 1:
        return 0
    if not typed or typed[0] not in map(str, _ROTATIONS):
        choices = tile.rotations if tile and not typed else _ROTATIONS
        raise Unreadable(_("say the rotation: {choices}"), choices=choices)
    rotation = int(typed[0])
    if tile is None:
        return rotation
    return next(r for r in tile.rotations if tile.turned(r) == tile.turned(rotation))


def _placement(state: State, seat: int, words: list[str]) -> str | None:
    """Tile and cell in either order, then the rotation; or the cell with none or with it."""
    tiles, kinds = state.setup.box.tiles, _open(state, seat)
    words = _without(words, _LINK - {"a"} | _TURNED)
    if len(words) > 1 and words[0] in CELL and words[1].upper() in tiles:
        if words[1] == "a" and len(words) > 2 and len(kinds) > 1 and "A" in kinds:
            raise _which(kinds)  # `b3 a 90` is also how one says `b3 at 90`
        words[:2] = words[1], words[0]
    if words and words[0] in CELL:
        return _only_tile(state, seat, words[0], _without(words[1:], _LINK))
    kind, words = "".join(words[:1]).upper(), _without(words[1:], _LINK)
    if kind not in tiles or not words or words[0] not in CELL:
        return None
    rotation = _rotation(state, kind, words[1:])
    return None if rotation is None else f"{kind}-{words[0]}-{rotation}"


def _open(state: State, seat: int) -> tuple[str, ...]:
    """The kinds of tile that the seat may place now."""
    return playable(state) if state.phase == "place" and seat == state.turn else ()


def _which(kinds: Sequence[str]) -> Unreadable:
    if not kinds:
        return Unreadable(_("say which tile"))
    return Unreadable(_("say which tile: {choices}"), choices=sorted(kinds))


def _only_tile(state: State, seat: int, cell: str, typed: list[str]) -> str | None:
    """`b3 90` for the only tile it can be: the only one there is, or the only one that may go there so."""
    kinds = _open(state, seat)
    if len(typed) > 1 or not all(map(_number, typed)):
        return None
    if not kinds:
        raise _which(kinds)
    there = [action for action in legal_actions(state, seat) if action.split("-")[1] == cell]
    if not there and not typed:
        return f"{kinds[0]}-{cell}-0"  # nothing may go there: `apply` says why
    meant = [f"{kind}-{cell}-{_rotation(state, kind, typed) if typed else ''}" for kind in kinds]
    able = [start for start in meant if any(action.startswith(start) for action in there)]
    if len(able) > 1:
        raise _which(kinds)
    kind = (able or meant)[0].split("-")[0]
    return f"{kind}-{cell}-{_rotation(state, kind, typed)}"
