"""Celery tasks: one service called. What they do is safe to do twice."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from tournaments.services import demo, knocks, ratings, sweep


@shared_task(name="tournaments.sweep", acks_late=True, time_limit=600)
def tournaments_sweep() -> None:
    """Events and leagues: starts, results, next rounds, ends."""
    sweep.sweep(now=timezone.now())


@shared_task(name="tournaments.demo", acks_late=True, time_limit=120)
def tournaments_demo() -> None:
    """The bots of a trial site move, and cups to enter are opened."""
    demo.tend(now=timezone.now())


@shared_task(name="tournaments.ratings", acks_late=True, time_limit=600)
def tournaments_ratings() -> None:
    """Rated games that have ended are counted."""
    ratings.sweep(now=timezone.now())


@shared_task(name="tournaments.knocks", acks_late=True, time_limit=120)
def tournaments_knocks() -> None:
    """Addresses of strangers who never came are forgotten."""
    knocks.forget(now=timezone.now())
