"""Start and end an incident, during which all clocks stop."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from tqdm import tqdm

from common.service_errors import Conflict
from games.models import Incident
from games.services import incidents


class Command(BaseCommand):
    """Runs games.services.incidents."""

    help = "Stop all clocks (`incident start`), restart them (`incident end`), or show the status."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the arguments."""
        parser.add_argument("action", choices=["start", "end", "status"], help="status changes nothing")
        parser.add_argument("reason", nargs="?", default="", help="cause of the incident, shown to players")

    def handle(self, action: str, reason: str, **options: Any) -> None:
        """Start or end an incident, or print the status. Raises CommandError."""
        now = timezone.now()
        try:
            if action == "start":
                incidents.start_incident(now=now, reason=reason)
                self.stdout.write("All clocks have stopped. Restart them with `manage.py incident end`.")
            elif action == "end":
                with tqdm(desc="restarting clocks", unit=" games", disable=None, leave=False) as bar:
                    incident = incidents.end_incident(now=now, progress=lambda done: bar.update(done - bar.n))
                assert incident.ended_at
                length = incident.ended_at - incident.started_at
                self.stdout.write(
                    f"Clocks are running again. They stood still for {str(length).split('.')[0]}."
                )
            else:
                self.print_status()
        except Conflict as error:
            raise CommandError(error.detail) from None

    def print_status(self) -> None:
        """Print whether an incident is open."""
        incident = Incident.objects.filter(deadlines_recomputed=False).first()
        if incident is None:
            self.stdout.write("Clocks are running.")
        elif incident.ended_at is None:
            self.stdout.write(
                f"All clocks stopped at {incident.started_at:%Y-%m-%d %H:%M} UTC. {incident.reason}"
            )
        else:
            self.stdout.write(
                "The incident is over, but some clocks are not set yet. Run `incident end` again to finish."
            )
