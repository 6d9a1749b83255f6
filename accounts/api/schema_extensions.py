"""drf-spectacular extensions: our authentication schemes."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension

from accounts.scopes import APP_SCOPES


class TokenScheme(OpenApiAuthenticationExtension):
    """A personal token."""

    target_class = "accounts.api.auth.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """The security scheme of personal tokens."""
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A personal token, `otto_…`; `x-scope` says which scope it needs.",
        }


class OAuthScheme(OpenApiAuthenticationExtension):
    """An OAuth access token."""

    target_class = "accounts.api.auth.OAuthAuthentication"
    name = "oauth"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """The security scheme of OAuth apps."""
        return {
            "type": "oauth2",
            "flows": {
                "authorizationCode": {
                    "authorizationUrl": "/oauth/authorize/",
                    "tokenUrl": "/oauth/token/",
                    "scopes": {scope: str(description) for scope, description in APP_SCOPES.items()},
                }
            },
        }


class SessionScheme(OpenApiAuthenticationExtension):
    """A browser session."""

    target_class = "accounts.api.auth.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """The security scheme of browser sessions."""
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}
