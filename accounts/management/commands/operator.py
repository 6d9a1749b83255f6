"""Grant or revoke operator permissions."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.email_addresses import comparable_address
from accounts.models import Player
from accounts.services.players import OperatorRole, set_operator_role
from common.service_errors import Denied


class Command(BaseCommand):
    """The only way to grant access to /admin/."""

    help = "Grant an account operator access to /admin/ (all, or look only), or revoke it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the arguments."""
        parser.add_argument("email", help="confirmed address of the account")
        parser.add_argument(
            "may", choices=[role.value for role in OperatorRole], help="rights at /admin/; none revokes them"
        )

    def handle(self, email: str, may: str, **options: Any) -> None:
        """Set an account's operator permissions. Raises CommandError."""
        # Not `iexact`, which treats ı and i as equal: those are different addresses.
        player = Player.objects.filter(email=comparable_address(email)).first()
        if player is None:
            raise CommandError(f"No account has the address {email}.")
        try:
            set_operator_role(player=player, role=OperatorRole(may), now=timezone.now())
        except Denied as error:
            raise CommandError(error.detail) from None
        self.stdout.write(f"{player.name} now has this operator access to /admin/: {may}.")
