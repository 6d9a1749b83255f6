"""A game in plain text: the board for a fixed-width font, and its story in sentences.

(1) circle, [1] square, o1 small circle marked by side 1; (?) [?] o? nobody could mark it; #D# part of the 8
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .board import CELL, PLACE_NAME, SIDE_PLACE, SIZE, VERTICES

Seen = Mapping[str, Any]
CARD_NAMES = {
    "TT": "Time travel",
    "MI": "Magnetic inversion",
    "RC": "Revolution clockwise",
    "RA": "Revolution anti-clockwise",
    "RV": "Revolution",
    "QL": "Quantum leap",
    "ME": "Meteorite",
    "AK": "Alien kidnapping",
    "OO": "the 8",
    "CV": "Cosmic void",
}
ENDINGS = {
    "infinity": "by an 8",
    "full": "with a full board",
    "tower": "with an empty tower",
    "won": "won",
}
_PLACE = {name: place for place, name in enumerate(PLACE_NAME)}
_COLUMNS = "abcde"
_LETTERS = "    " + " ".join(f"   {letter}    " for letter in _COLUMNS).rstrip()


def board(view: Seen) -> str:
    """The board of a view, with coordinates, figures and markers; 50 characters wide."""
    marks: dict[int, str] = {}
    eights: set[str] = set()
    for figure in view["board"]["figures"]:
        owner = str(figure["side"] or "?")
        if figure["value"] == 8:
            eights.update(figure["place"].split("+"))
        else:
            shape = {1: "o{}", 2: "({})", 4: "[{}]"}[figure["value"]]
            marks[_PLACE[figure["place"]]] = shape.format(owner)
    lines = [_LETTERS]
    for row in range(SIZE, -1, -1):
        lines.append("  " + _rule(row, marks).rstrip())
        if row:
            lines.append(f"{row} {_cells(row - 1, view, marks, eights)} {row}")
    lines.append(_LETTERS)
    return "\n".join(lines)


def _rule(row: int, marks: dict[int, str]) -> str:
    """The line between two rows: vertices, and the edges below and above each other."""
    parts = []
    for column in range(SIZE + 1):
        parts.append(marks.get(column * 6 + row, " + "))
        if column < SIZE:
            edge = SIDE_PLACE[column * SIZE + row][2] if row < SIZE else -1
            parts.append(marks.get(edge, "-" * 6).center(6, "-"))
    return "".join(parts)


def _cells(row: int, view: Seen, marks: dict[int, str], eights: set[str]) -> str:
    parts = []
    for column in range(SIZE):
        name = f"{_COLUMNS[column]}{row + 1}"
        edge = SIDE_PLACE[CELL[name]][3]
        parts.append(marks.get(edge, "|").center(3))
        tile = view["board"]["cells"].get(name)
        word = f"{tile['tile']}{tile['rotation'] or ''}" if tile else "."
        parts.append((f"#{word}#" if name in eights else word).center(6))
    return "".join(parts) + " |"


def figures(view: Seen) -> list[str]:
    """The closed figures in words, for those who do not look at pictures."""
    return [
        f"{_article(figure['kind'])} at {_place(figure['place'])}: "
        f"{_owner(figure['side'])}, {_points(figure['value'])}"
        for figure in view["board"]["figures"]
    ]


def summary(view: Seen) -> list[str]:
    """What lies beside the board: scores, tiles, tower, and one's own hand."""
    kind = {"blind": "blind match", "solo": "solo"}.get(view["kind"], "match")
    lines = [f"{kind.capitalize()} {view['match']}: {_scores(view)}"]
    for seat in view["seats"]:
        if not seat["in_play"]:
            lines.append(f"Seat {seat['seat']} has resigned")
        elif view["kind"] == "normal":
            cards = f", {_count(seat['cards'], 'card')}" if view["options"]["cards"] else ""
            lines.append(f"Seat {seat['seat']}: tile {seat['table'] or 'none'} on the table{cards}")
    if view["drawn"]:
        lines.append(f"Drawn: {view['drawn']}")
    if view["stolen"]:
        lines.append(f"Kidnapped: {CARD_NAMES[view['stolen']]} ({view['stolen']})")
    lines.append(f"Tower: {_count(view['tower_left'], 'tile')} left")
    you = view.get("you")
    if you and you["hand"]:
        lines.append("Your cards: " + ", ".join(f"{CARD_NAMES[card]} ({card})" for card in you["hand"]))
    if you and you["partner"] and you["partner"]["hand"]:
        cards = ", ".join(f"{CARD_NAMES[card]} ({card})" for card in you["partner"]["hand"])
        lines.append(f"Your partner's cards: {cards}")
    return lines


