"""Streams in production: through the proxy, from a separate process that stops gracefully."""

from __future__ import annotations

import httpx

from docker.cluster import load_services
from tests.cluster.world import World
from tests.helpers.polling import wait_for
from tests.helpers.streams import StreamReader

WAITING_PATHS = ("/api/v1/events/?wait=5", "/api/v1/events?wait=5", "/api/v1/events/stream/")


def test_the_proxy_passes_streams_on_at_once_until_their_process_stops(proxied_world: World) -> None:
    cluster = proxied_world.cluster
    with StreamReader(f"{cluster.address}/live/?topic=lobby") as stream:
        assert stream.status == 200, stream.body
        assert "Content-Encoding" not in stream.response_headers
        assert stream.read_event("change").data["topic"] == "lobby"
        wait_for(lambda: stream.keep_alives >= 2, "no sign of life comes", 30)
        metrics = cluster.get_from_server("streams", "/metrics").text.splitlines()
        assert "otto_streams_open 1.0" in metrics
        cluster.stop("streams")
        stream.read_to_end()
        assert cluster.running["streams"].poll() is not None


def test_requests_that_wait_go_to_the_process_of_the_streams(proxied_world: World) -> None:
    cluster = proxied_world.cluster

    def ask(path: str) -> int:
        return httpx.get(f"{cluster.address}{path}", verify=proxied_world.verify).status_code

    assert {path: ask(path) for path in WAITING_PATHS} == dict.fromkeys(WAITING_PATHS, 401)
    cluster.kill("streams", keep_stopped=True)
    # Streams need that process, and no other page does.
    answers = {path: ask(path) for path in WAITING_PATHS}
    assert set(answers.values()) <= {502, 503}, answers
    assert ask("/api/v1/events/") == 401


def test_the_process_may_serve_as_many_as_it_may_open_files() -> None:
    service = load_services()["streams"]
    limit = int(service["command"][service["command"].index("--backpressure") + 1])
    assert 5000 < limit < service["ulimits"]["nofile"]
