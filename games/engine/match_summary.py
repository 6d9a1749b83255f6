"""The summary of a match that has ended, built from its public events alone.

A state keeps neither the final board of an earlier match nor who closed what in it; the events do. They hold
only what everybody at the table saw, so that a summary is the same for every viewer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from .board import CELL_INDEX, CELL_NAMES, CELL_NEIGHBOURS, CENTRE_CELL, PLACE_NAMES
from .cards import REVOLUTION_STEPS
from .edition import Edition
from .view import build_figure

EventData = Mapping[str, Any]
_PLACE_INDEX = {name: index for index, name in enumerate(PLACE_NAMES)}


class StartReason(StrEnum):
    """The reasons for which a seat starts a match."""

    LEAD = "lead"  # the only seat of the side ahead
    TABLE_TILE = "table tile"  # the highest table tile among the seats that the score leaves
    SENIORITY = "seniority"  # the most senior of the seats that are still equal


@dataclass(frozen=True)
class ClosedFigure:
    """A figure of a match: `seat` closed or claimed it, `side` has its marker, None if nobody has."""

    kind: str
    place: str
    value: int
    seat: int
    side: int | None
    is_lost: bool = False


@dataclass(frozen=True)
class MadeEight:
    """The 8 that ended a match: who made it, its cells (two 8s if there are two), and the answers to it."""

    seat: int
    side: int
    cells: tuple[tuple[str, ...], ...]
    answers: tuple[tuple[int, str], ...]  # seat and answer, in the order given


@dataclass(frozen=True)
class SideScore:
    """The figures a side closed in a match, its score and its total afterwards."""

    side: int
    figures: tuple[ClosedFigure, ...]
    score: int
    total: int
    silly_seat: int | None  # the seat whose table tile gave silly points
    silly_tile: str
    refused_tile: str = ""  # the table tile that gives nothing, since the side passed up a duty

    @property
    def marked_points(self) -> int:
        """The points of all figures that the side marked, whether they counted or not."""
        return sum(figure.value for figure in self.figures)


@dataclass(frozen=True)
class LastMove:
    """The last placement or leap of a match: its seat, the cell of its tile, and what it closed."""

    seat: int
    cell: str
    closed_figures: tuple[tuple[str, int], ...] = ()  # place and value


@dataclass(frozen=True)
class NextStart:
    """The starter of the match that follows, and the reason."""

    match_no: int
    kind: str
    seat: int
    reason: StartReason
    is_level: bool  # several sides were level in front
    tile: str  # the starter's table tile, empty in a blind match


@dataclass(frozen=True)
class MatchSummary:
    """A match that has ended: its final board, its scores, and the start of the match after it."""

    match_no: int
    kind: str
    ending: str  # infinity, full, tower or won
    scores: tuple[SideScore, ...]
    eight: MadeEight | None
    board: dict[str, Any]
    last_move: LastMove | None = None
    next_start: NextStart | None = None

    @property
    def unmarked_figures(self) -> list[dict[str, Any]]:
        """The figures on the final board that nobody had a marker for."""
        return [figure for figure in self.board["figures"] if figure["side"] is None]


def summarise_matches(
    events: Iterable[EventData], edition: Edition, sides: Sequence[int]
) -> list[MatchSummary]:
    """The summaries of all matches that begin and end within these events, in order.

    `sides` is the side of each seat, index 0 unused. A match whose deal is not among the events is left out,
    as is one whose events do not fit together: a page shows no summary then, rather than a wrong one.
    """
    summaries: list[MatchSummary] = []
    table: _MatchTable | None = None
    totals: dict[str, int] = {}
    just_ended = False
    for event in events:
        name = event["event"]
        if name == "match began":
            if just_ended and summaries:
                next_start = _explain_start(event, totals, edition, sides)
                summaries[-1] = replace(summaries[-1], next_start=next_start)
            table, just_ended = _MatchTable(edition, sides, dict(event["table"])), False
        elif name == "match ended":
            totals = event["totals"]
            summary = _try_to_summarise(table, event) if table else None
            summaries += [summary] if summary else []
            just_ended, table = summary is not None, None
        elif table and not _try_to_follow(table, event):
            table = None
    return summaries


def _try_to_follow(table: _MatchTable, event: EventData) -> bool:
    """Apply an event; False if it does not fit the events before it."""
    try:
        table.follow(event)
    except KeyError:
        return False
    return True


def _try_to_summarise(table: _MatchTable, last_event: EventData) -> MatchSummary | None:
    """The summary of a match, None if its last event does not fit the events before it."""
    try:
        return table.build_summary(last_event)
    except KeyError:
        return None


@dataclass
class _MatchTable:
    """The table of one match, followed event by event."""

    edition: Edition
    sides: Sequence[int]
    deal: dict[str, str | None]
    cells: dict[str, tuple[str, int]] = field(default_factory=dict)
    figures: dict[str, ClosedFigure] = field(default_factory=dict)  # by place
    eight_cells: list[str] = field(default_factory=list)  # of the crossing tiles
    eight_seat: int = 0
    answers: list[tuple[int, str]] = field(default_factory=list)
    drawn_tile: str = ""
    last_move: LastMove | None = None

    def __post_init__(self) -> None:
        """Put the centre tile on the board and the dealt tiles on the table."""
        self.cells[CELL_NAMES[CENTRE_CELL]] = (self.edition.centre, 0)
        self.table_tiles = {int(seat): tile or "" for seat, tile in self.deal.items()}

    def follow(self, event: EventData) -> None:
        """Apply one event."""
        name, seat = event["event"], event.get("seat", 0)
        if name == "drew":
            self.drawn_tile = event["tile"]
        elif name == "placed":
            self.cells[event["cell"]] = (event["tile"], event["rotation"])
            self.last_move = LastMove(seat, event["cell"])
            if event["tile"] != self.drawn_tile:
                self.table_tiles[seat] = self.drawn_tile
        elif name == "lost turn":
            if self.table_tiles.get(seat) == "" and any(self.deal.values()):
                self.table_tiles[seat] = self.drawn_tile
        elif name == "dark tiles left":
            self.table_tiles[seat] = event["table"] or ""
        elif name == "new tiles":
            self.table_tiles |= {int(each_seat): tile or "" for each_seat, tile in event["table"].items()}
        elif name == "played":
            self._follow_card(seat, event["action"].removeprefix("CV="))
        elif name in ("closed", "claimed", "lost figure"):
            self.figures[event["place"]] = ClosedFigure(
                event["kind"], event["place"], event["value"], seat, event["side"], name == "lost figure"
            )
            if name == "closed" and self.last_move and self.last_move.seat == seat:
                closed_figures = (*self.last_move.closed_figures, (event["place"], event["value"]))
                self.last_move = replace(self.last_move, closed_figures=closed_figures)
        elif name == "infinity":
            self.eight_cells.append(event["cell"])
            self.eight_seat = seat
        elif name == "answered":
            self.answers.append((seat, event["answer"]))
        elif name == "resigned":
            for leaving_seat in [each for each in self.table_tiles if self.sides[each] == event["side"]]:
                del self.table_tiles[leaving_seat]

    def _follow_card(self, seat: int, card_action: str) -> None:
        """Apply the cards that move table tiles or a tile on the board."""
        if card_action.startswith("MI"):
            other_seat = int(card_action[3:])
            self.table_tiles[seat], self.table_tiles[other_seat] = (
                self.table_tiles[other_seat],
                self.table_tiles[seat],
            )
        elif card_action in REVOLUTION_STEPS:
            seats = sorted(self.table_tiles)
            step = REVOLUTION_STEPS[card_action]
            self.table_tiles = {
                seats[(index + step) % len(seats)]: self.table_tiles[each_seat]
                for index, each_seat in enumerate(seats)
            }
        elif card_action.startswith("QL"):
            _, start, end, rotation = card_action.split("-")
            kind, _ = self.cells.pop(start)
            self.cells[end] = (kind, int(rotation))
            self.last_move = LastMove(seat, end)
            self.figures = {
                place: figure
                for place, figure in self.figures.items()
                if figure.side is not None or start not in place.split("+")
            }

    def build_summary(self, last_event: EventData) -> MatchSummary:
        """The summary, with the scores of the event that ended the match."""
        eight = None
        if self.eight_cells and last_event["kind"] != "solo":
            eight = MadeEight(
                self.eight_seat,
                self.sides[self.eight_seat],
                tuple(self._list_eight_cells(cell) for cell in self.eight_cells),
                tuple(self.answers),
            )
        return MatchSummary(
            match_no=last_event["match"],
            kind=last_event["kind"],
            ending=last_event["ended"],
            scores=tuple(self._build_side_score(int(side), last_event) for side in last_event["scores"]),
            eight=eight,
            board=self._build_board(),
            last_move=self.last_move,
        )

    def _build_side_score(self, side: int, last_event: EventData) -> SideScore:
        """The score of one side; with silly points, the highest table tile of its seats.

        A side without a marker whose table tile gives nothing, though such an end would, passed up a duty.
        """
        figures = tuple(figure for figure in self._list_figures() if figure.side == side)
        seats = [seat for seat in sorted(self.table_tiles) if self.sides[seat] == side]
        best_seat = max(seats, key=self._measure_table_tile, default=None)
        silly_seat, refused_tile = None, ""
        if side in last_event["silly"]:
            silly_seat = best_seat
        elif (
            last_event["kind"] == "normal"
            and not figures
            and last_event["ended"] in self.edition.silly_endings
            and best_seat
        ):
            refused_tile = self.table_tiles[best_seat] if self._measure_table_tile(best_seat) else ""
        return SideScore(
            side=side,
            figures=figures,
            score=last_event["scores"][str(side)],
            total=last_event["totals"][str(side)],
            silly_seat=silly_seat,
            silly_tile=self.table_tiles[silly_seat] if silly_seat else "",
            refused_tile=refused_tile,
        )

    def _measure_table_tile(self, seat: int) -> int:
        """The value of a seat's table tile, 0 without one."""
        return _value_of_tile(self.edition, self.table_tiles[seat])

    def _list_figures(self) -> list[ClosedFigure]:
        """The figures on the board, in the order of a view."""
        return [self.figures[place] for place in sorted(self.figures, key=_PLACE_INDEX.__getitem__)]

    def _build_board(self) -> dict[str, Any]:
        """The board as in a view."""
        figures = [
            build_figure(figure.value, figure.place, figure.side, is_lost=figure.is_lost)
            for figure in self._list_figures()
        ]
        figures += [
            build_figure(8, "+".join(self._list_eight_cells(cell)), self.sides[self.eight_seat])
            for cell in self.eight_cells
        ]
        cells = {
            name: {"tile": self.cells[name][0], "rotation": self.cells[name][1]}
            for name in CELL_NAMES
            if name in self.cells
        }
        return {"cells": cells, "figures": figures}

    def _list_eight_cells(self, cell: str) -> tuple[str, ...]:
        """The crossing cell of an 8 between its two ends, from the left or from below."""
        kind, rotation = self.cells[cell]
        before, after = (
            (3, 1) if self.edition.tiles[kind].rotate_features(rotation).crossing == "WE" else (2, 0)
        )
        neighbours = CELL_NEIGHBOURS[CELL_INDEX[cell]]
        return CELL_NAMES[neighbours[before]], cell, CELL_NAMES[neighbours[after]]


