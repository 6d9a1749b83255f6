"""Draw brackets and cross tables as SVG. Equal data gives equal bytes.

The pictures load nothing: no fonts, no links; their own style sheet has a light and a dark scheme.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.sax.saxutils import escape

from tournaments.pairing import MatchState, SeatSource
from tournaments.read_models.pairings import BracketMatchData

PointsByEntrant = Mapping[Any, int]  # points by entrant
RoundNamer = Callable[[str, int], str]  # bracket and round -> heading of the column

STYLE = (
    "text{font:13px system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;fill:#17181a}"
    ".b{fill:#fffdf9;stroke:#b9b4a8}.l{fill:none;stroke:#b9b4a8;stroke-width:1.5}"
    ".p{stroke-dasharray:4 3}"
    ".d{stroke:#d9d5cb}.s{fill:#565960}.w{font-weight:700}.m{fill:#0b6bcb}.g{fill:#d9d5cb}"
    ".h{font-size:12px;fill:#565960}.n{text-anchor:end;font-variant-numeric:tabular-nums}.c{text-anchor:middle}"
    "@media(prefers-color-scheme:dark){text{fill:#f1efe9}.b{fill:#23262b;stroke:#565b64}"
    ".l{stroke:#565b64}.d{stroke:#3b3f46}.s,.h{fill:#adb0b7}.m{fill:#6fbcff}.g{fill:#3b3f46}}"
)
# For the Content-Security-Policy of a picture that is opened by itself: allows this one style.
STYLE_HASH = "sha256-" + base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()

MATCH_WIDTH, SEAT_HEIGHT, MATCH_GAP, COLUMN_GAP = (
    176,
    24,
    16,
    44,
)  # of a match: width, height of a seat, gap below, gap to the right
HEADING_HEIGHT, MARGIN = 28, 1  # height above a column; margin around the picture
LETTER_WIDTH = 7.4  # average width in pixels
_INVALID_XML_CHARACTERS = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
UNDRAWN_STATES = (MatchState.BYE, MatchState.NOBODY, MatchState.NOT_NEEDED)


@dataclass
class SvgPicture:
    """SVG elements and the size of the picture that they make."""

    width: int
    height: int
    parts: list[str] = field(default_factory=list)

    def render(self, title: str) -> str:
        """Return the complete SVG document."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}">'
            f"<title>{escape_xml(title)}</title><style>{STYLE}</style>"
            f"{''.join(self.parts)}</svg>"
        )


def escape_xml(text: str) -> str:
    """Escape text for XML and drop characters that XML cannot hold."""
    return escape(_INVALID_XML_CHARACTERS.sub("", text))


def shorten_name(name: str, available_width: float) -> str:
    """Cut a name so that it fits the width, with an ellipsis."""
    letter_count = max(int(available_width / LETTER_WIDTH), 2)
    return name if len(name) <= letter_count else name[: letter_count - 1].rstrip() + "…"


# --------------------------------------------------------------------------------------------------- brackets


@dataclass
class MatchBox:
    """A match with its position in the picture."""

    match: BracketMatchData
    column: int
    middle_y: float = 0.0

    @property
    def height(self) -> int:
        """The height of the box: one line for each seat."""
        return SEAT_HEIGHT * len(self.match.seats)

    @property
    def left_x(self) -> int:
        """The x coordinate of its left edge."""
        return MARGIN + self.column * (MATCH_WIDTH + COLUMN_GAP)


