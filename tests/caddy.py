"""Finds Caddy, the proxy in front of a cluster. `python -m tests.caddy` gets it where one may.

$CADDY names one; else it is looked for on the PATH.
"""

from __future__ import annotations

import os

from . import getting


def find() -> tuple[str, str]:
    """Where a Caddy is that starts, and an empty string; or an empty string, and why there is none."""
    return getting.find("CADDY", ["caddy"], asked="version")


def ways(*, root: bool, debian: bool) -> list[getting.Way]:
    """The ways to get one on such a machine."""
    return [getting.package("caddy")] if root and debian else []


def get() -> str:
    """Get one where there is none. Gives where it is, or an empty string."""
    return getting.get("Caddy", "CADDY", find, ways(root=os.geteuid() == 0, debian=getting.is_debian()))


if __name__ == "__main__":
    get()
