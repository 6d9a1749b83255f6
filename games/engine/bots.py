"""Bots: choose one of the legal actions from a view, so that a bot knows only what its player may see."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from .board import CELL_INDEX, Board, load_board
from .edition import load_edition
from .state import State
from .view import build_view

View = Mapping[str, Any]
BotPolicy = Callable[["BoardAnalysis", Sequence[str], random.Random], str]


class BoardAnalysis:
    """A view with its board decoded for look-ups."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.edition = load_edition(view["edition"])
        self.board: Board = load_board(self.edition)
        self.side: int = view["you"]["side"]
        self.seat: int = view["you"]["seat"]
        self.tile_codes = [0] * 25
        for name, tile in view["board"]["cells"].items():
            self.tile_codes[CELL_INDEX[name]] = self.board.code_of_tile[tile["tile"], tile["rotation"]]
        self.cells: Sequence[int]
        self.vertices: Sequence[int]
        self.demands: Sequence[int]
        self.cells, self.vertices, self.demands = self.board.rebuild_position(self.tile_codes)
        self.markers_left = {int(value): n for value, n in view["markers"][str(self.side)].items()}

    @classmethod
    def from_state(cls, state: State, seat: int) -> BoardAnalysis:
        """Build the analysis from a state, for placing a tile only.

        It reads public parts of the state only, and saves building a view.
        """
        self = cls.__new__(cls)
        setup = state.setup
        self.edition, self.board = setup.edition_data, setup.board
        self.side, self.seat = setup.sides[seat], seat
        self.cells, self.vertices, self.demands = state.cells, state.vertices, state.demands
        values = (value for value, _ in setup.edition_data.markers)
        self.markers_left = dict(zip(values, state.markers_left[self.side], strict=True))
        points = dict.fromkeys(map(str, setup.side_numbers), 0)
        for _, value, owner in state.marked_figures:
            points[str(owner)] += value
        self.view = {"phase": state.phase, "points": points}
        return self

    def match_points(self, side: int) -> int:
        """The points that a side has marked in this match."""
        return int(self.view["points"][str(side)])

    def best_opponent_points(self) -> int:
        """The most points that any other side has marked in this match."""
        return max((int(n) for side, n in self.view["points"].items() if int(side) != self.side), default=0)

    def evaluate_tile(self, x: int, t: int, demand: int, markers_left: dict[int, int]) -> tuple[int, bool]:
        """The points that a tile on a cell gains with these markers left, and whether it makes an 8."""
        if not demand:
            return 0, False
        figures, eights = self.board.find_closed_figures(x, t, demand)
        spare_markers = dict(markers_left)
        total = 0
        for _, value in figures:
            if spare_markers[value]:
                spare_markers[value] -= 1
                total += value
        return total, bool(eights)

    def demands_without_tile(self, cell: int) -> tuple[int, ...]:
        """The demands of the board without the tile on a cell."""
        codes = list(self.tile_codes)
        codes[cell] = 0
        return self.board.rebuild_position(codes).demands

    def evaluate_leaps(self, leaps: Sequence[str]) -> dict[str, tuple[int, bool]]:
        """For each quantum leap, its immediate points and whether it makes an 8."""
        gains = {}
        demands_by_start: dict[int, tuple[int, ...]] = {}
        for action in leaps:
            _, start_name, end_name, rotation = action.removeprefix("CV=").split("-")
            start, end = CELL_INDEX[start_name], CELL_INDEX[end_name]
            if start not in demands_by_start:
                demands_by_start[start] = self.demands_without_tile(start)
            kind = self.board.tile_of_code[self.tile_codes[start]][0]
            t = self.board.code_of_tile[kind, int(rotation)]
            gains[action] = self.evaluate_tile(end, t, demands_by_start[start][end], self.markers_left)
        return gains

    def score_placement(self, action: str) -> int:
        """The immediate gain of a placement; an 8 counts as the change of this side's lead."""
        _, t, x = self.board.placements[action]
        points, eight = self.evaluate_tile(x, t, self.demands[x], self.markers_left)
        return self.evaluate_eight() if eight else points

    def count_points_left_open(self, action: str) -> int:
        """The points that the board offers to the following seats after a placement."""
        _, t, x = self.board.placements[action]
        return sum(
            map(
                count_open_points, self.board.with_tile(self.cells, self.vertices, self.demands, x, t).demands
            )
        )

    def evaluate_eight(self) -> int:
        """The change of this side's lead in the match if it makes an 8."""
        return 8 - (self.match_points(self.side) - self.best_opponent_points())