def draw_bracket(
    matches: Sequence[BracketMatchData],
    *,
    name_round: RoundNamer,
    describe_empty_seat: Callable[[SeatSource], str],
    points: Mapping[str, PointsByEntrant],
) -> SvgPicture:
    """Draw a single or double elimination bracket.

    `describe_empty_seat` gives the text for a seat without an entrant, `points` are by match and entrant.
    1. Place each bracket below the one before. 2. Put the finals to the right. 3. Remove the space that
    undrawn byes leave at the top. 4. Draw headings, connectors and boxes.
    """
    drawn_matches = [
        match
        for match in matches
        if match.match != "F2" or match.state not in (MatchState.WAITING, *UNDRAWN_STATES)
    ]
    boxes = {match.match: MatchBox(match, 0) for match in drawn_matches}
    next_top: float = MARGIN
    picture = SvgPicture(0, 0)
    for group in (("main", "third"), ("winners",), ("losers",)):
        group_boxes = [box for box in boxes.values() if box.match.bracket in group]
        if group_boxes:
            next_top = arrange_boxes(group_boxes, boxes, next_top + HEADING_HEIGHT) + MATCH_GAP
    final_boxes = [box for box in boxes.values() if box.match.bracket == "final"]
    for number, box in enumerate(final_boxes):
        box.column = (
            max(match_box.column for match_box in boxes.values() if match_box not in final_boxes) + 1 + number
        )
        box.middle_y = list_source_boxes(box, boxes)[0].middle_y
    shown_boxes = [box for box in boxes.values() if box.match.state not in UNDRAWN_STATES]
    spare_height = (
        min((box.middle_y - box.height / 2 for box in shown_boxes), default=HEADING_HEIGHT) - HEADING_HEIGHT
    )
    for box in shown_boxes:  # undrawn byes at the top leave no empty space
        box.middle_y -= spare_height
    picture.parts += draw_headings(shown_boxes, name_round)
    picture.parts += [
        draw_connector(source, box)
        for box in shown_boxes
        for source in list_source_boxes(box, boxes)
        if source in shown_boxes
    ]
    for box in shown_boxes:
        picture.parts += draw_box(box, describe_empty_seat, points.get(box.match.match, {}))
    picture.width = max((box.left_x + MATCH_WIDTH for box in shown_boxes), default=MATCH_WIDTH) + MARGIN
    picture.height = (
        int(max((box.middle_y + box.height / 2 for box in shown_boxes), default=SEAT_HEIGHT)) + 2 * MARGIN
    )
    return picture


def list_source_boxes(box: MatchBox, boxes: Mapping[str, MatchBox]) -> list[MatchBox]:
    """List the matches of the same bracket whose winners play here; for a final, those of both brackets."""
    source_boxes = []
    for seat in box.match.seats:
        source = boxes.get(seat.source.match or "")
        is_same_bracket = source and (
            source.match.bracket == box.match.bracket or box.match.bracket == "final"
        )
        if source and is_same_bracket and seat.source.place == 1 and len(box.match.seats) == 2:
            source_boxes.append(source)
    return source_boxes


def arrange_boxes(bracket_boxes: Sequence[MatchBox], boxes: Mapping[str, MatchBox], top: float) -> float:
    """Set column and height of a bracket's boxes. Returns the y coordinate of its lower end."""
    bottom = top
    columns: dict[int, list[MatchBox]] = {}
    for box in bracket_boxes:
        number = box.match.round
        box.column = (
            max(2 * number - 3, 0) if box.match.bracket == "winners"
            else number if box.match.bracket == "losers" else number - 1
        )  # fmt: skip
        columns.setdefault(box.column, []).append(box)
    for column in sorted(columns):
        free_y = top
        for box in sorted(columns[column], key=lambda box: box.match.bracket == "third"):
            earlier_sources = [
                source_box for source_box in list_source_boxes(box, boxes) if source_box.column < box.column
            ]
            wanted_middle = (
                sum(source_box.middle_y for source_box in earlier_sources) / len(earlier_sources)
                if earlier_sources
                else 0
            )
            box.middle_y = max(wanted_middle, free_y + box.height / 2)
            free_y = box.middle_y + box.height / 2 + MATCH_GAP
            if box.match.bracket == "third":
                box.middle_y += SEAT_HEIGHT
        bottom = max(bottom, *(box.middle_y + box.height / 2 for box in columns[column]))
    return bottom


def draw_headings(boxes: Sequence[MatchBox], name_round: RoundNamer) -> list[str]:
    """Draw the name of each round above its first match."""
    first_boxes: dict[tuple[str, int], MatchBox] = {}
    for box in boxes:
        key = box.match.bracket, box.match.round
        if key not in first_boxes or box.middle_y < first_boxes[key].middle_y:
            first_boxes[key] = box
    tops: dict[str, float] = {}
    for (kind, _round), box in first_boxes.items():
        stands_alone = kind in ("third", "final")  # each has a heading at its own height
        top = box.middle_y - box.height / 2
        tops[kind] = top if stands_alone else min(tops.get(kind, top), top)
    parts = []
    for (kind, number), box in first_boxes.items():
        y = tops[kind] - 9
        parts.append(
            f'<text class="h" x="{box.left_x + 1}" y="{y:g}">{escape_xml(name_round(kind, number))}</text>'
        )
    return parts


