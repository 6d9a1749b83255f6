"""Bots: a view and the legal actions in, one of them out. They see what a player would see, nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from .board import CELL, Board, board
from .edition import edition
from .state import State
from .view import view

View = dict[str, Any]
Policy = Callable[["Sight", Sequence[str], random.Random], str]


class Sight:
    """A view, made ready for looking things up on the board."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.box = edition(view["edition"])
        self.board: Board = board(self.box)
        self.side: int = view["you"]["side"]
        self.seat: int = view["you"]["seat"]
        self.codes = [0] * 25
        for name, tile in view["board"]["cells"].items():
            self.codes[CELL[name]] = self.board.code[tile["tile"], tile["rotation"]]
        self.cells: Sequence[int]
        self.vertices: Sequence[int]
        self.demand: Sequence[int]
        self.cells, self.vertices, self.demand = self.board.rebuilt(self.codes)
        self.left = {int(value): n for value, n in view["markers"][str(self.side)].items()}

    @classmethod
    def at(cls, state: State, seat: int) -> Sight:
        """The same, for placing a tile only, straight from a state: what it uses lies open on the board."""
        self = cls.__new__(cls)
        setup = state.setup
        self.box, self.board = setup.box, setup.board
        self.side, self.seat = setup.sides[seat], seat
        self.cells, self.vertices, self.demand = state.cells, state.vertices, state.demand
        values = (value for value, _ in setup.box.markers)
        self.left = dict(zip(values, state.markers[self.side], strict=True))
        points = dict.fromkeys(map(str, setup.side_numbers), 0)
        for _, value, owner in state.marked:
            points[str(owner)] += value
        self.view = {"phase": state.phase, "points": points}
        return self

    def points(self, side: int) -> int:
        """What a side has marked in this match."""
        return int(self.view["points"][str(side)])

    def best_other(self) -> int:
        """What the best of the other sides has marked in this match."""
        return max((int(n) for side, n in self.view["points"].items() if int(side) != self.side), default=0)

    def worth(self, x: int, t: int, demand: int, left: dict[int, int]) -> tuple[int, bool]:
        """The points a tile on a cell brings a side with these markers left, and whether it makes an 8."""
        if not demand:
            return 0, False
        figures, eights = self.board.closing(x, t, demand)
        spare = dict(left)
        total = 0
        for _, value in figures:
            if spare[value]:
                spare[value] -= 1
                total += value
        return total, bool(eights)

    def lifted(self, start: int) -> tuple[int, ...]:
        """The demands of the board without the tile on a cell."""
        codes = list(self.codes)
        codes[start] = 0
        return self.board.rebuilt(codes)[2]

    def leap_gains(self, leaps: Sequence[str]) -> dict[str, tuple[int, bool]]:
        """What each quantum leap brings at once."""
        gains = {}
        without: dict[int, tuple[int, ...]] = {}
        for action in leaps:
            _, start_name, end_name, rotation = action.removeprefix("CV=").split("-")
            start, end = CELL[start_name], CELL[end_name]
            if start not in without:
                without[start] = self.lifted(start)
            kind = self.board.tile[self.codes[start]][0]
            t = self.board.code[kind, int(rotation)]
            gains[action] = self.worth(end, t, without[start][end], self.left)
        return gains

    def gain(self, action: str) -> int:
        """What a placement brings at once, an 8 as what it adds to one's lead in the match."""
        _, t, x = self.board.placement[action]
        points, eight = self.worth(x, t, self.demand[x], self.left)
        return self.eight() if eight else points

    def offered(self, action: str) -> int:
        """What the board asks for after a placement: points that wait for whoever has the tile."""
        _, t, x = self.board.placement[action]
        return sum(map(asked_points, self.board.laid(self.cells, self.vertices, self.demand, x, t)[2]))

    def eight(self) -> int:
        """What an 8 of one's own changes in the lead."""
        return 8 - (self.points(self.side) - self.best_other())


