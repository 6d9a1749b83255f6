"""Signing in with a password: which account an address means."""

from __future__ import annotations

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from games.models import Player
from games.selectors.addresses import accounts_for_password


class PasswordBackend(AuthenticationBackend):
    """allauth's, with two accounts for every address, of which one or both may be missing."""

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> Player | None:
        """Raises PermissionDenied if the password is wrong, so that no further backend hashes it again.

        Whoever signed up with another's address is answered as with an address of nobody's: the password that
        they chose leads to the page about the mail. So a wrong password is hashed twice, always.
        """
        email, password = credentials.get("email") or credentials.get("username"), credentials.get("password")
        if not email or not password:
            raise PermissionDenied
        for player in accounts_for_password(email):
            if player is None:
                self._mitigate_timing_attack(password)
            elif self._check_password(player, password):
                return player
        raise PermissionDenied
