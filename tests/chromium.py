"""Finds the Chromium that the browser tests drive. `python -m tests.chromium` gets one where there is none.

$CHROMIUM names one; else it is looked for on the PATH; else it is the one that Playwright installed.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from functools import cache

NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 900  # seconds for fetching a browser over a slow line


def find() -> tuple[str, str]:
    """Where a Chromium is that starts, and an empty string; or an empty string, and why there is none."""
    if named := os.environ.get("CHROMIUM"):
        return (named, "") if starts(named) else ("", f"CHROMIUM names {named}, which does not start")
    for name in NAMES:
        if (path := shutil.which(name)) and starts(path):
            return path, ""
    if (path := playwrights_own()) and starts(path):
        return path, ""
    return "", f"install {NAMES[0]}, or name one in CHROMIUM, or let Playwright install it"


def starts(path: str) -> bool:
    """Whether it is more than a file of that name: some systems have a placeholder for a package."""
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


@cache
def playwrights_own() -> str:
    """Where Playwright keeps the browser that it installs, whether it has or not."""
    script = "from playwright.sync_api import sync_playwright as start\n"
    script += "with start() as playwright: print(playwright.chromium.executable_path)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    return done.stdout.strip()


def ways(*, root: bool, debian: bool) -> list[list[list[str]]]:
    """The ways to get one on such a machine, the best first; each is some commands in a row."""
    quiet = ["apt-get", "-qq", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=20"]
    fetch = [sys.executable, "-m", "playwright", "install"]
    if root and debian:
        install = [*quiet, "install", "-y", "--no-install-recommends", "chromium"]
        return [[[*quiet, "update"], install], [[*fetch, "--with-deps", "chromium"]]]
    return [[[*fetch, "chromium"]]]


def is_debian() -> bool:
    """Debian or one of its children, such as Ubuntu."""
    try:
        system = platform.freedesktop_os_release()
    except OSError:
        return False
    return "debian" in {system["ID"], *system.get("ID_LIKE", "").split()}


def get() -> str:
    """Try every way until there is one; says what it does. Gives where it is, or an empty string."""
    path, why = find()
    if path or os.environ.get("CHROMIUM"):
        print(f"Chromium: {path or why}", flush=True)
        return path
    for commands in ways(root=os.geteuid() == 0, debian=is_debian()):
        print(f"No Chromium here, so: {' && '.join(map(' '.join, commands))}", flush=True)
        if all(map(done, commands)) and (path := find()[0]):
            print(f"Chromium: {path}", flush=True)
            return path
    print(f"Chromium cannot be had here: {why}. The tests that need it are skipped; with CI=true they fail.")
    return ""


def done(command: list[str]) -> bool:
    """Run it, with its errors for all to see."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        output = subprocess.DEVNULL
        return subprocess.run(command, env=environment, stdout=output, timeout=PATIENCE).returncode == 0
    except (OSError, subprocess.TimeoutExpired) as error:
        print(error, flush=True)
        return False


if __name__ == "__main__":
    get()
