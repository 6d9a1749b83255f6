"""Monitoring endpoints: liveness, readiness, and metrics for Prometheus."""

from __future__ import annotations

import hmac
import ipaddress
import os
import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.db import Error, connection
from django.db.models import Count, Max, Min
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, JsonResponse
from django.http.request import split_domain_port
from django.urls import resolve
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily as Counter
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector
from redis import Redis
from redis.exceptions import RedisError

from games.models import Action, Delivery, Game, Incident, MetricCounter
from games.selectors.clocks import MAX_CLOCK_SKEW, measure_clock_skew

from .celery import QUEUES
from .outages import Outage

SWEEP_TASK = "turns.sweep"
# A sweep older than this makes the site not ready; a game waiting longer is overdue.
LATE_AFTER = timedelta(seconds=60)
TIMEOUT_OUTCOMES = ("autoplay", "resigned", "vacation")  # sweep outcomes when a seat's time is up
HEALTH_PATHS = ("/healthz", "/readyz", "/metrics")
DOTLESS_NAME = re.compile(r"[A-Za-z0-9_-]+(:[0-9]+)?")


class HealthEndpoints:
    """A middleware: these answer by other hosts than the site's, for who watches calls a server by its own.

    They use no host, session or language; what comes after this looks at those.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info not in HEALTH_PATHS:
            return self.get_response(request)
        if not is_own_name(request.META.get("HTTP_HOST", "")):
            request.get_host()  # raises DisallowedHost, unless it is a name of the site
        request.resolver_match = match = resolve(request.path_info)
        response: HttpResponse = match.func(request)
        return response


def is_own_name(host: str) -> bool:
    """Whether a Host header names a server itself: by its address, by a name without dots, or not at all.

    A page of a stranger's that lets its own name lead here (DNS rebinding) has a name with a dot.
    """
    if not host or DOTLESS_NAME.fullmatch(host):
        return True
    try:
        ipaddress.ip_address(split_domain_port(host)[0].strip("[]"))
    except ValueError:
        return False
    return True


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Return 200 while this process serves; 503 once it is about to stop. Checks nothing else."""
    if settings.STOPPING_FILE and os.path.exists(settings.STOPPING_FILE):
        return HttpResponse("about to stop\n", content_type="text/plain", status=503)
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Return 200 if database, broker, clock and sweep are fine, else 503 with what is wrong."""
    now = timezone.now()
    problems = {"database": check_database(), "broker": check_broker(), "clock": "", "sweep": ""}
    sweep_age = None
    if not problems["database"]:
        if (skew := measure_clock_skew(now)) > MAX_CLOCK_SKEW:
            problems["clock"] = f"this clock and the database's differ by {skew}"
        last_sweep_at = MetricCounter.objects.filter(pk=SWEEP_TASK).values_list("at", flat=True).first()
        sweep_age = round((now - last_sweep_at).total_seconds(), 1) if last_sweep_at else None
        if last_sweep_at is None:
            problems["sweep"] = "no sweep has run yet"
        elif now - last_sweep_at > LATE_AFTER:
            problems["sweep"] = f"the last sweep was {sweep_age} s ago"
    statuses = {name: problem or "ok" for name, problem in problems.items()}
    is_ready = not any(problems.values())
    return JsonResponse(
        {"ready": is_ready, **statuses, "sweep_age": sweep_age}, status=200 if is_ready else 503
    )


def check_database() -> str:
    """Return what is wrong with the database, or an empty string."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return str(Outage.DATABASE_AWAY)
    return ""


