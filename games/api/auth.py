"""Who is asking, and what they may: personal tokens, OAuth 2 access tokens, or the browser's session."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, NoReturn

from django.utils import timezone
from django.utils.translation import gettext as _
from oauth2_provider.models import AccessToken
from rest_framework import authentication, exceptions
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from games.models import Player, Token
from games.scopes import APP_SCOPES, SCOPES
from games.services import tokens

CHALLENGE = 'Bearer realm="otto"'


def bearer(request: Request) -> str | None:
    """The token that the request carries, if any. Raises AuthenticationFailed where it cannot be read."""
    words = request.META.get("HTTP_AUTHORIZATION", "").split()
    if not words or words[0].lower() != "bearer":
        return None
    if len(words) != 2:
        refuse("bad-token", _("The header must read: Authorization: Bearer, a space, and one token."))
    return words[1]


def refuse(code: str, detail: str) -> NoReturn:
    raise exceptions.AuthenticationFailed(detail, code=code)


def check_active(player: Player) -> None:
    if not player.is_active:
        refuse("account-closed", _("The account that this token belongs to is closed."))


class TokenAuthentication(authentication.BaseAuthentication):
    """A personal token: `Authorization: Bearer otto_…`. One query; `request.auth` is the token's row."""

    def authenticate(self, request: Request) -> tuple[Player, Token] | None:
        plain = bearer(request)
        if plain is None or not plain.startswith(tokens.PREFIX):
            return None
        token = tokens.find(plain=plain)
        now = timezone.now()
        if token is None:
            refuse("unknown-token", _("There is no such token."))
        if token.revoked_at is not None:
            refuse("token-revoked", _("This token has been revoked."))
        if token.expires_at is not None and token.expires_at <= now:
            refuse("token-expired", _("This token has expired."))
        check_active(token.player)
        tokens.touch(token=token, now=now)
        return token.player, token

    def authenticate_header(self, request: Request) -> str:
        return CHALLENGE


class OAuthAuthentication(authentication.BaseAuthentication):
    """An access token that a player gave to an app. One query; `request.auth` is the token's row."""

    def authenticate(self, request: Request) -> tuple[Player, Any] | None:
        plain = bearer(request)
        if plain is None or plain.startswith(tokens.PREFIX):
            return None
        # oauthlib's own check would read the body as a form before the API has seen it; this is its query.
        checksum = hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()
        token = AccessToken.objects.select_related("user").filter(token_checksum=checksum).first()
        if token is None or token.user is None:
            refuse("unknown-token", _("There is no such token."))
        if token.expires <= timezone.now():
            refuse("token-expired", _("This token has expired."))
        check_active(token.user)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return CHALLENGE


class SessionAuthentication(authentication.SessionAuthentication):
    """The browser of somebody who has logged in; what writes needs the CSRF token. A guest is nobody here."""

    def authenticate(self, request: Request) -> tuple[Player, None] | None:
        found: tuple[Player, None] | None = super().authenticate(request)
        return None if found and found[0].guest else found

    def enforce_csrf(self, request: Request) -> None:
        try:
            super().enforce_csrf(request)
        except exceptions.PermissionDenied as error:
            raise exceptions.PermissionDenied(str(error.detail), code="csrf") from None


def scopes_of(request: Request) -> frozenset[str]:
    """What the request may do: a token's scopes, everything for a logged-in browser, nothing for nobody."""
    if not request.user.is_authenticated:
        return frozenset()
    if isinstance(request.auth, Token):
        return frozenset(request.auth.scopes.split())
    if request.auth is not None:
        return frozenset(request.auth.scope.split()).intersection(APP_SCOPES)
    return frozenset(SCOPES)


class MissingScope(exceptions.PermissionDenied):
    """The token is good, but not for this; `scope` is what it lacks."""

    def __init__(self, scope: str) -> None:
        super().__init__(_("this needs the scope %(scope)s") % {"scope": scope}, code="missing-scope")
        self.scope = scope
        self.auth_header = f'{CHALLENGE}, error="insufficient_scope", scope="{scope}"'


class HasScope(BasePermission):
    """`permission_classes = [HasScope("read", writing="play")]`: the scope for GET, and for the rest.

    With `anonymous=True` everybody may read, and only tokens are asked for their scope.
    """

    def __init__(self, scope: str, *, writing: str | None = None, anonymous: bool = False) -> None:
        self.scope = scope
        self.writing = writing or scope
        self.anonymous = anonymous

    def __call__(self) -> HasScope:
        """REST framework calls what is listed in permission_classes to make one for each request."""
        return self

    def has_permission(self, request: Request, view: Any) -> bool:
        if not request.user.is_authenticated:
            return self.anonymous and request.method in SAFE_METHODS
        require(request, [self.scope if request.method in SAFE_METHODS else self.writing])
        return True


class OwnerPermission(BasePermission):
    """`permission_classes = [OwnerPermission("account")]`: a browser, or a personal token with these scopes.

    No app, whatever its scopes. With `in_person=True` no token either: what goes on working after a token is
    revoked is given to nobody who only has the token.
    """

    def __init__(self, *scopes: str, in_person: bool = False) -> None:
        self.scopes = scopes
        self.in_person = in_person

    def __call__(self) -> OwnerPermission:
        """REST framework calls what is listed in permission_classes to make one for each request."""
        return self

    def has_permission(self, request: Request, view: Any) -> bool:
        if not request.user.is_authenticated:
            return False
        if request.auth is not None and not isinstance(request.auth, Token):
            raise exceptions.PermissionDenied(_("Apps may not do this."), code="not-for-apps")
        if request.auth is not None and self.in_person:
            raise exceptions.PermissionDenied(
                _("No token may do this. Sign in with your browser."), code="in-person"
            )
        require(request, self.scopes)
        return True


def require(request: Request, scopes: Iterable[str]) -> None:
    """Raise MissingScope for the first that the request does not have."""
    held = scopes_of(request)
    for scope in scopes:
        if scope not in held:
            raise MissingScope(scope)
