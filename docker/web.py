"""A web server that says that it will stop before it does: `python docker/web.py granian …`.

Asked to stop, it goes on serving while /healthz says 503, so that the proxy sends nobody here any more; then
it finishes what it has in hand and ends. A proxy that hears of it too late could not give a form or a move to
the other server: what was sent along is gone with the first try.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

PAUSE = float(os.environ.get("STOP_AFTER") or "5")  # seconds; docker/Caddyfile asks every second


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="otto-web-") as folder:
        stopping = Path(folder) / "stopping"
        running: list[subprocess.Popen[bytes]] = []

        def stop(*_: object) -> None:
            if not running or stopping.exists():  # said twice: at once
                end()
            stopping.touch()
            threading.Timer(PAUSE, end).start()

        def end() -> None:
            for server in running:
                server.terminate()

        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
        running.append(subprocess.Popen(sys.argv[1:], env=os.environ | {"STOPPING": str(stopping)}))
        code = running[0].wait()
    os._exit(abs(code))  # a timer may still wait, for nothing


if __name__ == "__main__":
    main()
