"""The planner: weighs its gain against what it leaves to the next seat, and plays cards with sense."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from .board import filled, frontier
from .bots import Sight, best

LEAVE = 0.9  # what the next seat is expected to gain, weighed against one's own points
OFFER = 0.08  # what lies open on the board, for whoever comes after
REPLY = 0.25  # what one can expect to gain oneself when the turn comes back
LEAP = 3.0  # a leap must bring this much, or it waits for a better day
TRAVEL = 3.0  # two turns, when one is worth this much
SWAP = 1.5  # changing table tiles must bring this much
PROTECT = 4  # points worth a protection card


class Outlook(Sight):
    """A sight that also guesses what tiles the tower may bring."""

    def __init__(self, sight: Sight) -> None:
        self.__dict__.update(sight.__dict__)
        view = self.view
        hidden = Counter(self.box.solo_tiles if view["kind"] == "solo" else self.box.all_tiles)
        hidden[self.box.centre] += 1  # the centre tile is not of the tower
        hidden.subtract(tile["tile"] for tile in view["board"]["cells"].values())
        hidden.subtract(view["gone"])
        hidden.subtract(seat["table"] for seat in view["seats"] if seat["table"])
        if view["drawn"]:
            hidden[view["drawn"]] -= 1
        total = sum(n for n in hidden.values() if n > 0) or 1
        self.chances = [(kind, n / total) for kind, n in hidden.items() if n > 0]
        self.tables: dict[int, str] = {seat["seat"]: seat["table"] or "" for seat in view["seats"]}
        self.sides: dict[int, int] = {seat["seat"]: seat["side"] for seat in view["seats"]}
        self.next = self._next_seat()
        self.markers = {
            int(side): {int(value): n for value, n in left.items()} for side, left in view["markers"].items()
        }
        self.lead = self.points(self.side) - self.best_other()

    def _next_seat(self) -> int:
        order = [seat["seat"] for seat in self.view["seats"] if seat["in_play"]]
        return int(order[(order.index(self.seat) + 1) % len(order)])

    def by_kind(
        self, demand: Sequence[int], cells: Sequence[int], left: dict[int, int], eight: float
    ) -> dict[str, float]:
        """The most that each kind of tile could bring on a board; an 8 counts as `eight`, and is a duty."""
        asking = [x for x in cells if demand[x]]
        found: dict[str, float] = {}
        for kind, codes in self.board.codes.items():
            closes, top, must = self.board.closes[kind], 0.0, False
            for x in asking:
                made = closes[demand[x]]
                if not made:
                    continue
                for r, t in enumerate(codes):
                    if not made >> r & 1:
                        continue
                    if made >> r & 16:
                        must = True
                    elif not must:
                        top = max(top, self.worth(x, t, demand[x], left)[0])
            found[kind] = eight if must else top
        return found

    def expected(self, values: dict[str, float], table: str) -> float:
        """What a seat with this table tile and one unknown tile can expect."""
        tiles = self.box.tiles
        special = tiles[table].special if table else "dark"
        if special == "zero":
            return 0.0
        mine = values.get(table, 0.0)
        total = 0.0
        for kind, chance in self.chances:
            drawn = tiles[kind].special
            if drawn == "zero":
                continue
            if drawn == "dark":
                total += chance * (0.0 if special == "dark" else mine)
            elif special == "dark":
                total += chance * values[kind]
            else:
                total += chance * max(mine, values[kind])
        return total

    def turn_worth(
        self, side: int, table: str, demand: Sequence[int], cells: Sequence[int], lead: float
    ) -> float:
        """The expected change of the lead by a turn of that side, seen from that side."""
        values = self.by_kind(demand, cells, self.markers[side], 8 - lead)
        return self.expected(values, table)

    def after(self, action: str) -> float:
        """The value of a placement: its gain, less what it leaves to the next seat."""
        kind, t, x = self.board.placement[action]
        points, eight = self.worth(x, t, self.demand[x], self.left)
        if eight:
            return 100.0
        if self.next == self.seat:  # solo: nobody to leave anything to
            return points + self._solo_future(x, t)
        cells, _, demand = self.board.laid(self.cells, self.vertices, self.demand, x, t)
        beside = frontier(filled(cells))
        if not beside:
            return float(points)
        mine = self.tables[self.seat]
        keep = self.view["drawn"] if kind == mine and kind != self.view["drawn"] else mine
        lead = self.lead + points
        other = self.sides[self.next]
        if other == self.side:
            return points + LEAVE * self.turn_worth(other, self.tables[self.next], demand, beside, lead)
        threat = self.turn_worth(other, self.tables[self.next], demand, beside, -lead)
        hope = self.turn_worth(self.side, keep or "", demand, beside, lead)
        return points - LEAVE * threat + REPLY * hope - OFFER * self.offered(action)

    def _solo_future(self, x: int, t: int) -> float:
        cells, _, demand = self.board.laid(self.cells, self.vertices, self.demand, x, t)
        beside = frontier(filled(cells))
        return 0.5 * self.turn_worth(self.side, "", demand, beside, 0.0) if beside else 0.0

    def table_change(self, tables: dict[int, str]) -> float:
        """What other table tiles are worth: to me now, and to the next seat after me."""
        beside = frontier(filled(self.cells))
        mine = self.by_kind(self.demand, beside, self.markers[self.side], 8 - self.lead)
        gain = self.expected(mine, tables[self.seat]) - self.expected(mine, self.tables[self.seat])
        other = self.sides[self.next]
        if other != self.side:
            theirs = self.by_kind(self.demand, beside, self.markers[other], 8 + self.lead)
            gain += 0.5 * (
                self.expected(theirs, self.tables[self.next]) - self.expected(theirs, tables[self.next])
            )
        return gain


def plan(sight: Sight, legal: Sequence[str], rng: random.Random) -> str:
    """The planner's choice."""
    phase = sight.view["phase"]
    if phase == "react":
        return answer(sight, legal)
    outlook = Outlook(sight)
    if phase == "place":
        return best(legal, outlook.after, rng) if len(legal) > 1 else legal[0]
    worth = card_values(outlook, legal)
    choice = best(legal, lambda action: worth.get(action, -1.0), rng)
    return "draw" if phase == "start" and worth.get(choice, -1.0) <= 0 else choice


