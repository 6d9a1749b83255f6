"""The view of a state for one viewer: the only form in which a state leaves the server."""

from __future__ import annotations

from typing import Protocol, cast

from .actions import legal_actions
from .board import CELL_NAMES, CELL_NEIGHBOURS, FIGURE_KIND_OF_VALUE, PLACE_NAMES
from .choices import Mode, Obligation, Phase, SeniorityRule
from .read_models import (
    CellData,
    FigureData,
    GameOptionsData,
    OwnPositionData,
    PositionData,
    SeatPositionData,
    SharedPositionData,
)
from .state import State


class RuleOptions(Protocol):
    """An object with the rule options of a game: a setup, or the row of a game or tournament."""

    @property
    def cards(self) -> bool:
        """True if it is played with cards."""

    @property
    def cards_from(self) -> int:
        """The first match with cards."""

    @property
    def obligation(self) -> str:
        """strict or lenient."""

    @property
    def target(self) -> int:
        """The total of points that ends the game."""

    @property
    def seniority_rule(self) -> str:
        """account or lot."""


def build_view(state: State, viewer: int | None = None) -> PositionData:
    """The game as seen by a seat, or by a spectator (None). Raises ValueError if there is no such seat."""
    setup = state.setup
    if viewer is not None and not 1 <= viewer <= setup.seats:
        raise ValueError(f"there is no seat {viewer}")
    position: PositionData = {
        "edition": setup.edition,
        "mode": Mode(setup.mode),
        "options": build_options_data(setup, setup.rules),
        **build_shared_position(state),  # type: ignore[typeddict-item]  # it has no `you`
        "seats": list_seat_positions(state),
    }
    if viewer is not None:
        position["you"] = build_own_position(state, viewer)
    return position


def build_options_data(options: RuleOptions, rules_version: int) -> GameOptionsData:
    """The rule options of a game, as its rules version has them."""
    data: GameOptionsData = {
        "cards": options.cards,
        "obligation": cast(Obligation, options.obligation),
        "target": options.target,
    }
    if rules_version > 1:
        data["cards_from"] = options.cards_from
        data["seniority"] = cast(SeniorityRule, options.seniority_rule)
    return data


def build_shared_position(state: State) -> SharedPositionData:
    """Build the part of a state that everybody sees, but for the seats."""
    setup = state.setup
    sides = setup.side_numbers
    return {
        "seq": state.seq,
        "phase": cast(Phase, state.phase),
        "match": state.match_no,
        "kind": state.match_kind,
        "turn": state.turn,
        "second_turn": state.extra_turn == 2,
        "to_act": list(state.seats_to_act),
        "board": {"cells": _build_cells(state), "figures": list_figures(state)},
        "drawn": state.drawn_tile or None,
        "stolen": state.stolen_card or None,
        "markers": {
            str(side): {str(value): n for (value, _), n in zip(setup.edition_data.markers, left, strict=True)}
            for side, left in zip(sides, state.markers_left[1:], strict=True)
        },
        "points": {
            str(side): sum(value for _, value, owner in state.marked_figures if owner == side)
            for side in sides
        },
        "totals": {str(side): state.totals[side] for side in sides},
        "tower_left": len(state.tower),
        "deck_left": len(state.deck),
        "played": list(state.played_cards),
        "removed_tiles": list(state.removed_tiles),
        "protected": list(state.protected_sides),
        "missed_duty": list(state.missed_duty_sides),
        "matches": state.finished_matches,
        "shootout": [dict(tiles) for tiles in state.shootout_rounds],
        "winner": state.winner or None,
    }


def list_seat_positions(state: State) -> list[SeatPositionData]:
    """List the public parts of the seats, in seat order."""
    setup = state.setup
    return [
        {
            "seat": seat,
            "side": setup.sides[seat],
            "cards": len(state.hands[seat]),
            "table": state.table_tiles[seat] or None,
            "in_play": setup.sides[seat] not in state.resigned_sides,
        }
        for seat in range(1, setup.seats + 1)
    ]


def list_figures(state: State) -> list[FigureData]:
    """The closed figures on the board; side None if unmarked, for an 8 the side that made it."""
    all_figures: list[tuple[int, int, int | None]] = [*state.marked_figures]
    all_figures += [(place, value, None) for place, value in state.unmarked_figures + state.lost_figures]
    figures = [
        build_figure(value, PLACE_NAMES[place], side, is_lost=(place, value) in state.lost_figures)
        for place, value, side in sorted(all_figures, key=lambda figure: figure[0])
    ]
    for cell in state.eight_cells:
        place_name = "+".join(CELL_NAMES[x] for x in _list_eight_cells(state, cell))
        figures.append(build_figure(8, place_name, state.eight_side))
    return figures


def build_figure(value: int, place: str, side: int | None, *, is_lost: bool = False) -> FigureData:
    """A closed figure."""
    kind = FIGURE_KIND_OF_VALUE[value]
    return {"kind": kind, "place": place, "value": value, "side": side, "lost": is_lost}


def _list_eight_cells(state: State, cell: int) -> list[int]:
    """The crossing cell and its two ends, from the left or from below."""
    kind, rotation = state.setup.board.tile_of_code[state.cells[cell]]
    crossing = state.setup.edition_data.tiles[kind].rotate_features(rotation).crossing
    before, after = (3, 1) if crossing == "WE" else (2, 0)
    return [CELL_NEIGHBOURS[cell][before], cell, CELL_NEIGHBOURS[cell][after]]


def _build_cells(state: State) -> dict[str, CellData]:
    """The tiles on the board by cell name."""
    tile = state.setup.board.tile_of_code
    return {
        CELL_NAMES[x]: {"tile": tile[t][0], "rotation": tile[t][1]} for x, t in enumerate(state.cells) if t
    }


def build_own_position(state: State, seat: int, *, hand_hidden: bool = False) -> OwnPositionData:
    """Build the part for the viewing seat alone: its hand, that of its partner, its legal actions.

    None of it if its hand is hidden.
    """
    setup = state.setup
    partner = next(
        (other_seat for other_seat in setup.seats_of_side(setup.sides[seat]) if other_seat != seat), None
    )
    legal = () if hand_hidden else legal_actions(state, seat)
    return {
        "seat": seat,
        "side": setup.sides[seat],
        "hand": [] if hand_hidden else list(state.hands[seat]),
        "partner": {"seat": partner, "hand": [] if hand_hidden else list(state.hands[partner])}
        if partner
        else None,
        "legal_count": len(legal),
        "legal": list(legal),
    }
