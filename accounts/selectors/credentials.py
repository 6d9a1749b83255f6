"""Credentials of requests that last: whether tokens, sessions and accounts are still valid, many at once."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from django.contrib.sessions.models import Session
from oauth2_provider.models import AccessToken

from accounts.models import Player, Token


class CredentialKind(StrEnum):
    """The kinds of credentials."""

    TOKEN = "token"
    APP = "app"
    SESSION = "session"


class Credential(NamedTuple):
    """The credential of a request, small enough to be kept for as long as a stream is open."""

    kind: CredentialKind
    key: int | str
    player_id: int
    password_mark: int  # sessions end when the password changes


def make_password_mark(password: str) -> int:
    """A number that changes with the password."""
    return hash(password)


def build_token_credential(token: Token | AccessToken, player: Player) -> Credential:
    """The credential of a personal token, or of an app's."""
    kind = CredentialKind.TOKEN if isinstance(token, Token) else CredentialKind.APP
    return Credential(kind, token.pk, player.pk, 0)


def build_session_credential(session_key: str, player: Player) -> Credential:
    """The credential of a browser session."""
    return Credential(CredentialKind.SESSION, session_key, player.pk, make_password_mark(player.password))


def find_valid_credentials(credentials: Collection[Credential], now: datetime) -> set[Credential]:
    """Those that are still valid, in one query for each kind and one for the players."""
    keys: dict[CredentialKind, set[int | str]] = {kind: set() for kind in CredentialKind}
    for credential in credentials:
        keys[credential.kind].add(credential.key)
    valid_keys: dict[CredentialKind, set[int | str]] = {kind: set() for kind in CredentialKind}
    if keys[CredentialKind.TOKEN]:
        tokens = Token.objects.filter(pk__in=keys[CredentialKind.TOKEN], revoked_at=None)
        valid_keys[CredentialKind.TOKEN] = {
            pk
            for pk, expires_at in tokens.values_list("pk", "expires_at")
            if expires_at is None or expires_at > now
        }
    if keys[CredentialKind.APP]:
        app_tokens = AccessToken.objects.filter(pk__in=keys[CredentialKind.APP], expires__gt=now)
        valid_keys[CredentialKind.APP] = set(app_tokens.values_list("pk", flat=True))
    if keys[CredentialKind.SESSION]:
        sessions = Session.objects.filter(session_key__in=keys[CredentialKind.SESSION], expire_date__gt=now)
        valid_keys[CredentialKind.SESSION] = set(sessions.values_list("session_key", flat=True))
    players = Player.objects.filter(
        pk__in={credential.player_id for credential in credentials}, is_active=True
    )
    password_marks = {
        pk: make_password_mark(password) for pk, password in players.values_list("pk", "password")
    }
    return {
        credential
        for credential in credentials
        if credential.key in valid_keys[credential.kind]
        and credential.player_id in password_marks
        and credential.password_mark in (0, password_marks[credential.player_id])
    }
