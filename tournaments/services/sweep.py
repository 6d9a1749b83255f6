"""The sweep of tournaments: starts, results, round ends, next rounds, ends.

Due work is found by query. Every step is its own transaction that locks the tournament, so a crash loses at
most the current step and the next sweep continues there. Several sweeps may run at once; a tournament that
another one has locked is skipped.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from common.budget import SWEEP_BUDGET_SECONDS, Budget
from games.models import Game
from tournaments.leagues.services import seasons
from tournaments.models import Pairing, Tournament

from . import confirmations, holds, rounds, seed_publication, tournament_start
from .page_wake_ups import wake_tournament_pages
from .sweep_steps import StepName, postpone_after_error

MAX_STEPS_PER_RUN = 10_000  # for one tournament
TOURNAMENT_BUDGET_SHARE = 0.75  # of the budget; the rest is for leagues
TOURNAMENT_BUDGET_SECONDS = 1.0  # per tournament or league, if others are due as well
# After them the next round may be due.
ROUND_ENDING_STEPS = (StepName.RESULTS_RECORDED, StepName.GAMES_ADJUDICATED, StepName.ENTRANTS_WITHDRAWN)

SweepStep = Callable[[Tournament, datetime], StepName | None]
STEPS_BY_STATUS: dict[str, tuple[SweepStep, ...]] = {
    Tournament.Status.PUBLISHED: (tournament_start.start_due_tournament, confirmations.ask_for_confirmations),
    Tournament.Status.RUNNING: (
        rounds.withdraw_deleted_players,
        rounds.record_results,
        rounds.open_next_game,
        rounds.resign_games_of_leavers,
        rounds.adjudicate_overdue_games,
        holds.ask_for_results,
        rounds.pair_next_round,
    ),
    Tournament.Status.FINISHED: (seed_publication.publish_tournament_seed,),
    Tournament.Status.CANCELLED: (seed_publication.publish_tournament_seed,),
}


def sweep_tournaments(*, now: datetime, limit: int = 1000, budget: Budget | None = None) -> Counter[str]:
    """Run due steps of tournaments and leagues. Returns the counts by step name.

    1. Mark tournaments due in which a game ended.
    2. Give each due tournament a turn, longest waiting first, within its share of the budget.
    3. Queue a tournament again, behind the others, if its turn was too short.
    4. Sweep the leagues with the rest of the budget.
    """
    budget = budget or Budget.unlimited()
    mark_due(now)
    counts: Counter[str] = Counter()
    due_tournaments = (
        Tournament.objects.filter(next_sweep_at__lte=now)
        .order_by("next_sweep_at", "pk")
        .values_list("pk", flat=True)
    )
    queue = deque(due_tournaments[:limit])
    tournament_budget = budget.share(
        TOURNAMENT_BUDGET_SHARE * SWEEP_BUDGET_SECONDS
    )  # leaves time for leagues
    while queue and tournament_budget.allows_more():
        tournament_id = queue.popleft()
        turn_budget = tournament_budget.share(TOURNAMENT_BUDGET_SECONDS)
        counts += process_tournament(tournament_id, now, turn_budget)
        if turn_budget.work_left:
            queue.append(tournament_id)
            Tournament.objects.filter(pk=tournament_id, next_sweep_at__lte=now).update(next_sweep_at=now)
    budget.work_left |= tournament_budget.work_left
    return counts + seasons.sweep_leagues(now=now, budget=budget)


def mark_due(now: datetime, **filters: Any) -> int:
    """Mark running tournaments due in which a game has ended; those with an error wait for their retry."""
    ended_pairings = Pairing.objects.filter(
        tournament=OuterRef("pk"), settled_at=None, game__status=Game.Status.OVER
    )
    sleeping_tournaments = Tournament.objects.running().filter(
        Q(next_sweep_at=None) | Q(next_sweep_at__gt=now), last_error=""
    )
    return sleeping_tournaments.filter(Exists(ended_pairings), **filters).update(next_sweep_at=now)


def process_tournament(tournament_id: int, now: datetime, turn_budget: Budget | None = None) -> Counter[str]:
    """Run the due steps of one tournament, as many as its turn allows.

    After an error it is retried later, with the error stored, so that it cannot stop the others.
    """
    counts: Counter[str] = Counter()
    turn_budget = turn_budget or Budget.unlimited()
    try:
        rounds.precompute_next_round(tournament_id, now)
        while counts.total() < MAX_STEPS_PER_RUN and (step_name := run_next_step(tournament_id, now)):
            counts[step_name] += 1
            if step_name in ROUND_ENDING_STEPS:
                rounds.precompute_next_round(tournament_id, now)
            if not turn_budget.allows_more():
                break
    except Exception as error:
        counts[postpone_after_error(Tournament, tournament_id, error, now)] += 1
    return counts


@transaction.atomic
def run_next_step(tournament_id: int, now: datetime) -> StepName | None:
    """Run the first step that has something to do. Returns its name, or None if there is none.

    1. Lock the tournament; return if it is not due or another sweep holds it.
    2. Try the steps of its status in order.
    3. If none has anything to do, sleep until the next known date.
    """
    lockable_tournaments = Tournament.objects.select_for_update(skip_locked=True, of=("self",))
    tournament = lockable_tournaments.filter(pk=tournament_id, next_sweep_at__lte=now).first()
    if tournament is None:
        return None
    for sweep_step in STEPS_BY_STATUS.get(tournament.status, ()):
        if step_name := sweep_step(tournament, now):
            wake_tournament_pages(tournament)
            return step_name
    schedule_next_sweep(tournament, now)
    return None


def schedule_next_sweep(tournament: Tournament, now: datetime) -> None:
    """Set the next sweep to the next known date: confirmation, start, round end or seed retry."""
    next_sweep_at = None
    if tournament.is_published and not tournament.hold_reason:
        next_sweep_at = confirmations.compute_next_sweep_at(tournament, now)
    elif tournament.is_running:
        open_rounds = tournament.rounds.filter(pairings__settled_at=None, ends_at__isnull=False)
        next_sweep_at = open_rounds.order_by("ends_at").values_list("ends_at", flat=True).first()
    elif tournament.is_over and not tournament.seed:
        next_sweep_at = now + seed_publication.SEED_PUBLISH_RETRY
    Tournament.objects.filter(pk=tournament.pk).update(next_sweep_at=next_sweep_at, last_error="")
