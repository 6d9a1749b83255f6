"""The clocks of stored games: what an action, a pause or a vacation does to watches and deadlines."""

from __future__ import annotations

import hashlib
import hmac
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F

from games import clock, engine
from games.clock import Watch
from games.engine import State
from games.models import Event, Game, Incident, Player, Seat
from games.selectors import Table, table
from games.selectors.clocks import (
    allowance,
    calendar,
    hours_of,
    incidents,
    quiet,
    timed,
    watch_of,
    watches,
    written,
)
from games.selectors.turns import TURN_BEGAN

logger = logging.getLogger(__name__)
AUTOMATIC = timedelta(
    hours=1
)  # an answer that needs nobody comes within this, or this share of the allowance
AUTOMATIC_SHARE = 10
TRIES = 5

__all__ = ["allowance", "calendar", "hours_of", "incidents", "quiet", "watch_of", "watches"]


# ------------------------------------------------------------ after an action


def wound(
    found: Table,
    state: State,
    *,
    now: datetime,
    events: Sequence[dict[str, Any]],
    seat: int = 0,
    present: bool = False,
    missed: bool = False,
    stopped: Sequence[Incident] | None = None,
) -> dict[str, Any]:
    """The columns about time after an action (or the first deal) that led to a state.

    `present`: the seat's own player acted, so the server's turns for its side are no longer in a row;
    `missed`: the server acted in their place. `stopped` are the incidents, for who knows them already.
    """
    game = found.game
    new_turn = any(event["event"] in TURN_BEGAN for event in events)
    side = state.setup.sides[seat] if seat else 0
    waits = state.over or opens_blind(events)
    asked = () if waits else state.to_act
    length = allowance(game, state.kind)
    kept: dict[int, Watch] = {}
    for place in found.places:
        number = place.number
        if number is None or not timed(game, place) or state.setup.sides[number] in state.out:
            continue
        watch = watch_of(game, number)
        if watch.on and (new_turn or number not in asked):
            within = clock.within_allowance(watch, now)
            known = stopped if within or stopped is not None else incidents()
            rests = clock.ALWAYS if within else calendar(game, place.player, known or (), watch)
            watch = clock.stopped(watch, now, rests)
        if number in asked and not watch.on:
            watch = clock.started(
                watch,
                now=now,
                allowance=length,
                turn=state.seq,
                quiet=quiet(place.player),
                hours=hours_of(game, place.player),
            )
        if seat and state.setup.sides[number] == side and (present or missed):
            watch = replace(watch, missed=0 if present else watch.missed + (number == seat))
        kept[number] = watch
    return columns(found, state, kept, now=now, waits=waits)


def opens_blind(events: Sequence[dict[str, Any]]) -> bool:
    """Whether the game is level at the target: a blind match waits to be opened."""
    return any(event["event"] == "match began" and event["kind"] == "blind" for event in events)


def columns(
    found: Table, state: State, kept: dict[int, Watch], *, now: datetime, waits: bool
) -> dict[str, Any]:
    """Watches as stored, the deadline that all may see, and when a sweep has to look."""
    game = found.game
    times: list[datetime | None] = []
    for number, watch in kept.items():
        if watch.on:
            place = found.place(number)
            times.append(clock.deadline(watch, calendar(game, place.player, watch=watch)))
    until = clock.first(times)
    if waits:
        due = None if state.over and not untold(game, state) else now
    else:
        due = clock.first([until, *(answer_due(found, state, n, w, now) for n, w in kept.items() if w.on)])
    return {
        "clocks": {str(number): written(watch) for number, watch in kept.items()},
        "deadline": until,
        "due_at": due,
    }


def untold(game: Game, state: State) -> bool:
    """Whether rounds of a shoot-out wait to be told."""
    return len(state.shootout) > game.told


