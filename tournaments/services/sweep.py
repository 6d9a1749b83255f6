"""What time demands of events: starts, results, ends of rounds, next rounds, the end.

Everything is found by query, and every deed is a transaction of its own that holds the event's row: whoever
dies leaves a whole number of deeds behind, and the next sweep goes on with the one that is due. Any number
may run; an event that another one holds is passed over.
"""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from games.models import Game
from games.services.budget import SWEEP_SECONDS, TURN_SECONDS, Budget
from tournaments.models import Event, Table

from . import confirming, event_seeds, rounds, seasons, starting

logger = logging.getLogger(__name__)
AHEAD = timedelta(minutes=10)  # how far an event is pushed that could not be handled
MOST = 10_000  # deeds for one event in one go
EVENTS_SHARE = 0.75  # of a run; the rest is for leagues
ENDS_ROUND = ("settled", "adjudicated", "dropped")  # deeds after which the next round may be due

Deed = Callable[[Event, datetime], str]
DEEDS: dict[str, tuple[Deed, ...]] = {
    Event.Status.PUBLISHED: (starting.begin, confirming.ask),
    Event.Status.RUNNING: (
        rounds.drop_the_gone,
        rounds.write_results,
        rounds.open_game,
        rounds.resign_the_gone,
        rounds.adjudicate,
        rounds.ask_for_results,
        rounds.go_on,
    ),
    Event.Status.FINISHED: (event_seeds.publish_event_seed,),
    Event.Status.CANCELLED: (event_seeds.publish_event_seed,),
}


def sweep(*, now: datetime, limit: int = 1000, budget: Budget | None = None) -> Counter[str]:
    """Do what is due, events by turns. Returns what was done, by its name.

    Each event has a turn of its own, and comes again behind the others if it has more to do. What waits
    longest is first; an event that had a turn and was not done is put behind those that had none.
    """
    budget = budget or Budget.unlimited()
    wake(now)
    done: Counter[str] = Counter()
    due = Event.objects.filter(due_at__lte=now).order_by("due_at", "pk").values_list("pk", flat=True)
    queue = deque(due[:limit])
    events = budget.share(EVENTS_SHARE * SWEEP_SECONDS)  # so that leagues get their turn, too
    while queue and events.allows_more():
        pk = queue.popleft()
        turn = events.share(TURN_SECONDS)
        done += attend(pk, now, turn)
        if turn.work_left:
            queue.append(pk)
            Event.objects.filter(pk=pk, due_at__lte=now).update(due_at=now)
    budget.work_left |= events.work_left
    return done + seasons.sweep(now=now, budget=budget)


def wake(now: datetime, **which: Any) -> int:
    """Events in which a game has ended ask for a look; one that is in trouble waits for its time."""
    over = Table.objects.filter(event=OuterRef("pk"), settled_at=None, game__status=Game.Status.OVER)
    asleep = Event.objects.filter(Q(due_at=None) | Q(due_at__gt=now), status=Event.Status.RUNNING, trouble="")
    return asleep.filter(Exists(over), **which).update(due_at=now)


def attend(pk: int, now: datetime, turn: Budget | None = None) -> Counter[str]:
    """The deeds that are due in one event, as many as its turn allows.

    A broken one is pushed ahead, so that it cannot stop the rest.
    """
    done: Counter[str] = Counter()
    turn = turn or Budget.unlimited()
    try:
        rounds.pair_ahead(pk, now)
        while done.total() < MOST and (what := step(pk, now)):
            done[what] += 1
            if what in ENDS_ROUND:
                rounds.pair_ahead(pk, now)
            if not turn.allows_more():
                break
    except Exception as error:
        logger.exception("event %s could not be settled", pk)
        Event.objects.filter(pk=pk).update(due_at=now + AHEAD, trouble=repr(error)[:200])
        done["trouble"] += 1
    return done


@transaction.atomic
def step(pk: int, now: datetime) -> str:
    """The first deed that is due; "" if there is none, or another sweep has the event in hand."""
    mine = Event.objects.select_for_update(skip_locked=True, of=("self",))
    event = mine.filter(pk=pk, due_at__lte=now).first()
    if event is None:
        return ""
    for deed in DEEDS.get(event.status, ()):
        if what := deed(event, now):
            return what
    rest(event, now)
    return ""


def rest(event: Event, now: datetime) -> None:
    """Nothing is to do: sleep until a time that is known."""
    due = None
    if event.status == Event.Status.PUBLISHED and not event.held:
        due = confirming.next_look(event, now)
    elif event.status == Event.Status.RUNNING:
        ends = event.published.filter(tables__settled_at=None, ends_at__isnull=False)
        due = ends.order_by("ends_at").values_list("ends_at", flat=True).first()
    elif event.status in (Event.Status.FINISHED, Event.Status.CANCELLED) and not event.seed:
        due = now + event_seeds.PUBLISH_RETRY
    Event.objects.filter(pk=event.pk).update(due_at=due, trouble="")
