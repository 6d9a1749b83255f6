"""Incidents: an operator stops all clocks while the site has a problem, and restarts them later."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from common.budget import Budget
from common.service_errors import Conflict
from games.models import Game, Incident
from games.selectors import load_games

from . import clocks

logger = logging.getLogger(__name__)
SETTLE_BATCH_SIZE = 200


def start_incident(*, now: datetime, reason: str = "") -> Incident:
    """Stop all clocks from now on. Raises Conflict if an incident is open already."""
    try:
        with transaction.atomic():
            return Incident.objects.create(started_at=now, reason=reason[:200])
    except IntegrityError:
        raise Conflict(_("an incident is open already"), code="incident-open") from None


def end_incident(*, now: datetime, progress: Callable[[int], None] = lambda done: None) -> Incident:
    """Restart all clocks with the time they had. Idempotent. Raises Conflict if no incident is open."""
    incident = Incident.objects.filter(deadlines_recomputed=False).first()
    if incident is None:
        raise Conflict(_("no incident is open"), code="no-incident")
    if incident.ended_at is None:
        incident.ended_at = now
        incident.save(update_fields=["ended_at"])
    settle_incident(incident, now, progress)
    return incident


def must_sweeps_wait(*, now: datetime, budget: Budget | None = None) -> bool:
    """Return whether sweeps must wait for an open incident; settle an ended one within the budget."""
    incident = Incident.objects.filter(deadlines_recomputed=False).first()
    if incident is None:
        return False
    if incident.ended_at is None:
        return True
    settle_incident(incident, now, lambda done_count: None, budget or Budget.unlimited())
    return not incident.deadlines_recomputed


def settle_incident(
    incident: Incident,
    now: datetime,
    progress: Callable[[int], None],
    budget: Budget | None = None,
) -> None:
    """Charge every running seat clock up to the end of the incident. Idempotent.

    Progress is stored after each batch, so that a later run continues there.
    """
    budget = budget or Budget.unlimited()

    last_id, settled_count = incident.last_processed_game_id, 0
    while True:
        running_games = Game.objects.running().filter(pk__gt=last_id).order_by("pk")
        game_ids = list(running_games.values_list("pk", flat=True)[:SETTLE_BATCH_SIZE])
        if not game_ids:
            break
        with transaction.atomic():
            for loaded_game in load_games(game_ids, clocks.log_broken_game):
                if not clocks.try_recompute_deadline(loaded_game, now, incident.ended_at, [incident]):
                    clocks.recompute_deadline(
                        code=loaded_game.game.code,
                        now=now,
                        charge_until=incident.ended_at,
                        clock_incidents=[incident],
                    )
            last_id = game_ids[-1]
            Incident.objects.filter(pk=incident.pk, last_processed_game_id__lt=last_id).update(
                last_processed_game_id=last_id
            )
        settled_count += len(game_ids)
        progress(settled_count)
        if not budget.allows_more():
            return
    incident.deadlines_recomputed = True
    incident.is_open = None
    incident.save(update_fields=["deadlines_recomputed", "is_open"])
