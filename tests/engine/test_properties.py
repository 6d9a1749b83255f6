"""Invariants at every step of every game."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import (
    ActionError,
    Setup,
    State,
    apply_action,
    build_view,
    dump_state,
    legal_actions,
    load_state,
    parse_action,
    start_game,
)
from games.engine.board import CELL_INDEX, CELL_NAMES, PLACE_CELLS, VERTEX_COUNT, rotate_cell
from tests.factories.random_games import (
    Step,
    build_opening,
    iter_states,
    iter_steps,
    make_game_settings,
    seeds,
    setups,
)

from .reference import Cells, closed_figures, infinities

TILES = Counter("AAAABBBBCCCCDDDDEEEEFFGGHHHHIIIIJJJJ")
COMMON = Counter({"TT": 4, "MI": 4, "QL": 4, "ME": 4, "AK": 4, "OO": 4, "CV": 1})
DECKS = dict.fromkeys(("arcastudio-2.2", "pergioco-72"), COMMON + Counter(RC=4, RA=4))
DECKS["bannan-nl"] = COMMON + Counter(RV=8)
ROTATIONS = dict.fromkeys("BFG", (0, 90, 180, 270)) | dict.fromkeys("CD", (0, 90))
WORDS = ["draw", "pass", "8", "CV=8", "resign"]
CARDS = ["TT", "RC", "RA", "ME", "RV-cw", "RV-ccw"] + [
    f"{card}-{seat}" for card in ("MI", "AK") for seat in "1234"
]

many, some = make_game_settings(60), make_game_settings(25)


def range_of_seats(state: State) -> range:
    return range(1, state.setup.seats + 1)


def build_cells(state: State) -> Cells:
    return {CELL_NAMES[x]: state.setup.board.tile_of_code[t] for x, t in enumerate(state.cells) if t}


# ------------------------------------------------------------------------------------- conservation


@many
@given(setups(), seeds)
def test_no_tile_is_lost_or_made(setup: Setup, seed: int) -> None:
    box = TILES if setup.mode != "solo" else TILES - Counter("JJJJ")
    assert box.total() == (32 if setup.mode == "solo" else 36)
    for state in iter_states(setup, seed):
        board = build_cells(state)
        assert board.pop("c3") == ("E", 0)
        loose = state.tower + state.removed_tiles + "".join(state.table_tiles) + state.drawn_tile
        assert Counter(loose) + Counter(tile for tile, _ in board.values()) == box


@many
@given(setups(), seeds)
def test_no_card_is_lost_or_made(setup: Setup, seed: int) -> None:
    box = DECKS[setup.edition] if setup.cards and setup.mode != "solo" else Counter()
    assert box.total() in (33, 0)
    for state in iter_states(setup, seed):
        cards = Counter(state.deck) + Counter(state.played_cards) + Counter(state.discarded_cards)
        for hand in state.hands:
            cards += Counter(hand)
        assert cards + Counter([state.stolen_card] if state.stolen_card else []) == box


@many
@given(setups(), seeds)
def test_no_marker_is_lost_or_made_and_points_are_the_markers_on_the_board(setup: Setup, seed: int) -> None:
    for state in iter_states(setup, seed):
        points = build_view(state)["points"]
        for side in setup.side_numbers:
            placed = [value for _, value, owner in state.marked_figures if owner == side]
            left = state.markers_left[side]
            assert [placed.count(value) + n for value, n in zip((1, 2, 4), left, strict=True)] == [4, 4, 3]
            assert points[str(side)] == sum(placed)


@some
@given(setups(), seeds)
def test_the_figures_are_those_that_the_board_shows(setup: Setup, seed: int) -> None:
    worth = {"small": 1, "circle": 2, "square": 4}
    for state in iter_states(setup, seed, every=4):
        board = build_cells(state)
        figure_counts = Counter((worth[kind], cells) for kind, cells in closed_figures(board))
        figures = [(place, value) for place, value, _ in state.marked_figures] + [*state.unmarked_figures]
        assert (
            Counter((v, frozenset(CELL_NAMES[x] for x in PLACE_CELLS[place])) for place, v in figures)
            == figure_counts
        )
        assert {CELL_NAMES[x] for x in state.eight_cells} == infinities(board)
        if setup.mode != "solo" and state.phase not in ("react", "over"):
            assert not infinities(board)


# ------------------------------------------------------------------------------------ legal actions


@some
@given(setups(), seeds)
def test_every_legal_action_applies_and_changes_nothing_but_the_answer(setup: Setup, seed: int) -> None:
    rng = random.Random(seed)
    for state in iter_states(setup, seed, every=6):
        written = dump_state(state)
        for seat in state.seats_to_act:
            legal = legal_actions(state, seat)
            for action in rng.sample(legal, min(len(legal), 25)):
                later, _ = apply_action(state, seat, action)
                assert later != state
                assert later.seq == state.seq + 1
        assert dump_state(state) == written


@many
@given(setups(), seeds)
def test_who_has_to_act_has_legal_actions_and_nobody_else(setup: Setup, seed: int) -> None:
    for state in iter_states(setup, seed, every=2):
        assert state.phase in ("start", "stolen", "place", "react", "over")
        assert bool(state.seats_to_act) == (not state.is_over)
        for seat in range_of_seats(state):
            legal = legal_actions(state, seat)
            assert bool(legal) == (seat in state.seats_to_act)
            assert len(set(legal)) == len(legal)
            assert "resign" not in legal
            assert build_view(state, seat)["you"]["legal_count"] == len(legal)


def list_some_actions(rng: random.Random, number: int) -> list[str]:
    """Return a sample of all canonical actions."""
    texts = [*WORDS, *CARDS, *(f"CV={card}" for card in CARDS)]
    for tile, cell in rng.sample([*product("ABCDEFGHIJ", CELL_INDEX)], number):
        texts.append(f"{tile}-{cell}-{rng.choice(ROTATIONS.get(tile, (0,)))}")
    for start_cell, end in rng.sample([*product(CELL_INDEX, CELL_INDEX)], number):
        texts.append(f"{rng.choice(('', 'CV='))}QL-{start_cell}-{end}-{rng.choice((0, 90, 180, 270))}")
    return texts


def mutate_action(action: str, rng: random.Random) -> str:
    """Return an action with one typing error."""
    i = rng.randrange(len(action))
    other = rng.choice("abcdeABCDEFGHIJ123450987- =\n٣+")
    return rng.choice(
        (
            action[:i] + action[i + 1 :],
            action[:i] + action[i] + action[i:],
            action[:i] + other + action[i + 1 :],
            action[:i] + other + action[i:],
            action.swapcase(),
            f"{action}\n",
            f" {action}",
            f"CV={action}",
            action[::-1],
        )
    )


@some
@given(setups(), seeds, st.lists(st.text(max_size=12), max_size=8))
def test_everything_else_is_refused_and_changes_nothing(setup: Setup, seed: int, texts: list[str]) -> None:
    rng = random.Random(seed)
    for state in iter_states(setup, seed, every=16):
        written = dump_state(state)
        for seat in (*range_of_seats(state), 0, -1, setup.seats + 1):
            legal = set(legal_actions(state, seat)) if seat in range_of_seats(state) else set()
            slips = [mutate_action(action, rng) for action in rng.sample(sorted(legal), min(len(legal), 10))]
            for action in {*list_some_actions(rng, 10), *slips, *texts} - legal - {"resign"}:
                with pytest.raises(ActionError) as raised:
                    apply_action(state, seat, action)
                assert str(raised.value)
        assert dump_state(state) == written


# --------------------------------------------------------------------------------- immutable states


@many
@given(setups(), seeds)
def test_every_game_ends_and_replays_to_the_same_state(setup: Setup, seed: int) -> None:
    steps: list[Step] = [*iter_steps(setup, seed)]  # iter_steps fails if the game does not end
    assert steps[-1].after.is_over
    assert steps[-1].after.result is not None
    state = build_opening(setup, seed)
    for number, step in enumerate(steps, 1):
        state, events = apply_action(state, step.seat, step.action)
        assert (state, events) == (step.after, step.events)
        assert state.seq == number


@many
@given(setups(), seeds)
def test_a_state_comes_back_from_json_as_it_was(setup: Setup, seed: int) -> None:
    for state in iter_states(setup, seed, every=3):
        written = dump_state(state)
        loaded_state = load_state(written)
        assert loaded_state == state
        assert dump_state(loaded_state) == written
        for seat in range_of_seats(state):
            assert legal_actions(loaded_state, seat) == legal_actions(state, seat)


@some
@given(setups(), seeds)
def test_a_game_goes_on_from_json_as_if_nothing_had_happened(setup: Setup, seed: int) -> None:
    for step in iter_steps(setup, seed):
        if step.before.seq % 3 == 0:
            assert apply_action(load_state(dump_state(step.before)), step.seat, step.action) == (
                step.after,
                step.events,
            )


@many
@given(setups(), seeds)
def test_no_action_changes_the_state_it_is_applied_to(setup: Setup, seed: int) -> None:
    """Neither the action that iter_steps applies nor a resignation changes the state."""
    written = dump_state(build_opening(setup, seed))
    for step in iter_steps(setup, seed):
        apply_action(step.before, step.before.seats_to_act[0], "resign")
        assert dump_state(step.before) == written
        written = dump_state(step.after)


def test_a_state_cannot_be_changed_by_hand() -> None:
    state, _ = start_game(Setup())
    with pytest.raises(AttributeError):
        state.turn = 2
    with pytest.raises((AttributeError, TypeError)):
        del state.turn


@some
@given(setups(), seeds)
def test_every_legal_action_reads_as_itself_in_any_dress(setup: Setup, seed: int) -> None:
    rng = random.Random(seed)
    for state in iter_states(setup, seed, every=5):
        for seat in state.seats_to_act:
            legal = legal_actions(state, seat)
            for action in [*rng.sample(legal, min(len(legal), 15)), "resign"]:
                spaced = action.replace("-", " ").replace("=", " ")
                for text in (action, action.lower(), action.upper(), f"  {action} ", spaced, spaced.lower()):
                    assert parse_action(state, seat, text) == action


# ---------------------------------------------------------------------------- rotation of the board


def rotate_place(place: int) -> int:
    cells = {rotate_cell(CELL_NAMES[x]) for x in PLACE_CELLS[place]}
    kind = range(VERTEX_COUNT) if place < VERTEX_COUNT else range(VERTEX_COUNT, len(PLACE_CELLS))
    return next(other for other in kind if {CELL_NAMES[x] for x in PLACE_CELLS[other]} == cells)


TURNED = [rotate_place(place) for place in range(len(PLACE_CELLS))]


def rotate_rotation(tile: str, rotation: int) -> int:
    """Return the canonical rotation of a tile after a turn of the board."""
    return (rotation + 90) % (90 * len(ROTATIONS.get(tile, (0,))))


def rotate_action(state: State, action: str) -> str:
    parts = action.split("-")
    if len(parts) < 3:
        return action
    *head, rotation = parts
    tile = state.setup.board.tile_of_code[state.cells[CELL_INDEX[head[1]]]][0] if "QL" in head[0] else head[0]
    return "-".join([head[0], *map(rotate_cell, head[1:]), str(rotate_rotation(tile, int(rotation)))])


def rotate_state(state: State) -> State:
    """Return the state with the whole board turned by 90 degrees clockwise."""
    d, board = state.mutable_copy(), state.setup.board
    codes = [0] * 25
    for name, (tile, rotation) in build_cells(state).items():
        codes[CELL_INDEX[rotate_cell(name)]] = board.code_of_tile[tile, rotate_rotation(tile, rotation)]
    d.cells, d.vertices, d.demands = board.rebuild_position(codes)
    d.filled_mask = sum(1 << x for x, t in enumerate(codes) if t)
    d.marked_figures = tuple((TURNED[place], value, side) for place, value, side in state.marked_figures)
    d.unmarked_figures = tuple(sorted((TURNED[place], value) for place, value in state.unmarked_figures))
    d.eight_cells = tuple(CELL_INDEX[rotate_cell(CELL_NAMES[x])] for x in state.eight_cells)
    return d.freeze()


def summarise_scores(state: State) -> tuple[object, ...]:
    """Return a state without places on the board; of scarce markers only the values are determined."""
    marked = sorted((value, side) for _, value, side in state.marked_figures)
    unmarked = sorted(value for _, value in state.unmarked_figures)
    public = (
        state.phase,
        state.seats_to_act,
        state.totals,
        state.markers_left,
        state.match_results,
        state.winner,
    )
    return (*public, marked, unmarked, len(state.eight_cells), state.tower, state.table_tiles, state.hands)


@some
@given(setups(), seeds)
def test_turning_the_whole_board_changes_no_score_and_no_right(setup: Setup, seed: int) -> None:
    for step in iter_steps(setup, seed):
        if step.before.seq % 2:
            continue
        state, rotated_state = step.before, rotate_state(step.before)
        for seat in state.seats_to_act:
            expected = {rotate_action(state, action) for action in legal_actions(state, seat)}
            assert set(legal_actions(rotated_state, seat)) == expected
        later, _ = apply_action(rotated_state, step.seat, rotate_action(state, step.action))
        assert summarise_scores(later) == summarise_scores(step.after)


def test_four_quarter_turns_bring_the_board_back() -> None:
    assert all(TURNED[TURNED[TURNED[TURNED[place]]]] == place for place in range(len(PLACE_CELLS)))
    assert [rotate_cell(cell) for cell in ("a1", "a5", "c3", "b3")] == ["a5", "e5", "c3", "c4"]
