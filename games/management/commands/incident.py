"""Stop all clocks while something is wrong, and let them go on."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games.models import Incident
from games.services import incidents
from games.services.errors import Conflict


class Command(BaseCommand):
    """One command for an operator with other things on their mind."""

    help = "Freeze all clocks (`incident start`), let them run again (`incident end`), or say how things are."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("deed", choices=["start", "end", "status"])
        parser.add_argument("why", nargs="?", default="", help="what is wrong; players may read it")

    def handle(self, deed: str, why: str, **options: Any) -> None:
        now = timezone.now()
        try:
            if deed == "start":
                incidents.start(now=now, why=why)
                self.stdout.write("All clocks rest. `manage.py incident end` lets them go on.")
            elif deed == "end":
                ended = incidents.end(now=now, progress=self.progress)
                assert ended.ended_at
                length = ended.ended_at - ended.started_at
                self.stdout.write(f"Clocks run again; they rested for {str(length).split('.')[0]}.")
            else:
                self.status()
        except Conflict as refused:
            raise CommandError(refused.detail) from None

    def progress(self, done: int) -> None:
        self.stdout.write(f"  {done} games", ending="\r")
        self.stdout.flush()

    def status(self) -> None:
        incident = Incident.objects.filter(settled=False).first()
        if incident is None:
            self.stdout.write("Clocks run.")
        elif incident.ended_at is None:
            self.stdout.write(
                f"All clocks rest since {incident.started_at:%Y-%m-%d %H:%M} UTC. {incident.why}"
            )
        else:
            self.stdout.write(
                "An incident is over; its clocks are being set. `incident end` goes on with it."
            )
