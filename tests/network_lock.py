"""Keeps the network devices of this machine unchanged while a browser loads pages.

When a device is added or removed, Chromium aborts its requests (ERR_NETWORK_CHANGED). The tests of network
lines add devices, possibly while another worker drives a browser.
"""

from __future__ import annotations

import fcntl
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LOCK_FILE = Path(tempfile.gettempdir()) / "otto-tests-network.lock"


@contextmanager
def hold_network(*, exclusive: bool) -> Iterator[None]:
    """Wait for the lock and hold it: shared while pages are loaded, exclusive to change devices."""
    with LOCK_FILE.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH)
        yield
