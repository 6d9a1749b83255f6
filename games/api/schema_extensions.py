"""drf-spectacular extensions: our authentication schemes, and request bodies without extra fields."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension

from games.scopes import APP_SCOPES


class TokenScheme(OpenApiAuthenticationExtension):
    """A personal token."""

    target_class = "games.api.auth.TokenAuthentication"
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

    target_class = "games.api.auth.OAuthAuthentication"
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

    target_class = "games.api.auth.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """The security scheme of browser sessions."""
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}


class ClosedRequestBodyExtension(OpenApiSerializerExtension):
    """Request bodies allow no fields other than the documented ones."""

    target_class = "games.api.serializers.RequestBody"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """The serializer's schema with `additionalProperties: false`."""
        body_schema: dict[str, Any] = auto_schema._map_serializer(
            self.target, direction, bypass_extensions=True
        )
        return body_schema | {"additionalProperties": False}