@cache
def asked_points(demand: int) -> int:
    """The points that a cell with this demand could bring; there are a few thousand demands at most."""
    corners = sum((0, 2, 4, 0)[demand >> 2 * i & 3] for i in range(4))
    return corners + sum((0, 1, 8, 9)[demand >> 8 + 2 * i & 3] for i in range(4))


def best(actions: Sequence[str], value: Callable[[str], float], rng: random.Random) -> str:
    """One of the actions of the highest value."""
    values = [value(action) for action in actions]
    top = max(values)
    return rng.choice([action for action, v in zip(actions, values, strict=True) if v == top])


def random_choice(sight: Sight, legal: Sequence[str], rng: random.Random) -> str:
    """Anything that is legal."""
    return rng.choice(legal)


def greedy(sight: Sight, legal: Sequence[str], rng: random.Random) -> str:
    """The most points at once; a card as soon as it brings anything."""
    phase = sight.view["phase"]
    if phase == "place":
        return best(legal, lambda action: sight.gain(action) - 0.01 * sight.offered(action), rng)
    if phase == "react":
        return legal[0]
    worth = card_gains(sight, legal)
    choice = best(legal, lambda action: worth.get(action, 0), rng)
    return "draw" if phase == "start" and worth.get(choice, 0) <= 0 else choice


def card_gains(sight: Sight, legal: Sequence[str]) -> dict[str, float]:
    """What each way to play a card brings at once: points, or a tile of higher value on one's table."""
    gains: dict[str, float] = {}
    leaps = [action for action in legal if "QL" in action]
    for action, (points, eight) in sight.leap_gains(leaps).items():
        gains[action] = sight.eight() if eight else points
    tables = {seat["seat"]: seat["table"] for seat in sight.view["seats"] if seat["in_play"]}
    values = {seat: sight.box.tiles[tile].value if tile else 0 for seat, tile in tables.items()}
    order = list(tables)
    place = order.index(sight.seat)
    before, after = order[place - 1], order[(place + 1) % len(order)]
    giver = {"RC": before, "RV-cw": before, "RA": after, "RV-ccw": after}
    for action in legal:
        way = action.removeprefix("CV=")
        if way.startswith("MI"):
            gains[action] = (values[int(way[3:])] - values[sight.seat]) / 4
        elif way in giver:
            gains[action] = (values[giver[way]] - values[sight.seat]) / 4
        elif way == "ME":
            gains[action] = (5 - values[sight.seat]) / 4
        elif way == "TT":
            gains[action] = 2.5
        elif way.startswith("AK"):
            gains[action] = 1
    return gains


def greedy_without_cards(sight: Sight, legal: Sequence[str], rng: random.Random) -> str:
    """What the server plays for an absent player: the most points at once, no card it need not play."""
    if "draw" in legal:
        return "draw"
    if "pass" in legal:
        return "pass"
    return greedy(sight, legal, rng)


def for_the_absent(state: State, seat: int, legal: Sequence[str], rng: random.Random) -> str:
    """What the policy `clock` chooses, without drawing a view where none is needed."""
    if state.phase == "place":
        return greedy(Sight.at(state, seat), legal, rng)
    return choose("clock", view(state, seat), legal, rng)


def choose(policy: str, view: View, legal: Sequence[str], rng: random.Random) -> str:
    """The action of a bot. Raises KeyError on an unknown policy, ValueError if there is nothing to choose."""
    if not legal:
        raise ValueError("there is nothing to decide")
    if policy == "random":
        return rng.choice(legal)
    return POLICIES[policy](Sight(view), legal, rng)


def _planner(sight: Sight, legal: Sequence[str], rng: random.Random) -> str:
    from .planner import plan

    return plan(sight, legal, rng)


POLICIES: dict[str, Policy] = {
    "random": random_choice,
    "greedy": greedy,
    "planner": _planner,
    "clock": greedy_without_cards,
}
