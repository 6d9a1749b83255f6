"""The TypeScript client: its own tests with a live server, its types, and the contents of its package."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from django.utils import timezone

from games.engine import record
from games.models import Game
from games.selectors import build_record_for
from games.services import sweep
from tests.helpers.node import TYPESCRIPT_CLIENT, find_deno, find_node, find_npm, find_typescript
from tests.helpers.streams import create_bearer

WHOLE_GAME_SECONDS = 150.0


@pytest.fixture
def site(stream_server: str, transactional_db: None) -> str:
    return stream_server


def read_token(name: str) -> str:
    return create_bearer(name)["Authorization"].removeprefix("Bearer ")


def build_node_command() -> list[str]:
    return [find_node(), "--test", "--test-reporter=tap", "test/"]


def build_deno_command() -> list[str]:
    allowed = ("--allow-read", "--allow-net", "--allow-env")
    return [find_deno(), "test", "--no-lock", "--no-config", "--no-check", *allowed, "test/"]


@pytest.mark.parametrize(
    ("build_command", "nothing_skipped"),
    [(build_node_command, r"^# skipped 0$"), (build_deno_command, r"^ok \| \d+ passed \| 0 failed \(")],
    ids=["node", "deno"],
)
def test_its_tests_play_a_whole_game_over_a_live_server(
    site: str, tmp_path: Path, build_command: Callable[[], list[str]], nothing_skipped: str
) -> None:
    command = build_command()
    environment = {
        "PATH": os.environ["PATH"],
        "OTTO_URL": site,
        "OTTO_ADA": read_token("ada"),
        "OTTO_BOB": read_token("bob"),
        **build_deno_environment(tmp_path),
    }
    until = time.monotonic() + WHOLE_GAME_SECONDS
    with (tmp_path / "output").open("w+") as output:
        process = subprocess.Popen(
            command, cwd=TYPESCRIPT_CLIENT, env=environment, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            while process.poll() is None:
                assert time.monotonic() < until, (tmp_path / "output").read_text()
                if Game.objects.filter(status="tiebreak").exists():
                    # No worker runs here: start the blind match of a level game.
                    sweep.sweep_games(now=timezone.now())
                time.sleep(0.1)
        finally:
            process.kill()
            process.wait()
    text = (tmp_path / "output").read_text()
    assert process.returncode == 0, text
    assert re.search(nothing_skipped, text, re.MULTILINE), text
    game = Game.objects.get(status="over")
    verdict = record.verify_record(build_record_for(None, game.code))
    assert verdict.is_ok, verdict.text


def build_deno_environment(folder: Path) -> dict[str, str]:
    """Deno keeps its cache in the test's folder, writes plain text and does not check for a newer version."""
    return {"DENO_DIR": str(folder / "deno"), "NO_COLOR": "1", "DENO_NO_UPDATE_CHECK": "1"}


def test_deno_finds_its_types(tmp_path: Path) -> None:
    command = [find_deno(), "check", "--no-lock", "--no-config", "test/types.ts"]
    done = subprocess.run(
        command,
        cwd=TYPESCRIPT_CLIENT,
        env=os.environ | build_deno_environment(tmp_path),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_its_types_fit_its_code_and_those_who_use_it() -> None:
    compiler = find_typescript()
    done = subprocess.run(
        [find_node(), str(compiler), "--project", "."], cwd=TYPESCRIPT_CLIENT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


def test_its_package_holds_the_sources_and_nothing_else(tmp_path: Path) -> None:
    find_node()
    environment = os.environ | {"npm_config_cache": str(tmp_path), "npm_config_update_notifier": "false"}
    command = [find_npm(), "pack", "--dry-run", "--json", "--ignore-scripts"]
    done = subprocess.run(
        command, cwd=TYPESCRIPT_CLIENT, env=environment, capture_output=True, text=True, check=True
    )
    (package,) = json.loads(done.stdout)
    assert {file["path"] for file in package["files"]} == {
        "README.md",
        "package.json",
        "src/client.d.ts",
        "src/client.js",
        "src/operations.d.ts",
        "src/operations.js",
        "src/types.d.ts",
    }


def test_its_package_is_imported_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "otto-client").symlink_to(TYPESCRIPT_CLIENT)
    script = (
        'import { API_VERSION, Client } from "otto-client"; new Client("https://otto.example"); '
        "console.log(API_VERSION)"
    )
    command = [find_node(), "--input-type=module", "--eval", script]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"


def test_it_depends_on_nothing_and_asks_for_web_standards_only() -> None:
    package = json.loads((TYPESCRIPT_CLIENT / "package.json").read_text())
    assert "dependencies" not in package
    for name in ("client.js", "operations.js"):
        source = (TYPESCRIPT_CLIENT / "src" / name).read_text()
        assert not re.search(r"\b(require\(|process\.|Buffer\b|Deno\b|node:)", source)
        assert set(re.findall(r'from "([^"]+)"', source)) <= {"./operations.js"}
        assert "eval(" not in source


def test_both_clients_have_the_same_version() -> None:
    from clients.python.otto_client import VERSION

    assert json.loads((TYPESCRIPT_CLIENT / "package.json").read_text())["version"] == VERSION
