"""Celery tasks: one service called. What they do is safe to do twice."""

from __future__ import annotations

from collections import Counter

from django.utils import timezone

from games.tasks import chore
from tournaments.services import demo, knocks, ratings, sweep


@chore("tournaments.sweep", time_limit=600)
def tournaments_sweep() -> Counter[str]:
    """Events and leagues: starts, results, next rounds, ends."""
    return sweep.sweep(now=timezone.now())


@chore("tournaments.demo", time_limit=120)
def tournaments_demo() -> None:
    """The bots of a trial site move, and cups to enter are opened."""
    demo.tend(now=timezone.now())


@chore("tournaments.ratings", time_limit=600)
def tournaments_ratings() -> None:
    """Rated games that have ended are counted."""
    ratings.sweep(now=timezone.now())


@chore("tournaments.knocks", time_limit=120)
def tournaments_knocks() -> None:
    """Addresses of strangers who never came are forgotten."""
    knocks.forget(now=timezone.now())
