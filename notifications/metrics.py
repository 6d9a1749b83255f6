"""The metrics of deliveries and of open streams."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, Min
from prometheus_client.core import CounterMetricFamily as Counter
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import Metric

from common.monitoring import MetricSource, Scrape
from notifications.models import Delivery
from notifications.streams.limits import open_stream_counts

CHANNELS = tuple(Delivery.Channel)  # whose outcomes are counted, as `mail:sent`


def collect_stream_metrics(scrape: Scrape) -> Iterator[Metric]:
    """Yield the streams that are open in this process."""
    yield Gauge("otto_streams_open", "Streams open in this process.", value=open_stream_counts.total)


def collect_delivery_metrics(scrape: Scrape) -> Iterator[Metric]:
    """Yield deliveries by outcome, and those that are due."""
    deliveries = Counter(
        "otto_deliveries",
        "Mails, calls of webhooks and push messages, by how they ended.",
        labels=["by", "result"],
    )
    for counter in scrape.counters:
        channel, _, outcome = counter.name.partition(":")
        if channel in CHANNELS:
            deliveries.add_metric([channel, outcome], counter.count)
    yield deliveries
    due_deliveries = Delivery.objects.filter(next_attempt_at__lt=scrape.now).aggregate(
        n=Count("pk"), first=Min("next_attempt_at")
    )
    yield Gauge(
        "otto_outbox_waiting", "Mails, calls and push messages that are due.", value=due_deliveries["n"]
    )
    yield Gauge(
        "otto_outbox_age_seconds",
        "How long the oldest of them is due.",
        value=scrape.seconds_since(due_deliveries["first"]),
    )


METRICS = (
    MetricSource(collect_delivery_metrics, own_counters=CHANNELS),
    MetricSource(collect_stream_metrics),
)
