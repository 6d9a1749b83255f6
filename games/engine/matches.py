"""Matches: dealing, the answer to an 8, scoring, blind match, shoot-out, resigning."""

from __future__ import annotations

from typing import Any

from . import solo
from .board import CENTRE
from .cards import PROTECTION, drop_useless, in_play
from .fairness import shuffled
from .state import Draft
from .turns import Event, next_seat, replaced, seats_from


def sides_in_play(d: Draft) -> list[int]:
    """The sides that have not resigned."""
    return [side for side in d.setup.side_numbers if side not in d.out]


def points(d: Draft, side: int) -> int:
    """What a side has marked in this match."""
    return sum(value for _, value, owner in d.marked if owner == side)


def oldest(d: Draft, seats: list[int]) -> int:
    """The senior one of some seats."""
    return min(seats, key=d.setup.seniority.index)


def deal(d: Draft, events: list[Event]) -> None:
    """A new match of the kind that `d.kind` says, up to its first turn."""
    setup, box = d.setup, d.setup.box
    d.match += 1
    d.tower = "".join(
        shuffled(setup.key, f"tower/{d.match}", box.solo_tiles if d.kind == "solo" else box.all_tiles)
    )
    d.cells, d.vertices, d.demand = setup.board.empty
    d.filled = 1 << CENTRE
    d.marked = d.unmarked = d.eights = d.asked = d.kept = ()
    full = tuple(count for _, count in box.markers)
    d.markers = ((), *(full for _ in setup.side_numbers))
    d.table = ("",) * (setup.seats + 1)
    d.gone = d.drawn = ""
    d.extra = d.maker = 0
    senior = oldest(d, in_play(d))
    if d.kind == "normal":
        for seat in seats_from(d, senior):
            d.table = replaced(d.table, seat, d.tower[:1])
            d.tower = d.tower[1:]
            d.hands = replaced(d.hands, seat, d.hands[seat] + d.deck[:1])
            d.deck = d.deck[1:]
        d.turn = starter(d)
    else:
        d.buried += tuple(card for hand in d.hands for card in hand)
        d.hands = ((),) * (setup.seats + 1)
        d.turn = senior
    events.append(
        {
            "event": "match began",
            "match": d.match,
            "kind": d.kind,
            "seat": d.turn,
            "table": {str(seat): d.table[seat] or None for seat in in_play(d)},
        }
    )
    d.phase = "begin"


def starter(d: Draft) -> int:
    """Who starts a normal match that has been dealt."""
    seats = in_play(d)
    if d.match > 1:
        best = max(d.totals[side] for side in sides_in_play(d))
        ahead = [side for side in sides_in_play(d) if d.totals[side] == best]
        seats = [seat for seat in seats if d.setup.sides[seat] in ahead]
        if len(ahead) > 1 and d.setup.box.level == "oldest":
            return oldest(d, seats)
    highest = max(tile_value(d, seat) for seat in seats)
    return oldest(d, [seat for seat in seats if tile_value(d, seat) == highest])


def tile_value(d: Draft, seat: int) -> int:
    """The value of a seat's table tile, 0 without one."""
    tile = d.table[seat]
    return d.setup.box.tiles[tile].value if tile else 0


def ask(d: Draft, events: list[Event]) -> None:
    """An 8 was made: who can answer it?"""
    sides = d.setup.sides
    d.asked = tuple(seat for seat in in_play(d) if d.hands[seat] and points(d, sides[seat]))
    if d.asked:
        events.append({"event": "asked", "seats": list(d.asked)})
        d.phase = "react"
    else:
        d.phase = "eight"


def answer(d: Draft, seat: int, action: str, events: list[Event]) -> None:
    """`8`, `CV=8` or `pass`, known to be legal."""
    events.append({"event": "answered", "seat": seat, "answer": action})
    silent = {seat}
    if action != "pass":
        card = PROTECTION if action == "8" else action[:2]
        hand = d.hands[seat]
        first = hand.index(card)
        d.hands = replaced(d.hands, seat, hand[:first] + hand[first + 1 :])
        d.spent += (card,)
        side = d.setup.sides[seat]
        d.kept = tuple(sorted({*d.kept, side}))
        silent.update(d.setup.partners(side))
    leave_answer(d, silent)


def leave_answer(d: Draft, seats: set[int]) -> None:
    """These seats are no longer asked; when nobody is left, the match is scored."""
    d.asked = tuple(seat for seat in d.asked if seat not in seats)
    if not d.asked:
        d.phase = "eight"


