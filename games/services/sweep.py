"""What time demands of games: timeouts, answers that need nobody, blind matches to open, shoot-outs to tell.

A batch is one transaction: its rows are locked and skipped by other sweepers, so that any number may run,
and one that dies leaves everything as it was. Whoever moves at the same instant waits for the commit and then
finds the game moved on; by the compare-and-swap of the log exactly one of the two is written.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import random
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db import DatabaseError, transaction
from django.db.models import QuerySet

from games import clock, engine
from games.clock import Watch
from games.engine import bots
from games.models import Event, Game, Player, Seat
from games.selectors import Table, instant, tables
from games.selectors.deadlines import deadline_of

from . import clocks, incidents, log, log_sql, vacation
from .budget import Budget

logger = logging.getLogger(__name__)
BATCH = 100  # games in one commit: a player who moves at that moment waits for it
AHEAD = timedelta(minutes=10)  # how far a game is pushed whose turn could not be handled
MOMENT = timedelta(minutes=2)  # for what is done after the batch; if the sweeper dies, the next one does it


@dataclass
class Batch:
    """What a batch has decided, not yet written."""

    now: datetime
    steps: list[log.Step] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)
    absent: dict[int, list[str]] = field(default_factory=dict)  # players whom an hour of vacation may save


def sweep(*, now: datetime, limit: int = 10_000, budget: Budget | None = None) -> Counter[str]:
    """Do what is due, batch after batch while the budget lasts. Returns what was done, by its name."""
    done: Counter[str] = Counter()
    budget = budget or Budget.unlimited()
    if incidents.stopped(now=now, budget=budget):
        return done
    while done.total() < limit and (batch := sweep_batch(now=now)):
        done += batch
        if not budget.allows_more():
            break
    return done


def due(now: datetime) -> QuerySet[Game]:
    """Games that ask for a look, most urgent first: one short walk over a partial index."""
    return Game.objects.filter(due_at__lte=now).order_by("due_at")


def sweep_batch(*, now: datetime, limit: int = BATCH) -> Counter[str]:
    """One batch; if it cannot be written, its games one by one, each alone with its trouble."""
    batch = Batch(now)
    ids: list[int] = []
    try:
        with transaction.atomic():
            locked = due(now).select_for_update(skip_locked=True, of=("self",))
            ids = list(locked.values_list("pk", flat=True)[:limit])
            handle(ids, batch)
    except DatabaseError:
        logger.exception("a batch of %s games could not be written; now one by one", len(ids))
        batch = Batch(now)
        for pk in ids:
            alone(pk, batch)
    for player_id, codes in batch.absent.items():
        save_by_vacation(player_id, codes, now)
    return batch.done


def alone(pk: int, batch: Batch) -> None:
    """One game in a transaction of its own; pushed ahead if that cannot be written either."""
    one = Batch(batch.now)
    try:
        with transaction.atomic():
            handle(list(due(batch.now).filter(pk=pk).select_for_update().values_list("pk", flat=True)), one)
    except DatabaseError:
        logger.exception("game %s could not be swept", pk)
        push(pk, batch.now)
        batch.done["trouble"] += 1
        return
    batch.done += one.done
    for player_id, codes in one.absent.items():
        batch.absent.setdefault(player_id, []).extend(codes)


def push(pk: int, now: datetime) -> None:
    """Look again later: one broken game must not stop the rest."""
    Game.objects.filter(pk=pk).update(due_at=now + AHEAD)


def handle(ids: list[int], batch: Batch) -> None:
    """Decide for each game, then write all of them."""
    batch.steps = []

    def broken(game: Game) -> None:
        logger.exception("game %s could not be swept", game.code)
        push(game.pk, batch.now)
        batch.done["trouble"] += 1

    for found in tables(ids, broken):
        try:
            batch.done[attend(found, batch)] += 1
        except Exception:
            broken(found.game)
    if batch.steps:
        log.append_all(batch.steps)


def attend(found: Table, batch: Batch) -> str:
    """The one thing that is due in a game; what follows from it is found by the next batch."""
    game, state, now = found.game, found.state, batch.now
    if state is None:
        Game.objects.filter(pk=game.pk).update(due_at=None)
        return "nothing"
    if game.status == Game.Status.TIEBREAK:
        with transaction.atomic():  # whatever breaks, all of it or nothing
            open_blind(found, now)
        return "opened"
    if state.over:
        with transaction.atomic():
            tell_round(found, now)
        return "told"
    for seat in state.to_act:
        place, watch = found.place(seat), clocks.watch_of(game, seat)
        if not watch.on:
            continue
        at = clocks.answer_due(found, state, seat, watch, now)
        if at is not None and at <= now:
            batch.steps.append(answered(found, place, now))
            return "answered"
        until = clock.deadline(watch, clocks.calendar(game, place.player, watch=watch))
        if until is not None and until <= now:
            return time_is_up(found, place, watch, batch)
    # Nothing is due: somebody went on vacation, or changed their hours, while a move was being written.
    if not clocks.rewound(found, now) or (game.due_at and game.due_at <= now):
        logger.error("game %s asks for a look that finds nothing", game.code)
        push(game.pk, now)
    return "looked"


def answered(found: Table, place: Seat, now: datetime) -> log.Step:
    """A turn without a choice: the answer to an 8 as its player would give it, or one in a blind match."""
    state, seat = found.state, place.number
    assert state is not None
    assert seat is not None
    if state.phase == "react":
        action = clocks.automatic_answer(state, place)
        if action is not None:
            return log.step(found=found, seat=seat, action=action, by="player", now=now)
    (action,) = engine.legal_actions(state, seat)
    return log.step(found=found, seat=seat, action=action, by="clock", now=now)


# ----------------------------------------------------------------------------------------------- timeouts


def time_is_up(found: Table, place: Seat, watch: Watch, batch: Batch) -> str:
    """A seat is out of time: an hour of vacation, a turn played by the server, or the end of its side."""
    game, state, now = found.game, found.state, batch.now
    assert state is not None
    assert place.number is not None
    if place.player and game.vacation and vacation.left(place.player, now) >= clock.VACATION_FLOAT:
        Game.objects.filter(pk=game.pk).update(due_at=now + MOMENT)
        batch.absent.setdefault(place.player.pk, []).append(game.code)
        return "vacation"
    side = state.setup.sides[place.number]
    missed = sum(clocks.watch_of(game, seat).missed for seat in state.setup.partners(side))
    if game.timeouts == Game.Timeouts.FORFEIT or missed >= clock.AUTOPLAYS:
        made = log.step(found=found, seat=place.number, action="resign", by="clock", now=now, stopped=())
        what = "resigned"
    else:
        made = autoplayed(found, place.number, now)
        what = "autoplay"
    made.events += timeout_events(made, place, what, now)
    batch.steps.append(made)
    return what


def autoplayed(found: Table, seat: int, now: datetime) -> log.Step:
    """The whole turn of a seat, as the server plays it for somebody who is away."""
    watch = clocks.watch_of(found.game, seat)
    turn = watch.turn
    made: log.Step | None = None
    while made is None or (watch.on and watch.turn == turn):  # a blind match waits to be opened first
        state = found.state
        assert state is not None
        dice = random.Random(hmac.digest(state.setup.key, f"clock/{state.seq}".encode(), hashlib.sha256))
        action = bots.for_the_absent(state, seat, engine.legal_actions(state, seat), dice)
        made = log.step(
            found=found,
            seat=seat,
            action=action,
            by="clock",
            now=now,
            so_far=made,
            missed=made is None,
            stopped=(),
        )
        found = made.after
        watch = clocks.watch_of(found.game, seat)
    return made


def timeout_events(made: log.Step, late: Seat, what: str, now: datetime) -> list[log.Told]:
    """Everybody hears of a timeout; by mail those who do not hear of the same move otherwise."""
    game = made.after.game
    for event in made.events:
        if event.kind == "over" and event.player_id == late.player_id:
            event.due_at = None  # one mail says both
    told = {event.player_id for event in made.events if event.due_at}
    data = {
        "game": game.code,
        "seq": game.seq,
        "seat": late.number,
        "what": what,
        "actions": [line.action for line in made.lines],
        "deadline": instant(deadline_of(game)),
    }
    return [
        log.Told(
            game_id=game.pk,
            player_id=place.player_id,
            kind="timeout",
            reason=f"{game.code}:{game.seq}:timeout",
            data=data,
            at=now,
            due_at=None
            if place.muted or (place.player_id in told and place.pk != late.pk)
            else clock.notice_due(now, game.allowance, clocks.quiet(place.player)),
        )
        for place in made.after.places
        if place.player_id
    ]


def save_by_vacation(player_id: int, codes: list[str], now: datetime) -> None:
    """An hour of vacation instead of the game; if it is gone meanwhile, the next batch finds the timeout."""
    try:
        player = Player.objects.filter(pk=player_id).first()
        saved = player is not None and vacation.take_hour(player=player, now=now)
    except DatabaseError:
        logger.exception("no vacation could be taken for player %s", player_id)
        return  # the next sweep but a few tries again
    if not saved:
        Game.objects.filter(code__in=codes, status=Game.Status.RUNNING).update(due_at=now)


# ---------------------------------------------------------------------------------------------- tie-breaks


def open_blind(found: Table, now: datetime) -> None:
    """The blind match begins: its shorter clock is set, and everybody is told, once."""
    game, state = found.game, found.state
    assert state is not None
    seen = game.clocks
    fields = clocks.wound(found, state, now=now, events=())
    row = Game.objects.filter(
        pk=game.pk, seq=game.seq, status=Game.Status.TIEBREAK, clocks=seen, seat_changes=game.seat_changes
    )
    if not row.update(status=Game.Status.RUNNING, **fields):
        return
    for name, value in (fields | {"status": Game.Status.RUNNING}).items():
        setattr(game, name, value)
    known: set[int] = set()
    for place in found.places:
        turn = log.notice_due(found, place, "turn", now, own=False) if place.number in state.to_act else None
        if turn and place.player_id:  # the line of their turn is in the feed; now its notice may go out
            line = Event.objects.filter(player=place.player_id, reason=f"{game.code}:{game.seq}")
            line.update(due_at=turn, stage=0)
            known.add(place.player_id)
    rows = log_sql.stored(log.blind_opened(found, known, now))
    Event.objects.bulk_create(rows, ignore_conflicts=True)


def tell_round(found: Table, now: datetime) -> None:
    """The next round of a shoot-out goes into everybody's feed, once."""
    game, state = found.game, found.state
    assert state is not None
    number = game.told + 1
    more = len(state.shootout) > number
    row = Game.objects.filter(pk=game.pk, told=game.told)
    if not row.update(told=min(number, len(state.shootout)), due_at=now if more else None):
        return
    if number > len(state.shootout):
        return
    data = {"game": game.code, "seq": game.seq, "round": number, "tiles": dict(state.shootout[number - 1])}
    reason = f"{game.code}:shoot-out:{number}"
    rows = [
        Event(player_id=place.player_id, game=game, kind="shoot-out", reason=reason, data=data, at=now)
        for place in found.places
        if place.player_id
    ]
    Event.objects.bulk_create(rows, ignore_conflicts=True)
