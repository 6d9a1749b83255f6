"""Streams as production serves them: through the proxy, from a process of their own that stops gently."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from docker.cluster import Cluster, load_services
from tests.helpers.streams import StreamReader

WITHOUT = ("web2", "tournaments", "mail", "inbound")  # beat and turns: without a sweep no site is ready


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folder: Path = tmp_path_factory.mktemp("streams")
    environment = {"STREAM_KEEP_ALIVE": "1"}
    with Cluster(folder, without=WITHOUT, extra_environment=environment) as running:
        stop_by = time.monotonic() + 60
        while time.monotonic() < stop_by:
            try:
                if httpx.get(f"{running.address}/api/v1/games/", verify=False).status_code == 200:
                    break
            except httpx.HTTPError:
                time.sleep(0.2)
        yield running


def wait_for_keep_alives(stream: StreamReader, count: int) -> None:
    stop_by = time.monotonic() + 30
    while stream.keep_alives < count and time.monotonic() < stop_by:
        time.sleep(0.1)
    assert stream.keep_alives >= count


def test_the_proxy_passes_streams_on_at_once_until_their_process_stops(cluster: Cluster) -> None:
    with StreamReader(f"{cluster.address}/live/?topic=lobby") as stream:
        assert stream.status == 200, stream.body
        assert "Content-Encoding" not in stream.response_headers
        assert stream.read_event("change").data["topic"] == "lobby"
        wait_for_keep_alives(stream, 2)
        metrics = cluster.get_from_server("streams", "/metrics").text.splitlines()
        assert "otto_streams_open 1.0" in metrics
        cluster.stop("streams")
        stream.read_to_end()
        assert cluster.running["streams"].poll() is not None
    cluster.start("streams")
    cluster.wait_until_ready("streams")


def test_requests_that_wait_go_to_the_process_of_the_streams(cluster: Cluster) -> None:
    for path in ("/api/v1/events/?wait=5", "/api/v1/events?wait=5", "/api/v1/events/stream/"):
        before = cluster.read_log("streams").count('"route": "api/v1/events/')
        assert httpx.get(f"{cluster.address}{path}", verify=False).status_code == 401
        assert cluster.read_log("streams").count('"route": "api/v1/events/') == before + 1, path
    assert httpx.get(f"{cluster.address}/api/v1/events/", verify=False).status_code == 401
    assert cluster.read_log("web1").count('"route": "api/v1/events/') == 1


def test_the_process_may_serve_as_many_as_it_may_open_files() -> None:
    service = load_services()["streams"]
    limit = int(service["command"][service["command"].index("--backpressure") + 1])
    assert 5000 < limit < service["ulimits"]["nofile"]
