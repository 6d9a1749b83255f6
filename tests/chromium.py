"""Finds the Chromium for the browser tests. `python -m tests.chromium` installs one if there is none.

It is the one that $CHROMIUM names, else one on the PATH, else the one that Playwright installed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache

from . import program_install

# The headless shell first: it needs a third less processor time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def find_chromium() -> tuple[str, str]:
    """Return the path of a Chromium that starts and an empty string, or an empty string and the reason."""
    path, reason = program_install.find_program("CHROMIUM", NAMES, title="chromium")
    if path or os.environ.get("CHROMIUM"):
        return path, reason
    if (path := find_playwright_browser()) and program_install.can_start(path):
        return path, ""
    return "", f"{reason}, or let Playwright install it"


@cache
def find_playwright_browser() -> str:
    """Return the path of Playwright's own browser, installed or not."""
    script = "from playwright.sync_api import sync_playwright as start\n"
    script += "with start() as playwright: print(playwright.chromium.executable_path)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    return done.stdout.strip()


def list_install_methods(*, root: bool, debian: bool) -> list[program_install.Way]:
    """List the ways to install Chromium on such a machine, the best first."""
    fetch = [sys.executable, "-m", "playwright", "install"]
    if root and debian:
        packages = [program_install.apt_package(name) for name in NAMES[:2]]
        return [*packages, [[*fetch, "--with-deps", "chromium"]]]
    return [[[*fetch, "chromium"]]]


def install_chromium() -> str:
    """Install Chromium if there is none. Returns its path, or an empty string."""
    return program_install.install_program(
        "Chromium",
        "CHROMIUM",
        find_chromium,
        list_install_methods(root=os.geteuid() == 0, debian=program_install.is_debian()),
    )


if __name__ == "__main__":
    install_chromium()