def tell(event: Seen) -> str:
    """One event as a sentence."""
    return _STORY[event["event"]](event)


def _placed(e: Seen) -> str:
    turned = f", turned by {e['rotation']} degrees" if e["rotation"] else ""
    return f"Seat {e['seat']} put tile {e['tile']} on {e['cell']}{turned}."


def _closed(e: Seen) -> str:
    what = f"Seat {e['seat']} closed {_article(e['kind'])} at {_place(e['place'])}"
    return f"{what}, marked by side {e['side']}." if e["side"] else f"{what}, but has no marker left for it."


def _match_ended(e: Seen) -> str:
    scores = ", ".join(f"side {side} {score}" for side, score in e["scores"].items())
    silly = f" Silly match for side {_all(e['silly'])}." if e["silly"] else ""
    name = "The blind match" if e["kind"] == "blind" else f"Match {e['match']}"
    if e["kind"] == "solo":
        return f"Solo over: {'won with ' + str(e['scores']['1']) if e['ended'] == 'won' else 'lost'}."
    return f"{name} ended {ENDINGS[e['ended']]}: {scores}.{silly}"


def _dark_tiles(e: Seen) -> str:
    gets = [f"a new tile {e['table']}"] * bool(e["table"]) + ["a new secret card"] * e["card"]
    takes = f" and took {' and '.join(gets)}" if gets else ""
    return f"Seat {e['seat']} had two dark tiles: they left the match{takes}."


def _began(e: Seen) -> str:
    name = {"blind": "A blind match", "solo": "A solo match"}.get(e["kind"], f"Match {e['match']}")
    return f"{name} began; seat {e['seat']} starts."


def _shoot_out(e: Seen) -> str:
    drawn = ", ".join(f"side {side} drew {tile}" for side, tile in e["tiles"].items())
    return f"Shoot-out, round {e['round']}: {drawn}."


def _new_tiles(e: Seen) -> str:
    tables = ", ".join(f"seat {seat} {tile or 'none'}" for seat, tile in e["table"].items())
    return f"All table tiles were replaced: {tables}."


_STORY: dict[str, Callable[[Seen], str]] = {
    "match began": _began,
    "drew": lambda e: f"Seat {e['seat']} drew tile {e['tile']}.",
    "placed": _placed,
    "closed": _closed,
    "claimed": lambda e: (
        f"Seat {e['seat']} marked {_article(e['kind'])} at {_place(e['place'])} that had no marker yet."
    ),
    "infinity": lambda e: f"Seat {e['seat']} made an 8 around {e['cell']}!",
    "asked": lambda e: f"Seat {_all(e['seats'])} may answer the 8.",
    "answered": lambda e: (
        f"Seat {e['seat']} passed."
        if e["answer"] == "pass"
        else f"Seat {e['seat']} protected the points with {e['answer']}."
    ),
    "played": lambda e: f"Seat {e['seat']} played {CARD_NAMES[e['card']]}: {e['action']}.",
    "kidnapped": lambda e: f"Seat {e['seat']} kidnapped {CARD_NAMES[e['card']]} from seat {e['victim']}.",
    "lost card": lambda e: f"The kidnapped card, {CARD_NAMES[e['card']]}, could do nothing and is lost.",
    "new tiles": _new_tiles,
    "dark tiles left": _dark_tiles,
    "lost turn": lambda e: f"The dark tile cost seat {e['seat']} the turn.",
    "second turn": lambda e: f"Seat {e['seat']} plays again.",
    "match ended": _match_ended,
    "shoot-out": _shoot_out,
    "resigned": lambda e: f"Side {e['side']} resigned.",
    "game over": lambda e: (
        f"The game is over: {'side ' + str(e['winner']) + ' won' if e['winner'] else 'nobody won'}."
    ),
}


def _article(kind: str) -> str:
    return {"infinity": "an 8"}.get(kind, f"a {kind}")


def _place(place: str) -> str:
    return place.replace("+", ", ").replace("frame", "the frame")


def _owner(side: int | None) -> str:
    return f"side {side}" if side else "unmarked"


def _points(value: int) -> str:
    return _count(value, "point")


def _count(n: int, word: str) -> str:
    return f"{n} {word}" if n == 1 else f"{n} {word}s"


def _all(numbers: list[int]) -> str:
    return " and ".join(map(str, numbers))


def _scores(view: Seen) -> str:
    return ", ".join(
        f"side {side} has {view['points'][side]} here and {total} in all"
        for side, total in view["totals"].items()
    )


assert VERTICES == (SIZE + 1) ** 2  # vertices are numbered by column, then row
