"""Authentication and permissions: personal tokens, OAuth 2 access tokens, or the browser's session."""

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

from accounts.models import Player, Token
from accounts.scopes import APP_SCOPES, SCOPES
from accounts.selectors.credentials import Credential, build_session_credential, build_token_credential
from accounts.services import tokens
from common.service_errors import AUTH_HEADER


def read_bearer_token(request: Request) -> str | None:
    """The bearer token of the request; None if there is none. Raises AuthenticationFailed if malformed."""
    header_parts = request.META.get("HTTP_AUTHORIZATION", "").split()
    if not header_parts or header_parts[0].lower() != "bearer":
        return None
    if len(header_parts) != 2:
        fail_authentication(
            "bad-token", _("Send the header as `Authorization: Bearer`, a space and one token.")
        )
    return header_parts[1]


def fail_authentication(code: str, detail: str) -> NoReturn:
    """Raise AuthenticationFailed with an error code."""
    raise exceptions.AuthenticationFailed(detail, code=code)


def check_active(player: Player) -> None:
    """Raise AuthenticationFailed if the account is closed."""
    if not player.is_active:
        fail_authentication("account-closed", _("The account of this token is closed."))


class TokenAuthentication(authentication.BaseAuthentication):
    """A personal token: `Authorization: Bearer otto_…`. One query; `request.auth` is the Token."""

    def authenticate(self, request: Request) -> tuple[Player, Token] | None:
        """Player and token; None if the request has no personal token."""
        plain_token = read_bearer_token(request)
        if plain_token is None or not plain_token.startswith(tokens.TOKEN_PREFIX):
            return None
        token = tokens.find_token(plain_token=plain_token)
        now = timezone.now()
        if token is None:
            fail_authentication("unknown-token", _("There is no such token."))
        if token.revoked_at is not None:
            fail_authentication("token-revoked", _("This token has been revoked."))
        if token.expires_at is not None and token.expires_at <= now:
            fail_authentication("token-expired", _("This token has expired."))
        check_active(token.player)
        tokens.touch_token(token=token, now=now)
        return token.player, token

    def authenticate_header(self, request: Request) -> str:
        """The WWW-Authenticate header of a 401."""
        return AUTH_HEADER


class OAuthAuthentication(authentication.BaseAuthentication):
    """An access token that a player gave to an app. One query; `request.auth` is the AccessToken."""

    def authenticate(self, request: Request) -> tuple[Player, Any] | None:
        """Player and token; None if the request has no OAuth token."""
        plain_token = read_bearer_token(request)
        if plain_token is None or plain_token.startswith(tokens.TOKEN_PREFIX):
            return None
        # The query of oauthlib's own check, which would parse the body as a form before the API does.
        checksum = hashlib.sha256(plain_token.encode("utf-8", "surrogatepass")).hexdigest()
        token = AccessToken.objects.select_related("user").filter(token_checksum=checksum).first()
        if token is None or token.user is None:
            fail_authentication("unknown-token", _("There is no such token."))
        if token.expires <= timezone.now():
            fail_authentication("token-expired", _("This token has expired."))
        check_active(token.user)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """The WWW-Authenticate header of a 401."""
        return AUTH_HEADER


class SessionAuthentication(authentication.SessionAuthentication):
    """A browser session; writes need the CSRF token. Guests count as anonymous."""

    def authenticate(self, request: Request) -> tuple[Player, None] | None:
        """The signed-in player; None for guests and anonymous browsers."""
        authenticated: tuple[Player, None] | None = super().authenticate(request)
        return None if authenticated and authenticated[0].is_guest else authenticated

    def enforce_csrf(self, request: Request) -> None:
        """Raise PermissionDenied with code `csrf` if the token is missing or wrong."""
        try:
            super().enforce_csrf(request)
        except exceptions.PermissionDenied:
            raise exceptions.PermissionDenied(
                _("The browser sent no CSRF token. Reload the page. Programs send a token instead."),
                code="csrf",
            ) from None


def scopes_of(request: Request) -> frozenset[str]:
    """Scopes of the request: those of its token, all for a browser session, none if anonymous."""
    if not request.user.is_authenticated:
        return frozenset()
    if isinstance(request.auth, Token):
        return frozenset(request.auth.scopes.split())
    if request.auth is not None:
        return frozenset(request.auth.scope.split()).intersection(APP_SCOPES)
    return frozenset(SCOPES)


def find_credential(request: Any) -> Credential | None:
    """Return the credential of an API request or a page request; None if anonymous."""
    if not request.user.is_authenticated:
        return None
    if (token := getattr(request, "auth", None)) is not None:
        return build_token_credential(token, request.user)
    return build_session_credential(request.session.session_key or "", request.user)


class MissingScope(exceptions.PermissionDenied):
    """The token is valid but lacks `scope`."""

    def __init__(self, scope: str) -> None:
        super().__init__(
            _("This needs a token with the scope %(scope)s.") % {"scope": scope}, code="missing-scope"
        )
        self.scope = scope
        self.auth_header = f'{AUTH_HEADER}, error="insufficient_scope", scope="{scope}"'


class HasScope(BasePermission):
    """`permission_classes = [HasScope("read", write_scope="play")]`: scope for reads, and for writes.

    With `anonymous=True` everybody may read, and only tokens are checked for their scope.
    """

    def __init__(self, scope: str, *, write_scope: str | None = None, anonymous: bool = False) -> None:
        self.scope = scope
        self.write_scope = write_scope or scope
        self.anonymous = anonymous

    def __call__(self) -> HasScope:
        """Return itself: REST framework instantiates permission classes by calling them."""
        return self

    def has_permission(self, request: Request, view: Any) -> bool:
        """True if the request may proceed. Raises MissingScope."""
        if not request.user.is_authenticated:
            return self.anonymous and request.method in SAFE_METHODS
        require_scopes(request, [self.scope if request.method in SAFE_METHODS else self.write_scope])
        return True


class FirstPartyOnly(BasePermission):
    """`permission_classes = [FirstPartyOnly("account")]`: a browser, or a personal token with these scopes.

    Apps are refused whatever their scopes. With `session_only=True` personal tokens are refused too: what
    stays valid after a token is revoked must not be available with the token alone.
    """

    def __init__(self, *scopes: str, session_only: bool = False) -> None:
        self.scopes = scopes
        self.session_only = session_only

    def __call__(self) -> FirstPartyOnly:
        """Return itself: REST framework instantiates permission classes by calling them."""
        return self

    def has_permission(self, request: Request, view: Any) -> bool:
        """True if the request may proceed. Raises PermissionDenied, MissingScope."""
        if not request.user.is_authenticated:
            return False
        if request.auth is not None and not isinstance(request.auth, Token):
            raise exceptions.PermissionDenied(
                _("Apps cannot do this. Use a personal token, or your browser."), code="not-for-apps"
            )
        if request.auth is not None and self.session_only:
            raise exceptions.PermissionDenied(
                _("Tokens cannot do this. Sign in with your browser."), code="session-only"
            )
        require_scopes(request, self.scopes)
        return True


def require_scopes(request: Request, scopes: Iterable[str]) -> None:
    """Raise MissingScope for the first scope that the request does not have."""
    granted_scopes = scopes_of(request)
    for scope in scopes:
        if scope not in granted_scopes:
            raise MissingScope(scope)
