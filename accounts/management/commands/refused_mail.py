"""Show or change whether an address refused mail."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from accounts.selectors.contacts import digest_of_address, is_refused_address
from accounts.services import contact_limits


class Command(BaseCommand):
    """For people who write to the operator instead of using the link in a mail."""

    help = "Show whether an address refuses all mail from this site, refuse mail for its owner, or allow it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the arguments."""
        parser.add_argument("action", choices=["show", "refuse", "allow"], help="show changes nothing")
        parser.add_argument("email", help="address, with or without an account")

    def handle(self, action: str, email: str, **options: Any) -> None:
        """Show, refuse or allow mail to an address."""
        if action != "show":
            change = contact_limits.refuse_mail if action == "refuse" else contact_limits.allow_mail
            change(digest=digest_of_address(email), now=timezone.now())
        self.stdout.write("Refused: this address gets no mail." if is_refused_address(email) else "Allowed.")
