"""The web server of the embedded site: `python -m otto_site.embedded_web 127.0.0.1 8000`.

The ASGI handler serves pages, API and streams. It ends when its standard input closes, so that it does not
outlive its parent process.
"""

from __future__ import annotations

import os
import signal
import sys
import threading

from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels

STOP_SECONDS = 2  # for running requests


def end_with_parent() -> None:
    """Wait until standard input closes, then stop the server."""
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    """Serve on the host and port of the arguments."""
    host, port = sys.argv[1], int(sys.argv[2])
    threading.Thread(target=end_with_parent, daemon=True).start()
    Granian(
        "otto_site.asgi:application",
        address=host,
        port=port,
        interface=Interfaces.ASGI,
        websockets=False,
        respawn_failed_workers=True,
        workers_kill_timeout=STOP_SECONDS,
        log_level=LogLevels.error,
    ).serve()


if __name__ == "__main__":
    main()
