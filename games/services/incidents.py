"""When something is wrong with the site: an operator stops all clocks, and later lets them go on."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from games.models import Game, Incident
from games.selectors import tables

from . import clocks
from .budget import Budget
from .errors import Conflict

logger = logging.getLogger(__name__)
BATCH = 200


def start(*, now: datetime, why: str = "") -> Incident:
    """All clocks rest from now on. Raises Conflict if they do already."""
    try:
        with transaction.atomic():
            return Incident.objects.create(started_at=now, why=why[:200])
    except IntegrityError:
        raise Conflict(_("an incident is open already"), code="incident-open") from None


def end(*, now: datetime, progress: Callable[[int], None] = lambda done: None) -> Incident:
    """Clocks run again, every one with what it had; safe to say twice. Raises Conflict if none is open."""
    incident = Incident.objects.filter(settled=False).first()
    if incident is None:
        raise Conflict(_("no incident is open"), code="no-incident")
    if incident.ended_at is None:
        incident.ended_at = now
        incident.save(update_fields=["ended_at"])
    settle(incident, now, progress)
    return incident


def stopped(*, now: datetime, budget: Budget | None = None) -> bool:
    """Whether sweeps have to wait; one whose end was not finished is finished here, run after run."""
    incident = Incident.objects.filter(settled=False).first()
    if incident is None:
        return False
    if incident.ended_at is None:
        return True
    settle(incident, now, lambda done: None, budget or Budget.unlimited())
    return not incident.settled


def settle(
    incident: Incident,
    now: datetime,
    progress: Callable[[int], None],
    budget: Budget | None = None,
) -> None:
    """Every running watch is brought to the incident's end; doing so twice changes nothing.

    How far it came is kept with each batch: whoever goes on does not begin anew.
    """
    budget = budget or Budget.unlimited()

    def broken(game: Game) -> None:
        logger.exception("the clocks of game %s could not be set", game.code)

    last, done = incident.settled_game, 0
    while True:
        running = Game.objects.filter(pk__gt=last, status=Game.Status.RUNNING).order_by("pk")
        ids = list(running.values_list("pk", flat=True)[:BATCH])
        if not ids:
            break
        with transaction.atomic():
            for found in tables(ids, broken):
                if not clocks.rewound(found, now, incident.ended_at, [incident]):
                    clocks.rewind(
                        code=found.game.code, now=now, settle_at=incident.ended_at, stopped=[incident]
                    )
            last = ids[-1]
            Incident.objects.filter(pk=incident.pk, settled_game__lt=last).update(settled_game=last)
        done += len(ids)
        progress(done)
        if not budget.allows_more():
            return
    incident.settled = True
    incident.open = None
    incident.save(update_fields=["settled", "open"])
