"""Celery tasks: one service call each, safe to run twice."""

from __future__ import annotations

from collections import Counter

from django.utils import timezone

from common.budget import Budget
from common.periodic_tasks import periodic_task
from tournaments.leagues.services import join_requests
from tournaments.ratings import services as ratings
from tournaments.services import demo, sweep


@periodic_task("tournaments.sweep")
def sweep_tournaments(budget: Budget) -> Counter[str]:
    """Sweep tournaments and leagues: starts, results, next rounds, ends."""
    return sweep.sweep_tournaments(now=timezone.now(), budget=budget)


@periodic_task("tournaments.demo")
def run_demo(budget: Budget) -> None:
    """Run the demo of a trial site: open cups and play the bots' moves."""
    demo.run_demo(now=timezone.now(), budget=budget)


@periodic_task("tournaments.ratings")
def rate_finished_games(budget: Budget) -> None:
    """Rate finished games."""
    ratings.rate_finished_games(now=timezone.now(), budget=budget)


@periodic_task("tournaments.join-requests")
def expire_join_requests(budget: Budget) -> None:
    """Delete expired join requests."""
    join_requests.delete_expired_join_requests(now=timezone.now(), budget=budget)
