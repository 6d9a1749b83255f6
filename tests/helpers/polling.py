"""Waiting for other processes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

STEP_TIMEOUT_SECONDS = 120.0  # for any step, also on a slow and busy machine


def wait_for(
    condition: Callable[[], Any], message: Callable[[], str] | str, seconds: float = STEP_TIMEOUT_SECONDS
) -> None:
    """Wait until a condition is true. Raises AssertionError on a timeout."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, message if isinstance(message, str) else message()
        time.sleep(0.05)
