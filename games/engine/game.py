"""Start a game, and apply an action to it."""

from __future__ import annotations

from . import cards, matches, turns
from .actions import check_legal, misses_duty
from .choices import Mode
from .errors import IllegalAction, NotYourTurn
from .fairness import shuffle_items
from .phrases import gettext_noop as _
from .state import MutableState, Setup, State
from .turns import GameEvent

# Phases without a decision: the engine runs them until a seat has to decide.
AUTOMATIC_PHASES = {
    "deal": matches.deal_match,
    "begin": turns.begin_turn,
    "draw": turns.draw_tile,
    "finish": turns.finish_turn,
    "infinity": matches.ask_for_answers,
    "eight": matches.end_by_infinity,
    "full": matches.end_by_board,
    "tower": matches.end_by_board,
    "won": matches.end_by_board,
}


def start_game(setup: Setup) -> tuple[State, list[GameEvent]]:
    """The state before the first decision of a new game, and the events up to it."""
    state = MutableState()
    state.setup = setup
    state.seq = state.decision_seq = state.match_no = state.turn = state.extra_turn = state.kidnap_count = (
        state.eight_side
    ) = state.winner = 0
    state.match_kind = "solo" if setup.mode == Mode.SOLO else "normal"
    state.stolen_card = ""
    state.deck = tuple(shuffle_items(setup.key, "deck", setup.edition_data.deck)) if setup.has_cards else ()
    state.hands = ((),) * (setup.seats + 1)
    state.played_cards = state.discarded_cards = state.resigned_sides = state.match_results = (
        state.shootout_rounds
    ) = ()
    state.totals = (0,) * (len(setup.side_numbers) + 1)
    state.phase = "deal"
    events: list[GameEvent] = []
    _run_automatic_phases(state, events)
    return state.freeze(), events


def apply_action(state: State, seat: int, action: str) -> tuple[State, list[GameEvent]]:
    """The state after a canonical action, and the events that it caused.

    1. Check that the action is legal and carry it out on a copy.
    2. Run automatic phases until a seat has to decide.
    3. Freeze the copy into a new state.

    Raises UnreadableAction, IllegalAction or NotYourTurn; the given state never changes.
    """
    events: list[GameEvent] = []
    new_state = _carry_out_action(state, seat, action, events)
    new_state.seq += 1
    _run_automatic_phases(new_state, events)
    if not (state.phase == new_state.phase == "react"):
        new_state.decision_seq = new_state.seq
    return new_state.freeze(), events


def apply_without_consequences(state: State, seat: int, action: str) -> State:
    """The state right after a canonical action, before any automatic phase.

    The final board of a match exists only here: `apply_action` has already dealt the next match.
    """
    return _carry_out_action(state, seat, action, []).freeze()


def _carry_out_action(state: State, seat: int, action: str, events: list[GameEvent]) -> MutableState:
    """Check an action and carry it out on a mutable copy of the state."""
    if action == "resign":
        return _resign_seat(state, seat, events)
    check_legal(state, seat, action)
    new_state = state.mutable_copy()
    if new_state.phase == "place":
        if new_state.setup.notes_missed_duties and misses_duty(state, action):
            side = new_state.setup.sides[seat]
            new_state.missed_duty_sides = tuple(sorted({*new_state.missed_duty_sides, side}))
        kind, t, x = new_state.setup.board.placements[action]
        turns.place_tile(new_state, seat, kind, t, x, events)
    elif new_state.phase == "react":
        matches.apply_answer(new_state, seat, action, events)
    elif action == "draw":
        new_state.phase = "draw"
    else:
        cards.play_card(new_state, seat, action, events)
    return new_state


def _resign_seat(state: State, seat: int, events: list[GameEvent]) -> MutableState:
    """Resign the side of a seat on a mutable copy. Raises IllegalAction or NotYourTurn."""
    if state.phase == "over":
        raise IllegalAction(_("the game is over"), rule="over")
    if not 1 <= seat <= state.setup.seats:
        raise NotYourTurn(_("there is no seat {n}"), n=seat)
    if state.setup.sides[seat] in state.resigned_sides:
        raise IllegalAction(_("this side has resigned already"), rule="resigned")
    new_state = state.mutable_copy()
    matches.resign_side(new_state, seat, events)
    return new_state


def _run_automatic_phases(state: MutableState, events: list[GameEvent]) -> None:
    """Run automatic phases until a seat has to decide or the game is over."""
    run_phase = AUTOMATIC_PHASES.get(state.phase)
    while run_phase:
        run_phase(state, events)
        run_phase = AUTOMATIC_PHASES.get(state.phase)
