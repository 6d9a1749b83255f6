"""Forgiving parser: from what a player typed to the canonical action that it means in this state.

Every word must be known and in its place: a text with one word too many is prose and is rejected. The parser
uses only what the seat may know: the board, the open tiles, the number of cards in each hand.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence, Set

from .action_errors import quote_text
from .actions import legal_actions, list_playable_tiles
from .board import CELL_INDEX
from .cards import REVOLUTION_STEPS, list_kidnap_targets, list_swap_targets
from .errors import UnreadableAction
from .phrases import gettext_noop as _
from .state import State

MAX_TEXT_LENGTH = 200
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
_FORBIDDEN_CHARACTER = re.compile(r"[^\w\s\-=,.;:/>→⇒➡()\[\]`'\"‘’‚“”„«»‹›!*#]")
_QUOTE_PREFIX = re.compile(r"[\W_]*[>»›]")  # start of a line quoted by a mail program
_INITIALS_PREFIX = re.compile(r"[^\W\d]>")  # quoting with initials: `AB> resign`
# A minus is a separator (B-b3-90, B - b3 - 90). Directly before a number it is one only if it also directly
# follows a word; else it may be a sign (B b3 -90, B-b3--90, MI -3). A negative rotation is ambiguous, so such
# a text is rejected.
_SIGNED_NUMBER = re.compile(r"(?<![^\W_])-(?=(?:[^\w\s>-]|_)*[0-9])|-\s*-\s*[0-9]|=\s*-")

# ------------------------------------------------------------------------------------------------------ words

# Texts that match only as a whole: `I resign`, but not `I resign myself to losing`.
_WHOLE_TEXTS = {
    "draw": "draw|i draw|draw tile|draw a tile|draw the tile|i draw a tile|i draw the tile"
    "|pesca|pesco|io pesco|pescare|pesca tessera|pesca una tessera|pesca la tessera|pesco una tessera"
    "|pesco la tessera|io pesco una tessera|pescare una tessera"
    "|trek|trekken|ik trek|trek tegel|trek een tegel|trek de tegel|ik trek een tegel|ik trek de tegel"
    "|tegel trekken|een tegel trekken",
    "pass": "pass|i pass|passo|io passo|passa|passare|pas|ik pas|passen",
    "resign": "resign|i resign|abbandono|io abbandono|mi arrendo|opgeven|ik geef op|ik geef het op",
}
_ACTION_OF_TEXT = {text: action for action, texts in _WHOLE_TEXTS.items() for text in texts.split("|")}
# Names in English, Italian and Dutch; a space inside a name is optional.
_NAMES_OF_CODE = {
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
    "a": "the a tile",  # in `a tile`, `a` is not a tile name
    "?": "a tile",
}
_CODE_OF_NAME = {
    name.replace(" ", ""): code for code, names in _NAMES_OF_CODE.items() for name in names.split("|")
}
_NAME_PATTERN = re.compile(
    r"\b(?:"
    + "|".join(sorted("|".join(_NAMES_OF_CODE.values()).split("|"), key=len, reverse=True)).replace(" ", " ?")
    + r")\b"
)
_CARD_CODES = ("tt", "mi", "rc", "ra", "rv", "ql", "me", "ak", "oo", "cv")
_GLUED_WORD = re.compile(
    r"(cv)?(tt|mi|rc|ra|rv|ql|me|ak|oo)?(c?cw)?([a-j](?=[a-e][1-5]))?([a-e][1-5])?([a-e][1-5])?([0-9]+)?"
)


def _split_words(words: str) -> frozenset[str]:
    """A set of words from a string with spaces."""
    return frozenset(words.split())


# Filler words, ignored only before what is played, or between that and its target.
_VERBS = _split_words("play place put use gioca gioco metti metto usa uso speel leg zet plaats gebruik")
_ARTICLES = _split_words("the my l il lo la un una de het een mijn")
_NOUNS = _split_words("card carta kaart")
_LEADING_WORDS = _VERBS | _ARTICLES | _NOUNS | _split_words("ik io tile tessera tegel")
_LINKING_WORDS = _ARTICLES | _split_words(
    """with player seat number nr n from to on onto in into at place cell tile rotation degrees degree deg
    con giocatore posto numero da dal a al su sul sulla nel nella casella tessera rotazione gradi grado
    met speler plaats stoel nummer van naar op aan vak tegel rotatie graden graad"""
)
_ROTATION_WORDS = _split_words("turned rotated by girata ruotata di gedraaid")  # not in a leap: ambiguous
_AS_WORDS = ("as", "come", "als")
_EIGHT_ANSWER = re.compile(r"(?:8|oo)(?: (?:or|o|of) (?:8|oo))?")
_DIRECTION_STEPS = {"cw": 1, "ccw": -1}


def parse_action(state: State, seat: int, text: object, *, has_hints: bool = True) -> str:
    """The canonical action that a text means. Raises UnreadableAction; `apply_action` checks legality.

    Without hints a placement must name its tile where several are open: a duty does not choose it.
    """
    if isinstance(text, str) and 0 < len(text) <= MAX_TEXT_LENGTH:
        plain_text = _normalise_text(text)
        if plain_text in _ACTION_OF_TEXT:
            return _ACTION_OF_TEXT[plain_text]
        if action := _parse_words(state, seat, _split_into_codes(plain_text), has_hints=has_hints):
            return action
    raise UnreadableAction(_("{text} is not an action"), text=quote_text(text))


def _normalise_text(text: str) -> str:
    """Lower-case words separated by single spaces; empty if the text cannot be an action.

    Raises UnreadableAction on a number with a sign.
    """
    plain_text = unicodedata.normalize("NFKC", text.translate(_TYPOGRAPHY)).casefold()
    if (
        _FORBIDDEN_CHARACTER.search(plain_text)
        or _INITIALS_PREFIX.search(plain_text)
        or any(map(_QUOTE_PREFIX.match, plain_text.splitlines()))
    ):
        return ""
    if _SIGNED_NUMBER.search(plain_text):
        raise UnreadableAction(
            _("{text} is not an action: write numbers without a minus"), text=quote_text(text)
        )
    if ">" in plain_text and not any(cell in plain_text for cell in CELL_INDEX):
        return ""  # an arrow must lead to a cell
    return " ".join(re.sub(r"[\W_]", " ", plain_text).split())


def _split_into_codes(plain_text: str) -> list[str]:
    """The words, with names replaced by codes and glued words split."""
    coded_text = _NAME_PATTERN.sub(lambda match: _CODE_OF_NAME[match[0].replace(" ", "")], plain_text)
    words: list[str] = []
    for word in coded_text.split():
        glued_match = _GLUED_WORD.fullmatch(word)
        words += [part for part in glued_match.groups() if part] if glued_match else [word]
    return words


def _drop_leading_words(words: list[str], *, has_begun: bool = False) -> list[str]:
    """The words without leading verbs, articles and nouns.

    `I` and `a` are also tile names, so they are dropped only where they must be a pronoun or an article.
    """
    for i, word in enumerate(words):
        next_word = words[i + 1] if i + 1 < len(words) else ""
        is_pronoun = word == "i" and i == 0 and next_word in _VERBS
        is_article = (
            word == "a"
            and (i > 0 or has_begun)
            and (next_word in _CARD_CODES or next_word in [*"abcdefghij"])
        )
        if word not in _LEADING_WORDS and not is_pronoun and not is_article:
            return words[i:]
    return []


def _drop_words(words: list[str], dropped_words: Set[str]) -> list[str]:
    """The words that are not in a set."""
    return [word for word in words if word not in dropped_words]


def _is_number(word: str) -> bool:
    """True if a word is a number in ASCII digits."""
    return word.isascii() and word.isdigit()


def _parse_words(state: State, seat: int, words: list[str], *, has_hints: bool) -> str | None:
    """The action that the words mean: a card, a wild card as another card, or a placement."""
    words = _drop_leading_words(words)
    if len(words) > 1 and words[-1] in _NOUNS:
        words = words[:-1]
    if words[:1] != ["cv"]:
        return _parse_card(state, seat, words) or _parse_placement(state, seat, words, has_hints=has_hints)
    if words == ["cv"]:
        if state.phase == "react":
            return "CV=8"
        raise UnreadableAction(_("say which card CV stands for, as in CV=TT"))
    action = _parse_card(
        state, seat, _drop_leading_words(words[2:] if words[1] in _AS_WORDS else words[1:], has_begun=True)
    )
    return action and f"CV={action}"


def _parse_card(state: State, seat: int, words: list[str]) -> str | None:
    """The action of a card, or None."""
    if not words:
        return None
    if _EIGHT_ANSWER.fullmatch(" ".join(_drop_words(words, _ARTICLES))):
        return "8"
    power, following_words = words[0], words[1:]
    if power in ("tt", "rc", "ra", "me") and not following_words:
        return power.upper()
    if words.count("rv") == 1 and len(words) <= 2:
        return _parse_revolution(state, _drop_words(words, {"rv"}))
    if power in ("mi", "ak"):
        return _parse_targeted_card(state, seat, power.upper(), following_words)
    return _parse_leap(state, _drop_words(following_words, _LINKING_WORDS)) if power == "ql" else None


def _parse_revolution(state: State, direction_words: list[str]) -> str | None:
    """The Revolution action for a direction.

    Raises UnreadableAction if the edition has several directions and none is named.
    """
    if direction_words and direction_words[0] not in _DIRECTION_STEPS:
        return None
    steps = [_DIRECTION_STEPS[word] for word in direction_words] or [*_DIRECTION_STEPS.values()]
    cards = [
        card
        for card, step in REVOLUTION_STEPS.items()
        if card[:2] in state.setup.edition_data.cards and step in steps
    ]
    if len(cards) > 1:
        clockwise, anticlockwise = sorted(cards, key=REVOLUTION_STEPS.__getitem__, reverse=True)
        sentence = _("say which way: clockwise ({clockwise}) or anti-clockwise ({back})")
        raise UnreadableAction(sentence, clockwise=clockwise, back=anticlockwise)
    return cards[0] if cards else f"RV-{direction_words[0] if direction_words else 'cw'}"


def _parse_targeted_card(state: State, seat: int, power: str, following_words: list[str]) -> str | None:
    """The action of a card that names a seat.

    Raises UnreadableAction if the seat is missing and not the only possible one.
    """
    typed_words = _drop_words(following_words, _LINKING_WORDS)
    if len(typed_words) == 1 and re.fullmatch("[1-9]", typed_words[0]):
        return f"{power}-{typed_words[0]}"
    if not all(map(_is_number, typed_words)) or len(typed_words) > 1:
        return None
    # Possible targets are public; whether the seat holds the card must not show here.
    is_seated = 1 <= seat <= state.setup.seats
    seats = (list_swap_targets if power == "MI" else list_kidnap_targets)(state, seat) if is_seated else []
    if len(seats) > 1 or (seats and following_words):
        raise UnreadableAction(_("say which seat: {choices}"), choices=seats)
    return f"{power}-{seats[0] if seats else 1 if seat != 1 else 2}"  # no target: apply_action rejects it


def _parse_leap(state: State, words: list[str]) -> str | None:
    """The action of a quantum leap. Raises UnreadableAction if cells or rotation are missing."""
    cells = [word for word in words[:2] if word in CELL_INDEX]
    typed_words = words[len(cells) :]
    if not words or (len(cells) == 1 and not typed_words):
        raise UnreadableAction(_HINT_LEAP)
    if not cells or words[0] not in CELL_INDEX:
        return None
    kind, _turn = state.setup.board.tile_of_code[state.cells[CELL_INDEX[cells[0]]]]
    # No tile there: apply_action rejects it
    rotation = _parse_rotation(state, kind, typed_words) if kind or typed_words else 0
    return None if rotation is None else f"QL-{cells[0]}-{cells[-1]}-{rotation}"


def _parse_rotation(state: State, kind: str, typed_words: list[str]) -> int | None:
    """The canonical rotation; it may be left out if the tile looks the same in all.

    Raises UnreadableAction if it is missing or not a multiple of 90.
    """
    tile = state.setup.edition_data.tiles.get(kind)
    if len(typed_words) > 1 or not all(map(_is_number, typed_words)):
        return None
    if not typed_words and tile and len(tile.rotations) == 1:
        return 0
    if not typed_words or typed_words[0] not in map(str, _ROTATIONS):
        choices = tile.rotations if tile and not typed_words else _ROTATIONS
        raise UnreadableAction(_("say the rotation: {choices}"), choices=choices)
    rotation = int(typed_words[0])
    if tile is None:
        return rotation
    return next(r for r in tile.rotations if tile.rotate_features(r) == tile.rotate_features(rotation))


def _parse_placement(state: State, seat: int, words: list[str], *, has_hints: bool) -> str | None:
    """A placement: tile and cell in either order, then the rotation; or the cell alone or with a rotation."""
    tiles, kinds = state.setup.edition_data.tiles, _list_open_tiles(state, seat)
    words = _drop_words(words, _LINKING_WORDS - {"a"} | _ROTATION_WORDS)
    if len(words) > 1 and words[0] in CELL_INDEX and words[1].upper() in tiles:
        if words[1] == "a" and len(words) > 2 and len(kinds) > 1 and "A" in kinds:
            raise _build_which_tile_error(kinds)  # `b3 a 90` is also Italian for `b3 at 90`
        words[:2] = words[1], words[0]
    if words and words[0] in CELL_INDEX:
        typed_words = _drop_words(words[1:], _LINKING_WORDS)
        return _parse_cell_only(state, seat, words[0], typed_words, has_hints=has_hints)
    kind, words = "".join(words[:1]).upper(), _drop_words(words[1:], _LINKING_WORDS)
    if kind not in tiles or not words or words[0] not in CELL_INDEX:
        return None
    rotation = _parse_rotation(state, kind, words[1:])
    return None if rotation is None else f"{kind}-{words[0]}-{rotation}"


def _list_open_tiles(state: State, seat: int) -> tuple[str, ...]:
    """The kinds of tile that the seat may place now."""
    return list_playable_tiles(state) if state.phase == "place" and seat == state.turn else ()


def _build_which_tile_error(kinds: Sequence[str]) -> UnreadableAction:
    """The error that asks for the tile."""
    if not kinds:
        return UnreadableAction(_("say which tile"))
    return UnreadableAction(_("say which tile: {choices}"), choices=sorted(kinds))


def _parse_cell_only(
    state: State, seat: int, cell: str, typed_words: list[str], *, has_hints: bool
) -> str | None:
    """The placement for `b3 90` without a tile: the only open tile, or with hints the only one legal there.

    Raises UnreadableAction if several tiles are possible.
    """
    kinds = _list_open_tiles(state, seat)
    if len(typed_words) > 1 or not all(map(_is_number, typed_words)):
        return None
    if not kinds or (len({*kinds}) > 1 and not has_hints):
        raise _build_which_tile_error(kinds)
    actions_on_cell = [action for action in legal_actions(state, seat) if action.split("-")[1] == cell]
    if not actions_on_cell and not typed_words:
        return f"{kinds[0]}-{cell}-0"  # nothing is legal there: apply_action says why
    candidates = [
        f"{kind}-{cell}-{_parse_rotation(state, kind, typed_words) if typed_words else ''}" for kind in kinds
    ]
    legal_candidates = [
        start for start in candidates if any(action.startswith(start) for action in actions_on_cell)
    ]
    if len(legal_candidates) > 1:
        raise _build_which_tile_error(kinds)
    kind = (legal_candidates or candidates)[0].split("-")[0]
    return f"{kind}-{cell}-{_parse_rotation(state, kind, typed_words)}"
