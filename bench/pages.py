"""How long a page's first byte takes as `make run` serves it, beside an empty Django view on the same server.

Starts what `make run` starts, site and worker on SQLite in a folder of their own, with a small world of
players and games in it; then asks for every page in turn with the empty view, always over a new connection.
Figures are medians, in milliseconds. `--times` says how often.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from _common import PLENTY, ROOT, manage, middle, print_figure, use_django

from tests.services import free_port, listens

TIMES = 20
PEER = "an empty Django view"
PATIENCE = 60.0  # seconds for a server to start, and for a worker to have sent what is due


def start(stack: ExitStack, environment: dict[str, str], *words: str, port: int) -> None:
    """Run a management command that serves on a port until the block ends."""
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "manage.py", *words, f"127.0.0.1:{port}"],
        cwd=ROOT,
        env=os.environ | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    stack.callback(stop, process)
    patience = time.monotonic() + PATIENCE
    while not listens(port):
        assert process.poll() is None, f"{words[0]} ended at its start"
        assert time.monotonic() < patience, f"{words[0]} never answers"
        time.sleep(0.1)


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a server and whatever it has started."""
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def first_byte(port: int, path: str, cookie: str, status: int) -> float:
    """Seconds from the request to the first byte of its answer, connecting included."""
    header = f"Cookie: {cookie}\r\n" if cookie else ""
    request = (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAccept: text/html\r\n{header}\r\n"
    )
    since = time.perf_counter()
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(request.encode())
        head = connection.recv(4096)
        taken = time.perf_counter() - since
        while connection.recv(65536):
            pass
    assert head.split(b" ", 2)[1] == str(status).encode(), f"{path}: {head[:60]!r}"
    return taken


def until_calm() -> None:
    """Let the worker send what is due, so that what is measured is the site at rest."""
    from games.models import Delivery

    patience = time.monotonic() + PATIENCE
    while Delivery.objects.filter(due_at__lte=datetime.now(UTC)).exists() and time.monotonic() < patience:
        time.sleep(0.5)


def measure(ours: int, theirs: int, times: int, mails: Path) -> None:
    from tests.browser.pages import PAGES
    from tests.browser.world import world

    made = world(mails)
    until_calm()
    slowest = (0.0, 0.0, "")
    for page in PAGES:
        if page.deed or page.status == 404:  # with DEBUG that page is Django's
            continue
        session = made.visitor(page.who).cookies.get("sessionid")
        cookie = f"sessionid={session.value}" if session else ""
        pairs = [
            (first_byte(ours, page.address(made), cookie, page.status), first_byte(theirs, "/", "", 200))
            for _ in range(times + 1)
        ][1:]  # the first is to warm up
        mine, other = (middle([*column]) * 1000 for column in zip(*pairs, strict=True))
        print_figure(f"first byte of {page.name}", mine, PEER, other, mine / other)
        slowest = max(slowest, (mine, other, page.name))
    mine, other, name = slowest
    print_figure(f"slowest first byte, of {name}", mine, PEER, other, mine / other)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--times", type=int, default=TIMES, metavar="N", help="how often each page is asked for"
    )
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="otto-bench-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        ours, theirs = free_port(), free_port()
        trial = {"VAR_DIR": str(folder), "DEBUG": "1", "SITE_URL": f"http://127.0.0.1:{ours}"}
        trial |= {"DATABASE_URL": "", "REDIS_URL": "", "EMAIL_HOST": "", "EMAIL_BACKEND": ""}
        trial |= {"PAGE_RATE": PLENTY, "PAGE_RATE_ANONYMOUS": PLENTY}
        manage(trial, "migrate", "--verbosity", "0")
        use_django(trial)
        start(stack, trial, "serve", port=ours)
        peer = {"DJANGO_SETTINGS_MODULE": "bench.minimal.empty", "PYTHONPATH": str(ROOT)}
        start(stack, peer, "runserver", "--noreload", port=theirs)
        measure(ours, theirs, asked.times, folder / "mail")


if __name__ == "__main__":
    main()
