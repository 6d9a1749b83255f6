"""Settings of drf-spectacular: what the OpenAPI document says of the whole API."""

from __future__ import annotations

from typing import Any

DESCRIPTION = """\
OTTO is a board game for one to four players, played here turn by turn. With this API programs can do what
people do on the site: play, watch, organise tournaments and read records.

**Authentication.** Send a personal token or the access token of an OAuth app as `Authorization: Bearer …`.
You can read public games, tournaments and players without one.

**Formats.** Bodies are JSON in UTF-8. Times are in UTC, as `2030-04-02T10:00:00Z`; durations are in seconds,
and their names say so. Unknown fields and query parameters get 400. Responses may have new members: ignore
those that you do not know.

**Errors.** Errors are problem documents (RFC 9457). Check `code`, which never changes its meaning; `detail`
is for people, in the language of `Accept-Language`.

**Repeating a request.** If an operation takes an `Idempotency-Key`, repeated requests with the same key are
carried out once.

**Limits.** A player has 600 requests a minute, an address without a token 120, unless the operator of the
site sets other limits. `RateLimit-Policy` and `RateLimit` in every response have the current ones.
"""

SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "OTTO online",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "DESCRIPTION": DESCRIPTION,
    "CONTACT": {"name": "The operator of this site"},
    "SERVERS": [{"url": "/", "description": "The site that this document comes from"}],
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_AUTHENTICATION": [],
    "SERVE_PERMISSIONS": [],
    # Values are explained in the descriptions; a generated list of choices would only repeat `enum`.
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    # Enums stay inline: as components most would need an invented name.
    "POSTPROCESSING_HOOKS": [
        "accounts.api.schema_extensions.add_security_and_tags",
        "notifications.api.webhook_schema.add_webhooks",
        "common.api.shared_parts.add_shared_parts",
        "common.api.path_names.rename_id_parameters",
        "common.api.deprecations.mark_deprecated_operations",
    ],
}
