"""Ends what a cluster started when the cluster itself has gone without a word, by kill -9 for example.

It reads `+ 123` for every process that begins and `- 123` for every one that was ended; when its standard
input closes, those that are left are killed with all their children.
"""

import os
import signal
import sys
from contextlib import suppress

kept: set[int] = set()
for line in sys.stdin:
    sign, number = line.split()
    (kept.add if sign == "+" else kept.discard)(int(number))
for pid in kept:
    with suppress(ProcessLookupError):
        try:
            os.killpg(pid, signal.SIGKILL)
        except ProcessLookupError:  # it leads no group: PostgreSQL and Redis, which see to their children
            os.kill(pid, signal.SIGKILL)
