"""Graceful stop of a web server: `python docker/web.py granian …`.

1. On SIGTERM or SIGINT create the STOPPING file: /healthz returns 503, and the proxy sends no new requests.
2. After `DRAIN_SECONDS` terminate the server, which finishes its running requests.
3. A second signal terminates it at once.

A proxy cannot retry a POST on the other server once its body was sent, so it must learn of the stop in time.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

DRAIN_SECONDS = float(os.environ.get("STOP_AFTER") or "5")  # docker/Caddyfile checks health every second


def main() -> None:
    """Run the command of the arguments until it ends or a signal stops it."""
    with tempfile.TemporaryDirectory(prefix="otto-web-") as folder:
        stopping_file = Path(folder) / "stopping"
        servers: list[subprocess.Popen[bytes]] = []

        def begin_stopping(*_: object) -> None:
            """Mark the server as stopping and end it after the drain time; at once on a second signal."""
            if not servers or stopping_file.exists():  # second signal
                end_servers()
            stopping_file.touch()
            threading.Timer(DRAIN_SECONDS, end_servers).start()

        def end_servers() -> None:
            """Terminate the server."""
            for server in servers:
                server.terminate()

        signal.signal(signal.SIGTERM, begin_stopping)
        signal.signal(signal.SIGINT, begin_stopping)
        servers.append(subprocess.Popen(sys.argv[1:], env=os.environ | {"STOPPING": str(stopping_file)}))
        code = servers[0].wait()
    os._exit(abs(code))  # do not wait for a pending timer


if __name__ == "__main__":
    main()
