"""Signing in with a password: which account an address means."""

from __future__ import annotations

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from games.models import Player
from games.selectors.addresses import account_for_password


class PasswordBackend(AuthenticationBackend):
    """allauth's, with one account for an address, however many have claimed it: one password is hashed."""

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> Player | None:
        """Raises PermissionDenied if the password is wrong, so that no further backend hashes it again."""
        player = super().authenticate(request, **credentials)
        if player is None:
            raise PermissionDenied
        assert isinstance(player, Player)
        return player

    def _authenticate_by_email(self, email: str, password: str) -> Any:
        return self._check_password(account_for_password(email) if email else None, password)
