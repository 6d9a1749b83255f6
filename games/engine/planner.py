"""The planner bot: weighs its gain against what it leaves to the next seat, and when cards pay off."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from .board import build_filled_mask, list_frontier_cells
from .bots import BoardAnalysis, choose_best

NEXT_SEAT_WEIGHT = 0.9  # of the next seat's expected gain, against own points
OPEN_POINTS_WEIGHT = 0.08  # of the points left open on the board for the following seats
OWN_NEXT_TURN_WEIGHT = 0.25  # of the own expected gain when the turn comes back
MIN_LEAP_GAIN = 3.0  # a leap is played from this gain on
MIN_TIME_TRAVEL_GAIN = 3.0  # Time travel is played when a turn is worth this much
MIN_TABLE_CHANGE_GAIN = 1.5  # cards that change table tiles are played from this gain on
MIN_POINTS_TO_PROTECT = 4  # a protection card is played from this many points on


class Evaluator(BoardAnalysis):
    """A board analysis that also estimates which tiles the tower may bring."""

    def __init__(self, analysis: BoardAnalysis) -> None:
        self.__dict__.update(analysis.__dict__)
        view = self.view
        unseen_tiles = Counter(self.edition.solo_tiles if view["kind"] == "solo" else self.edition.all_tiles)
        unseen_tiles[self.edition.centre] += 1  # the centre tile is not from the tower
        unseen_tiles.subtract(tile["tile"] for tile in view["board"]["cells"].values())
        unseen_tiles.subtract(view["removed_tiles"])
        unseen_tiles.subtract(seat["table"] for seat in view["seats"] if seat["table"])
        if view["drawn"]:
            unseen_tiles[view["drawn"]] -= 1
        total = sum(n for n in unseen_tiles.values() if n > 0) or 1
        self.tile_chances = [(kind, n / total) for kind, n in unseen_tiles.items() if n > 0]
        self.table_tiles: dict[int, str] = {seat["seat"]: seat["table"] or "" for seat in view["seats"]}
        self.side_of_seat: dict[int, int] = {seat["seat"]: seat["side"] for seat in view["seats"]}
        self.next_seat = self._find_next_seat()
        self.markers_by_side = {
            int(side): {int(value): n for value, n in counts.items()}
            for side, counts in view["markers"].items()
        }
        self.lead = self.match_points(self.side) - self.best_opponent_points()

    def _find_next_seat(self) -> int:
        """The next seat in play after this one."""
        order = [seat["seat"] for seat in self.view["seats"] if seat["in_play"]]
        return int(order[(order.index(self.seat) + 1) % len(order)])

    def best_gain_by_kind(
        self, demand: Sequence[int], cells: Sequence[int], markers_left: dict[int, int], eight_gain: float
    ) -> dict[str, float]:
        """The highest gain that each kind of tile can bring on a board.

        An 8 counts as `eight_gain` and is obligatory.
        """
        demanding_cells = [x for x in cells if demand[x]]
        gains: dict[str, float] = {}
        for kind, codes in self.board.codes_of_kind.items():
            rotations_by_demand, best_gain, makes_eight = self.board.closing_rotations[kind], 0.0, False
            for x in demanding_cells:
                rotation_bits = rotations_by_demand[demand[x]]
                if not rotation_bits:
                    continue
                for r, t in enumerate(codes):
                    if not rotation_bits >> r & 1:
                        continue
                    if rotation_bits >> r & 16:
                        makes_eight = True
                    elif not makes_eight:
                        best_gain = max(best_gain, self.evaluate_tile(x, t, demand[x], markers_left)[0])
            gains[kind] = eight_gain if makes_eight else best_gain
        return gains

    def estimate_gain(self, values: dict[str, float], table_tile: str) -> float:
        """The expected gain of a seat with this table tile and one tile from the tower."""
        tiles = self.edition.tiles
        table_special = tiles[table_tile].special if table_tile else "dark"
        if table_special == "zero":
            return 0.0
        table_tile_gain = values.get(table_tile, 0.0)
        total = 0.0
        for kind, chance in self.tile_chances:
            drawn_special = tiles[kind].special
            if drawn_special == "zero":
                continue
            if drawn_special == "dark":
                total += chance * (0.0 if table_special == "dark" else table_tile_gain)
            elif table_special == "dark":
                total += chance * values[kind]
            else:
                total += chance * max(table_tile_gain, values[kind])
        return total

    def evaluate_turn(
        self, side: int, table_tile: str, demand: Sequence[int], cells: Sequence[int], lead: float
    ) -> float:
        """The expected change of a side's lead by its turn, from its own point of view."""
        values = self.best_gain_by_kind(demand, cells, self.markers_by_side[side], 8 - lead)
        return self.estimate_gain(values, table_tile)

    def evaluate_placement(self, action: str) -> float:
        """The value of a placement: its gain, less what it leaves to the next seat."""
        kind, t, x = self.board.placements[action]
        points, eight = self.evaluate_tile(x, t, self.demands[x], self.markers_left)
        if eight:
            return 100.0
        if self.next_seat == self.seat:  # solo: there is no next seat
            return points + self._evaluate_solo_future(x, t)
        cells, _, demand = self.board.with_tile(self.cells, self.vertices, self.demands, x, t)
        frontier_cells = list_frontier_cells(build_filled_mask(cells))
        if not frontier_cells:
            return float(points)
        own_tile = self.table_tiles[self.seat]
        kept_tile = self.view["drawn"] if kind == own_tile and kind != self.view["drawn"] else own_tile
        lead = self.lead + points
        next_side = self.side_of_seat[self.next_seat]
        if next_side == self.side:
            return points + NEXT_SEAT_WEIGHT * self.evaluate_turn(
                next_side, self.table_tiles[self.next_seat], demand, frontier_cells, lead
            )
        threat = self.evaluate_turn(
            next_side, self.table_tiles[self.next_seat], demand, frontier_cells, -lead
        )
        hope = self.evaluate_turn(self.side, kept_tile or "", demand, frontier_cells, lead)
        return (
            points
            - NEXT_SEAT_WEIGHT * threat
            + OWN_NEXT_TURN_WEIGHT * hope
            - OPEN_POINTS_WEIGHT * self.count_points_left_open(action)
        )

    def _evaluate_solo_future(self, x: int, t: int) -> float:
        """The weighted gain of the next turn in a solo match."""
        cells, _, demand = self.board.with_tile(self.cells, self.vertices, self.demands, x, t)
        frontier_cells = list_frontier_cells(build_filled_mask(cells))
        return 0.5 * self.evaluate_turn(self.side, "", demand, frontier_cells, 0.0) if frontier_cells else 0.0

    def evaluate_table_tiles(self, table_tiles: dict[int, str]) -> float:
        """The value of other table tiles: for this seat now, and for the next seat."""
        frontier_cells = list_frontier_cells(build_filled_mask(self.cells))
        own_gains = self.best_gain_by_kind(
            self.demands, frontier_cells, self.markers_by_side[self.side], 8 - self.lead
        )
        gain = self.estimate_gain(own_gains, table_tiles[self.seat]) - self.estimate_gain(
            own_gains, self.table_tiles[self.seat]
        )
        next_side = self.side_of_seat[self.next_seat]
        if next_side != self.side:
            opponent_gains = self.best_gain_by_kind(
                self.demands, frontier_cells, self.markers_by_side[next_side], 8 + self.lead
            )
            gain += 0.5 * (
                self.estimate_gain(opponent_gains, self.table_tiles[self.next_seat])
                - self.estimate_gain(opponent_gains, table_tiles[self.next_seat])
            )
        return gain


