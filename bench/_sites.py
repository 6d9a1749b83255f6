"""The two sites of bench/load.py: ours as `make cluster` starts it, and the peer behind the same servers."""

from __future__ import annotations

import ssl
import time
from collections.abc import Mapping
from pathlib import Path
from urllib.request import urlopen

import psycopg
from _clients import Door
from _common import ROOT, manage

from docker.cluster import Cluster
from tests.services import Service, free_port, listens

THINGS = 200  # that the peer looks at
PATIENCE = 60.0  # seconds for a proxy to be ready


def doors_of(cluster: Cluster) -> list[Door]:
    """The proxy; where there is none, its two servers."""
    if "proxy" in cluster.services:
        return [through(cluster.ports["proxy"], cluster.certificate, "/api/v1/games/")]
    return [Door(cluster.ports[name], "localhost") for name in ("web1", "web2")]


def through(port: int, authority: Path, path: str) -> Door:
    """The door of a proxy, once it has its certificate and a server to ask. Raises RuntimeError."""
    until, last = time.monotonic() + PATIENCE, ""
    while time.monotonic() < until:
        try:
            tls = ssl.create_default_context(cafile=str(authority))
            with urlopen(f"https://localhost:{port}{path}", timeout=10, context=tls):
                return Door(port, "localhost", tls)
        except OSError as error:  # no file yet, no certificate, no server
            last = str(error)
        time.sleep(0.2)
    raise RuntimeError(f"the proxy does not answer: {last}")


class Peer:
    """The minimal site on the same PostgreSQL, behind two servers and a proxy with the commands of ours."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.running: list[Service] = []
        environment = self.database()
        ports = [free_port() for _ in range(2)]
        command = [*cluster.command("web1")[:-1], "bench.minimal.wsgi:application"]
        for port in ports:
            told = environment | {"GRANIAN_HOST": "127.0.0.1", "GRANIAN_PORT": str(port)}
            self.start(f"peer-{port}", command, told, port)
        self.doors = [Door(port, "localhost") for port in ports]
        if "proxy" in cluster.services:
            self.doors = [self.proxy(ports)]

    def database(self) -> dict[str, str]:
        """A database of its own; gives the environment that names it."""
        address = self.cluster.database_url
        with psycopg.connect(address.replace("/otto?", "/postgres?"), autocommit=True) as connection:
            connection.execute("CREATE DATABASE minimal")
        environment = {
            "DJANGO_SETTINGS_MODULE": "bench.minimal.settings",
            "PGDATABASE": "minimal",
            "PGHOST": address.partition("host=")[2],
            "PGUSER": "postgres",
            "PYTHONPATH": str(ROOT),
            "PATH": self.cluster.surroundings("web1")["PATH"],
            "STOP_AFTER": "0",
        }
        manage(environment, "migrate", "--run-syncdb", "--verbosity", "0")
        with (
            psycopg.connect(address.replace("/otto?", "/minimal?")) as connection,
            connection.cursor() as cursor,
        ):
            rows = [(f"thing{number}", "as many words as a small row would have") for number in range(THINGS)]
            cursor.executemany("INSERT INTO minimal_thing (code, text) VALUES (%s, %s)", rows)
        return environment

    def proxy(self, ports: list[int]) -> Door:
        front, folder = free_port(), self.cluster.folder / "peer-proxy"
        folder.mkdir()
        told = self.cluster.surroundings("proxy") | {
            "SITE_ADDRESS": f"localhost:{front}",
            "HTTPS_PORT": str(front),
            "HTTP_PORT": str(free_port()),
            "WEB": " ".join(f"127.0.0.1:{port}" for port in ports),
            "TLS": "tls internal",
            "XDG_DATA_HOME": str(folder),
        }
        self.start("peer-proxy", self.cluster.command("proxy"), told, front)
        authority = folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
        return through(front, authority, "/things/thing1/")

    def start(self, name: str, command: list[str], environment: Mapping[str, str], port: int) -> None:
        url, log = f"http://127.0.0.1:{port}", self.cluster.folder / f"{name}.log"
        service = Service(url, command, lambda: listens(port), log, environment=environment)
        self.running.append(service)

    def stop(self) -> None:
        for service in reversed(self.running):
            service.stop()
