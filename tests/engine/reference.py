"""A slow, literal second implementation of RULES.md and PROTOCOL.md, to compare the engine with.

Nothing is cached: figures, free cells, markers and duties are computed from the board every time.
"""

from typing import Any

from .reference_board import (
    ALL_CELLS,
    CENTRE,
    FIGURE_VALUE,
    INFINITY,
    NEIGHBOUR,
    STOCK,
    TILES,
    VALUE,
    Cells,
    Figure,
    closed_figures,
    infinities,
    put_down,
)
from .reference_chance import draw_below, iter_numbers, shuffle_items

ARCASTUDIO_CARDS = {
    "deck": {"TT": 4, "MI": 4, "RC": 4, "RA": 4, "QL": 4, "ME": 4, "AK": 4, "OO": 4, "CV": 1},
    "revolutions": {"RC": 1, "RA": -1},  # action: how many seats clockwise a table tile moves
}
EDITIONS: dict[str, dict[str, Any]] = {
    "arcastudio-2.2": {
        **ARCASTUDIO_CARDS,
        "unmarked_pass_on_at_once": False,
        "unmarked_only_for_next_other_side": False,
        "silly_endings": {"full"},
        "level_leaders_compare_tiles": True,
    },
    "bannan-nl": {
        "deck": {"TT": 4, "MI": 4, "RV": 8, "QL": 4, "ME": 4, "AK": 4, "OO": 4, "CV": 1},
        "revolutions": {"RV-cw": 1, "RV-ccw": -1},
        "unmarked_pass_on_at_once": True,
        "unmarked_only_for_next_other_side": False,
        "silly_endings": {"full", "tower"},
        "level_leaders_compare_tiles": False,
    },
    "pergioco-72": {
        **ARCASTUDIO_CARDS,
        "unmarked_pass_on_at_once": False,
        "unmarked_only_for_next_other_side": True,
        "silly_endings": {"full", "tower"},
        "level_leaders_compare_tiles": True,
    },
}