def choose_by_plan(analysis: BoardAnalysis, legal_actions: Sequence[str], rng: random.Random) -> str:
    """The planner's choice among the legal actions."""
    phase = analysis.view["phase"]
    if phase == "react":
        return choose_answer(analysis, legal_actions)
    evaluator = Evaluator(analysis)
    if phase == "place":
        return (
            choose_best(legal_actions, evaluator.evaluate_placement, rng)
            if len(legal_actions) > 1
            else legal_actions[0]
        )
    values = evaluate_card_actions(evaluator, legal_actions)
    choice = choose_best(legal_actions, lambda action: values.get(action, -1.0), rng)
    return "draw" if phase == "start" and values.get(choice, -1.0) <= 0 else choice


def choose_answer(analysis: BoardAnalysis, legal_actions: Sequence[str]) -> str:
    """Protect points that are worth a card, or that decide the game."""
    if len(legal_actions) == 1:
        return legal_actions[0]
    points = analysis.match_points(analysis.side)
    view = analysis.view
    total = view["totals"][str(analysis.side)] + points
    decides = total >= view["options"]["target"]
    return legal_actions[0] if decides or points >= MIN_POINTS_TO_PROTECT else "pass"


def evaluate_card_actions(evaluator: Evaluator, legal_actions: Sequence[str]) -> dict[str, float]:
    """The gain of each card action, less the value of keeping the card; above 0 it is worth playing."""
    values: dict[str, float] = {}
    leaps = [action for action in legal_actions if "QL" in action]
    for action, (points, eight) in evaluator.evaluate_leaps(leaps).items():
        gain = 8.0 - evaluator.lead if eight else float(points)
        values[action] = gain - MIN_LEAP_GAIN - (2.0 if action.startswith("CV") else 0.0)
    frontier_cells = list_frontier_cells(build_filled_mask(evaluator.cells))
    turn_value = None
    for action in legal_actions:
        power = action.removeprefix("CV=")[:2]
        wild_card_cost = 3.0 if action.startswith("CV") else 0.0
        if power == "TT":
            if turn_value is None:
                turn_value = evaluator.evaluate_turn(
                    evaluator.side,
                    evaluator.table_tiles[evaluator.seat],
                    evaluator.demands,
                    frontier_cells,
                    evaluator.lead,
                )
            values[action] = turn_value - MIN_TIME_TRAVEL_GAIN - wild_card_cost
        elif power in ("MI", "RC", "RA", "RV", "ME"):
            values[action] = evaluate_table_change(evaluator, action) - MIN_TABLE_CHANGE_GAIN - wild_card_cost
        elif power == "AK":
            values[action] = 1.0 + count_victim_cards(evaluator, action) * 0.1 - wild_card_cost
    return values


