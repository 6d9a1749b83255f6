"""How the three ways to say who you are look in the API's description."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from oauth2_provider.settings import oauth2_settings

from games.services.tokens import PREFIX

from .auth import HasScope


class TokenScheme(OpenApiAuthenticationExtension):
    target_class = "games.api.auth.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": f"{PREFIX}…",
            "description": "A personal token, made on your tokens page or by this API.",
        }


class OAuthScheme(OpenApiAuthenticationExtension):
    target_class = "games.api.auth.OAuthAuthentication"
    name = "oauth2"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {
            "type": "oauth2",
            "description": "An app that a player allowed; authorization code with PKCE (S256).",
            "flows": {
                "authorizationCode": {
                    "authorizationUrl": "/oauth/authorize/",
                    "tokenUrl": "/oauth/token/",
                    "refreshUrl": "/oauth/token/",
                    "scopes": {name: str(text) for name, text in oauth2_settings.SCOPES.items()},
                }
            },
        }

    def get_security_requirement(self, auto_schema: Any) -> dict[str, list[str]]:
        reading = auto_schema.method in {"GET", "HEAD", "OPTIONS"}
        wanted = [
            permission.scope if reading else permission.writing
            for permission in auto_schema.view.get_permissions()
            if isinstance(permission, HasScope)
        ]
        return {self.name: wanted}


class SessionScheme(OpenApiAuthenticationExtension):
    target_class = "games.api.auth.SessionAuthentication"
    name = "session"
    priority = 1

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": settings.SESSION_COOKIE_NAME,
            "description": "A browser that has logged in; what writes also needs X-CSRFToken.",
        }
