"""The parts of the OpenAPI document beside its operations: security schemes and tags."""

from __future__ import annotations

from typing import Any

from accounts.scopes import APP_SCOPES

from .operations import RESOURCES


def build_security_schemes() -> dict[str, dict[str, Any]]:
    """Build the security schemes that operations name."""
    return {
        "token": {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "otto_…",
            "description": "A personal token, which a player creates in the settings of the account. It acts"
            " for that player alone. `x-scope` of an operation names the scope that the token needs.",
        },
        "oauth": {
            "type": "oauth2",
            "description": "An access token that a player has granted to an app (authorization code with"
            " PKCE). Send it as `Authorization: Bearer …`.",
            "flows": {
                "authorizationCode": {
                    "authorizationUrl": "/oauth/authorize/",
                    "tokenUrl": "/oauth/token/",
                    "refreshUrl": "/oauth/token/",
                    "scopes": {scope: str(description) for scope, description in APP_SCOPES.items()},
                }
            },
        },
        "session": {
            "type": "apiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "The session of a signed-in browser. Requests that change something also need the"
            " CSRF token, in the header `X-CSRFToken`.",
        },
    }


def add_security_and_tags(result: dict[str, Any], generator: Any, request: Any, public: bool) -> Any:
    """Add security schemes and tags. A postprocessing hook of drf-spectacular."""
    result["components"]["securitySchemes"] = build_security_schemes()
    result["tags"] = [
        {"name": tag, "description": resource["description"]} for tag, resource in sorted(RESOURCES.items())
    ]
    return result
