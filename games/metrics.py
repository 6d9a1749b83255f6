"""The metrics of games: moves, timeouts, games that are overdue, and whether an incident is open."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, Max, Min
from prometheus_client.core import CounterMetricFamily as Counter
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import Metric

from common.monitoring import MetricSource, Scrape
from games.clock import TimeoutOutcome
from games.health import LATE_AFTER, SWEEP_TASK
from games.models import Action, Game, Incident


def collect_game_metrics(scrape: Scrape) -> Iterator[Metric]:
    """Yield the metrics of games, each with a short index scan."""
    moves = Action.objects.aggregate(last=Max("pk"))["last"] or 0
    yield Counter("otto_moves", "Actions written into logs of games.", value=moves)
    timeout_counters = {f"{SWEEP_TASK}:{outcome}" for outcome in TimeoutOutcome}
    timeouts = sum(counter.count for counter in scrape.counters if counter.name in timeout_counters)
    yield Counter("otto_timeouts", "Turns whose time was up.", value=timeouts)
    overdue_games = Game.objects.filter(next_sweep_at__lt=scrape.now - LATE_AFTER).aggregate(
        n=Count("pk"), first=Min("next_sweep_at")
    )
    yield Gauge("otto_deadlines_overdue", "Games that wait for a sweep too long.", value=overdue_games["n"])
    yield Gauge(
        "otto_deadlines_overdue_seconds",
        "How long the first of them waits.",
        value=scrape.seconds_since(overdue_games["first"]),
    )
    is_incident_open = Incident.objects.filter(deadlines_recomputed=False).exists()
    yield Gauge("otto_incident_open", "1 while an operator has stopped all clocks.", value=is_incident_open)


METRICS = MetricSource(collect_game_metrics)
