"""For whoever watches the site: is this process alive, is the site ready, and how is it doing."""

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

from games.models import Action, Delivery, Game, Incident, Tally
from games.selectors.clocks import ASTRAY, astray

from .celery import QUEUES
from .outages import Outage

SWEEP = "turns.sweep"
LATE = timedelta(
    seconds=60
)  # a sweep that comes later than this is told, and a turn that waits longer for one
TIMEOUTS = ("autoplay", "resigned", "vacation")  # what a sweep does when a seat's time is up
PATHS = ("/healthz", "/readyz", "/metrics")
DOTLESS_NAME = re.compile(r"[A-Za-z0-9_-]+(:[0-9]+)?")


class Watched:
    """A middleware: these answer by other hosts than the site's, for who watches calls a server by its own.

    They use no host, session or language; what comes after this looks at those.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info not in PATHS:
            return self.get_response(request)
        if not is_own_name(request.META.get("HTTP_HOST", "")):
            request.get_host()  # raises DisallowedHost, unless it is a name of the site
        request.resolver_match = match = resolve(request.path_info)
        answer: HttpResponse = match.func(request)
        return answer


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
    """This process answers, and asks nobody else; 503 once it is about to stop, while it serves still."""
    if settings.STOPPING and os.path.exists(settings.STOPPING):
        return HttpResponse("about to stop\n", content_type="text/plain", status=503)
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Whether database and broker answer, clocks agree, a sweep ran lately: 200, or 503 and what is wrong."""
    now = timezone.now()
    parts = {"database": database(), "broker": broker(), "clock": "", "sweep": ""}
    age = None
    if not parts["database"]:
        if (off := astray(now)) > ASTRAY:
            parts["clock"] = f"this clock and the database's differ by {off}"
        last = Tally.objects.filter(pk=SWEEP).values_list("at", flat=True).first()
        age = round((now - last).total_seconds(), 1) if last else None
        if last is None:
            parts["sweep"] = "no sweep has run yet"
        elif now - last > LATE:
            parts["sweep"] = f"the last sweep was {age} s ago"
    told = {name: trouble or "ok" for name, trouble in parts.items()}
    ready = not any(parts.values())
    return JsonResponse({"ready": ready, **told, "sweep_age": age}, status=200 if ready else 503)


def database() -> str:
    """What is wrong with the database, or nothing."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return str(Outage.DATABASE_AWAY)
    return ""


def broker() -> str:
    """What is wrong with the broker, or nothing; without Redis there is none."""
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
    """Figures for Prometheus: inside; or, if there is a METRICS_TOKEN, with that as a bearer token alone."""
    if not may_see(request):
        return HttpResponseNotFound()
    registry = CollectorRegistry()
    registry.register(Figures(timezone.now()))
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def may_see(request: HttpRequest) -> bool:
    """Whoever knows the token; without one, whoever comes past no proxy."""
    if token := settings.METRICS_TOKEN:
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return hmac.compare_digest(given.encode(), token.encode())
    return "X-Forwarded-For" not in request.headers


class Figures(Collector):
    """Read from the database and the broker when asked for, each by a short walk over an index.

    So any process of any machine tells the same, and none has to remember anything.
    """

    def __init__(self, now: datetime) -> None:
        self.now = now

    def describe(self) -> list[Metric]:
        return []

    def collect(self) -> Iterator[Metric]:
        moves = Action.objects.aggregate(last=Max("pk"))["last"] or 0
        yield Counter("otto_moves", "Actions written into logs of games.", value=moves)
        yield from self.of_tallies()
        yield from self.of_waiting()
        yield from self.of_queues()
        open_now = Incident.objects.filter(settled=False).exists()
        yield Gauge("otto_incident_open", "1 while an operator has stopped all clocks.", value=open_now)

    def of_tallies(self) -> Iterator[Metric]:
        """What workers have counted."""
        runs = Counter("otto_sweep_runs", "Runs of a sweep.", labels=["task"])
        seconds = Counter("otto_sweep_seconds", "Time that sweeps took.", labels=["task"])
        age = Gauge("otto_sweep_age_seconds", "Time since a sweep last ended.", labels=["task"])
        done = Counter("otto_done", "What sweeps did.", labels=["task", "what"])
        mails = Counter(
            "otto_deliveries", "Mails and calls of webhooks, by how they ended.", labels=["by", "result"]
        )
        timeouts = 0
        for tally in Tally.objects.order_by("pk"):
            task, _, what = tally.name.partition(":")
            if task in ("mail", "webhook"):
                mails.add_metric([task, what], tally.count)
            elif what:
                done.add_metric([task, what], tally.count)
                timeouts += tally.count if task == SWEEP and what in TIMEOUTS else 0
            else:
                runs.add_metric([task], tally.count)
                seconds.add_metric([task], tally.seconds)
                age.add_metric([task], (self.now - tally.at).total_seconds())
        yield from (runs, seconds, age, done, mails)
        yield Counter("otto_timeouts", "Turns whose time was up.", value=timeouts)

    def of_waiting(self) -> Iterator[Metric]:
        """What should have been done by now."""
        late = Game.objects.filter(due_at__lt=self.now - LATE).aggregate(n=Count("pk"), first=Min("due_at"))
        yield Gauge("otto_deadlines_overdue", "Games that wait for a sweep too long.", value=late["n"])
        yield Gauge(
            "otto_deadlines_overdue_seconds",
            "How long the first of them waits.",
            value=self.since(late["first"]),
        )
        out = Delivery.objects.filter(due_at__lt=self.now).aggregate(n=Count("pk"), first=Min("due_at"))
        yield Gauge("otto_outbox_waiting", "Mails and calls that are due.", value=out["n"])
        yield Gauge(
            "otto_outbox_age_seconds", "How long the oldest of them is due.", value=self.since(out["first"])
        )

    def of_queues(self) -> Iterator[Metric]:
        """What waits for a worker; nothing is told while the broker is away."""
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

    def since(self, first: datetime | None) -> float:
        return (self.now - first).total_seconds() if first else 0.0