def end_by_infinity(d: Draft, events: list[Event]) -> None:
    """8 to its maker; the rest counts only for the sides that protected it."""
    scores = {side: points(d, side) if side in d.kept else 0 for side in d.setup.side_numbers}
    scores[d.maker] += 8
    score(d, "infinity", scores, [], events)


def end_by_board(d: Draft, events: list[Event]) -> None:
    """Board full, tower empty, or a solo match won."""
    ended = d.phase
    if d.kind == "solo":
        score(d, ended, {1: solo.score(d)}, [], events)
        return
    scores = {side: points(d, side) for side in d.setup.side_numbers}
    silly = []
    if ended in d.setup.box.silly:
        bare = set(sides_in_play(d)) - {owner for _, _, owner in d.marked}
        for side in sorted(bare):
            scores[side] = max(tile_value(d, seat) for seat in d.setup.partners(side))
            if scores[side]:
                silly.append(side)
    score(d, ended, scores, silly, events)


def score(d: Draft, ended: str, scores: dict[int, int], silly: list[int], events: list[Event]) -> None:
    """Add a match to the totals, then another match or the end of the game."""
    d.totals = (0, *(d.totals[side] + scores[side] for side in d.setup.side_numbers))
    named = {str(side): value for side, value in scores.items()}
    d.matches += ({"kind": d.kind, "ended": ended, "scores": named, "silly": silly},)
    totals = {str(side): d.totals[side] for side in d.setup.side_numbers}
    events.append(
        {
            "event": "match ended",
            "match": d.match,
            "kind": d.kind,
            "ended": ended,
            "scores": dict(named),
            "silly": list(silly),
            "totals": totals,
        }
    )
    if d.kind == "solo":
        end_game(d, 1 if ended == "won" else 0, events)
        return
    if d.kind == "blind" and ended == "infinity":
        end_game(d, d.maker, events)
        return
    best = max(d.totals[side] for side in sides_in_play(d))
    leaders = [side for side in sides_in_play(d) if d.totals[side] == best]
    if d.kind == "normal" and best < d.setup.target:
        d.phase = "deal"
    elif len(leaders) == 1:
        end_game(d, leaders[0], events)
    elif d.kind == "normal":
        d.kind = "blind"
        d.phase = "deal"
    else:
        shoot_out(d, leaders, events)


def shoot_out(d: Draft, level: list[int], events: list[Event]) -> None:
    """One tile each, round after round, until one is strictly highest; a draw when the tower cannot serve."""
    tiles = d.setup.box.tiles
    winner = 0
    while not winner and len(d.tower) >= len(level):
        drawn = dict(zip(level, d.tower, strict=False))
        d.tower = d.tower[len(level) :]
        d.gone += "".join(drawn.values())
        named = {str(side): tile for side, tile in drawn.items()}
        d.shootout += (named,)
        events.append({"event": "shoot-out", "round": len(d.shootout), "tiles": named})
        best = max(tiles[tile].value for tile in drawn.values())
        highest = [side for side, tile in drawn.items() if tiles[tile].value == best]
        if len(highest) == 1:
            winner = highest[0]
    end_game(d, winner, events)


def resign(d: Draft, seat: int, events: list[Event]) -> None:
    """A side leaves, in whatever phase."""
    setup = d.setup
    side = setup.sides[seat]
    d.out = tuple(sorted({*d.out, side}))
    events.append({"event": "resigned", "seat": seat, "side": side})
    leaving = setup.partners(side)
    for each in leaving:
        d.gone += d.table[each]
        d.table = replaced(d.table, each, "")
        d.buried += d.hands[each]
        d.hands = replaced(d.hands, each, ())
    if d.turn in leaving:
        d.gone += d.drawn
        d.drawn = ""
        if d.stolen:
            d.spent += (d.stolen,)
            d.stolen = ""
    left = sides_in_play(d)
    if len(left) < 2:
        end_game(d, left[0] if left else 0, events)
    elif d.phase == "react":
        leave_answer(d, set(leaving))
    elif d.turn in leaving:
        d.extra = 0
        d.turn = next_seat(d, d.turn)
        d.phase = "begin"
    elif d.phase == "stolen":
        drop_useless(d, events)


def end_game(d: Draft, winner: int, events: list[Event]) -> None:
    """Nothing is left to decide."""
    d.winner = winner
    d.asked = ()
    d.phase = "over"
    totals: dict[str, Any] = {str(side): d.totals[side] for side in d.setup.side_numbers}
    events.append({"event": "game over", "winner": winner or None, "totals": totals})
