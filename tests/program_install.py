"""Finds programs that some tests need, and installs them where permitted."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from collections.abc import Callable, Sequence

INSTALL_TIMEOUT_SECONDS = 900  # for a download over a slow line
APT = ["apt-get", "-qq", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=20"]

Way = list[list[str]]  # commands to run in order


def find_program(variable: str, names: Sequence[str], title: str) -> tuple[str, str]:
    """Return the path of a program that starts and an empty string, or an empty string and the reason."""
    if path_setting := os.environ.get(variable):
        return (
            (path_setting, "")
            if can_start(path_setting)
            else ("", f"{variable} names {path_setting}, which does not start")
        )
    for name in names:
        if (path := shutil.which(name)) and can_start(path):
            return path, ""
    return "", f"install {title}, or name one in {variable}"


def can_start(path: str) -> bool:
    """True if a program starts: some systems have a placeholder for a package."""
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def apt_package(name: str) -> Way:
    """Return the commands to install a Debian package."""
    return [[*APT, "update"], [*APT, "install", "-y", "--no-install-recommends", name]]


def is_debian() -> bool:
    """True if the system is Debian or a derivative such as Ubuntu."""
    try:
        system = platform.freedesktop_os_release()
    except OSError:
        return False
    return "debian" in {system["ID"], *system.get("ID_LIKE", "").split()}


def install_program(
    title: str, variable: str, find: Callable[[], tuple[str, str]], install_methods: Sequence[Way]
) -> str:
    """Try every way until the program is found; print progress. Returns its path, or an empty string."""
    path, reason = find()
    if path or os.environ.get(variable):
        print(f"{title}: {path or reason}", flush=True)
        return path
    for commands in install_methods:
        print(f"No {title} here, so: {' && '.join(map(' '.join, commands))}", flush=True)
        if all(map(run_command, commands)) and (path := find()[0]):
            print(f"{title}: {path}", flush=True)
            return path
    print(
        f"{title} cannot be had here: {reason}. The tests that need it are skipped; with CI=true they fail."
    )
    return ""


def run_command(command: list[str]) -> bool:
    """Run a command with visible errors; return whether it succeeds."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        output = subprocess.DEVNULL
        return (
            subprocess.run(
                command, env=environment, stdout=output, timeout=INSTALL_TIMEOUT_SECONDS
            ).returncode
            == 0
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        print(error, flush=True)
        return False
