"""Matches: dealing, answering an 8, scoring, blind match, shoot-out, resigning."""

from __future__ import annotations

from typing import Any, cast

from . import solo
from .board import CENTRE_CELL
from .cards import PROTECTION_CARD, drop_unplayable_stolen_card, seats_in_play
from .choices import MatchEnd
from .fairness import shuffle_items
from .state import MutableState
from .turns import GameEvent, deal_card, find_next_seat, list_seats_from, replace_at


def sides_in_play(state: MutableState) -> list[int]:
    """The sides that have not resigned."""
    return [side for side in state.setup.side_numbers if side not in state.resigned_sides]


def count_match_points(state: MutableState, side: int) -> int:
    """The points that a side has marked in this match."""
    return sum(value for _, value, owner in state.marked_figures if owner == side)


def find_most_senior_seat(state: MutableState, seats: list[int]) -> int:
    """The most senior of some seats."""
    return min(seats, key=state.setup.seniority.index)


def deal_match(state: MutableState, events: list[GameEvent]) -> None:
    """Deal a new match of the kind `state.match_kind`.

    1. Shuffle the tower and reset board, markers and table tiles.
    2. In a normal match deal a table tile and a card to each seat, most senior first; else discard all hands.
    3. Choose the starting seat and announce the match.
    """
    setup, edition = state.setup, state.setup.edition_data
    state.match_no += 1
    state.tower = "".join(
        shuffle_items(
            setup.key,
            f"tower/{state.match_no}",
            edition.solo_tiles if state.match_kind == "solo" else edition.all_tiles,
        )
    )
    state.cells, state.vertices, state.demands = setup.board.initial_position
    state.filled_mask = 1 << CENTRE_CELL
    state.marked_figures = state.unmarked_figures = state.lost_figures = state.eight_cells = ()
    state.seats_to_answer = state.protected_sides = state.missed_duty_sides = ()
    all_markers = tuple(count for _, count in edition.markers)
    state.markers_left = ((), *(all_markers for _ in setup.side_numbers))
    state.table_tiles = ("",) * (setup.seats + 1)
    state.removed_tiles = state.drawn_tile = ""
    state.extra_turn = state.eight_side = 0
    senior_seat = find_most_senior_seat(state, seats_in_play(state))
    if state.match_kind == "normal":
        for seat in list_seats_from(state, senior_seat):
            state.table_tiles = replace_at(state.table_tiles, seat, state.tower[:1])
            state.tower = state.tower[1:]
            deal_card(state, seat)
        state.turn = find_starting_seat(state)
    else:
        state.discarded_cards += tuple(card for hand in state.hands for card in hand)
        state.hands = ((),) * (setup.seats + 1)
        state.turn = senior_seat
    events.append(
        {
            "event": "match began",
            "match": state.match_no,
            "kind": state.match_kind,
            "seat": state.turn,
            "table": {str(seat): state.table_tiles[seat] or None for seat in seats_in_play(state)},
        }
    )
    state.phase = "begin"


def find_starting_seat(state: MutableState) -> int:
    """The seat that starts a normal match, once table tiles are dealt."""
    seats = seats_in_play(state)
    if state.match_no > 1:
        best_total = max(state.totals[side] for side in sides_in_play(state))
        leading_sides = [side for side in sides_in_play(state) if state.totals[side] == best_total]
        seats = [seat for seat in seats if state.setup.sides[seat] in leading_sides]
        if len(leading_sides) > 1 and state.setup.edition_data.tied_start_rule == "oldest":
            return find_most_senior_seat(state, seats)
    highest_value = max(table_tile_value(state, seat) for seat in seats)
    return find_most_senior_seat(
        state, [seat for seat in seats if table_tile_value(state, seat) == highest_value]
    )


def table_tile_value(state: MutableState, seat: int) -> int:
    """The value of a seat's table tile, 0 without one."""
    tile = state.table_tiles[seat]
    return state.setup.edition_data.tiles[tile].value if tile else 0


def ask_for_answers(state: MutableState, events: list[GameEvent]) -> None:
    """After an 8: ask the seats that have cards and marked points, or score at once if there are none."""
    sides = state.setup.sides
    state.seats_to_answer = tuple(
        seat for seat in seats_in_play(state) if state.hands[seat] and count_match_points(state, sides[seat])
    )
    if state.seats_to_answer:
        events.append({"event": "asked", "seats": list(state.seats_to_answer)})
        state.phase = "react"
    else:
        state.phase = "eight"


def apply_answer(state: MutableState, seat: int, action: str, events: list[GameEvent]) -> None:
    """Apply the answer `8`, `CV=8` or `pass` to an 8; it must be legal."""
    events.append({"event": "answered", "seat": seat, "answer": action})
    finished_seats = {seat}
    if action != "pass":
        card = PROTECTION_CARD if action == "8" else action[:2]
        hand = state.hands[seat]
        card_index = hand.index(card)
        state.hands = replace_at(state.hands, seat, hand[:card_index] + hand[card_index + 1 :])
        state.played_cards += (card,)
        side = state.setup.sides[seat]
        state.protected_sides = tuple(sorted({*state.protected_sides, side}))
        finished_seats.update(state.setup.seats_of_side(side))
    remove_from_answering(state, finished_seats)


def remove_from_answering(state: MutableState, seats: set[int]) -> None:
    """Remove seats from those that must answer; when none is left, the match is scored."""
    state.seats_to_answer = tuple(seat for seat in state.seats_to_answer if seat not in seats)
    if not state.seats_to_answer:
        state.phase = "eight"


