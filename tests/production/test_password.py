"""The database password may contain any character."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import psycopg
import pytest
from psycopg import sql

from docker.cluster import ROOT, Cluster, load_services
from tests.services import require, start_postgres

PASSWORD = "Qm9h/dHRv+#@%41:?& '\"$x\\="


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster that is not started, on a PostgreSQL that requires a password as in compose.yaml."""
    require("PostgreSQL")
    folder = tmp_path_factory.mktemp("asking")
    server = start_postgres(folder)
    try:
        with psycopg.connect(server.url.replace("/otto?", "/postgres?"), autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE ROLE otto LOGIN PASSWORD {}").format(sql.Literal(PASSWORD)))
            connection.execute("CREATE DATABASE otto OWNER otto")
            (folder / "pg" / "pg_hba.conf").write_text("local all all scram-sha-256\n")
            connection.execute("SELECT pg_reload_conf()")
            (programs,) = connection.execute("SELECT setting FROM pg_config WHERE name = 'BINDIR'").fetchone()
        cluster = Cluster(folder)
        database_url = load_services()["web1"]["environment"]["DATABASE_URL"]
        cluster.database_url = database_url.replace("@db:5432/", "@/") + f"?host={folder / 'pg'}"
        cluster.extra_environment["PATH"] = f"{programs}:{cluster.build_base_environment('web1')['PATH']}"
        yield cluster
    finally:
        server.stop()


def run_manage(cluster: Cluster, *words: str) -> subprocess.CompletedProcess[bytes]:
    environment = cluster.build_base_environment("web1") | cluster.build_environment("web1")
    command = [sys.executable, "manage.py", *words]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=120)


def test_any_letter_may_be_in_it_for_us_and_for_the_programs_of_postgresql(cluster: Cluster) -> None:
    cluster.env_file["POSTGRES_PASSWORD"] = PASSWORD
    done = run_manage(cluster, "backup", str(cluster.folder / "saved"))  # by psycopg and by pg_dump
    assert done.returncode == 0, done.stderr
    assert (cluster.folder / "saved").read_bytes().startswith(b"PGDMP")
    done = run_manage(cluster, "dbshell", "--", "--no-psqlrc", "--command=SELECT 7 * 6")
    assert b"42" in done.stdout, done.stderr


def test_another_one_is_refused(cluster: Cluster) -> None:
    cluster.env_file["POSTGRES_PASSWORD"] = "another"
    done = run_manage(cluster, "backup", str(cluster.folder / "refused"))
    assert done.returncode != 0
    assert b"password authentication failed" in done.stderr
