"""Brackets and cross tables as pictures: SVG from plain facts. The same facts give the same bytes.

Nothing in them reaches outside: no fonts, no links, one style of their own that knows day and night.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.sax.saxutils import escape

Facts = Mapping[str, Any]
Points = Mapping[Any, int]  # by entrant
Naming = Callable[[str, int], str]  # a bracket and a round -> what the column is called

STYLE = (
    "text{font:13px system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;fill:#17181a}"
    ".b{fill:#fffdf9;stroke:#b9b4a8}.l{fill:none;stroke:#b9b4a8;stroke-width:1.5}"
    ".p{stroke-dasharray:4 3}"
    ".d{stroke:#d9d5cb}.s{fill:#565960}.w{font-weight:700}.m{fill:#0b6bcb}.g{fill:#d9d5cb}"
    ".h{font-size:12px;fill:#565960}.n{text-anchor:end;font-variant-numeric:tabular-nums}.c{text-anchor:middle}"
    "@media(prefers-color-scheme:dark){text{fill:#f1efe9}.b{fill:#23262b;stroke:#565b64}"
    ".l{stroke:#565b64}.d{stroke:#3b3f46}.s,.h{fill:#adb0b7}.m{fill:#6fbcff}.g{fill:#3b3f46}}"
)
# A browser that opens the picture itself is told by this that the style is meant.
STYLE_HASH = "sha256-" + base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()

WIDE, SEAT, GAP, STEP = 176, 24, 16, 44  # of a match: its width, a line of it, room below it, room beside it
HEAD, EDGE = 28, 1  # above a column, and around everything
LETTER = 7.4  # how wide a letter is, about
_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
NOT_DRAWN = ("bye", "nobody", "not-needed")


@dataclass
class Picture:
    """What was drawn, and how large it is."""

    width: int
    height: int
    parts: list[str] = field(default_factory=list)

    def svg(self, title: str) -> str:
        """The whole picture."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}"><title>{plain(title)}</title><style>{STYLE}</style>'
            f"{''.join(self.parts)}</svg>"
        )


def plain(text: str) -> str:
    """Text that XML can hold."""
    return escape(_NO_XML.sub("", text))


def shortened(name: str, room: float) -> str:
    """A name that fits."""
    letters = max(int(room / LETTER), 2)
    return name if len(name) <= letters else name[: letters - 1].rstrip() + "…"


# --------------------------------------------------------------------------------------------------- brackets


@dataclass
class Box:
    """A match in its place."""

    match: Facts
    column: int
    middle: float = 0.0

    @property
    def height(self) -> int:
        return SEAT * len(self.match["seats"])

    @property
    def left(self) -> int:
        return EDGE + self.column * (WIDE + STEP)


def bracket(
    matches: Sequence[Facts], *, naming: Naming, empty: Callable[[Facts], str], points: Mapping[str, Points]
) -> Picture:
    """A knock-out or a double one; `empty` tells of a seat that nobody has yet, `points` what was made."""
    drawn = [one for one in matches if one["match"] != "F2" or one["state"] not in ("waiting", *NOT_DRAWN)]
    boxes = {one["match"]: Box(one, 0) for one in drawn}
    below: float = EDGE
    picture = Picture(0, 0)
    for group in (("main", "third"), ("winners",), ("losers",)):
        inside = [box for box in boxes.values() if box.match["bracket"] in group]
        if inside:
            below = arranged(inside, boxes, below + HEAD) + GAP
    finals = [box for box in boxes.values() if box.match["bracket"] == "final"]
    for number, box in enumerate(finals):
        box.column = max(one.column for one in boxes.values() if one not in finals) + 1 + number
        box.middle = sources(box, boxes)[0].middle
    shown = [box for box in boxes.values() if box.match["state"] not in NOT_DRAWN]
    spare = min((box.middle - box.height / 2 for box in shown), default=HEAD) - HEAD
    for box in shown:  # byes at the top leave no room behind
        box.middle -= spare
    picture.parts += heads(shown, naming)
    picture.parts += [line(source, box) for box in shown for source in sources(box, boxes) if source in shown]
    for box in shown:
        picture.parts += drawn_box(box, empty, points.get(box.match["match"], {}))
    picture.width = max((box.left + WIDE for box in shown), default=WIDE) + EDGE
    picture.height = int(max((box.middle + box.height / 2 for box in shown), default=SEAT)) + 2 * EDGE
    return picture


def sources(box: Box, boxes: Mapping[str, Box]) -> list[Box]:
    """The matches of its own bracket whose winners play here; into a final, those of both brackets."""
    found = []
    for seat in box.match["seats"]:
        source = boxes.get(seat["source"]["match"] or "")
        same = source and (source.match["bracket"] == box.match["bracket"] or box.match["bracket"] == "final")
        if source and same and seat["source"]["place"] == 1 and len(box.match["seats"]) == 2:
            found.append(source)
    return found


