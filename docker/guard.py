"""Kills the processes of a cluster when the cluster itself was killed, for example by kill -9.

It reads `+ 123` for every process that starts and `- 123` for every one that ended. When its standard input
closes, it kills the remaining ones with all their children.
"""

import os
import signal
import sys
from contextlib import suppress

running_pids: set[int] = set()
for line in sys.stdin:
    sign, pid_text = line.split()
    (running_pids.add if sign == "+" else running_pids.discard)(int(pid_text))
for pid in running_pids:
    with suppress(ProcessLookupError):
        try:
            os.killpg(pid, signal.SIGKILL)
        except ProcessLookupError:  # no group leader: PostgreSQL and Redis, which end their own children
            os.kill(pid, signal.SIGKILL)
