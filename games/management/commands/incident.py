"""Start and end an incident, during which all clocks stop."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from common.service_errors import Conflict
from games.models import Incident
from games.services import incidents


class Command(BaseCommand):
    """Runs games.services.incidents."""

    help = "Freeze all clocks (`incident start`), let them run again (`incident end`), or say how things are."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the arguments."""
        parser.add_argument("action", choices=["start", "end", "status"])
        parser.add_argument("reason", nargs="?", default="", help="what is wrong; players may read it")

    def handle(self, action: str, reason: str, **options: Any) -> None:
        """Start or end an incident, or print the status. Raises CommandError."""
        now = timezone.now()
        try:
            if action == "start":
                incidents.start_incident(now=now, reason=reason)
                self.stdout.write("All clocks rest. `manage.py incident end` lets them go on.")
            elif action == "end":
                incident = incidents.end_incident(now=now, progress=self.report_progress)
                assert incident.ended_at
                length = incident.ended_at - incident.started_at
                self.stdout.write(f"Clocks run again; they rested for {str(length).split('.')[0]}.")
            else:
                self.print_status()
        except Conflict as error:
            raise CommandError(error.detail) from None

    def report_progress(self, done: int) -> None:
        """Show how many games are done."""
        self.stdout.write(f"  {done} games", ending="\r")
        self.stdout.flush()

    def print_status(self) -> None:
        """Print whether an incident is open."""
        incident = Incident.objects.filter(deadlines_recomputed=False).first()
        if incident is None:
            self.stdout.write("Clocks run.")
        elif incident.ended_at is None:
            self.stdout.write(
                f"All clocks rest since {incident.started_at:%Y-%m-%d %H:%M} UTC. {incident.reason}"
            )
        else:
            self.stdout.write(
                "An incident is over; its clocks are being set. `incident end` goes on with it."
            )
