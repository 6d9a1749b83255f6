"""Node, npm and Deno, for the TypeScript client; tests that need them are skipped where they are missing."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from tests.program_install import find_program
from tests.services import ROOT, skip_or_fail

TYPESCRIPT_CLIENT = ROOT / "clients" / "typescript"
INSTALL_TIMEOUT_SECONDS = 300


def find_node() -> str:
    """Return the path of Node 20 or newer."""
    path, reason = find_program("NODE", ["node", "nodejs"], "Node 20 or newer")
    if not path:
        skip_or_fail("Node", reason)
    version = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if int(version.removeprefix("v").split(".")[0]) < 20:
        skip_or_fail("Node", f"{path} is {version}, and 20 is the oldest that will do")
    return path


def find_npm() -> str:
    """Return the path of npm."""
    path, reason = find_program("NPM", ["npm"], "npm")
    if not path:
        skip_or_fail("npm", reason)
    return path


def find_typescript() -> Path:
    """Return the compiler in the version that package.json pins, downloaded the first time."""
    return install_package("typescript", Path("node_modules", "typescript", "bin", "tsc"), "TypeScript")


def find_deno() -> str:
    """Return the path of Deno; if it is not installed, of the version that package.json pins."""
    path, _reason = find_program("DENO", ["deno"], "Deno")
    return path or str(install_package("deno", Path("node_modules", ".bin", "deno"), "Deno"))


def install_package(name: str, program: Path, title: str) -> Path:
    """Return a program of a package in the pinned version, downloaded the first time."""
    package = json.loads((TYPESCRIPT_CLIENT / "package.json").read_text())
    version = package["devDependencies"][name]
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = caches / "otto-online" / f"{name}-{version}"
    if not (folder / program).is_file():
        folder.mkdir(parents=True, exist_ok=True)
        command = [find_npm(), "install", "--prefix", str(folder), "--no-audit", "--no-fund"]
        try:
            done = subprocess.run(
                [*command, f"{name}@{version}"],
                capture_output=True,
                text=True,
                timeout=INSTALL_TIMEOUT_SECONDS,
            )
        except subprocess.TimeoutExpired:
            skip_or_fail(title, "the registry of npm does not answer")
        if done.returncode or not (folder / program).is_file():
            last_line = done.stderr.strip().splitlines()[-1:]
            skip_or_fail(title, f"npm cannot install it: {' '.join(last_line)}")
    return folder / program
