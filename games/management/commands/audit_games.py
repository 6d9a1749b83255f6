"""Replay every stored game against its log, hash chain and snapshot."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand
from tqdm import tqdm

from games.services.game_audit import audit_games, count_started_games


class Command(BaseCommand):
    """Runs games.services.game_audit."""

    help = "Replay all stored games and list those that differ from their log; exit 1 if any differs."

    def handle(self, **options: Any) -> None:
        """Audit all games, print each difference, and exit with 1 if there is any."""
        total = count_started_games()
        difference_count = 0
        for finding in tqdm(audit_games(), "auditing", total, disable=None, leave=False):
            if finding:
                difference_count += 1
                with tqdm.external_write_mode():
                    self.stdout.write(str(finding))
        self.stdout.write(f"{total} games audited, {difference_count} differ")
        if difference_count:
            sys.exit(1)