def answer_due(found: Table, state: State, seat: int, watch: Watch, now: datetime) -> datetime | None:
    """When the server acts for a seat without a choice of its own; None if somebody is to be asked."""
    if state.kind == "blind" and len(engine.legal_actions(state, seat)) == 1:
        return now
    if automatic_answer(state, found.place(seat)) is None:
        return None
    assert watch.since
    most = answer_within(found.game.allowance)
    # From the game's key: nobody can foresee it, and whoever computes it again gets the same.
    dice = hmac.digest(state.setup.key, f"answer/{watch.turn}/{seat}".encode(), hashlib.sha256)
    return watch.since + most * (int.from_bytes(dice[:4], "big") / 2**32)


def answer_within(allowance: int) -> timedelta:
    """How long an answer that needs nobody takes at most."""
    return min(AUTOMATIC, timedelta(seconds=allowance) / AUTOMATIC_SHARE)


def automatic_answer(state: State, place: Seat) -> str | None:
    """The answer to an 8 that needs nobody: the only one there is, or what was decided in advance."""
    assert place.number
    if state.phase != "react" or place.number not in state.to_act or place.bot:
        return None
    legal = engine.legal_actions(state, place.number)
    if legal == ("pass",) or place.eight == Seat.Eight.KEEP:
        return "pass"
    if place.eight == Seat.Eight.USE:
        return next(action for action in ("8", "CV=8") if action in legal)
    return None


# ------------------------------------------------------------ when a calendar changes under it


def rewind(
    *,
    code: str,
    now: datetime,
    settle_at: datetime | None = None,
    stopped: Iterable[Incident] = (),
) -> None:
    """Write a running game's deadline anew; first, up to a time, take off what its calendars let run.

    Of two at once, or of one and a move, the later one reads again.
    """
    for _ in range(TRIES):
        try:
            found = table(code)
        except (ValueError, TypeError, LookupError):  # a broken game must not stop the others of its players
            logger.exception("the clocks of game %s could not be set", code)
            return
        if found.game.status != Game.Status.RUNNING or rewound(found, now, settle_at, stopped):
            return


def rewound(
    found: Table,
    now: datetime,
    settle_at: datetime | None = None,
    stopped: Iterable[Incident] = (),
) -> bool:
    """The same for a table as it was read; False if somebody was faster."""
    game, state, seen = found.game, found.state, found.game.clocks
    assert state is not None
    if settle_at is not None:
        settled = {
            number: clock.settled(
                watch, settle_at, calendar(game, found.place(number).player, stopped, watch)
            )
            for number, watch in watches(game).items()
        }
        game.clocks = {str(number): written(watch) for number, watch in settled.items()}
    fields = wound(found, state, now=now, events=())
    row = Game.objects.filter(
        pk=game.pk, seq=game.seq, status=game.status, clocks=seen, seat_changes=game.seat_changes
    )
    if not row.update(**fields):
        return False
    for name, value in fields.items():
        setattr(game, name, value)
    # Reminders that wait are looked at again: their times may have moved.
    Event.objects.filter(game=game, stage__gte=2, due_at__gt=now).update(due_at=now)
    return True


def change_player_of_games(*, player: Player, now: datetime, change: Callable[[], None]) -> None:
    """Give the games of a guest, who has a few at most, to somebody with another calendar.

    Every watch that runs is settled under the old calendar, then `change` writes whose they are, then
    deadlines are written anew; all in one transaction, and without giving or taking time.
    """
    with transaction.atomic():
        # Not of its key: a move locks a game and then the keys of its players, and here it is the other way.
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        codes = running_games(player)
        stopped = incidents() if codes else []
        for code in codes:
            rewind(code=code, now=now, settle_at=now, stopped=stopped)
        change()
        count_seat_changes(codes)
        for code in codes:
            rewind(code=code, now=now)


def count_seat_changes(codes: Iterable[str]) -> None:
    """A seat of these games has another player: whoever read them before writes nothing (see `log_sql`)."""
    Game.objects.filter(code__in=list(codes)).update(seat_changes=F("seat_changes") + 1)


def running_games(player: Player) -> list[str]:
    """The games in which a player's clock runs or may run."""
    found = Game.objects.filter(status=Game.Status.RUNNING, places__player=player).order_by("pk")
    return list(found.values_list("code", flat=True))