def _value_of_tile(edition: Edition, tile: str | None) -> int:
    """The value of a tile, 0 for none."""
    return edition.tiles[tile].value if tile else 0


def _explain_start(
    deal_event: EventData, totals: Mapping[str, int], edition: Edition, sides: Sequence[int]
) -> NextStart:
    """Find the reason for which the seat of a "match began" event starts, given the totals before it."""
    deal = {int(seat): tile for seat, tile in deal_event["table"].items()}
    starter = deal_event["seat"]
    if deal_event["kind"] != "normal":
        return NextStart(deal_event["match"], deal_event["kind"], starter, StartReason.SENIORITY, True, "")
    best_total = max(totals[str(sides[seat])] for seat in deal)
    front_seats = [seat for seat in deal if totals[str(sides[seat])] == best_total]
    is_level = len({sides[seat] for seat in front_seats}) > 1
    best_value = max(_value_of_tile(edition, deal[seat]) for seat in front_seats)
    best_seats = [seat for seat in front_seats if _value_of_tile(edition, deal[seat]) == best_value]
    if len(front_seats) == 1:
        reason = StartReason.LEAD
    elif len(best_seats) > 1 or (is_level and edition.tied_start_rule == "oldest"):
        reason = StartReason.SENIORITY
    else:
        reason = StartReason.TABLE_TILE
    return NextStart(deal_event["match"], deal_event["kind"], starter, reason, is_level, deal[starter] or "")
