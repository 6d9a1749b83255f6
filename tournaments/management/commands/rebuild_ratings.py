"""Rebuild all ratings by replaying the rated games in their stored order."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from tournaments.ratings import services as ratings


class Command(BaseCommand):
    """Calls `tournaments.ratings.services.rebuild_ratings`."""

    help = "Recompute all ratings from the games that were counted, and report how many were wrong."

    def handle(self, **options: Any) -> None:
        """Rebuild the ratings and print how many differed."""
        game_count, differing_count = ratings.rebuild_ratings(now=timezone.now())
        self.stdout.write(f"{game_count} games; {differing_count} ratings were different")