def draw_connector(source: MatchBox, box: MatchBox) -> str:
    """Draw the line from a match to the seat that its winner takes."""
    seats = [seat.source.match for seat in box.match.seats]
    y = box.middle_y - box.height / 2 + SEAT_HEIGHT * (seats.index(source.match.match) + 0.5)
    x, turn_x = source.left_x + MATCH_WIDTH, box.left_x - COLUMN_GAP / 2
    return f'<path class="l" d="M{x} {source.middle_y:g}H{turn_x:g}V{y:g}H{box.left_x}"/>'


def draw_box(
    box: MatchBox, describe_empty_seat: Callable[[SeatSource], str], points: PointsByEntrant
) -> list[str]:
    """Draw a match: a line with the points for each seat; who advances is marked and bold."""
    x, top = box.left_x, box.middle_y - box.height / 2
    is_over = box.match.state in (MatchState.DECIDED, MatchState.WALKOVER)
    border = "b p" if box.match.pending else "b"  # dashed while a correction is not yet in effect
    parts = [
        f'<rect class="{border}" x="{x}" y="{top:g}" width="{MATCH_WIDTH}" height="{box.height}" rx="5"/>'
    ]
    for number, seat in enumerate(box.match.seats):
        y = top + SEAT_HEIGHT * number
        if number:
            parts.append(f'<path class="d" d="M{x + 1} {y:g}H{x + MATCH_WIDTH - 1}"/>')
        is_advancing = is_over and seat.place is not None and seat.place <= box.match.advancing_count
        points_made = points.get(seat.entrant)
        points_text = "" if points_made is None else str(points_made)
        room = MATCH_WIDTH - 22 - (8 * len(points_text) + 12 if points_text else 0)
        name = shorten_name(
            seat.name or describe_empty_seat(seat.source), room * (0.93 if is_advancing else 1)
        )
        css_class = "w" if is_advancing else "s" if is_over or not seat.name else ""
        class_attribute = f' class="{css_class}"' if css_class else ""
        parts.append(f'<text{class_attribute} x="{x + 11}" y="{y + 16.5:g}">{escape_xml(name)}</text>')
        if points_text:
            parts.append(
                f'<text class="n {css_class}" x="{x + MATCH_WIDTH - 9}" y="{y + 16.5:g}">{points_text}</text>'
            )
        if is_advancing:
            parts.append(
                f'<rect class="m" x="{x + 3}" y="{y + 5:g}" width="3" height="{SEAT_HEIGHT - 10}" rx="1.5"/>'
            )
    return parts


# ----------------------------------------------------------------------------------------------- cross tables

CROSS_CELL_WIDTH, CROSS_NAME_WIDTH = 34, 190


def draw_cross_table(
    names: Sequence[str], cells: Sequence[Sequence[str]], totals: Sequence[str]
) -> SvgPicture:
    """Draw a cross table: points of each row against each column, and the total at the end."""
    count, row_height = len(names), 28
    width, height = (
        CROSS_NAME_WIDTH + CROSS_CELL_WIDTH * count + 54,
        HEADING_HEIGHT + row_height * count + MARGIN,
    )
    picture = SvgPicture(width, height)
    for number in range(1, count + 1):
        x = CROSS_NAME_WIDTH + CROSS_CELL_WIDTH * (number - 0.5)
        picture.parts.append(f'<text class="h c" x="{x:g}" y="19">{number}</text>')
    for number, name in enumerate(names):
        y = HEADING_HEIGHT + row_height * number
        picture.parts.append(f'<path class="d" d="M0 {y}H{width}"/>')
        picture.parts.append(f'<text class="h n" x="22" y="{y + 19}">{number + 1}</text>')
        picture.parts.append(
            f'<text x="32" y="{y + 19}">{escape_xml(shorten_name(name, CROSS_NAME_WIDTH - 42))}</text>'
        )
        for column, cell_text in enumerate(cells[number]):
            x = CROSS_NAME_WIDTH + CROSS_CELL_WIDTH * column
            if column == number:
                picture.parts.append(
                    f'<rect class="g" x="{x}" y="{y}" width="{CROSS_CELL_WIDTH}" height="{row_height}"/>'
                )
            elif cell_text:
                picture.parts.append(
                    f'<text class="c" x="{x + CROSS_CELL_WIDTH / 2:g}" y="{y + 19}">'
                    f"{escape_xml(cell_text)}</text>"
                )
        picture.parts.append(
            f'<text class="n w" x="{width - 8}" y="{y + 19}">{escape_xml(totals[number])}</text>'
        )
    return picture