def check_broker() -> str:
    """Return what is wrong with the broker, or an empty string; without Redis there is no broker."""
    if not settings.REDIS_URL:
        return ""
    try:
        with Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2) as redis:
            redis.ping()
    except (RedisError, OSError):
        return str(Outage.REDIS_AWAY)
    return ""


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return metrics for Prometheus; 404 without access."""
    if not can_read_metrics(request):
        return HttpResponseNotFound()
    registry = CollectorRegistry()
    registry.register(SiteMetricsCollector(timezone.now()))
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def can_read_metrics(request: HttpRequest) -> bool:
    """Return whether METRICS_TOKEN was sent; if there is none, whether the request came past no proxy."""
    if token := settings.METRICS_TOKEN:
        bearer_token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return hmac.compare_digest(bearer_token.encode(), token.encode())
    return "X-Forwarded-For" not in request.headers


class SiteMetricsCollector(Collector):
    """Reads the metrics from database and broker on each scrape, each with a short index scan.

    So every process of every machine reports the same values.
    """

    def __init__(self, now: datetime) -> None:
        self.now = now

    def describe(self) -> list[Metric]:
        """Return nothing, so that registering does not collect."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics."""
        moves = Action.objects.aggregate(last=Max("pk"))["last"] or 0
        yield Counter("otto_moves", "Actions written into logs of games.", value=moves)
        yield from self.collect_counters()
        yield from self.collect_overdue()
        yield from self.collect_queue_lengths()
        is_incident_open = Incident.objects.filter(settled=False).exists()
        yield Gauge(
            "otto_incident_open", "1 while an operator has stopped all clocks.", value=is_incident_open
        )

    def collect_counters(self) -> Iterator[Metric]:
        """Yield the counters that workers keep: sweeps, their outcomes, deliveries, timeouts."""
        runs = Counter("otto_sweep_runs", "Runs of a sweep.", labels=["task"])
        seconds = Counter("otto_sweep_seconds", "Time that sweeps took.", labels=["task"])
        age = Gauge("otto_sweep_age_seconds", "Time since a sweep last ended.", labels=["task"])
        outcomes = Counter("otto_done", "What sweeps did.", labels=["task", "what"])
        deliveries = Counter(
            "otto_deliveries", "Mails and calls of webhooks, by how they ended.", labels=["by", "result"]
        )
        timeouts = 0
        for counter in MetricCounter.objects.order_by("pk"):
            task, _, outcome = counter.name.partition(":")
            if task in ("mail", "webhook"):
                deliveries.add_metric([task, outcome], counter.count)
            elif outcome:
                outcomes.add_metric([task, outcome], counter.count)
                timeouts += counter.count if task == SWEEP_TASK and outcome in TIMEOUT_OUTCOMES else 0
            else:
                runs.add_metric([task], counter.count)
                seconds.add_metric([task], counter.seconds)
                age.add_metric([task], (self.now - counter.at).total_seconds())
        yield from (runs, seconds, age, outcomes, deliveries)
        yield Counter("otto_timeouts", "Turns whose time was up.", value=timeouts)

    def collect_overdue(self) -> Iterator[Metric]:
        """Yield what is overdue: games for a sweep, deliveries in the outbox."""
        overdue_games = Game.objects.filter(due_at__lt=self.now - LATE_AFTER).aggregate(
            n=Count("pk"), first=Min("due_at")
        )
        yield Gauge(
            "otto_deadlines_overdue", "Games that wait for a sweep too long.", value=overdue_games["n"]
        )
        yield Gauge(
            "otto_deadlines_overdue_seconds",
            "How long the first of them waits.",
            value=self.seconds_since(overdue_games["first"]),
        )
        due_deliveries = Delivery.objects.filter(due_at__lt=self.now).aggregate(
            n=Count("pk"), first=Min("due_at")
        )
        yield Gauge("otto_outbox_waiting", "Mails and calls that are due.", value=due_deliveries["n"])
        yield Gauge(
            "otto_outbox_age_seconds",
            "How long the oldest of them is due.",
            value=self.seconds_since(due_deliveries["first"]),
        )

    def collect_queue_lengths(self) -> Iterator[Metric]:
        """Yield the queue lengths; nothing if the broker does not answer."""
        if not settings.REDIS_URL:
            return
        length = Gauge("otto_queue_length", "Tasks that wait for a worker.", labels=["queue"])
        try:
            with Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2) as redis:
                for queue in QUEUES:
                    length.add_metric([queue], redis.llen(queue))
        except (RedisError, OSError):
            return
        yield length

    def seconds_since(self, earliest: datetime | None) -> float:
        """Return the seconds since a time, 0 for None."""
        return (self.now - earliest).total_seconds() if earliest else 0.0
