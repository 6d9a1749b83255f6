"""Containers and `make cluster` run the services of one list."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

from docker.cluster import (
    COMPOSE_FILE,
    MIGRATE_SERVICE,
    OVERRIDDEN_ARGUMENTS,
    OVERRIDDEN_VARIABLES,
    STORE_SERVICES,
    Cluster,
    fill_variables,
    load_services,
)
from docker.web import DRAIN_SECONDS
from games.management.commands import serve
from otto_site.celery import QUEUES, app
from tests.source_tree import SOURCE_ROOMS

ROOT = Path(__file__).resolve().parents[2]
OURS = sorted(set(load_services()) - {*STORE_SERVICES, "proxy"})


@pytest.fixture
def cluster(tmp_path: Path) -> Cluster:
    """A cluster that is not started."""
    return Cluster(tmp_path)


def test_the_list_is_the_one_that_was_asked_for() -> None:
    assert set(load_services()) == {
        *("db", "redis", "migrate", "web1", "web2", "turns", "tournaments", "mail", "beat", "inbound"),
        *("proxy", "streams"),
    }


@pytest.mark.parametrize("name", sorted(set(load_services()) - {*STORE_SERVICES}))
def test_a_process_has_the_command_and_the_environment_of_its_container(name: str, cluster: Cluster) -> None:
    service = load_services()[name]
    command = cluster.build_command(name)
    assert len(command) == len(service["command"])
    for actual, expected in zip(command, service["command"], strict=True):
        assert actual == expected or expected in OVERRIDDEN_ARGUMENTS
    environment = cluster.build_environment(name)
    read = cluster.env_file if "env_file" in service else {}
    assert set(environment) == {*service["environment"], *read}
    for key, value in (read | service["environment"]).items():
        assert environment[key] == fill_variables(str(value), cluster.env_file) or key in OVERRIDDEN_VARIABLES
    assert "0.0.0.0" not in [*command, *environment.values()], "everything listens on loopback"


@pytest.mark.parametrize("name", OURS)
def test_containers_of_ours_may_do_little(name: str) -> None:
    service = load_services()[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["restart"] == ("no" if name == MIGRATE_SERVICE else "always")
    assert service["environment"]["PRODUCTION"] == "1"


@pytest.mark.parametrize("name", sorted(load_services()))
def test_logs_of_a_container_do_not_fill_the_disk(name: str) -> None:
    logging_options = load_services()[name]["logging"]
    assert logging_options["driver"] == "json-file"
    assert re.fullmatch(r"[1-9]\d?m", logging_options["options"]["max-size"])
    assert 2 <= int(logging_options["options"]["max-file"]) <= 10


def test_one_part_builds_the_image_for_all() -> None:
    """If all services built the image at once, the second to finish would fail on the existing name."""
    assert [name for name in OURS if "build" in load_services()[name]] == [MIGRATE_SERVICE]
    assert {load_services()[name]["image"] for name in OURS} == {"otto-online"}


def test_a_database_that_is_still_being_made_is_not_ready() -> None:
    """While its image creates the database, it listens on the socket only; migrations must not start then."""
    test = load_services()["db"]["healthcheck"]["test"]
    assert test[test.index("-h") + 1] == "127.0.0.1"


def test_the_database_has_room_for_queries_on_several_cores() -> None:
    assert load_services()["db"]["shm_size"] == "256mb"


def test_volumes_bear_the_name_of_the_site_and_not_of_its_folder() -> None:
    assert yaml.safe_load(COMPOSE_FILE.read_text())["name"] == "otto-online"


def list_documented_settings() -> set[str]:
    """Return the settings documented in docs/operating.md; one of django-anymail stands for all of them."""
    document = (ROOT / "docs" / "operating.md").read_text()
    text = document.partition("| variable | default |")[2].partition("\n\n")[0]
    rows = [line.split("|")[1] for line in text.splitlines()[2:]]
    names = {name for row in rows for name in re.findall(r"`(\w+…?)`", row)}
    return {name.replace("…", "MAILGUN_API_KEY") for name in names}


@pytest.mark.parametrize("name", OURS)
def test_every_documented_setting_reaches_a_container_of_ours_unless_it_is_fixed_there(
    name: str, cluster: Cluster
) -> None:
    assert load_services()[name]["env_file"] == ".env"  # next to compose.yaml
    names = list_documented_settings()
    assert {"KEEP_KEYS", "EMAIL_BACKEND", "ANYMAIL_MAILGUN_API_KEY", "ALLOWED_HOSTS"} < names
    cluster.env_file |= dict.fromkeys(names, "as it stands in docker/.env")
    environment = cluster.build_environment(name)
    lost = {name for name in names if environment.get(name) != "as it stands in docker/.env"}
    assert lost == {"DATABASE_URL", "REDIS_URL", "SITE_URL", "TRUSTED_PROXIES", "VAR_DIR"}
    assert lost < set(load_services()[name]["environment"])


def test_the_documents_name_every_variable_that_the_settings_read() -> None:
    text = (ROOT / "otto_site" / "settings.py").read_text()
    read = set(re.findall(r"""(?:environ\.get|env_bool|env_int)\("(\w+)\"""", text))
    assert len(read) > 20
    inner = {"PRODUCTION", "STATIC_ROOT", "STOPPING"}  # set by the image and by docker/web.py
    assert read - inner <= list_documented_settings()


