"""Play all ratings again, in the order in which games were counted."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from tournaments.services import ratings


class Command(BaseCommand):
    """The door to tournaments.services.ratings.rebuild."""

    help = "Work out all ratings anew from the games that were counted, and say how many were wrong."

    def handle(self, **options: Any) -> None:
        games, differ = ratings.rebuild(now=timezone.now())
        self.stdout.write(f"{games} games; {differ} ratings were different")
