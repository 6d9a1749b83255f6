"""Monitoring endpoints: liveness, readiness, and metrics for Prometheus."""

from __future__ import annotations

import hmac
import ipaddress
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import Error, connection
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

from common.clock_skew import MAX_CLOCK_SKEW, measure_clock_skew
from common.extensions import collect_declarations
from common.monitoring import HealthCheck, HealthResult, MetricSource, Scrape

from .celery import QUEUES
from .outages import Outage

HEALTH_PATHS = ("/healthz", "/readyz", "/metrics")
STATUS_PATH = "/status/"
DOTLESS_NAME = re.compile(r"[A-Za-z0-9_-]+(:[0-9]+)?")


class HealthEndpoints:
    """Middleware: serves the health paths for Host headers outside ALLOWED_HOSTS too, which monitors use.

    It comes first: the health paths need neither host, session nor language, and the status page no session.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info not in (*HEALTH_PATHS, STATUS_PATH):
            return self.get_response(request)
        if request.path_info == STATUS_PATH or not is_own_name(request.META.get("HTTP_HOST", "")):
            request.get_host()  # raises DisallowedHost, unless it is a name of the site
        request.resolver_match = match = resolve(request.path_info)
        response: HttpResponse = match.func(request)
        return response


def is_own_name(host: str) -> bool:
    """True if a Host header names a server itself: by its address, by a name without dots, or not at all.

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


@dataclass(frozen=True)
class Health:
    """The faults by name of the check, empty where there is none, and the figures beside them."""

    problems: Mapping[str, str]
    figures: Mapping[str, float | None]

    @property
    def is_ready(self) -> bool:
        """True if nothing is wrong."""
        return not any(self.problems.values())


def check_health(now: datetime) -> Health:
    """Check database, broker, clock and all apps."""
    checks = [
        HealthCheck("clock", check_clock),
        *collect_declarations("health", "HEALTH_CHECKS", HealthCheck),
    ]
    problems = {"database": check_database(), "broker": check_broker()}
    figures: dict[str, float | None] = {name: None for check in checks for name in check.figure_names}
    for check in checks:
        result = HealthResult() if problems["database"] else check.run(now)
        problems[check.name] = result.problem
        figures |= result.figures
    return Health(problems, figures)


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Return 200 if database, broker, clock and all apps are fine, else 503 with what is wrong."""
    health = check_health(timezone.now())
    statuses = {name: problem or "ok" for name, problem in health.problems.items()}
    status = 200 if health.is_ready else 503
    return JsonResponse({"ready": health.is_ready, **statuses, **health.figures}, status=status)


def check_clock(now: datetime) -> HealthResult:
    """Check that this machine's clock agrees with the database's."""
    skew = measure_clock_skew(now)
    return HealthResult(f"this clock and the database's differ by {skew}" if skew > MAX_CLOCK_SKEW else "")


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
    """Reads the metrics of workers, queues and apps from database and broker on each scrape.

    So every process of every machine reports the same values.
    """

    def __init__(self, now: datetime) -> None:
        self.scrape = Scrape(now)
        self.sources = collect_declarations("metrics", "METRICS", MetricSource)

    def describe(self) -> list[Metric]:
        """Return nothing, so that registering does not collect."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics."""
        yield from self.collect_task_counters()
        yield from self.collect_queue_lengths()
        for source in self.sources:
            yield from source.collect(self.scrape)

    def collect_task_counters(self) -> Iterator[Metric]:
        """Yield the counters that workers keep: sweeps and their outcomes."""
        runs = Counter("otto_sweep_runs", "Runs of a sweep.", labels=["task"])
        seconds = Counter("otto_sweep_seconds", "Time that sweeps took.", labels=["task"])
        age = Gauge("otto_sweep_age_seconds", "Time since a sweep last ended.", labels=["task"])
        outcomes = Counter("otto_done", "What sweeps did.", labels=["task", "what"])
        counters_of_sources = {name for source in self.sources for name in source.own_counters}
        for counter in self.scrape.counters:
            task, _, outcome = counter.name.partition(":")
            if task in counters_of_sources:
                continue
            if outcome:
                outcomes.add_metric([task, outcome], counter.count)
            else:
                runs.add_metric([task], counter.count)
                seconds.add_metric([task], counter.seconds)
                age.add_metric([task], self.scrape.seconds_since(counter.updated_at))
        yield from (runs, seconds, age, outcomes)

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