class Reference:
    """One whole game, from the first deal to the result."""

    def __init__(
        self,
        *,
        edition: str,
        mode: str,
        seats: int,
        cards: bool,
        obligation: str,
        target: int,
        seniority: list[int],
        key: bytes,
        rules: int,
        cards_from: int = 1,
        seniority_rule: str = "account",
    ) -> None:
        """Set up the first match. `seniority` is ignored where seniority is by lot."""
        self.edition, self.mode, self.target, self.key = EDITIONS[edition], mode, target, key
        self.strict, self.rules, self.cards_from = obligation == "strict", rules, cards_from
        self.seats = list(range(1, seats + 1))
        self.seniority = shuffle_items(key, "seniority", self.seats) if seniority_rule == "lot" else seniority
        self.sides = sorted({self.side_of(seat) for seat in self.seats})
        self.phase, self.to_act = "start", list[int]()
        self.match, self.turn, self.kind = 0, 0, ""
        self.cells, self.marked, self.tower = Cells(), dict[Figure, int](), list[str]()
        full_deck = [card for card, count in self.edition["deck"].items() for _ in range(count)]
        self.deck: list[str] = shuffle_items(key, "deck", full_deck) if cards and mode != "solo" else []
        self.hands: dict[int, list[str]] = {seat: [] for seat in self.seats}
        self.table: dict[int, str | None] = dict.fromkeys(self.seats)
        self.drawn: str | None = None
        self.stolen: str | None = None
        self.totals = dict.fromkeys(self.sides, 0)
        self.result: dict[str, Any] | None = None
        self.resigned: set[int] = set()  # sides
        self.protected: set[int] = set()  # sides that answered the 8
        self.careless: set[int] = set()  # sides that missed a duty in this match
        self.closer: dict[Figure, int] = {}  # the side that closed a figure last
        self.lost: set[Figure] = set()  # lost figures, in editions that have them
        self.kidnappings, self.turn_to_come = 0, False  # the latter after a Time travel in this turn
        self.matches: list[dict[str, Any]] = []
        self.shootout: list[dict[str, str]] = []
        self._start_match("solo" if mode == "solo" else "normal")

    def side_of(self, seat: int) -> int:
        return (1 if seat in (1, 3) else 2) if self.mode == "pairs" else seat

    def sides_in_play(self) -> list[int]:
        return [side for side in self.sides if side not in self.resigned]

    def seats_in_play(self) -> list[int]:
        return [seat for seat in self.seats if self.side_of(seat) not in self.resigned]

    def clockwise_from(self, seat: int) -> list[int]:
        """The seats in play, clockwise, starting with this one if it is in play."""
        ring = [s for s in self.seats if s >= seat] + [s for s in self.seats if s < seat]
        return [s for s in ring if s in self.seats_in_play()]

    def oldest(self, seats: list[int]) -> int:
        return next(seat for seat in self.seniority if seat in seats)

    def highest_tile(self, seats: list[int]) -> int:
        """The seat with the highest table tile among these; the oldest of several."""
        best = max(VALUE[self.table[seat]] for seat in seats)
        return self.oldest([seat for seat in seats if VALUE[self.table[seat]] == best])

    def leaders(self) -> list[int]:
        """The sides in play with the highest total."""
        best = max(self.totals[side] for side in self.sides_in_play())
        return [side for side in self.sides_in_play() if self.totals[side] == best]

    @property
    def unmarked(self) -> set[Figure]:
        return set(closed_figures(self.cells)) - set(self.marked)

    @property
    def markers(self) -> dict[int, dict[int, int]]:
        used = [(side, FIGURE_VALUE[kind]) for (kind, _), side in self.marked.items()]
        return {side: {v: STOCK[v] - used.count((side, v)) for v in STOCK} for side in self.sides}

    def points(self, side: int) -> int:
        """The points of a side's markers in this match."""
        return sum(FIGURE_VALUE[kind] for (kind, _), owner in self.marked.items() if owner == side)

    def _mark(self, side: int, figures: list[Figure]) -> None:
        """Mark these unmarked figures in order, as far as the side has markers."""
        for figure in figures:
            if figure not in self.marked and self.markers[side][FIGURE_VALUE[figure[0]]] > 0:
                self.marked[figure] = side

    def _mark_closed_by(self, seat: int, figures: list[Figure]) -> None:
        """Mark the figures that the seat's tile has just closed."""
        self.closer |= dict.fromkeys(figures, self.side_of(seat))
        self.lost -= set(figures)  # a leap may break a lost figure up and close it again
        for taker in self.clockwise_from(seat) if self.edition["unmarked_pass_on_at_once"] else [seat]:
            self._mark(self.side_of(taker), figures)

    def _start_match(self, kind: str) -> None:
        self.match, self.kind = self.match + 1, kind
        self.cells, self.marked, self.protected = {CENTRE: ("E", 0)}, {}, set()
        self.careless, self.closer, self.lost = set(), {}, set()
        names = "ABCDEFGHI" if kind == "solo" else "ABCDEFGHIJ"
        tiles = [t for t in names for _ in range(TILES[t][3])]
        self.tower = shuffle_items(self.key, f"tower/{self.match}", tiles)
        self.table = dict.fromkeys(self.seats)
        if kind == "blind":
            self.hands = {seat: [] for seat in self.seats}
        oldest = self.oldest(self.seats_in_play())
        if kind == "normal":
            for seat in self.clockwise_from(oldest):
                self._take_new(seat, card=True)
        self._begin_turn(self._starter() if kind == "normal" else oldest)

    def _take_new(self, seat: int, *, card: bool) -> None:
        """Take a new table tile, and a card if wanted, as long as there are any."""
        if self.tower:
            self.table[seat] = self.tower.pop(0)
        if card and self.deck and self.match >= self.cards_from:
            self.hands[seat].append(self.deck.pop(0))

    def _starter(self) -> int:
        if self.match == 1:
            return self.highest_tile(self.seats_in_play())
        candidates = [seat for seat in self.seats_in_play() if self.side_of(seat) in self.leaders()]
        if len(self.leaders()) > 1 and not self.edition["level_leaders_compare_tiles"]:
            return self.oldest(candidates)
        return self.highest_tile(candidates)

    def _end_match(self, ending: str) -> None:
        """Score a normal or a blind match; for an 8, the maker is the seat on turn."""
        maker, silly = self.side_of(self.turn), []
        if ending == "infinity":
            scores = {side: self.points(side) if side in self.protected else 0 for side in self.sides}
            scores[maker] += INFINITY
        else:
            scores = {side: self.points(side) for side in self.sides}
        if ending in self.edition["silly_endings"]:
            without = {side for side in self.sides_in_play() if side not in self.marked.values()}
            for side in sorted(without - self.careless if self.rules >= 2 else without):
                scores[side] = max(VALUE[self.table[s]] for s in self.seats if self.side_of(s) == side)
                silly += [side] if scores[side] > 0 else []
        self._write_down(ending, scores, silly)
        leaders = self.leaders()
        if self.kind == "blind" and ending == "infinity":
            self._end_game(maker)
        elif self.kind == "normal" and all(self.totals[side] < self.target for side in self.sides_in_play()):
            self._start_match("normal")
        elif len(leaders) == 1:
            self._end_game(leaders[0])
        elif self.kind == "normal":
            self._start_match("blind")
        else:
            self._end_game(self._shoot_out(leaders))

    def _write_down(self, ending: str, scores: dict[int, int], silly: list[int]) -> None:
        for side in self.sides:
            self.totals[side] += scores[side]
        scores_by_name = {str(side): score for side, score in scores.items()}
        row = {"kind": self.kind, "ended": ending, "silly": silly, "scores": scores_by_name}
        self.matches.append(row)

    def _shoot_out(self, level: list[int]) -> int | None:
        while len(self.tower) >= len(level):
            tiles = {side: self.tower.pop(0) for side in level}
            self.shootout.append({str(side): tile for side, tile in tiles.items()})
            best = max(VALUE[tile] for tile in tiles.values())
            winners = [side for side in level if VALUE[tiles[side]] == best]
            if len(winners) == 1:
                return winners[0]
        return None

    def _end_game(self, winner: int | None) -> None:
        self.phase, self.to_act = "over", []
        self.result = {
            "winner": winner,
            "totals": {str(side): total for side, total in self.totals.items()},
            "matches": self.matches,
            "shootout": self.shootout,
        }

    def _begin_turn(self, seat: int, *, second: bool = False) -> None:
        self.turn, self.turn_to_come = seat, False
        self._claim(self.side_of(seat))
        if self.hands[seat] and not second:
            self.phase, self.to_act = "start", [seat]
        else:
            self._draw()

    def _claim(self, side: int) -> None:
        """Mark figures that are still unmarked at the start of a turn of this side."""
        if not self.edition["unmarked_only_for_next_other_side"]:
            self._mark(side, closed_figures(self.cells))
            return
        open_to_it = [f for f in closed_figures(self.cells) if f not in self.lost and self.closer[f] != side]
        self._mark(side, open_to_it)
        self.lost |= set(open_to_it) - set(self.marked)

    def _end_turn(self) -> None:
        if self.turn_to_come:
            self._begin_turn(self.turn, second=True)
        else:
            self._begin_turn(self.clockwise_from(self.turn % len(self.seats) + 1)[0])

    def _draw(self) -> None:
        if not self.tower:
            self._end_match("tower")
            return
        tile, seat, table = self.tower.pop(0), self.turn, self.table[self.turn]
        if tile != "J" or (self.kind == "normal" and table not in (None, "J")):
            self.drawn = tile
            self.phase, self.to_act = "place", [seat]
            return
        if self.kind == "normal" and table is None:
            self.table[seat] = "J"
        elif self.kind == "normal":
            self.table[seat] = None
            self._take_new(seat, card=True)
        self._end_turn()

    def _placements(self, *, strict: bool) -> set[str]:
        tiles = {tile for tile in (self.drawn, self.table[self.turn]) if tile is not None and tile != "J"}
        if "I" in tiles:
            tiles = {"I"}
        free = [cell for cell in ALL_CELLS if cell not in self.cells]
        beside = [cell for cell in free if any(NEIGHBOUR[cell, side] in self.cells for side in "NESW")]
        anything, closing, eights = set(), set(), set()
        for tile, cell, rotation in [(t, cell, r) for t in tiles for cell in beside for r in TILES[t][1]]:
            _, figures, eight = put_down(self.cells, cell, tile, rotation)
            anything.add(f"{tile}-{cell}-{rotation}")
            if figures:
                closing.add(f"{tile}-{cell}-{rotation}")
            if eight:
                eights.add(f"{tile}-{cell}-{rotation}")
        return (eights or closing or anything) if strict else anything

    def _place(self, action: str) -> None:
        if not self.strict and action not in self._placements(strict=True):
            self.careless.add(self.side_of(self.turn))
        tile, cell, rotation = action.split("-")
        held_tiles = [t for t in (self.table[self.turn], self.drawn) if t is not None]
        held_tiles.remove(tile)
        self.drawn = None
        self.table[self.turn] = held_tiles[0] if held_tiles else None
        self.cells, figures, eight = put_down(self.cells, cell, tile, int(rotation))
        self._mark_closed_by(self.turn, figures)
        full = len(self.cells) == len(ALL_CELLS)
        if self.kind == "solo":
            self._go_on_alone(full)
        elif eight:
            self._ask_for_answers()
        elif full:
            self._end_match("full")
        else:
            self._end_turn()

    def _go_on_alone(self, full: bool) -> None:
        if len(self.marked) == sum(STOCK.values()) and infinities(self.cells):
            free_cells = len(ALL_CELLS) - len(self.cells)
            self._write_down("won", {1: 24 + INFINITY + 2 * free_cells - len(self.unmarked)}, [])
            self._end_game(1)
        elif full:
            self._write_down("full", {1: 0}, [])
            self._end_game(None)
        else:
            self._end_turn()

    def _ways_to_play(self, card: str | None) -> set[str]:
        """All actions with which the seat on turn could play this card before its draw."""
        other_seats = [seat for seat in self.seats_in_play() if seat != self.turn]
        if card == "CV":
            return {
                f"CV={action}" for c in {*self.edition["deck"]} - {"CV"} for action in self._ways_to_play(c)
            }
        if card in ("TT", "ME"):
            return {card}
        if card in ("RC", "RA", "RV"):
            return {action for action in self.edition["revolutions"] if action.startswith(card)}
        if card == "MI":
            return {
                f"MI-{seat}" for seat in other_seats if None not in (self.table[seat], self.table[self.turn])
            }
        if card == "AK":
            me = self.side_of(self.turn)
            return {f"AK-{seat}" for seat in other_seats if self.side_of(seat) != me and self.hands[seat]}
        if card == "QL":
            return self._leaps()
        return set()  # OO: only in answer to an 8

    def _leaps(self) -> set[str]:
        held_by_markers = {cell for _, cells in self.marked for cell in cells}
        free = [cell for cell in ALL_CELLS if cell not in self.cells]
        actions = set()
        for start in [cell for cell in self.cells if cell != CENTRE and cell not in held_by_markers]:
            tile, old = self.cells[start]
            for rotation in TILES[tile][1]:
                ends = free + ([start] if rotation != old else [])
                actions |= {f"QL-{start}-{end}-{rotation}" for end in ends}
        return actions

    def _play_card(self, action: str) -> None:
        """Carry out a card that has already left the hand, then draw."""
        name, *choices = action.removeprefix("CV=").split("-")
        seats = self.clockwise_from(self.turn)
        if name == "TT":
            self.turn_to_come = True
        elif name == "ME":
            self.table = dict.fromkeys(self.seats)
            for seat in seats:
                self._take_new(seat, card=False)
        elif name in ("RC", "RA", "RV"):
            step = self.edition["revolutions"][action.removeprefix("CV=")]
            before = dict(self.table)
            for place, seat in enumerate(seats):
                self.table[seats[(place + step) % len(seats)]] = before[seat]
        elif name == "MI":
            other = int(choices[0])
            self.table[self.turn], self.table[other] = self.table[other], self.table[self.turn]
        elif name == "AK":
            self.kidnappings += 1
            hand = self.hands[int(choices[0])]
            numbers = iter_numbers(self.key, f"kidnap/{self.kidnappings}")
            self.stolen = hand.pop(draw_below(numbers, len(hand)))
            self._settle_stolen()
            return
        elif name == "QL":
            start, end, rotation = choices
            lifted = {cell: tile for cell, tile in self.cells.items() if cell != start}
            self.lost &= set(closed_figures(lifted))
            self.cells, figures, eight = put_down(lifted, end, self.cells[start][0], int(rotation))
            self._mark_closed_by(self.turn, figures)
            if eight:
                self._ask_for_answers()
                return
        self._draw()

    def _settle_stolen(self) -> None:
        """Wait for the stolen card to be played; if it cannot be, lose it and draw."""
        if self._ways_to_play(self.stolen):
            self.phase, self.to_act = "stolen", [self.turn]
        else:
            self.stolen = None
            self._draw()

    def _ask_for_answers(self) -> None:
        self.phase = "react"
        self.to_act = [
            seat for seat in self.seats_in_play() if self.hands[seat] and self.points(self.side_of(seat)) > 0
        ]
        self._score_if_all_answered()

    def _score_if_all_answered(self) -> None:
        if not self.to_act:
            self._end_match("infinity")

    def _answer(self, seat: int, action: str) -> None:
        self.to_act = [s for s in self.to_act if s != seat]
        if action != "pass":
            self.hands[seat].remove("OO" if action == "8" else "CV")
            self.protected.add(self.side_of(seat))
            self.to_act = [s for s in self.to_act if self.side_of(s) != self.side_of(seat)]
        self._score_if_all_answered()

    def legal(self, seat: int) -> set[str]:
        """The canonical actions of a seat now, without resign."""
        if seat not in self.to_act:
            return set()
        if self.phase == "start":
            return {"draw"}.union(*(self._ways_to_play(card) for card in self.hands[seat]))
        if self.phase == "stolen":
            return self._ways_to_play(self.stolen)
        if self.phase == "place":
            return self._placements(strict=self.strict)
        answers = {"OO": "8", "CV": "CV=8"}
        return {"pass"} | {answers[card] for card in self.hands[seat] if card in answers}

    def do(self, seat: int, action: str) -> None:
        """Play an action with its automatic consequences. Raises ValueError if it is not legal."""
        if self.phase == "over" or seat not in self.seats_in_play():
            raise ValueError(f"seat {seat} has nothing to do with this game any more")
        if action == "resign":
            self._resign(seat)
        elif action not in self.legal(seat):
            raise ValueError(f"seat {seat} may not play {action} in phase {self.phase}")
        elif self.phase == "react":
            self._answer(seat, action)
        elif self.phase == "place":
            self._place(action)
        elif self.phase == "stolen":
            self.stolen = None
            self._play_card(action)
        elif action == "draw":
            self._draw()
        else:
            self.hands[seat].remove(action[:2])
            self._play_card(action)

    def _resign(self, seat: int) -> None:
        side = self.side_of(seat)
        self.resigned.add(side)
        for own_seat in [s for s in self.seats if self.side_of(s) == side]:
            self.hands[own_seat], self.table[own_seat] = [], None
        was_on_turn = self.side_of(self.turn) == side
        if was_on_turn:
            self.drawn, self.stolen, self.turn_to_come = None, None, False
        if len(self.sides_in_play()) <= 1:  # a solo game has no side left
            self._end_game(next(iter(self.sides_in_play()), None))
        elif self.phase == "react":
            self.to_act = [s for s in self.to_act if self.side_of(s) != side]
            self._score_if_all_answered()
        elif was_on_turn:
            self._end_turn()
        elif self.phase == "stolen":
            self._settle_stolen()
