"""The secret cards: the ways in which each can be played, and what it does."""

from __future__ import annotations

from functools import cache

from .board import CELL, CELLS, CENTRE, FULL, PLACE_CELLS, cells_of
from .fairness import below, numbers
from .state import Draft, Fields
from .turns import Event, next_seat, put_down, replaced, seats_from

PROTECTION, WILD = "OO", "CV"
STEPS = {"RC": 1, "RA": -1, "RV-cw": 1, "RV-ccw": -1}


def in_play(s: Fields) -> list[int]:
    """The seats whose side has not resigned."""
    return [seat for seat in range(1, s.setup.seats + 1) if s.setup.sides[seat] not in s.out]


def ways(s: Fields, seat: int, card: str) -> list[str]:
    """Every way to play a card now; none if it can have no effect."""
    if card in ("TT", "RC", "RA", "ME"):
        return [card]
    if card == "RV":
        return ["RV-cw", "RV-ccw"]
    if card == "MI":
        return [f"MI-{other}" for other in magnets(s, seat)]
    if card == "AK":
        return [f"AK-{other}" for other in victims(s, seat)]
    if card == "QL":
        return leaps(s, "QL")
    if card == WILD:
        return [
            way
            for other in s.setup.box.cards
            if other not in (PROTECTION, WILD)
            for way in (leaps(s, "CV=QL") if other == "QL" else [f"CV={way}" for way in ways(s, seat, other)])
        ]
    return []  # the 8 is an answer only


def magnets(s: Fields, seat: int) -> list[int]:
    """The seats whose table tile can be swapped with one's own."""
    if not s.table[seat]:
        return []
    return [other for other in in_play(s) if other != seat and s.table[other]]


def victims(s: Fields, seat: int) -> list[int]:
    """The opponents who hold a card."""
    sides = s.setup.sides
    return [other for other in in_play(s) if sides[other] != sides[seat] and s.hands[other]]


def movable(s: Draft | Fields) -> int:
    """The cells, as bits, whose tile may leap: not the centre, nothing under a marker."""
    fixed = 1 << CENTRE
    for place, _, _ in s.marked:
        for x in PLACE_CELLS[place]:
            fixed |= 1 << x
    return s.filled & ~fixed


@cache
def _leap_words(word: str, start: int, end: int, rotations: tuple[int, ...]) -> tuple[str, ...]:
    """At most a few thousand entries: cells x cells x the few sets of rotations."""
    return tuple(f"{word}-{CELLS[start]}-{CELLS[end]}-{rotation}" for rotation in rotations)


def leaps(s: Fields, word: str) -> list[str]:
    """All quantum leaps: every movable tile to every free cell, or turned where it lies."""
    board, cells = s.setup.board, s.cells
    tiles = s.setup.box.tiles
    free = cells_of(FULL & ~s.filled)
    found: list[str] = []
    for start in cells_of(movable(s)):
        kind, rotation = board.tile[cells[start]]
        rotations = tiles[kind].rotations
        for end in free:
            found += _leap_words(word, start, end, rotations)
        found += _leap_words(word, start, start, tuple(r for r in rotations if r != rotation))
    return found


def play(d: Draft, seat: int, action: str, events: list[Event]) -> None:
    """Carry out a card known to be playable: from the hand, or the stolen one."""
    card = action[:2]
    if d.phase == "stolen":
        d.stolen = ""
    else:
        hand = d.hands[seat]
        first = hand.index(card)
        d.hands = replaced(d.hands, seat, hand[:first] + hand[first + 1 :])
    d.spent += (card,)
    events.append({"event": "played", "seat": seat, "card": card, "action": action})
    d.phase = "draw"
    way = action.removeprefix("CV=")
    power = way[:2]
    if power == "TT":
        d.extra = 1
    elif power == "MI":
        swap(d, seat, int(way[3:]))
    elif power in ("RC", "RA", "RV"):
        revolve(d, STEPS[way])
    elif power == "ME":
        meteorite(d, seat, events)
    elif power == "QL":
        leap(d, seat, way, events)
    else:
        kidnap(d, seat, int(way[3:]), events)


def swap(d: Draft, seat: int, other: int) -> None:
    """Magnetic inversion."""
    mine, theirs = d.table[seat], d.table[other]
    d.table = replaced(replaced(d.table, seat, theirs), other, mine)


def revolve(d: Draft, step: int) -> None:
    """Revolution: every table tile goes one seat on, clockwise for 1, back for -1."""
    seats = seats_from(d, next_seat(d, d.turn))
    table = list(d.table)
    for i, seat in enumerate(seats):
        table[seats[(i + step) % len(seats)]] = d.table[seat]
    d.table = tuple(table)


def meteorite(d: Draft, seat: int, events: list[Event]) -> None:
    """All table tiles leave; each seat takes a new one while the tower lasts."""
    seats = seats_from(d, seat)
    table = list(d.table)
    d.gone += "".join(table[each] for each in seats)
    for each in seats:
        table[each] = d.tower[:1]
        d.tower = d.tower[1:]
    d.table = tuple(table)
    events.append(
        {"event": "new tiles", "seat": seat, "table": {str(s): table[s] or None for s in sorted(seats)}}
    )


def leap(d: Draft, seat: int, way: str, events: list[Event]) -> None:
    """Quantum leap: lift the tile, break its unmarked figures up, put it down anew."""
    _, start_name, end_name, rotation = way.split("-")
    start, end = CELL[start_name], CELL[end_name]
    board = d.setup.board
    kind, _ = board.tile[d.cells[start]]
    d.unmarked = tuple(figure for figure in d.unmarked if start not in PLACE_CELLS[figure[0]])
    d.cells, d.vertices, d.demand = board.rebuilt([*d.cells[:start], 0, *d.cells[start + 1 :]])
    d.filled &= ~(1 << start)
    put_down(d, seat, board.code[kind, int(rotation)], end, events)


def kidnap(d: Draft, seat: int, victim: int, events: list[Event]) -> None:
    """Alien kidnapping: a card comes unseen, and is played at once or lost."""
    d.kidnaps += 1
    hand = d.hands[victim]
    index = below(numbers(d.setup.key, f"kidnap/{d.kidnaps}"), len(hand))
    d.hands = replaced(d.hands, victim, hand[:index] + hand[index + 1 :])
    d.stolen = hand[index]
    d.phase = "stolen"
    events.append({"event": "kidnapped", "seat": seat, "victim": victim, "card": d.stolen})
    drop_useless(d, events)


def drop_useless(d: Draft, events: list[Event]) -> None:
    """A stolen card that can have no effect now is lost, and the turn goes on."""
    if not ways(d, d.turn, d.stolen):
        events.append({"event": "lost card", "seat": d.turn, "card": d.stolen})
        d.spent += (d.stolen,)
        d.stolen = ""
        d.phase = "draw"