def test_others_see_nothing_that_they_need_not_know() -> None:
    other_services = set(load_services()) - set(OURS)
    assert len(other_services) > 2
    for name in other_services:
        assert "env_file" not in load_services()[name], name


def test_what_must_be_filled_in_is_asked_for() -> None:
    assert fill_variables("x${A:-1}${B}", {"B": "2"}) == "x12"
    with pytest.raises(KeyError, match="A is missing"):
        fill_variables("${A:?is missing}", {})


WORKERS = ("turns", "tournaments", "mail")


def list_queues(command: list[str]) -> list[str]:
    """Return the queues that a worker consumes."""
    return command[command.index("--queues") + 1].split(",")


def test_tournaments_and_mails_have_workers_that_do_nothing_else(cluster: Cluster) -> None:
    """A long task delays no clock and no bot: in containers, in `make cluster` and in `make run`."""
    workers = {name for name, service in load_services().items() if "worker" in service["command"]}
    assert workers == set(WORKERS)
    for name in workers:
        queues = list_queues(cluster.build_command(name))
        assert queues == list_queues(load_services()[name]["command"])
        has_own_queue = name in ("tournaments", "mail")
        assert queues == [name] if has_own_queue else not {"tournaments", "mail"} & set(queues)
    tried_out = [
        queues.split(",") for queues in (serve.SHARED_QUEUES, serve.MAIL_QUEUES, serve.TOURNAMENT_QUEUES)
    ]
    assert tried_out[1:] == [["mail"], ["tournaments"]]
    assert sorted(queue for queues in tried_out for queue in queues) == sorted(QUEUES)


def test_every_queue_has_a_worker_and_beat_asks_for_nothing_else() -> None:
    served = [queue for name in WORKERS for queue in list_queues(load_services()[name]["command"])]
    assert sorted(served) == sorted(QUEUES)
    queue_names = {
        app.amqp.router.route({}, entry["task"])["queue"].name for entry in app.conf.beat_schedule.values()
    }
    assert queue_names <= set(QUEUES)


def test_the_example_of_an_environment_names_all_that_has_no_default() -> None:
    example = (ROOT / "docker" / ".env.example").read_text().splitlines()
    given_names = {line.partition("=")[0] for line in example if line and not line.startswith("#")}
    assert len(given_names) == 10
    text = (ROOT / "docker" / "compose.yaml").read_text()
    needed = {part.partition("}")[0] for part in text.split("${")[1:]}
    assert {name.partition(":")[0] for name in needed if ":-" not in name} <= given_names
    assert given_names - list_documented_settings() == {"SITE_HOST", "POSTGRES_PASSWORD"}, (
        "which compose.yaml works with"
    )


def test_the_image_holds_every_folder_that_the_site_needs_and_runs_as_nobody_in_particular() -> None:
    lines = (ROOT / "docker" / "Dockerfile").read_text().splitlines()
    copied = {shlex.split(line)[1] for line in lines if line.startswith("COPY ") and "--from" not in line}
    assert {"manage.py", *SOURCE_ROOMS, "templates", "static", "locale"} <= copied
    assert all((ROOT / name).exists() for name in copied if " " not in name)
    assert [line for line in lines if line.startswith("USER ")] == ["USER otto"]
    assert any(line.startswith("HEALTHCHECK ") for line in lines)
    assert sum(line.startswith("FROM ") for line in lines) == 2


def test_the_image_has_what_its_commands_name_and_the_programs_of_its_database() -> None:
    text = (ROOT / "docker" / "Dockerfile").read_text()
    service_words = {
        word
        for service in load_services().values()
        for word in service["command"]
        if word.startswith("docker/")
    }
    assert service_words == {"docker/web.py"}
    for word in service_words:
        assert (ROOT / word).exists()
        assert f" {word} " in text
    _, _, version = load_services()["db"]["image"].partition(":")
    assert f"postgresql-client-{version} " in text, "pg_dump must be as new as the server"


def test_the_proxy_hears_of_a_server_that_will_stop_before_it_does() -> None:
    text = (ROOT / "docker" / "Caddyfile").read_text()
    every = int(text.split("health_interval ")[1].split("s")[0])
    assert "health_uri /healthz" in text
    assert "fail_duration 5" not in text
    assert 3 * every < DRAIN_SECONDS
    assert int(load_services()["web1"]["stop_grace_period"].rstrip("s")) > DRAIN_SECONDS + 30 + 10


def test_a_server_that_is_stopped_twice_does_not_wait() -> None:
    quick = [sys.executable, str(ROOT / "docker" / "web.py"), "sleep", "60"]
    with subprocess.Popen(quick, env=os.environ | {"STOP_AFTER": "60"}) as server:
        time.sleep(0.5)
        server.terminate()
        time.sleep(0.2)
        assert server.poll() is None
        server.terminate()
        assert server.wait(20) == 15
