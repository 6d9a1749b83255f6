"""The two verbs of a game: `start` it, and `apply` an action to it."""

from __future__ import annotations

from . import cards, matches, turns
from .actions import judge
from .errors import Illegal, NotYours
from .fairness import shuffled
from .phrases import gettext_noop as _
from .state import Draft, Setup, State
from .turns import Event

# Phases that never last: the engine walks through them until somebody has to decide.
AUTOMATIC = {
    "deal": matches.deal,
    "begin": turns.begin,
    "draw": turns.draw,
    "finish": turns.finish,
    "infinity": matches.ask,
    "eight": matches.end_by_infinity,
    "full": matches.end_by_board,
    "tower": matches.end_by_board,
    "won": matches.end_by_board,
}


def start(setup: Setup) -> tuple[State, list[Event]]:
    """The game before its first decision."""
    d = Draft()
    d.setup = setup
    d.seq = d.since = d.match = d.turn = d.extra = d.kidnaps = d.maker = d.winner = 0
    d.kind = "solo" if setup.mode == "solo" else "normal"
    d.stolen = ""
    d.deck = tuple(shuffled(setup.key, "deck", setup.box.deck)) if setup.has_cards else ()
    d.hands = ((),) * (setup.seats + 1)
    d.spent = d.buried = d.out = d.matches = d.shootout = ()
    d.totals = (0,) * (len(setup.side_numbers) + 1)
    d.phase = "deal"
    events: list[Event] = []
    _settle(d, events)
    return d.freeze(), events


def apply(state: State, seat: int, action: str) -> tuple[State, list[Event]]:
    """The state after a canonical action, and what happened.

    Raises Unreadable, Illegal or NotYours; the state itself never changes.
    """
    events: list[Event] = []
    d = _carried_out(state, seat, action, events)
    d.seq += 1
    _settle(d, events)
    if not (state.phase == d.phase == "react"):
        d.since = d.seq
    return d.freeze(), events


def landed(state: State, seat: int, action: str) -> State:
    """The state as a canonical action itself leaves it, before anything follows from it.

    The board that ends a match is seen here and nowhere else: `apply` has already dealt the next one.
    """
    return _carried_out(state, seat, action, []).freeze()


def _carried_out(state: State, seat: int, action: str, events: list[Event]) -> Draft:
    if action == "resign":
        return _resigned(state, seat, events)
    judge(state, seat, action)
    d = state.draft()
    if d.phase == "place":
        kind, t, x = d.setup.board.placement[action]
        turns.place(d, seat, kind, t, x, events)
    elif d.phase == "react":
        matches.answer(d, seat, action, events)
    elif action == "draw":
        d.phase = "draw"
    else:
        cards.play(d, seat, action, events)
    return d


def _resigned(state: State, seat: int, events: list[Event]) -> Draft:
    if state.phase == "over":
        raise Illegal(_("the game is over"), rule="over")
    if not 1 <= seat <= state.setup.seats:
        raise NotYours(_("there is no seat {n}"), n=seat)
    if state.setup.sides[seat] in state.out:
        raise Illegal(_("this side has resigned already"), rule="resigned")
    d = state.draft()
    matches.resign(d, seat, events)
    return d


def _settle(d: Draft, events: list[Event]) -> None:
    step = AUTOMATIC.get(d.phase)
    while step:
        step(d, events)
        step = AUTOMATIC.get(d.phase)
