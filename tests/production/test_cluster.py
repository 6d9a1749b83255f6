"""What a cluster starts does not outlive it, however it ends."""

from __future__ import annotations

import subprocess
import sys

from docker.cluster import ROOT


def test_what_is_left_when_a_cluster_dies_is_killed_and_nothing_else() -> None:
    words = [sys.executable, "-c", "import time; time.sleep(600)"]
    left, ended = (subprocess.Popen(words, start_new_session=True) for _ in range(2))
    child = subprocess.Popen(words)  # as PostgreSQL and Redis are: they lead no group
    try:
        guard = [sys.executable, str(ROOT / "docker" / "guard.py")]
        said = f"+ {left.pid}\n+ {ended.pid}\n+ {child.pid}\n- {ended.pid}\n"
        subprocess.run(guard, input=said, text=True, check=True, timeout=60)
        assert (left.wait(60), child.wait(60)) == (-9, -9)
        assert ended.poll() is None
    finally:
        for process in (left, ended, child):
            process.kill()
            process.wait()
