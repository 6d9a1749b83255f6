"""The basis of all other tests: pages respond, databases are real, the repository keeps its rules."""

import ast
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psutil
import pytest
from django.conf import settings
from django.db import connection
from django.template.loader import render_to_string
from django.test import Client

from otto_site.environment import NETWORK_TIMEOUT_OPTIONS, load_or_create_secret, parse_database_url
from otto_site.storage import trim_text
from tests import services

ROOT = Path(__file__).resolve().parent.parent


def list_project_files() -> list[Path]:
    """List every file that is in the repository or would be added to it."""
    if (ROOT / ".git").exists() and shutil.which("git"):
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        return [path for name in names.split("\0") if name and (path := ROOT / name).is_file()]
    aside = re.compile(r"^(\.venv|var|\.git|.*_cache|\.hypothesis|__pycache__)$")  # for a copy without git
    return [
        path
        for path in ROOT.rglob("*")
        if path.is_file() and not any(map(aside.match, path.relative_to(ROOT).parts))
    ]


def list_modules(folder: str = ".") -> list[Path]:
    return [
        path for path in list_project_files() if path.suffix == ".py" and path.is_relative_to(ROOT / folder)
    ]


def run_python(code: str, var: Path) -> str:
    """Run code in a separate process with default settings and with `var` as its folder."""
    own_names = {
        "DATABASE_URL",
        "REDIS_URL",
        "SECRET_KEY",
        "DEBUG",
        "ALLOWED_HOSTS",
        "DJANGO_SETTINGS_MODULE",
    }
    environment = {name: value for name, value in os.environ.items() if name not in own_names}
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", code],
        cwd=ROOT,
        env=environment | {"VAR_DIR": str(var)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


# ----------------------------------------------------------------------------------------------------- pages


def test_the_home_page_says_what_this_is(client: Client) -> None:
    response = client.get("/")
    assert response.status_code == 200
    assert "Dream of an 8." in response.text
    assert "OTTO is a board game" in response.text
    assert re.findall("<script[^>]*>", response.text) == ['<script type="module" src="/static/otto.js">']


def test_the_style_sheet_is_served(client: Client) -> None:
    response = client.get("/static/otto.css")
    assert response.status_code == 200
    assert b"prefers-color-scheme:dark" in response.getvalue()


def test_no_template_tag_is_broken_over_lines() -> None:
    """Django shows such a tag as text."""
    tag_pattern = re.compile(r"\{\{(?:(?!\}\}).)*\}\}|\{%(?:(?!%\}).)*%\}|\{#(?:(?!#\}).)*#\}", re.DOTALL)
    paths = [path for path in list_project_files() if "templates" in path.relative_to(ROOT).parts[:-1]]
    broken_tags = [
        f"{path.relative_to(ROOT)}: {tag}"
        for path in paths
        for tag in tag_pattern.findall(path.read_text())
        if "\n" in tag
    ]
    assert paths
    assert not broken_tags, "\n".join(broken_tags)


def test_what_is_left_out_of_static_files_is_only_what_browsers_do_not_need() -> None:
    style = '/* Why. */\n.a, .b {\n  width: calc(1px + 2px);\n  content: "a: b";\n}\n'
    assert trim_text(style, ".css") == '.a,.b{width:calc(1px + 2px);content:"a: b"}'
    script = '// Why.\n\nfunction findPart() {\n  // How.\n  return "https://a";  // done\n}\n'
    assert trim_text(script, ".js") == 'function findPart(){return"https://a";}'
    template = "const text = `a // b  ${c}\n  d`, pattern = /[/]\\/ x/;"
    assert trim_text(template, ".js") == "const text=`a // b  ${c}\n  d`,pattern=/[/]\\/ x/;"


def test_once_collected_static_files_have_names_that_browsers_may_keep(tmp_path: Path) -> None:
    code = """
from django.templatetags.static import static
print(static("otto.css"))
"""
    script = """
from django.conf import settings
from django.test import Client
from django.templatetags.static import static
settings.ALLOWED_HOSTS.append("testserver")
print(static("otto.css"))
print(Client().get(static("otto.css"))["Cache-Control"])
plain, other = (Client().get(f"/static/otto{of}.css") for of in ("", ".0123456789ab"))  # of another release
print(other.status_code, other.getvalue() == plain.getvalue(), other["Cache-Control"])
print(Client().get("/static/never.0123456789ab.css").status_code)
"""
    assert run_python(code, tmp_path) == "/static/otto.css"
    (released := tmp_path / "released").mkdir()
    services.copy_collected_static_files(released)
    address, cache, other, never = run_python(script, released).splitlines()
    assert re.fullmatch(r"/static/otto\.[0-9a-f]{12}\.css", address)
    assert "immutable" in cache
    assert other == "200 True max-age=60, public"
    assert never == "404"


def test_an_unknown_address_gets_our_own_page(client: Client) -> None:
    response = client.get("/no-such-page/")
    assert response.status_code == 404
    assert "nothing at this address" in response.text


def test_the_page_for_our_own_mistakes_needs_no_request() -> None:
    assert "wrong on our side" in render_to_string("500.html")


# -------------------------------------------------------------------------------------------------- services


@pytest.mark.django_db
def test_the_tests_run_on_a_real_postgresql() -> None:
    if urlsplit(os.environ.get("DATABASE_URL", "")).scheme == "sqlite":
        services.skip_or_fail("PostgreSQL", "DATABASE_URL names SQLite")
    with connection.cursor() as cursor:
        cursor.execute("SELECT version()")
        assert cursor.fetchone()[0].startswith("PostgreSQL")
    assert connection.vendor == "postgresql"
    assert connection.settings_dict["CONN_MAX_AGE"] > 0


def test_redis_answers_and_is_the_broker(redis) -> None:
    assert redis.ping()
    assert os.environ["REDIS_URL"] == settings.CELERY_BROKER_URL


def test_no_server_outlives_a_pytest_that_was_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process in place of pytest starts the keeper and is killed."""
    parent = (
        "import subprocess, sys, time\n"
        "k = subprocess.Popen([sys.executable, '-W', 'ignore', '-m', 'tests.services'],"
        " stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)\n"
        "print(k.pid, k.stdout.readline().strip(), flush=True)\n"
        "input()\n"
    )
    environment = {k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "REDIS_URL"}}
    with subprocess.Popen(
        [sys.executable, "-c", parent],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as pytest_stand_in:
        assert pytest_stand_in.stdout
        pid, address_json = pytest_stand_in.stdout.readline().split(" ", 1)
        address: dict[str, str] = json.loads(address_json)
        for part, variable in services.MISSING.items():
            if variable in address:
                services.skip_or_fail(part, address[variable])
        folder = Path(parse_qs(urlsplit(address["DATABASE_URL"]).query)["host"][0])
        assert not folder.exists(), "it started PostgreSQL before anybody asked for it"
        monkeypatch.setenv(services.KEEPER, address[services.KEEPER])
        for part in services.MISSING:
            assert services.start.__wrapped__(part) == ""
        postmaster = int((folder / "postmaster.pid").read_text().split()[0])
        pytest_stand_in.send_signal(signal.SIGKILL)
    stop_by = time.monotonic() + 20
    while any(map(is_alive, (int(pid), postmaster))) and time.monotonic() < stop_by:
        time.sleep(0.05)
    assert not is_alive(int(pid))
    assert not is_alive(postmaster)
    assert not folder.exists()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", urlsplit(address["REDIS_URL"]).port or 0), timeout=1)


def is_alive(pid: int) -> bool:
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


@pytest.mark.parametrize(
    ("ci", "outcome"), [("", pytest.skip.Exception), ("true", pytest.fail.Exception)], ids=["here", "in CI"]
)
def test_a_missing_part_is_skipped_here_and_fails_in_ci(ci, outcome, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", ci)
    monkeypatch.setenv(services.MISSING["Redis"], "no such program")
    with pytest.raises(outcome, match="Redis cannot be had here: no such program"):
        services.require("Redis")


# -------------------------------------------------------------------------------------------------- settings


def test_the_embedded_database_is_sqlite_with_wal_and_immediate_transactions(tmp_path: Path) -> None:
    code = """
import sqlite3
from django.db import connection, transaction
with connection.cursor() as cursor:
    for pragma in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout"):
        print(cursor.execute(f"PRAGMA {pragma}").fetchone()[0])
other = sqlite3.connect(connection.settings_dict["NAME"], timeout=0)
with transaction.atomic():
    try:
        other.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        print(error)
"""
    assert run_python(code, tmp_path).splitlines() == ["wal", "1", "1", "20000", "database is locked"]
    assert (tmp_path / "otto.sqlite3").exists()


def test_without_redis_a_task_wakes_the_worker_through_a_pipe_of_our_own(tmp_path: Path) -> None:
    code = """
import sys
from common.periodic_tasks import request_next_run
from django.conf import settings
from games.services import wake_ups
from otto_site.wakeups import WakeUpPipes
wake_ups.wake_bots("nobody listens")
with WakeUpPipes(["turns", "bots"]) as pipes:
    print(list(pipes.read()))
    wake_ups.wake_bots("abc")
    print("games.tasks" in sys.modules)
    from games import tasks
    request_next_run(tasks.sweep_due_games)
    print(sorted(pipes.read()))
    print(sorted((pipe.name, oct(pipe.stat().st_mode)) for pipe in settings.WAKE_UPS_DIR.iterdir()))
"""
    assert run_python(code, tmp_path).splitlines() == [
        "[]",
        "False",
        "[('bots.answer', ('abc',)), ('turns.sweep', ())]",
        "[('bots', '0o10600'), ('turns', '0o10600')]",
    ]


def test_the_development_key_is_random_private_and_kept(tmp_path: Path) -> None:
    key = load_or_create_secret(tmp_path / "key")
    assert len(key) > 50
    assert load_or_create_secret(tmp_path / "key") == key
    assert load_or_create_secret(tmp_path / "another") != key
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0
    assert len(list(tmp_path.iterdir())) == 2


def test_cookies_are_for_https_only_unless_debugging() -> None:
    assert settings.DEBUG is False
    assert settings.SESSION_COOKIE_SECURE
    assert settings.CSRF_COOKIE_SECURE


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "postgres://otto:p%40ss%2Fword@db.example:5433/games?sslmode=require",
            {
                "NAME": "games",
                "USER": "otto",
                "PASSWORD": "p@ss/word",
                "HOST": "db.example",
                "PORT": 5433,
                "OPTIONS": {"server_side_binding": True, "prepare_threshold": 2, "sslmode": "require"}
                | NETWORK_TIMEOUT_OPTIONS,
            },
        ),
        ("postgresql://otto@/games?host=/run/pg", {"NAME": "games", "HOST": "/run/pg", "PORT": ""}),
        ("sqlite:////data/otto.sqlite3", {"NAME": "/data/otto.sqlite3"}),
        ("sqlite:///otto.sqlite3", {"NAME": "otto.sqlite3"}),
    ],
)
def test_a_database_is_named_by_its_address(url: str, expected: dict[str, object]) -> None:
    assert expected.items() <= parse_database_url(url).items()


def test_an_unknown_kind_of_database_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="mysql"):
        parse_database_url("mysql://db/otto")


# ------------------------------------------------------------------------------------------------ repository


def test_no_file_names_a_registry_or_a_place_on_somebodys_machine() -> None:
    names = [
        "py" + "pi",
        "python" + "hosted",
        "npm" + "js",
        "deb." + "debian",
        "index" + "-url",
        "find" + "-links",
    ]
    banned = re.compile("|".join(map(re.escape, names)) + r"|(?<![\w.}])/(?:work|root|home|Users)/")
    alarms = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}"
        for path in list_project_files()
        for number, line in enumerate(path.read_text(errors="ignore").splitlines(), 1)
        if banned.search(line)
    ]
    assert alarms == []


def test_no_file_has_the_marks_of_a_merge_in_it() -> None:
    marks = re.compile(rb"^(<{7}|={7}|>{7})( |$)", re.MULTILINE)
    assert [str(path) for path in list_project_files() if marks.search(path.read_bytes())] == []


def test_no_module_is_longer_than_500_lines() -> None:
    paths = [path for path in list_modules() if "migrations" not in path.parts]  # generated by Django
    assert [path for path in paths if len(path.read_text().splitlines()) > 500] == []


def list_imports_of_tests(path: Path) -> list[str]:
    """List the modules of tests/ that a test module imports, by their full names."""
    package, names = path.relative_to(ROOT).parent.parts, []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            names += [module, *(f"{module}.{alias.name}" for alias in node.names)]
    return [name for name in names if name.startswith("tests.")]


def test_no_test_imports_from_another_test_nor_from_another_folder() -> None:
    """Code for two folders belongs in a shared folder, which imports none of the others."""
    shared = {"factories", "helpers", "cluster"}
    folders = {path.name for path in (ROOT / "tests").iterdir() if (path / "__init__.py").exists()}
    assert shared < folders
    wrong = []
    for path in list_modules("tests"):
        own_folder = path.relative_to(ROOT / "tests").parts[0]
        for name in list_imports_of_tests(path):
            _tests, folder, *rest = name.split(".")
            is_test = any(part.startswith("test_") for part in [folder, *rest])
            if is_test or folder in folders - shared - {own_folder}:
                wrong.append(f"{path.relative_to(ROOT)}: {name}")
    assert wrong == []


def test_every_folder_and_root_file_of_the_tests_is_described() -> None:
    tests = ROOT / "tests"
    names = {f"tests/{path.name}/" for path in tests.iterdir() if (path / "__init__.py").exists()}
    names |= {f"tests/{path.name}" for path in tests.glob("test_*.py")}
    folder_table = (ROOT / "docs/testing.md").read_text().partition("## Folders")[2].partition("\n## ")[0]
    rows = [line.split(" | ")[0] for line in folder_table.splitlines() if line.startswith("| `")]
    assert set(re.findall(r"`([^`]+)`", " ".join(rows))) == names


def test_the_pure_rooms_import_the_standard_library_and_themselves() -> None:
    """Their tests need no database. The exceptions are networkx, which computes matchings for the pairing,
    and the clock for the loss forecast."""
    strangers = []
    guests = {"games.loss_forecast": {"games.clock"}, "tournaments.pairing": {"networkx"}}
    for room in ("games.engine", "games.clock", "games.loss_forecast", "tournaments.pairing"):
        place = room.replace(".", "/")
        for path in [*list_modules(place), *list_modules(f"{place}.py")]:
            # The number of levels that a relative import of this module may go up within the package.
            depth = len(path.relative_to(ROOT / place).parts) if path.is_relative_to(ROOT / place) else 0
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Import):
                    names = [alias.name for alias in node.names]
                elif isinstance(node, ast.ImportFrom) and not node.level:
                    names = [node.module or ""]
                elif isinstance(node, ast.ImportFrom):
                    names = [room] if node.level <= depth else ["." * node.level]
                else:
                    continue
                strangers += [
                    f"{path.relative_to(ROOT)}:{node.lineno}: {name}"
                    for name in names
                    if not {name, name.split(".")[0]} & (sys.stdlib_module_names | guests.get(room, set()))
                    and name != room
                    and not name.startswith(f"{room}.")
                ]
    assert strangers == []


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-bench.lock"])
def test_a_lock_pins_by_name_and_version_only(name: str) -> None:
    lines = (ROOT / name).read_text().splitlines()
    assert lines
    pin = re.compile(r"[a-z0-9-]+==[0-9][\w.]*( ; [\w\s.'!=<>()]+)?")
    assert [line for line in lines if not pin.fullmatch(line)] == []


def test_the_locks_hold_everything_that_pyproject_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]

    def list_names(requirements: list[str]) -> set[str]:
        return {re.split(r"[^\w-]", line)[0].lower().replace("_", "-") for line in requirements}

    def list_pinned(lock: str) -> set[str]:
        return {line.split("==")[0] for line in (ROOT / lock).read_text().splitlines()}

    assert list_names(project["dependencies"] + extras["test"]) <= list_pinned("requirements.lock")
    assert list_names(extras["bench"]) <= list_pinned("requirements-bench.lock")
