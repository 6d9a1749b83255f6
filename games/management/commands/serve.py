"""Web server and workers in one: what `make run` starts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

QUEUES, BUSY_QUEUES = "turns,mail,bots", "tournaments"  # the second ones keep a worker of their own busy


class Command(BaseCommand):
    """Starts the processes, and ends all of them when one ends."""

    help = "Serve the site and run its workers, all until Ctrl-C. For trying it out, not for production."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", nargs="?", default="127.0.0.1:8000")
        parser.add_argument("--first", metavar="COMMAND", help="another command, to run before")

    def handle(self, address: str, **options: Any) -> None:
        if options["first"]:
            call_command(options["first"])
        beat = settings.VAR_DIR / "beat"
        beat.mkdir(exist_ok=True)
        celery = [sys.executable, "-W", "ignore", "-m", "celery", "--quiet", "-A", "otto_site", "worker"]
        celery += ["--pool", "solo", "--loglevel", "WARNING"]
        worker = [*celery, "--queues", QUEUES, "--beat", "--schedule", str(beat / "schedule")]
        busy = [*celery, "--queues", BUSY_QUEUES, "--hostname", f"{BUSY_QUEUES}@%h"]
        # Static files come from WhiteNoise, as in production; runserver's own way fails if asked for others.
        web = [sys.executable, "manage.py", "runserver", "--noreload", "--nostatic", address]
        quiet = os.environ | {"C_FORCE_ROOT": "1"}  # a trial on one's own machine, whoever one is there
        processes = [
            subprocess.Popen(command, cwd=settings.BASE_DIR, env=quiet) for command in (worker, busy, web)
        ]
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        try:
            while all(process.poll() is None for process in processes):
                time.sleep(0.2)
        except KeyboardInterrupt:
            pass
        finally:
            for process in processes:
                process.terminate()
            for process in processes:
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
