"""Write the open data: all finished public games, one file for each month."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from tqdm import tqdm

from games.selectors.open_data import Month, list_finished_months
from games.services.open_data import write_open_data


class Command(BaseCommand):
    """Writes otto-games-YYYY-MM.ndjson.zst, SHA256SUMS and files.json."""

    help = (
        "Write the finished public games of each past month as Zstandard-packed records with checksums. "
        "You can repeat it: the same games give the same bytes, without names of deleted accounts."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the arguments."""
        parser.add_argument(
            "--month",
            action="append",
            dest="months",
            metavar="YYYY-MM",
            help="only this month, in UTC; repeatable (default: all past months)",
        )
        parser.add_argument(
            "--out", type=Path, default=None, help="folder to write to (default: OPEN_DATA_DIR)"
        )

    def handle(self, months: list[str] | None, out: Path | None, **options: Any) -> None:
        """Write the files and print one line for each."""
        now = timezone.now()
        try:
            chosen_months = [Month.parse(text) for text in dict.fromkeys(months or ())]
        except ValueError:
            raise CommandError("Write a month as YYYY-MM, for example 2026-10.") from None
        if unfinished_months := [month for month in chosen_months if month.next.start > now]:
            raise CommandError(f"{unfinished_months[0]} is not over yet.")
        with tqdm(desc="writing", unit=" games", disable=None, leave=False) as progress:
            files = write_open_data(
                months=chosen_months or list_finished_months(now),
                folder=out or settings.OPEN_DATA_DIR,
                report_games=progress.update,
            )
        for file in files:
            self.stdout.write(f"{file.name}: {file.games} games, {file.bytes} bytes, SHA-256 {file.sha256}")
        if not files:
            self.stdout.write("No public games ended in these months.")
