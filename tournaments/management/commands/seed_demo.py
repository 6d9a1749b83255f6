"""A league and cups with bots, for whoever tries the site with `make run`."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from tournaments.services import demo


class Command(BaseCommand):
    """The door to tournaments.services.demo.seed."""

    help = "Make the demo league and cups, once; only where settings.DEMO is on, as with `make run`."

    def handle(self, **options: Any) -> None:
        if settings.DEMO and demo.seed(now=timezone.now()):
            self.stdout.write("A demo league and two cups are there to look at, and to join.")
