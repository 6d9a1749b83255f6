"""What an action on the board would close, told before it is played: from a view alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .board import CELL, CELLS, FIGURE_KIND, NEIGHBOUR, PLACE_NAME
from .bots import Sight
from .phrases import ENGLISH, Words

Seen = Mapping[str, Any]


@dataclass(frozen=True)
class Outlook:
    """The figures that an action closes, each with whether its side has a marker left for it."""

    figures: tuple[tuple[str, str, int, bool], ...]  # kind, place, value, marked

    @property
    def eight(self) -> bool:
        """Whether it makes an 8."""
        return any(value == 8 for _kind, _place, value, _marked in self.figures)

    @property
    def points(self) -> int:
        """What it brings at once; circles and squares beside an 8 are marked, but do not count."""
        return 8 if self.eight else sum(value for _kind, _place, value, marked in self.figures if marked)


def outlooks(view: Seen, actions: Iterable[str]) -> dict[str, Outlook]:
    """What placements and leaps would close; those that close nothing, and other actions, are left out."""
    sight = Sight(dict(view))
    lifted: dict[int, tuple[int, ...]] = {}
    found = {}
    for action in actions:
        where = _where(sight, action, lifted)
        if where and where[2]:
            look = _look(sight, *where)
            if look.figures:
                found[action] = look
    return found


def _where(sight: Sight, action: str, lifted: dict[int, tuple[int, ...]]) -> tuple[int, int, int] | None:
    """The cell, the tile in its rotation, and what the cell asks for."""
    if action in sight.board.placement:
        _, t, x = sight.board.placement[action]
        return x, t, sight.demand[x]
    way = action.removeprefix("CV=")
    if not way.startswith("QL-"):
        return None
    _, start_name, end_name, rotation = way.split("-")
    start, end = CELL[start_name], CELL[end_name]
    if start not in lifted:
        lifted[start] = sight.lifted(start)
    kind = sight.board.tile[sight.codes[start]][0]
    return end, sight.board.code[kind, int(rotation)], lifted[start][end]


def _look(sight: Sight, x: int, t: int, demand: int) -> Outlook:
    closed, eights = sight.board.closing(x, t, demand)
    left = dict(sight.left)
    found = []
    for place, value in closed:
        found.append((FIGURE_KIND[value], PLACE_NAME[place], value, left[value] > 0))
        left[value] -= 1
    for cell in eights:
        found.append((FIGURE_KIND[8], _eight(sight, cell, x, t), 8, True))
    return Outlook(tuple(found))


def _eight(sight: Sight, cell: int, x: int, t: int) -> str:
    """The cells of an 8 whose crossing lies on a cell: as a view names them."""
    kind, rotation = sight.board.tile[t if cell == x else sight.codes[cell]]
    before, after = (3, 1) if sight.box.tiles[kind].turned(rotation)[2] == "WE" else (2, 0)
    return "+".join(CELLS[y] for y in (NEIGHBOUR[cell][before], cell, NEIGHBOUR[cell][after]))


def told(look: Outlook | None, words: Words = ENGLISH, match: str = "normal") -> str:
    """What an action would close, in sentences; `match` is the kind of match in which it does."""
    if look is None:
        return words.gettext("Closes nothing.")
    parts = []
    for kind, place, value, marked in look.figures:
        if value == 8:
            sentence = _eight_told(words, match)
        elif marked:
            sentence = words.gettext("Closes {figure}: {points}.")
        else:
            sentence = words.gettext("Closes {figure}, but you have no marker left for it.")
        parts.append(sentence.format(figure=words.figure(kind, place), points=words.points(value)))
    return " ".join(parts)


def _eight_told(words: Words, match: str) -> str:
    if match == "blind":
        return words.gettext("Makes {figure}: you win the game.")
    if match == "solo":
        return words.gettext("Makes {figure}.")
    return words.gettext("Makes {figure}: the match is over, and you score 8.")


def short(look: Outlook | None, words: Words = ENGLISH) -> str:
    """The same in a word or two, for a label."""
    if look is None:
        return words.gettext("closes nothing")
    if look.eight:
        return words.gettext("makes an 8")
    return words.gettext("closes for {points}").format(points=words.points(look.points))