def answer(sight: Sight, legal: Sequence[str]) -> str:
    """Protect what is worth a card, or what decides the game."""
    if len(legal) == 1:
        return legal[0]
    points = sight.points(sight.side)
    view = sight.view
    total = view["totals"][str(sight.side)] + points
    decides = total >= view["options"]["target"]
    return legal[0] if decides or points >= PROTECT else "pass"


def card_values(outlook: Outlook, legal: Sequence[str]) -> dict[str, float]:
    """What each card would add, less what it is worth to keep; above 0 is worth playing."""
    worth: dict[str, float] = {}
    leaps = [action for action in legal if "QL" in action]
    for action, (points, eight) in outlook.leap_gains(leaps).items():
        gain = 8.0 - outlook.lead if eight else float(points)
        worth[action] = gain - LEAP - (2.0 if action.startswith("CV") else 0.0)
    beside = frontier(filled(outlook.cells))
    turn = None
    for action in legal:
        power = action.removeprefix("CV=")[:2]
        price = 3.0 if action.startswith("CV") else 0.0
        if power == "TT":
            if turn is None:
                turn = outlook.turn_worth(
                    outlook.side, outlook.tables[outlook.seat], outlook.demand, beside, outlook.lead
                )
            worth[action] = turn - TRAVEL - price
        elif power in ("MI", "RC", "RA", "RV", "ME"):
            worth[action] = changed(outlook, action) - SWAP - price
        elif power == "AK":
            worth[action] = 1.0 + victim_cards(outlook, action) * 0.1 - price
    return worth


def victim_cards(outlook: Outlook, action: str) -> int:
    """How many cards the seat to be robbed holds."""
    victim = int(action.removeprefix("CV=")[3:])
    return int(next(seat["cards"] for seat in outlook.view["seats"] if seat["seat"] == victim))


def changed(outlook: Outlook, action: str) -> float:
    """What a card that changes table tiles is worth."""
    way = action.removeprefix("CV=")
    tables = dict(outlook.tables)
    order = [seat["seat"] for seat in outlook.view["seats"] if seat["in_play"]]
    if way.startswith("MI"):
        other = int(way[3:])
        tables[outlook.seat], tables[other] = tables[other], tables[outlook.seat]
    elif way == "ME":
        mine = outlook.tables[outlook.seat]
        dark = bool(mine) and outlook.box.tiles[mine].special != ""
        return 2.0 if dark else -1.0  # an unknown tile for everyone: worth it only to be rid of a bad one
    else:
        step = 1 if way in ("RC", "RV-cw") else -1
        for i, seat in enumerate(order):
            tables[order[(i + step) % len(order)]] = outlook.tables[seat]
    return outlook.table_change(tables)
