"""Print a new key pair for push notifications, as settings."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from notifications.channels.push.vapid import derive_public_key, generate_private_key


class Command(BaseCommand):
    """Prints a private key for VAPID_PRIVATE_KEY; the public one follows from it."""

    help = __doc__
    requires_system_checks: list[str] = []  # it is run before there is a site

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the lines for the environment."""
        private_key = generate_private_key()
        self.stdout.write(f"# The public key, for your own records: {derive_public_key(private_key)}")
        self.stdout.write("# Your address, for the operators of push services.")
        self.stdout.write("VAPID_SUBJECT=mailto:operator@example.org")
        self.stdout.write(f"VAPID_PRIVATE_KEY={private_key}")