def count_victim_cards(evaluator: Evaluator, action: str) -> int:
    """The number of cards that the seat to be robbed holds."""
    victim = int(action.removeprefix("CV=")[3:])
    return int(next(seat["cards"] for seat in evaluator.view["seats"] if seat["seat"] == victim))


def evaluate_table_change(evaluator: Evaluator, action: str) -> float:
    """The value of a card action that changes table tiles."""
    card_action = action.removeprefix("CV=")
    table_tiles = dict(evaluator.table_tiles)
    order = [seat["seat"] for seat in evaluator.view["seats"] if seat["in_play"]]
    if card_action.startswith("MI"):
        other_seat = int(card_action[3:])
        table_tiles[evaluator.seat], table_tiles[other_seat] = (
            table_tiles[other_seat],
            table_tiles[evaluator.seat],
        )
    elif card_action == "ME":
        own_tile = evaluator.table_tiles[evaluator.seat]
        is_special = bool(own_tile) and evaluator.edition.tiles[own_tile].special != ""
        return 2.0 if is_special else -1.0  # unknown tiles for all: worth it only to lose a special tile
    else:
        step = 1 if card_action in ("RC", "RV-cw") else -1
        for i, seat in enumerate(order):
            table_tiles[order[(i + step) % len(order)]] = evaluator.table_tiles[seat]
    return evaluator.evaluate_table_tiles(table_tiles)
