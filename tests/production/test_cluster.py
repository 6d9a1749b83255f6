"""No process of a cluster outlives it, however it ends."""

from __future__ import annotations

import subprocess
import sys

from docker.cluster import ROOT


def test_what_is_left_when_a_cluster_dies_is_killed_and_nothing_else() -> None:
    words = [sys.executable, "-c", "import time; time.sleep(600)"]
    left, finished = (subprocess.Popen(words, start_new_session=True) for _ in range(2))
    child = subprocess.Popen(words)  # leads no process group, like PostgreSQL and Redis
    try:
        guard = [sys.executable, str(ROOT / "docker" / "guard.py")]
        guard_input = f"+ {left.pid}\n+ {finished.pid}\n+ {child.pid}\n- {finished.pid}\n"
        subprocess.run(guard, input=guard_input, text=True, check=True, timeout=60)
        assert (left.wait(60), child.wait(60)) == (-9, -9)
        assert finished.poll() is None
    finally:
        for process in (left, finished, child):
            process.kill()
            process.wait()
