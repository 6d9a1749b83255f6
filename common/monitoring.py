"""Declarations of apps for the monitoring endpoints: health checks for /readyz, sources for /metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from prometheus_client.core import Metric

from .counters import list_counters


@dataclass(frozen=True)
class HealthResult:
    """The result of a health check: what is wrong, empty if nothing is, and figures to show beside it."""

    problem: str = ""
    figures: Mapping[str, float | None] = field(default_factory=dict)


@dataclass(frozen=True)
class HealthCheck:
    """A check of `<app>/health.py`, in HEALTH_CHECKS; it runs only while the database answers.

    `figure_names` are the figures of its results; they are null when it did not run.
    """

    name: str
    run: Callable[[datetime], HealthResult]
    figure_names: Sequence[str] = ()


@dataclass
class Scrape:
    """One request for metrics: its time, and the counters of the workers, read once."""

    now: datetime

    @cached_property
    def counters(self) -> Sequence[Any]:
        """All counters, by name: `task` or `task:outcome`."""
        return list_counters()

    def seconds_since(self, earliest: datetime | None) -> float:
        """The seconds since a time, 0 for None."""
        return (self.now - earliest).total_seconds() if earliest else 0.0


@dataclass(frozen=True)
class MetricSource:
    """Metrics of `<app>/metrics.py`, in METRICS: the more games there are, the same queries.

    `own_counters` are counters, by what stands before the colon, that are no outcomes of tasks and shown by
    this source only.
    """

    collect: Callable[[Scrape], Iterable[Metric]]
    own_counters: Sequence[str] = ()
