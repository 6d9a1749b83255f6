"""Create the demo league and cups of a trial site."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from tournaments.services import demo


class Command(BaseCommand):
    """Calls `tournaments.services.demo.create_demo`."""

    help = "Create the demo league and cups if they do not exist. Requires DEMO, as with `make run`."

    def handle(self, **options: Any) -> None:
        """Create the demo if settings.DEMO is on and it does not exist."""
        if settings.DEMO and demo.create_demo(now=timezone.now()):
            self.stdout.write("Created a demo league and two cups.")
