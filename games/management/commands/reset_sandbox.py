"""Empty a sandbox and fill it with the demo again."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from games.services.sandbox import NotASandbox, delete_all_data


class Command(BaseCommand):
    """Calls `games.services.sandbox.delete_all_data`, then `seed_demo`."""

    help = "Delete all data of a public sandbox and recreate the demo. Requires SANDBOX."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the arguments."""
        parser.add_argument("database", help="name of the database, as confirmation")

    def handle(self, *, database: str, **options: Any) -> None:
        """Empty database, caches and mailbox. Raises CommandError where this is no sandbox."""
        try:
            delete_all_data(database_name=database)
        except NotASandbox as refusal:
            raise CommandError(str(refusal)) from None
        for name in settings.CACHES:
            caches[name].clear()
        for mail in Path(settings.EMAIL_FILE_PATH).glob("*"):
            if mail.is_file():
                mail.unlink()
        call_command("seed_demo", stdout=self.stdout)
        self.stdout.write("Sandbox reset.")
