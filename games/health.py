"""The health check of games: whether turns are swept."""

from __future__ import annotations

from datetime import datetime, timedelta

from common.models import MetricCounter
from common.monitoring import HealthCheck, HealthResult

SWEEP_TASK = "turns.sweep"
# A sweep older than this makes the site not ready; a game waiting longer is overdue.
LATE_AFTER = timedelta(seconds=60)


def check_last_sweep(now: datetime) -> HealthResult:
    """Check that a sweep has ended a short while ago."""
    last_sweep_at = MetricCounter.objects.filter(pk=SWEEP_TASK).values_list("updated_at", flat=True).first()
    if last_sweep_at is None:
        return HealthResult("no sweep has run yet")
    age = round((now - last_sweep_at).total_seconds(), 1)
    is_late = now - last_sweep_at > LATE_AFTER
    return HealthResult(f"the last sweep was {age} s ago" if is_late else "", {"sweep_age": age})


HEALTH_CHECKS = (HealthCheck("sweep", check_last_sweep, figure_names=("sweep_age",)),)
