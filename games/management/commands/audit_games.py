"""Replay every stored game against its log, hash chain and snapshot."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand

from games.management.progress import progress
from games.services.audit import audit, begun


class Command(BaseCommand):
    """The door to games.services.audit."""

    help = "Replay every stored game and compare. Says which game differs and where; exit 1 if any does."

    def handle(self, **options: Any) -> None:
        total = begun()
        wrong = 0
        for finding in progress(audit(), total, "auditing", sys.stderr):
            if finding:
                wrong += 1
                self.stdout.write(str(finding))
        self.stdout.write(f"{total} games audited, {wrong} differ")
        if wrong:
            sys.exit(1)