def arranged(inside: Sequence[Box], boxes: Mapping[str, Box], top: float) -> float:
    """Give a bracket its columns and heights; returns where it ends."""
    ends = top
    columns: dict[int, list[Box]] = {}
    for box in inside:
        number = box.match["round"]
        box.column = (
            max(2 * number - 3, 0) if box.match["bracket"] == "winners"
            else number if box.match["bracket"] == "losers" else number - 1
        )  # fmt: skip
        columns.setdefault(box.column, []).append(box)
    for column in sorted(columns):
        free = top
        for box in sorted(columns[column], key=lambda box: box.match["bracket"] == "third"):
            from_here = [one for one in sources(box, boxes) if one.column < box.column]
            wanted = sum(one.middle for one in from_here) / len(from_here) if from_here else 0
            box.middle = max(wanted, free + box.height / 2)
            free = box.middle + box.height / 2 + GAP
            if box.match["bracket"] == "third":
                box.middle += SEAT
        ends = max(ends, *(box.middle + box.height / 2 for box in columns[column]))
    return ends


def heads(boxes: Sequence[Box], naming: Naming) -> list[str]:
    """The name of every round above its first match."""
    first: dict[tuple[str, int], Box] = {}
    for box in boxes:
        key = box.match["bracket"], box.match["round"]
        if key not in first or box.middle < first[key].middle:
            first[key] = box
    tops: dict[str, float] = {}
    for (kind, _round), box in first.items():
        apart = kind in ("third", "final")  # these stand by themselves
        top = box.middle - box.height / 2
        tops[kind] = top if apart else min(tops.get(kind, top), top)
    found = []
    for (kind, number), box in first.items():
        y = tops[kind] - 9
        found.append(f'<text class="h" x="{box.left + 1}" y="{y:g}">{plain(naming(kind, number))}</text>')
    return found


def line(source: Box, box: Box) -> str:
    """From a match to the seat that its winner takes."""
    seats = [seat["source"]["match"] for seat in box.match["seats"]]
    y = box.middle - box.height / 2 + SEAT * (seats.index(source.match["match"]) + 0.5)
    x, turn = source.left + WIDE, box.left - STEP / 2
    return f'<path class="l" d="M{x} {source.middle:g}H{turn:g}V{y:g}H{box.left}"/>'


def drawn_box(box: Box, empty: Callable[[Facts], str], points: Points) -> list[str]:
    """A match: a line for everybody, with their points; whoever goes on is marked and in bold."""
    x, top = box.left, box.middle - box.height / 2
    over = box.match["state"] in ("decided", "walkover")
    border = "b p" if box.match.get("pending") else "b"  # dashed while a correction waits to take effect
    parts = [f'<rect class="{border}" x="{x}" y="{top:g}" width="{WIDE}" height="{box.height}" rx="5"/>']
    for number, seat in enumerate(box.match["seats"]):
        y = top + SEAT * number
        if number:
            parts.append(f'<path class="d" d="M{x + 1} {y:g}H{x + WIDE - 1}"/>')
        goes_on = over and seat["place"] is not None and seat["place"] <= box.match["advance"]
        made = points.get(seat["entrant"])
        told = "" if made is None else str(made)
        room = WIDE - 22 - (8 * len(told) + 12 if told else 0)
        name = shortened(seat["name"] or empty(seat["source"]), room * (0.93 if goes_on else 1))
        kind = "w" if goes_on else "s" if over or not seat["name"] else ""
        shape = f' class="{kind}"' if kind else ""
        parts.append(f'<text{shape} x="{x + 11}" y="{y + 16.5:g}">{plain(name)}</text>')
        if told:
            parts.append(f'<text class="n {kind}" x="{x + WIDE - 9}" y="{y + 16.5:g}">{told}</text>')
        if goes_on:
            parts.append(
                f'<rect class="m" x="{x + 3}" y="{y + 5:g}" width="3" height="{SEAT - 10}" rx="1.5"/>'
            )
    return parts


# ----------------------------------------------------------------------------------------------- cross tables

CELL, NAMES = 34, 190


def cross(names: Sequence[str], cells: Sequence[Sequence[str]], totals: Sequence[str]) -> Picture:
    """Everybody against everybody: what a row made against a column, and all of it at the end."""
    count, row = len(names), 28
    width, height = NAMES + CELL * count + 54, HEAD + row * count + EDGE
    picture = Picture(width, height)
    for number in range(1, count + 1):
        x = NAMES + CELL * (number - 0.5)
        picture.parts.append(f'<text class="h c" x="{x:g}" y="19">{number}</text>')
    for number, name in enumerate(names):
        y = HEAD + row * number
        picture.parts.append(f'<path class="d" d="M0 {y}H{width}"/>')
        picture.parts.append(f'<text class="h n" x="22" y="{y + 19}">{number + 1}</text>')
        picture.parts.append(f'<text x="32" y="{y + 19}">{plain(shortened(name, NAMES - 42))}</text>')
        for other, told in enumerate(cells[number]):
            x = NAMES + CELL * other
            if other == number:
                picture.parts.append(f'<rect class="g" x="{x}" y="{y}" width="{CELL}" height="{row}"/>')
            elif told:
                picture.parts.append(
                    f'<text class="c" x="{x + CELL / 2:g}" y="{y + 19}">{plain(told)}</text>'
                )
        picture.parts.append(f'<text class="n w" x="{width - 8}" y="{y + 19}">{plain(totals[number])}</text>')
    return picture