def end_by_infinity(state: MutableState, events: list[GameEvent]) -> None:
    """8 points to the side that made the 8; other points count only for sides that protected them."""
    scores = {
        side: count_match_points(state, side) if side in state.protected_sides else 0
        for side in state.setup.side_numbers
    }
    scores[state.eight_side] += 8
    score_match(state, "infinity", scores, [], events)


def end_by_board(state: MutableState, events: list[GameEvent]) -> None:
    """Score a match that ended by a full board, an empty tower, or a solo win."""
    ending = cast(MatchEnd, state.phase)
    if state.match_kind == "solo":
        score_match(state, ending, {1: solo.score_solo_match(state)}, [], events)
        return
    scores = {side: count_match_points(state, side) for side in state.setup.side_numbers}
    silly_sides = []
    if ending in state.setup.edition_data.silly_endings:
        sides_with_marks = {owner for _, _, owner in state.marked_figures}
        for side in sorted({*sides_in_play(state)} - sides_with_marks - {*state.missed_duty_sides}):
            scores[side] = max(table_tile_value(state, seat) for seat in state.setup.seats_of_side(side))
            if scores[side]:
                silly_sides.append(side)
    score_match(state, ending, scores, silly_sides, events)


def score_match(
    state: MutableState,
    ending: MatchEnd,
    scores: dict[int, int],
    silly_sides: list[int],
    events: list[GameEvent],
) -> None:
    """Add the scores of a match to the totals, then start another match or end the game."""
    state.totals = (0, *(state.totals[side] + scores[side] for side in state.setup.side_numbers))
    scores_by_side = {str(side): value for side, value in scores.items()}
    state.match_results += (
        {"kind": state.match_kind, "ended": ending, "scores": scores_by_side, "silly": silly_sides},
    )
    totals = {str(side): state.totals[side] for side in state.setup.side_numbers}
    events.append(
        {
            "event": "match ended",
            "match": state.match_no,
            "kind": state.match_kind,
            "ended": ending,
            "scores": dict(scores_by_side),
            "silly": list(silly_sides),
            "totals": totals,
        }
    )
    if state.match_kind == "solo":
        end_game(state, 1 if ending == "won" else 0, events)
        return
    if state.match_kind == "blind" and ending == "infinity":
        end_game(state, state.eight_side, events)
        return
    best_total = max(state.totals[side] for side in sides_in_play(state))
    leaders = [side for side in sides_in_play(state) if state.totals[side] == best_total]
    if state.match_kind == "normal" and best_total < state.setup.target:
        state.phase = "deal"
    elif len(leaders) == 1:
        end_game(state, leaders[0], events)
    elif state.match_kind == "normal":
        state.match_kind = "blind"
        state.phase = "deal"
    else:
        play_shoot_out(state, leaders, events)


def play_shoot_out(state: MutableState, tied_sides: list[int], events: list[GameEvent]) -> None:
    """Each tied side draws a tile, round after round, until one is strictly highest.

    A draw if the tower runs out.
    """
    tiles = state.setup.edition_data.tiles
    winner = 0
    while not winner and len(state.tower) >= len(tied_sides):
        drawn_tiles = dict(zip(tied_sides, state.tower, strict=False))
        state.tower = state.tower[len(tied_sides) :]
        state.removed_tiles += "".join(drawn_tiles.values())
        tiles_by_side = {str(side): tile for side, tile in drawn_tiles.items()}
        state.shootout_rounds += (tiles_by_side,)
        events.append({"event": "shoot-out", "round": len(state.shootout_rounds), "tiles": tiles_by_side})
        best_value = max(tiles[tile].value for tile in drawn_tiles.values())
        best_sides = [side for side, tile in drawn_tiles.items() if tiles[tile].value == best_value]
        if len(best_sides) == 1:
            winner = best_sides[0]
    end_game(state, winner, events)


def resign_side(state: MutableState, seat: int, events: list[GameEvent]) -> None:
    """Resign a side, in any phase.

    1. Remove its tiles and cards from play.
    2. End the game if fewer than two sides are left.
    3. Else drop its pending answers, pass on its turn, or drop a stolen card that became unplayable.
    """
    setup = state.setup
    side = setup.sides[seat]
    state.resigned_sides = tuple(sorted({*state.resigned_sides, side}))
    events.append({"event": "resigned", "seat": seat, "side": side})
    leaving_seats = setup.seats_of_side(side)
    for leaving_seat in leaving_seats:
        state.removed_tiles += state.table_tiles[leaving_seat]
        state.table_tiles = replace_at(state.table_tiles, leaving_seat, "")
        state.discarded_cards += state.hands[leaving_seat]
        state.hands = replace_at(state.hands, leaving_seat, ())
    if state.turn in leaving_seats:
        state.removed_tiles += state.drawn_tile
        state.drawn_tile = ""
        if state.stolen_card:
            state.played_cards += (state.stolen_card,)
            state.stolen_card = ""
    remaining_sides = sides_in_play(state)
    if len(remaining_sides) < 2:
        end_game(state, remaining_sides[0] if remaining_sides else 0, events)
    elif state.phase == "react":
        remove_from_answering(state, set(leaving_seats))
    elif state.turn in leaving_seats:
        state.extra_turn = 0
        state.turn = find_next_seat(state, state.turn)
        state.phase = "begin"
    elif state.phase == "stolen":
        drop_unplayable_stolen_card(state, events)


def end_game(state: MutableState, winner: int, events: list[GameEvent]) -> None:
    """End the game with a winning side, 0 for none."""
    state.winner = winner
    state.seats_to_answer = ()
    state.phase = "over"
    totals: dict[str, Any] = {str(side): state.totals[side] for side in state.setup.side_numbers}
    events.append({"event": "game over", "winner": winner or None, "totals": totals})
