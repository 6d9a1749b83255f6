"""Password login: which account an email address means."""

from __future__ import annotations

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from accounts.models import Player
from accounts.selectors.addresses import find_accounts_for_password


class PasswordBackend(AuthenticationBackend):
    """allauth's backend for addresses with up to two accounts: the confirmed one and an unconfirmed claim."""

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> Player | None:
        """Return the account whose password matches.

        Raises PermissionDenied otherwise, so that no other backend hashes the password again. An account that
        claims somebody else's address behaves like any unconfirmed one: its password leads to the page about
        the confirmation mail. A wrong password is always hashed twice, whichever accounts exist.
        """
        email, password = credentials.get("email") or credentials.get("username"), credentials.get("password")
        if not email or not password:
            raise PermissionDenied
        for player in find_accounts_for_password(email):
            if player is None:
                self._mitigate_timing_attack(password)
            elif self._check_password(player, password):
                return player
        raise PermissionDenied
