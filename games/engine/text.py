"""A game in plain text: the board for a fixed-width font, and everything around it in words.

(1) circle, [1] square, o1 small circle marked by side 1; (?) [?] o? nobody could mark it; #D# part of the 8
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .board import CELL, PLACE_NAME, SIDE_PLACE, SIZE, VERTICES
from .board import board as tables_of
from .cards import STEPS
from .edition import edition
from .errors import Refused
from .phrases import CARD_NAMES, ENGLISH, Words
from .story import story, tell

__all__ = [
    "CARD_NAMES",
    "ENGLISH",
    "Words",
    "board",
    "choice",
    "duty",
    "figures",
    "story",
    "summary",
    "tell",
    "why",
    "yours",
]

Seen = Mapping[str, Any]
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


def figures(view: Seen, words: Words = ENGLISH) -> list[str]:
    """The closed figures in words, for those who do not look at pictures."""
    nobody = words.gettext("without a marker")
    return [
        f"{words.figure(figure['kind'], figure['place'])}: "
        f"{words.side(figure['side']) if figure['side'] else nobody}, {words.points(figure['value'])}"
        for figure in view["board"]["figures"]
    ]


def summary(view: Seen, words: Words = ENGLISH) -> list[str]:
    """What lies beside the board for all to see: scores, tiles, tower."""
    lines = [f"{_title(view, words)}: {_scores(view, words)}"]
    for seat in view["seats"]:
        who = words.who(seat["seat"])
        if not seat["in_play"]:
            lines.append(words.said(words.gettext("{who} has resigned").format(who=who)))
        elif view["kind"] == "normal":
            lines.append(words.said(f"{who}: {_table(seat, words)}"))
            if view["options"]["cards"]:
                lines[-1] += f", {words.cards(seat['cards'])}"
    if view["drawn"]:
        lines.append(words.gettext("Drawn: {tile}").format(tile=view["drawn"]))
    if view["stolen"]:
        lines.append(words.gettext("Kidnapped: {card}").format(card=words.coded([view["stolen"]])))
    left = view["tower_left"]
    lines.append(words.ngettext("Tower: {n} tile left", "Tower: {n} tiles left", left).format(n=left))
    return lines


def yours(view: Seen, words: Words = ENGLISH, legal: Sequence[str] = ()) -> list[str]:
    """What a player has and must do: tiles, cards, and what the legal actions show to be a duty."""
    you = view.get("you")
    if not you or view["phase"] == "over":
        return []
    lines = []
    tiles = [words.gettext("{tile} (drawn)").format(tile=tile) for tile in _drawn(view)]
    tiles += [
        words.gettext("{tile} (on the table)").format(tile=seat["table"])
        for seat in view["seats"]
        if seat["seat"] == you["seat"] and seat["table"]
    ]
    if tiles:
        told = words.ngettext("Your tile: {tiles}", "Your tiles: {tiles}", len(tiles))
        lines.append(told.format(tiles=", ".join(tiles)))
    if you["hand"]:
        lines.append(words.gettext("Your cards: {cards}").format(cards=words.coded(you["hand"])))
    if you["partner"] and you["partner"]["hand"]:
        told = words.gettext("Cards of {who}: {cards}")
        hand = words.coded(you["partner"]["hand"])
        lines.append(told.format(who=words.who(you["partner"]["seat"]), cards=hand))
    return [*lines, duty(view, words, legal)]


def duty(view: Seen, words: Words = ENGLISH, legal: Sequence[str] = ()) -> str:
    """What the seat that looks must decide now, or for whom it waits."""
    if view["you"]["seat"] not in view["to_act"]:
        return words.gettext("Waiting for {who}.").format(who=words.everyone(view["to_act"]))
    if view["phase"] == "stolen":
        sentence = words.gettext("You must play the kidnapped card: {card}.")
        return sentence.format(card=words.coded([view["stolen"]]))
    if view["phase"] == "react":
        if tuple(legal) == ("pass",):
            return words.gettext("An 8 was made. You hold no card against it, so you pass.")
        return words.gettext("An 8 was made. You can protect your points, or pass.")
    if view["phase"] == "start":
        if tuple(legal) == ("draw",):
            return words.gettext("None of your cards can be played now: draw a tile.")
        return words.gettext("You may play a secret card, or draw a tile.")
    return _placing(view, words, legal)


def _placing(view: Seen, words: Words, legal: Sequence[str]) -> str:
    box = edition(view["edition"])
    held = [*_drawn(view), *(s["table"] for s in view["seats"] if s["seat"] == view["turn"] and s["table"])]
    by_kind = {box.tiles[kind].special: kind for kind in held}
    if "zero" in by_kind:
        return words.gettext("You must place the zero tile {tile}.").format(tile=by_kind["zero"])
    told = []
    if "dark" in by_kind:
        sentence = words.gettext("The dark tile {tile} is never placed.")
        told.append(sentence.format(tile=by_kind["dark"]))
    tables = tables_of(box)
    if legal and view["options"]["obligation"] == "strict":
        # Under a duty every legal placement fulfils it, so one shows which it is.
        codes = [0] * len(CELL)
        for name, tile in view["board"]["cells"].items():
            codes[CELL[name]] = tables.code[tile["tile"], tile["rotation"]]
        _, t, x = tables.placement[legal[0]]
        closed, eights = tables.closing(x, t, tables.rebuilt(codes)[2][x])
        if eights:
            told.append(words.gettext("You can make an 8, so you must."))
        elif closed:
            told.append(words.gettext("You can close a figure, so you must."))
    return " ".join(told) or words.gettext("Place a tile.")


def choice(action: str, words: Words = ENGLISH) -> str:
    """An action in words, as one tells somebody to do it."""
    if action in ("draw", "pass", "resign"):
        return {
            "draw": words.gettext("draw a tile"),
            "pass": words.gettext("pass"),
            "resign": words.gettext("resign the game"),
        }[action]
    way, facts = action.removeprefix("CV="), {"card": ""}
    if way[0] in "ABCDEFGHIJ" and way[1] == "-":
        facts["tile"], facts["cell"], facts["degrees"] = way.split("-")
        sentence = (
            words.gettext("put tile {tile} on {cell}")
            if facts["degrees"] == "0"
            else words.gettext("put tile {tile} on {cell}, turned by {degrees} degrees")
        )
        return sentence.format(**facts)
    facts["card"] = words.power(action)
    if way == "8":
        sentence = words.gettext("answer with {card}")
    elif way.startswith("MI"):
        sentence = words.gettext("play {card}: swap table tiles with {who}")
        facts["who"] = words.who(int(way[3:]))
    elif way.startswith("AK"):
        sentence = words.gettext("play {card}: take a card from {who}")
        facts["who"] = words.who(int(way[3:]))
    elif way.startswith("RV"):
        sentence = (
            words.gettext("play {card}, clockwise")
            if STEPS[way] > 0
            else words.gettext("play {card}, anti-clockwise")
        )
    elif way.startswith("QL"):
        _, facts["start"], facts["end"], facts["degrees"] = way.split("-")
        sentence = (
            words.gettext("play {card}: turn the tile on {start} to {degrees} degrees")
            if facts["start"] == facts["end"]
            else words.gettext("play {card}: the tile on {start} to {end}, at {degrees} degrees")
        )
    else:
        sentence = words.gettext("play {card}")
    return sentence.format(**facts)


def why(refused: Refused, words: Words = ENGLISH) -> str:
    """Why an action was refused."""
    return words.worded(refused.sentence, refused.facts)


def _drawn(view: Seen) -> list[str]:
    """The tile that the seat which looks has drawn, if it has."""
    return [view["drawn"]] if view["drawn"] and view["turn"] == view["you"]["seat"] else []


def _title(view: Seen, words: Words) -> str:
    if view["kind"] == "blind":
        return words.gettext("Blind match")
    if view["kind"] == "solo":
        return words.gettext("Solo match")
    return words.gettext("Match {n}").format(n=view["match"])


def _scores(view: Seen, words: Words) -> str:
    told = []
    for side, total in view["totals"].items():
        heads = words.heads(int(side))
        score = words.ngettext(
            "{side} has {here} here and {total} in all", "{side} have {here} here and {total} in all", heads
        )
        told.append(score.format(side=words.side(int(side)), here=view["points"][side], total=total))
    return ", ".join(told)


def _table(seat: Seen, words: Words) -> str:
    if not seat["table"]:
        return words.gettext("no tile on the table")
    return words.gettext("tile {tile} on the table").format(tile=seat["table"])


assert VERTICES == (SIZE + 1) ** 2  # vertices are numbered by column, then row
