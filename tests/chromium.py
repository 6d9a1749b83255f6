"""Finds the Chromium that the browser tests drive. `python -m tests.chromium` gets one where there is none.

$CHROMIUM names one; else it is looked for on the PATH; else it is the one that Playwright installed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache

from . import getting

# Without a screen first: it asks a third less of the processor.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def find() -> tuple[str, str]:
    """Where a Chromium is that starts, and an empty string; or an empty string, and why there is none."""
    path, why = getting.find("CHROMIUM", NAMES, title="chromium")
    if path or os.environ.get("CHROMIUM"):
        return path, why
    if (path := playwrights_own()) and getting.starts(path):
        return path, ""
    return "", f"{why}, or let Playwright install it"


@cache
def playwrights_own() -> str:
    """Where Playwright keeps the browser that it installs, whether it has or not."""
    script = "from playwright.sync_api import sync_playwright as start\n"
    script += "with start() as playwright: print(playwright.chromium.executable_path)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    return done.stdout.strip()


def ways(*, root: bool, debian: bool) -> list[getting.Way]:
    """The ways to get one on such a machine, the best first."""
    fetch = [sys.executable, "-m", "playwright", "install"]
    if root and debian:
        packages = [getting.package(name) for name in NAMES[:2]]
        return [*packages, [[*fetch, "--with-deps", "chromium"]]]
    return [[[*fetch, "chromium"]]]


def get() -> str:
    """Get one where there is none. Gives where it is, or an empty string."""
    return getting.get("Chromium", "CHROMIUM", find, ways(root=os.geteuid() == 0, debian=getting.is_debian()))


if __name__ == "__main__":
    get()
