"""Celery tasks: one service called. What they do is safe to do twice."""

from __future__ import annotations

from collections import Counter

from django.utils import timezone

from games.services.budget import Budget
from games.tasks import chore
from tournaments.services import demo, knocks, ratings, sweep


@chore("tournaments.sweep")
def tournaments_sweep(budget: Budget) -> Counter[str]:
    """Events and leagues: starts, results, next rounds, ends."""
    return sweep.sweep(now=timezone.now(), budget=budget)


@chore("tournaments.demo")
def tournaments_demo(budget: Budget) -> None:
    """The bots of a trial site move, and cups to enter are opened."""
    demo.tend(now=timezone.now(), budget=budget)


@chore("tournaments.ratings")
def tournaments_ratings(budget: Budget) -> None:
    """Rated games that have ended are counted."""
    ratings.sweep(now=timezone.now(), budget=budget)


@chore("tournaments.knocks")
def tournaments_knocks(budget: Budget) -> None:
    """Addresses of strangers who never came are forgotten."""
    knocks.forget(now=timezone.now(), budget=budget)
