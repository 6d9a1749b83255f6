"""The two sites of bench/load.py: ours as `make cluster` starts it, and a peer behind the same servers."""

from __future__ import annotations

import ssl
import time
from collections.abc import Mapping
from pathlib import Path
from urllib.request import urlopen

import psycopg
from _clients import SiteAddress
from _common import ROOT, run_management_command

from docker.cluster import Cluster
from tests.services import Service, free_port, is_port_open

THING_COUNT = 200  # rows that the peer reads
PROXY_TIMEOUT_SECONDS = 60.0  # for a proxy to answer


def list_site_addresses(cluster: Cluster) -> list[SiteAddress]:
    """Return the address of the proxy, or those of the two web servers if there is no proxy."""
    if "proxy" in cluster.services:
        return [wait_for_proxy(cluster.ports["proxy"], cluster.certificate_path, "/api/v1/games/")]
    return [SiteAddress(cluster.ports[name], "localhost") for name in ("web1", "web2")]


def wait_for_proxy(port: int, ca_file: Path, path: str) -> SiteAddress:
    """Wait until a proxy answers, and return its address. Raises RuntimeError after a timeout."""
    ends_at, last_error = time.monotonic() + PROXY_TIMEOUT_SECONDS, ""
    while time.monotonic() < ends_at:
        try:
            tls = ssl.create_default_context(cafile=str(ca_file))
            with urlopen(f"https://localhost:{port}{path}", timeout=10, context=tls):
                return SiteAddress(port, "localhost", tls)
        except OSError as error:  # no CA file, certificate or server yet
            last_error = str(error)
        time.sleep(0.2)
    raise RuntimeError(f"the proxy does not answer: {last_error}")


class PeerSite:
    """The minimal site on the same PostgreSQL, behind two servers and a proxy started like ours."""

    def __init__(self, cluster: Cluster) -> None:
        """Create the database and start the servers and the proxy."""
        self.cluster = cluster
        self.services: list[Service] = []
        environment = self.create_database()
        ports = [free_port() for _ in range(2)]
        command = [*cluster.build_command("web1")[:-1], "bench.minimal.wsgi:application"]
        for port in ports:
            web_environment = environment | {"GRANIAN_HOST": "127.0.0.1", "GRANIAN_PORT": str(port)}
            self.start_service(f"peer-{port}", command, web_environment, port)
        self.addresses = [SiteAddress(port, "localhost") for port in ports]
        if "proxy" in cluster.services:
            self.addresses = [self.start_proxy(ports)]

    def create_database(self) -> dict[str, str]:
        """Create and fill a database of its own. Returns the environment that names it."""
        database_url = self.cluster.database_url
        with psycopg.connect(database_url.replace("/otto?", "/postgres?"), autocommit=True) as connection:
            connection.execute("CREATE DATABASE minimal")
        environment = {
            "DJANGO_SETTINGS_MODULE": "bench.minimal.settings",
            "PGDATABASE": "minimal",
            "PGHOST": database_url.partition("host=")[2],
            "PGUSER": "postgres",
            "PYTHONPATH": str(ROOT),
            "PATH": self.cluster.build_base_environment("web1")["PATH"],
            "STOP_AFTER": "0",
        }
        run_management_command(environment, "migrate", "--run-syncdb", "--verbosity", "0")
        with (
            psycopg.connect(database_url.replace("/otto?", "/minimal?")) as connection,
            connection.cursor() as cursor,
        ):
            rows = [
                (f"thing{number}", "as many words as a small row would have") for number in range(THING_COUNT)
            ]
            cursor.executemany("INSERT INTO minimal_thing (code, text) VALUES (%s, %s)", rows)
        return environment

    def start_proxy(self, ports: list[int]) -> SiteAddress:
        """Start a proxy in front of these ports and wait until it answers."""
        proxy_port, folder = free_port(), self.cluster.folder / "peer-proxy"
        folder.mkdir()
        proxy_environment = self.cluster.build_base_environment("proxy") | {
            "SITE_ADDRESS": f"localhost:{proxy_port}",
            "HTTPS_PORT": str(proxy_port),
            "HTTP_PORT": str(free_port()),
            "WEB": " ".join(f"127.0.0.1:{port}" for port in ports),
            "TLS": "tls internal",
            "XDG_DATA_HOME": str(folder),
        }
        self.start_service("peer-proxy", self.cluster.build_command("proxy"), proxy_environment, proxy_port)
        ca_file = folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
        return wait_for_proxy(proxy_port, ca_file, "/things/thing1/")

    def start_service(self, name: str, command: list[str], environment: Mapping[str, str], port: int) -> None:
        """Start a process and wait until it listens."""
        url, log = f"http://127.0.0.1:{port}", self.cluster.folder / f"{name}.log"
        service = Service(url, command, lambda: is_port_open(port), log, environment=environment)
        self.services.append(service)

    def stop(self) -> None:
        """Stop all processes, last started first."""
        for service in reversed(self.services):
            service.stop()
