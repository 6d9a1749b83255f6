"""Parts of the OpenAPI document that many operations share: headers, parameters and refusals.

They are stored once, under `components`, and operations refer to them. Only those that are used are stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Schema = dict[str, Any]

PROBLEM_MEDIA_TYPE = "application/problem+json"
PROBLEM_REFERENCE = {"$ref": "#/components/schemas/Problem"}
MAX_IDEMPOTENCY_KEY_LENGTH = 100
RATE_LIMIT_HEADERS = ("RateLimit", "RateLimit-Policy")

# Headers of responses.
HEADERS: dict[str, Schema] = {
    "ETag": {
        "description": "The version of this answer for you. Send it back as `If-None-Match` to get an empty"
        " 304 as long as nothing has changed.",
        "schema": {"type": "string"},
        "example": '"3f1c0a9b7d2e4f6a8b1c3d5e"',
    },
    "Location": {
        "description": "The address of what was created, relative to the site.",
        "schema": {"type": "string", "format": "uri-reference"},
        "example": "/api/v1/games/7h2kq9m4xwzb/",
    },
    "Link": {
        "description": 'With `rel="next"`: the address of the records that follow; absent at the end.',
        "schema": {"type": "string"},
        "example": '</api/v1/me/games/records/?after=7h2kq9m4xwzb>; rel="next"',
    },
    "Otto-Seq": {
        "description": "The `seq` of the game that the answer belongs to. Send it as `seq` with your action.",
        "schema": {"type": "integer", "minimum": 0},
        "example": 17,
    },
    "RateLimit": {
        "description": "The limit of the current minute, the requests that are left in it, and the seconds"
        " until the next minute begins.",
        "schema": {"type": "string"},
        "example": "limit=600, remaining=597, reset=42",
    },
    "RateLimit-Policy": {
        "description": "How many requests you may make, and in how many seconds (`w`).",
        "schema": {"type": "string"},
        "example": "600;w=60",
    },
    "Retry-After": {
        "description": "How many seconds to wait before you repeat the request.",
        "schema": {"type": "integer", "minimum": 0},
        "example": 5,
    },
    "WWW-Authenticate": {
        "description": "The scheme that the site accepts: a bearer token.",
        "schema": {"type": "string"},
        "example": 'Bearer realm="otto"',
    },
}

# Parameters of requests.
PARAMETERS: dict[str, Schema] = {
    "Cursor": {
        "name": "cursor",
        "in": "query",
        "description": "The page to return. Take it from `next` or `previous` of another page; without it you"
        " get the first page.",
        "schema": {"type": "string"},
    },
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "A text of your own that names this request. If you repeat the request with the same"
        " key, it is not carried out again and you get the first answer. The same key with another body is"
        f" refused with 409. At most {MAX_IDEMPOTENCY_KEY_LENGTH} printable ASCII characters.",
        "schema": {"type": "string", "maxLength": MAX_IDEMPOTENCY_KEY_LENGTH},
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "description": "The `ETag` of an earlier answer. If nothing has changed since, the answer is an empty"
        " 304.",
        "schema": {"type": "string"},
    },
}


def build_refusal(description: str, headers: tuple[str, ...] = RATE_LIMIT_HEADERS, **example: Any) -> Schema:
    """Build the response of a refused request, with an example of its problem document."""
    problem = {"type": f"/api/errors/#{example['code']}", **example}
    return {
        "description": description,
        "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in headers},
        "content": {PROBLEM_MEDIA_TYPE: {"schema": PROBLEM_REFERENCE, "example": problem}},
    }


# Refusals by status, with the names of their components.
REFUSALS: dict[int, tuple[str, Schema]] = {
    400: (
        "BadRequest",
        build_refusal(
            "The request cannot be read, or fields, query parameters or headers are missing or wrong."
            " `errors` has the messages of each.",
            title="Bad Request",
            status=400,
            detail="seq: A valid integer is required.",
            code="invalid",
            errors={"seq": ["A valid integer is required."]},
        ),
    ),
    401: (
        "Unauthorized",
        build_refusal(
            "The request needs a token or a login, or its token is unknown, expired or revoked.",
            (*RATE_LIMIT_HEADERS, "WWW-Authenticate"),
            title="Unauthorized",
            status=401,
            detail="This token has expired.",
            code="token-expired",
        ),
    ),
    403: (
        "Forbidden",
        build_refusal(
            "You may not do this, or the token lacks a scope, which `scope` then names.",
            title="Forbidden",
            status=403,
            detail="this needs the scope play",
            code="missing-scope",
            scope="play",
        ),
    ),
    404: (
        "NotFound",
        build_refusal(
            "There is no such thing, or you may not see it.",
            title="Not Found",
            status=404,
            detail="There is no such game.",
            code="not-found",
        ),
    ),
    406: (
        "NotAcceptable",
        build_refusal(
            "The answer exists in none of the formats that your `Accept` header allows.",
            title="Not Acceptable",
            status=406,
            detail="Could not satisfy the request Accept header.",
            code="not-acceptable",
        ),
    ),
    409: (
        "Conflict",
        build_refusal(
            "The request is valid, but not as things stand now: somebody was faster, it is not your turn, or"
            " the same `Idempotency-Key` came with another body. `code` says which.",
            title="Conflict",
            status=409,
            detail="The game has moved on. Read it again.",
            code="stale",
        ),
    ),
    413: (
        "ContentTooLarge",
        build_refusal(
            "The body is larger than 1,000,000 bytes.",
            title="Request Entity Too Large",
            status=413,
            detail="The request is too large.",
            code="too-large",
        ),
    ),
    415: (
        "UnsupportedMediaType",
        build_refusal(
            "The body is not JSON. Send `Content-Type: application/json`.",
            title="Unsupported Media Type",
            status=415,
            detail='Unsupported media type "text/plain" in request.',
            code="unsupported-media-type",
        ),
    ),
    422: (
        "Unprocessable",
        build_refusal(
            "The request is well formed, but its values are refused. For an action, `rule` names the rule"
            " that it breaks and `instead` lists legal actions.",
            title="Unprocessable Entity",
            status=422,
            detail="b3 is taken",
            code="illegal",
            rule="cell-taken",
            instead=["B-b4-0", "B-b4-90"],
        ),
    ),
    429: (
        "TooManyRequests",
        build_refusal(
            "You have made too many requests, or reached the limit of what you do here. Wait as long as"
            " `Retry-After` says.",
            (*RATE_LIMIT_HEADERS, "Retry-After"),
            title="Too Many Requests",
            status=429,
            detail="Request was throttled. Expected available in 5 seconds.",
            code="throttled",
            retry_after=5,
        ),
    ),
    503: (
        "Unavailable",
        build_refusal(
            "The database does not answer. Wait as long as `Retry-After` says, then repeat the request with"
            " the same `Idempotency-Key`.",
            ("Retry-After",),
            title="Service Unavailable",
            status=503,
            detail="The database does not answer at the moment; try again in a few seconds.",
            code="unavailable",
            retry_after=5,
        ),
    ),
}
NOT_MODIFIED: Schema = {
    "description": "Nothing has changed since the answer whose `ETag` you sent. The body is empty.",
    "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in (*RATE_LIMIT_HEADERS, "ETag")},
}

SHARED_PARTS: dict[str, Mapping[str, Schema]] = {
    "parameters": PARAMETERS,
    "responses": {"NotModified": NOT_MODIFIED, **dict(REFUSALS.values())},
    "headers": HEADERS,
}


def refer_to(section: str, name: str) -> dict[str, str]:
    """Return a reference to a shared part."""
    return {"$ref": f"#/components/{section}/{name}"}


def find_references(part: Any) -> Iterator[str]:
    """Yield every reference in a part of the document."""
    if isinstance(part, Mapping):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        part = list(part.values())
    if isinstance(part, list):
        for item in part:
            yield from find_references(item)


def remove_enum_ids(part: Any) -> None:
    """Remove the marks by which drf-spectacular finds equal enums, everywhere in a part of the document."""
    if isinstance(part, dict):
        part.pop("x-spec-enum-id", None)
        part = list(part.values())
    if isinstance(part, list):
        for item in part:
            remove_enum_ids(item)


def add_shared_parts(result: Schema, generator: Any, request: Any, public: bool) -> Schema:
    """Add the shared parts that operations refer to. A postprocessing hook of drf-spectacular."""
    remove_enum_ids(result)
    components = result["components"]
    for section, parts in SHARED_PARTS.items():
        references = {*find_references(result["paths"]), *find_references(components)}
        used = {name: part for name, part in parts.items() if f"#/components/{section}/{name}" in references}
        if used:
            components[section] = dict(sorted(used.items()))
    return result
