"""Redocly and Spectral, linters that authors of clients run, find no errors in the OpenAPI document.

They are installed once, with npm, into `var/linters`. Without node or without a package registry the tests
are skipped and say so; with `CI=true` they fail.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

from common.api import openapi
from common.api.openapi import JSON_FILE

LINTERS = {"@redocly/cli": "2.77.0", "@stoplight/spectral-cli": "6.16.3"}
FOLDER = Path(settings.BASE_DIR, "var", "linters")
INSTALL_SECONDS, LINT_SECONDS = 240, 120
ENVIRONMENT = os.environ | {
    "REDOCLY_TELEMETRY": "off",
    "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true",
    "CI": "true",
}


def skip_unless_required(reason: str) -> None:
    """Skip the test, or fail with `CI=true`."""
    text = f"the OpenAPI document was NOT checked with Redocly and Spectral: {reason}"
    if os.environ.get("CI") == "true":
        pytest.fail(text)
    pytest.skip(text)


@pytest.fixture(scope="module")
def linters() -> Path:
    """The folder with the programs of both linters."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        skip_unless_required("there is no node here")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # other test workers wait for the installation
        installed = FOLDER / "installed.json"
        if not installed.is_file() or json.loads(installed.read_text()) != LINTERS:
            install_linters(str(npm))
            installed.write_text(json.dumps(LINTERS))
    return FOLDER / "node_modules" / ".bin"


def install_linters(npm: str) -> None:
    """Install both linters, or skip the test."""
    (FOLDER / "package.json").write_text(json.dumps({"private": True, "dependencies": LINTERS}))
    command = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-update-notifier"]
    try:
        result = run_linter(command, INSTALL_SECONDS)
    except subprocess.TimeoutExpired:
        skip_unless_required("npm took too long")
    if result.returncode:
        skip_unless_required(f"npm cannot install them: {result.stderr.strip()[-300:]}")


def run_linter(command: list[str], seconds: float = LINT_SECONDS) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=FOLDER, env=ENVIRONMENT, capture_output=True, text=True, timeout=seconds, check=False
    )


def test_redocly_finds_nothing_wrong(linters: Path) -> None:
    rules = Path(__file__).with_name("redocly.yaml")
    result = run_linter([str(linters / "redocly"), "lint", "--config", str(rules), str(JSON_FILE)])
    assert result.returncode == 0, (result.stdout + result.stderr)[-5000:]


def test_spectral_finds_nothing_wrong(linters: Path) -> None:
    rules = Path(__file__).with_name("spectral.yaml")
    result = run_linter(
        [str(linters / "spectral"), "lint", "--fail-severity", "warn", "-r", str(rules), str(JSON_FILE)]
    )
    assert result.returncode == 0, (result.stdout + result.stderr)[-5000:]


@pytest.mark.parametrize(("linter", "option"), [("redocly", "--config"), ("spectral", "-r")])
def test_a_faulty_document_is_found(linters: Path, tmp_path: Path, linter: str, option: str) -> None:
    """The linters do read the given document."""
    document = openapi.read_document()
    document |= {"paths": {"/api/v1/games/": document["paths"]["/api/v1/games/"]}, "components": {}}
    (faulty := tmp_path / "openapi.json").write_text(json.dumps(document))
    rules = Path(__file__).with_name(f"{linter}.yaml")
    result = run_linter([str(linters / linter), "lint", option, str(rules), str(faulty)])
    assert result.returncode != 0
    assert "ref" in result.stdout + result.stderr
