"""Look at or change whether an address wants mail from us."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games.selectors.contacts import digest_of_address, is_refused
from games.services import contacts


class Command(BaseCommand):
    """For whoever writes to the operator: a link in a mail does the same, but it may be lost."""

    help = "Show whether an address refused all mail from this site, refuse it for its owner, or allow it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("deed", choices=["show", "refuse", "allow"])
        parser.add_argument("email")

    def handle(self, deed: str, email: str, **options: Any) -> None:
        if deed != "show":
            change = contacts.refuse_mail if deed == "refuse" else contacts.allow_mail
            change(digest=digest_of_address(email), now=timezone.now())
        self.stdout.write("refused: no mail goes there" if is_refused(email) else "allowed")
