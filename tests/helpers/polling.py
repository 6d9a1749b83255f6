"""Waiting for what other processes do."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

STEP_TIMEOUT_SECONDS = 120.0  # seconds for anything, on however slow and busy a machine


def wait_for(
    condition: Callable[[], Any], message: Callable[[], str] | str, seconds: float = STEP_TIMEOUT_SECONDS
) -> None:
    """Raises AssertionError if it never comes true."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, message if isinstance(message, str) else message()
        time.sleep(0.05)
