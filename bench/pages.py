"""Time to first byte of every page as `make run` serves it, beside an empty Django view.

Starts site and worker as `make run` does, on SQLite in a temporary folder, with some players and games. Each
page is requested in turn with the empty view, always over a new connection. Figures are medians in
milliseconds. `--times` sets the number of requests.
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

from _common import (
    ROOT,
    UNREACHABLE_RATE,
    compute_median,
    print_figure,
    run_management_command,
    set_up_django,
)

from tests.services import free_port, is_port_open

REPEAT_COUNT = 20
PEER_NAME = "an empty Django view"
START_TIMEOUT_SECONDS = 60.0  # for a server to start, and for the worker to send due mails


def start_server(stack: ExitStack, environment: dict[str, str], *arguments: str, port: int) -> None:
    """Run a management command that serves on a port until the stack closes."""
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "manage.py", *arguments, f"127.0.0.1:{port}"],
        cwd=ROOT,
        env=os.environ | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    stack.callback(stop_server, process)
    gives_up_at = time.monotonic() + START_TIMEOUT_SECONDS
    while not is_port_open(port):
        assert process.poll() is None, f"{arguments[0]} ended at its start"
        assert time.monotonic() < gives_up_at, f"{arguments[0]} never answers"
        time.sleep(0.1)


def stop_server(process: subprocess.Popen[bytes]) -> None:
    """Stop a server and its child processes."""
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def measure_first_byte(port: int, path: str, cookie: str, status: int) -> float:
    """Return the seconds from the request to the first byte of the response, including the connection."""
    header = f"Cookie: {cookie}\r\n" if cookie else ""
    request = (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAccept: text/html\r\n{header}\r\n"
    )
    started_at = time.perf_counter()
    with socket.create_connection(("127.0.0.1", port), timeout=START_TIMEOUT_SECONDS) as connection:
        connection.sendall(request.encode())
        head = connection.recv(4096)
        duration = time.perf_counter() - started_at
        while connection.recv(65536):
            pass
    assert head.split(b" ", 2)[1] == str(status).encode(), f"{path}: {head[:60]!r}"
    return duration


def wait_until_idle() -> None:
    """Wait until the worker has sent all due mails, so that the site is idle."""
    from notifications.models import Delivery

    gives_up_at = time.monotonic() + START_TIMEOUT_SECONDS
    while (
        Delivery.objects.filter(next_attempt_at__lte=datetime.now(UTC)).exists()
        and time.monotonic() < gives_up_at
    ):
        time.sleep(0.5)


def measure_pages(own_port: int, peer_port: int, repeat_count: int, mail_folder: Path) -> None:
    """Print the time to first byte of every page, and the slowest one."""
    from tests.browser.pages import PAGES
    from tests.browser.world import build_world

    browser_world = build_world(mail_folder)
    wait_until_idle()
    slowest = (0.0, 0.0, "")
    for page in PAGES:
        if page.action or page.status == 404:  # with DEBUG the 404 page is Django's
            continue
        cookies = browser_world.visitor(page.who).cookies
        cookie = "; ".join(f"{name}={morsel.coded_value}" for name, morsel in cookies.items())
        pairs = [
            (
                measure_first_byte(own_port, page.address(browser_world), cookie, page.status),
                measure_first_byte(peer_port, "/", "", 200),
            )
            for _ in range(repeat_count + 1)
        ][1:]  # the first request warms up
        own_ms, peer_ms = (compute_median([*column]) * 1000 for column in zip(*pairs, strict=True))
        print_figure(f"first byte of {page.name}", own_ms, PEER_NAME, peer_ms, own_ms / peer_ms)
        slowest = max(slowest, (own_ms, peer_ms, page.name))
    own_ms, peer_ms, name = slowest
    print_figure(f"slowest first byte, of {name}", own_ms, PEER_NAME, peer_ms, own_ms / peer_ms)


def main() -> None:
    """Start both servers and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--times", type=int, default=REPEAT_COUNT, metavar="N", help="how often each page is asked for"
    )
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="otto-bench-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        own_port, peer_port = free_port(), free_port()
        own_environment = {"VAR_DIR": str(folder), "DEBUG": "1", "SITE_URL": f"http://127.0.0.1:{own_port}"}
        own_environment |= {"DATABASE_URL": "", "REDIS_URL": "", "EMAIL_HOST": "", "EMAIL_BACKEND": ""}
        own_environment |= {"PAGE_RATE": UNREACHABLE_RATE, "PAGE_RATE_ANONYMOUS": UNREACHABLE_RATE}
        run_management_command(own_environment, "migrate", "--verbosity", "0")
        set_up_django(own_environment)
        from tests.browser.world import MAILBOX_KEY

        start_server(stack, own_environment | {"MAILBOX_KEY": MAILBOX_KEY}, "serve", port=own_port)
        peer_environment = {"DJANGO_SETTINGS_MODULE": "bench.minimal.empty", "PYTHONPATH": str(ROOT)}
        start_server(stack, peer_environment, "runserver", "--noreload", port=peer_port)
        measure_pages(own_port, peer_port, arguments.times, folder / "mail")


if __name__ == "__main__":
    main()
