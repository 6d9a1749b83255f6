"""The proxy of a cluster alone, without https, in front of web servers on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from docker.cluster import CADDY_PATH, ROOT
from tests.services import Service, free_port, is_port_open


@contextmanager
def start_proxy(*webs: int, folder: Path) -> Iterator[int]:
    """Start a proxy with the real Caddyfile for the site `localhost` at a free port; yield the port."""
    port = free_port()
    environment = {
        "SITE_ADDRESS": f"http://localhost:{port}",
        "WEB": " ".join(f"127.0.0.1:{web}" for web in webs),
        "TLS": "",
        "BIND": "127.0.0.1",
        "HTTP_PORT": str(port),
        "HTTPS_PORT": str(free_port()),
        "XDG_DATA_HOME": str(folder),
        "HOME": str(folder),
    }
    command = [CADDY_PATH, "run", "--config", ROOT / "docker" / "Caddyfile", "--adapter", "caddyfile"]
    url, log = f"http://localhost:{port}", folder / "proxy.log"
    proxy = Service(url, command, lambda: is_port_open(port), log, environment=environment)
    try:
        yield port
    finally:
        proxy.stop()
