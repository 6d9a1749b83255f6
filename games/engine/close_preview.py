"""Preview of the figures that an action would close, computed from a view alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .board import CELL_INDEX, CELL_NAMES, CELL_NEIGHBOURS, FIGURE_KIND_OF_VALUE, PLACE_NAMES
from .bots import BoardAnalysis
from .phrases import ENGLISH_TRANSLATOR, GameTranslator

ViewData = Mapping[str, Any]


@dataclass(frozen=True)
class ClosePreview:
    """The figures that an action closes, each with whether its side has a marker left for it."""

    figures: tuple[tuple[str, str, int, bool], ...]  # kind, place, value, marked

    @property
    def makes_eight(self) -> bool:
        """True if the action makes an 8."""
        return any(value == 8 for _kind, _place, value, _marked in self.figures)

    @property
    def points(self) -> int:
        """The immediate points; circles and squares closed together with an 8 do not count."""
        return (
            8 if self.makes_eight else sum(value for _kind, _place, value, marked in self.figures if marked)
        )


def preview_closings(view: ViewData, actions: Iterable[str]) -> dict[str, ClosePreview]:
    """Previews of placements and leaps; actions that close nothing are left out."""
    analysis = BoardAnalysis(view)
    demands_by_start: dict[int, tuple[int, ...]] = {}
    previews = {}
    for action in actions:
        location = _locate_action(analysis, action, demands_by_start)
        if location and location.demand:
            preview = _preview_tile(analysis, location)
            if preview.figures:
                previews[action] = preview
    return previews


@dataclass(frozen=True)
class TileLocation:
    """A tile code on a free cell, and the demand of that cell."""

    x: int
    t: int
    demand: int


def _locate_action(
    analysis: BoardAnalysis, action: str, demands_by_start: dict[int, tuple[int, ...]]
) -> TileLocation | None:
    """Return the cell and the tile that an action places; None if it places none."""
    if action in analysis.board.placements:
        _, t, x = analysis.board.placements[action]
        return TileLocation(x, t, analysis.demands[x])
    card_action = action.removeprefix("CV=")
    if not card_action.startswith("QL-"):
        return None
    _, start_name, end_name, rotation = card_action.split("-")
    start, end = CELL_INDEX[start_name], CELL_INDEX[end_name]
    if start not in demands_by_start:
        demands_by_start[start] = analysis.demands_without_tile(start)
    kind = analysis.board.tile_of_code[analysis.tile_codes[start]][0]
    t = analysis.board.code_of_tile[kind, int(rotation)]
    return TileLocation(end, t, demands_by_start[start][end])


def _preview_tile(analysis: BoardAnalysis, location: TileLocation) -> ClosePreview:
    """The preview of a tile on a cell."""
    x, t = location.x, location.t
    closed_figures, eights = analysis.board.find_closed_figures(x, t, location.demand)
    markers_left = dict(analysis.markers_left)
    figures = []
    for place, value in closed_figures:
        figures.append((FIGURE_KIND_OF_VALUE[value], PLACE_NAMES[place], value, markers_left[value] > 0))
        markers_left[value] -= 1
    for cell in eights:
        figures.append((FIGURE_KIND_OF_VALUE[8], _name_eight_cells(analysis, cell, x, t), 8, True))
    return ClosePreview(tuple(figures))


def _name_eight_cells(analysis: BoardAnalysis, cell: int, x: int, t: int) -> str:
    """The three cells of an 8 around its crossing cell, named as in a view."""
    kind, rotation = analysis.board.tile_of_code[t if cell == x else analysis.tile_codes[cell]]
    before, after = (
        (3, 1) if analysis.edition.tiles[kind].rotate_features(rotation).crossing == "WE" else (2, 0)
    )
    return "+".join(
        CELL_NAMES[y] for y in (CELL_NEIGHBOURS[cell][before], cell, CELL_NEIGHBOURS[cell][after])
    )


def describe_preview(
    preview: ClosePreview | None, translator: GameTranslator = ENGLISH_TRANSLATOR, match_kind: str = "normal"
) -> str:
    """A preview in sentences; `match_kind` is the kind of match."""
    if preview is None:
        return translator.gettext("Closes nothing.")
    parts = []
    for kind, place, value, marked in preview.figures:
        if value == 8:
            sentence = _describe_eight(translator, match_kind)
        elif marked:
            sentence = translator.gettext("Closes {figure}: {points}.")
        else:
            sentence = translator.gettext("Closes {figure}, but you have no marker left for it.")
        parts.append(
            sentence.format(
                figure=translator.format_figure(kind, place), points=translator.format_points(value)
            )
        )
    return " ".join(parts)


def _describe_eight(translator: GameTranslator, match_kind: str) -> str:
    """The sentence for an 8, by the kind of match."""
    if match_kind == "blind":
        return translator.gettext("Makes {figure}: you win the game.")
    if match_kind == "solo":
        return translator.gettext("Makes {figure}.")
    return translator.gettext("Makes {figure}: the match is over, and you score 8.")


def summarise_preview(preview: ClosePreview | None, translator: GameTranslator = ENGLISH_TRANSLATOR) -> str:
    """A preview in a few words, for a label."""
    if preview is None:
        return translator.gettext("closes nothing")
    if preview.makes_eight:
        return translator.gettext("makes an 8")
    return translator.gettext("closes for {points}").format(points=translator.format_points(preview.points))
