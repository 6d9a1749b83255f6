"""How the OpenAPI document names our ways of logging in, and what it leaves to the errors' page."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension

from games.scopes import APP_SCOPES


class TokenScheme(OpenApiAuthenticationExtension):
    """A personal token."""

    target_class = "games.api.auth.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A personal token, `otto_…`; `x-scope` says which scope it needs.",
        }


class OAuthScheme(OpenApiAuthenticationExtension):
    """An app's access token."""

    target_class = "games.api.auth.OAuthAuthentication"
    name = "oauth"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
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
    """A browser that has logged in."""

    target_class = "games.api.auth.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}


class ClosedBody(OpenApiSerializerExtension):
    """A request body holds no fields but those that the document names."""

    target_class = "games.api.shapes.RequestBody"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        found: dict[str, Any] = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return found | {"additionalProperties": False}