@cache
def count_open_points(demand: int) -> int:
    """The points that a cell with this demand could bring. Cached: there are a few thousand demands."""
    corners = sum((0, 2, 4, 0)[demand >> 2 * i & 3] for i in range(4))
    return corners + sum((0, 1, 8, 9)[demand >> 8 + 2 * i & 3] for i in range(4))


def choose_best(actions: Sequence[str], value: Callable[[str], float], rng: random.Random) -> str:
    """A random one of the actions with the highest value."""
    values = [value(action) for action in actions]
    best_value = max(values)
    return rng.choice([action for action, score in zip(actions, values, strict=True) if score == best_value])


def choose_randomly(analysis: BoardAnalysis, legal_actions: Sequence[str], rng: random.Random) -> str:
    """Choose any legal action."""
    return rng.choice(legal_actions)


def choose_greedily(analysis: BoardAnalysis, legal_actions: Sequence[str], rng: random.Random) -> str:
    """Choose the most immediate points; play a card as soon as it gains anything."""
    phase = analysis.view["phase"]
    if phase == "place":
        return choose_best(
            legal_actions,
            lambda action: analysis.score_placement(action) - 0.01 * analysis.count_points_left_open(action),
            rng,
        )
    if phase == "react":
        return legal_actions[0]
    gains = evaluate_card_gains(analysis, legal_actions)
    choice = choose_best(legal_actions, lambda action: gains.get(action, 0), rng)
    return "draw" if phase == "start" and gains.get(choice, 0) <= 0 else choice


def evaluate_card_gains(analysis: BoardAnalysis, legal_actions: Sequence[str]) -> dict[str, float]:
    """The immediate gain of each card action: points, or a table tile of higher value."""
    gains: dict[str, float] = {}
    leaps = [action for action in legal_actions if "QL" in action]
    for action, (points, eight) in analysis.evaluate_leaps(leaps).items():
        gains[action] = analysis.evaluate_eight() if eight else points
    tables = {seat["seat"]: seat["table"] for seat in analysis.view["seats"] if seat["in_play"]}
    values = {seat: analysis.edition.tiles[tile].value if tile else 0 for seat, tile in tables.items()}
    order = list(tables)
    index = order.index(analysis.seat)
    previous_seat, next_seat = order[index - 1], order[(index + 1) % len(order)]
    giver_by_action = {"RC": previous_seat, "RV-cw": previous_seat, "RA": next_seat, "RV-ccw": next_seat}
    for action in legal_actions:
        card_action = action.removeprefix("CV=")
        if card_action.startswith("MI"):
            gains[action] = (values[int(card_action[3:])] - values[analysis.seat]) / 4
        elif card_action in giver_by_action:
            gains[action] = (values[giver_by_action[card_action]] - values[analysis.seat]) / 4
        elif card_action == "ME":
            gains[action] = (5 - values[analysis.seat]) / 4
        elif card_action == "TT":
            gains[action] = 2.5
        elif card_action.startswith("AK"):
            gains[action] = 1
    return gains


def choose_greedily_without_cards(
    analysis: BoardAnalysis, legal_actions: Sequence[str], rng: random.Random
) -> str:
    """The policy `clock`, played for absent players: greedy, but plays no card it need not play."""
    if "draw" in legal_actions:
        return "draw"
    if "pass" in legal_actions:
        return "pass"
    return choose_greedily(analysis, legal_actions, rng)


def autoplay_action(state: State, seat: int, legal_actions: Sequence[str], rng: random.Random) -> str:
    """The action that the policy `clock` chooses; builds a view only where it needs one."""
    if state.phase == "place":
        return choose_greedily(BoardAnalysis.from_state(state, seat), legal_actions, rng)
    return choose_action("clock", build_view(state, seat), legal_actions, rng)


def choose_action(policy: str, view: View, legal_actions: Sequence[str], rng: random.Random) -> str:
    """The action of a bot. Raises KeyError on an unknown policy, ValueError if no action is legal."""
    if not legal_actions:
        raise ValueError("there is nothing to decide")
    if policy == "random":
        return rng.choice(legal_actions)
    return BOT_POLICIES[policy](BoardAnalysis(view), legal_actions, rng)


def _choose_with_planner(analysis: BoardAnalysis, legal_actions: Sequence[str], rng: random.Random) -> str:
    """The policy `planner`; imported late because planner imports this module."""
    from .planner import choose_by_plan

    return choose_by_plan(analysis, legal_actions, rng)


BOT_POLICIES: dict[str, BotPolicy] = {
    "random": choose_randomly,
    "greedy": choose_greedily,
    "planner": _choose_with_planner,
    "clock": choose_greedily_without_cards,
}
