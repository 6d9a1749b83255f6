"""The Python client as a package: it builds and works without the rest of this project."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from clients.python.otto_client import VERSION
from tests.services import ROOT, skip_or_fail

CLIENT = ROOT / "clients" / "python"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy: building leaves files beside the sources."""
    folder = tmp_path_factory.mktemp("package")
    shutil.copytree(CLIENT, folder / "source", ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--no-deps", "--quiet"]
    done = subprocess.run(
        [*command, "--wheel-dir", str(folder), str(folder / "source")], capture_output=True, text=True
    )
    if done.returncode and "setuptools" in done.stderr and "No matching distribution" in done.stderr:
        skip_or_fail("setuptools", "the package index does not answer")
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("*.whl")
    return path


def test_the_wheel_holds_every_module_and_its_version(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        metadata = archive.read(f"otto_client-{VERSION}.dist-info/METADATA").decode()
    modules = {path.relative_to(CLIENT).as_posix() for path in (CLIENT / "otto_client").rglob("*.py")}
    assert names == modules | {"otto_client/py.typed"}
    assert f"\nVersion: {VERSION}\n" in metadata
    assert "\nRequires-Dist: httpx" in metadata


def test_the_wheel_works_without_this_project(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    script = (
        "import otto_client; otto_client.Client('https://otto.example'); "
        "print(otto_client.__file__, otto_client.VERSION, otto_client.API_VERSION)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [str(tmp_path / "otto_client" / "__init__.py"), VERSION, "1"]
