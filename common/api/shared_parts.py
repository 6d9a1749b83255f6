"""Parts of the OpenAPI document that many operations share: headers, parameters and refusals.

They are stored once, under `components`, and operations refer to them. Only those that are used are stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from common.field_limits import MAX_IDEMPOTENCY_KEY_LENGTH

Schema = dict[str, Any]

PROBLEM_MEDIA_TYPE = "application/problem+json"
PROBLEM_REFERENCE = {"$ref": "#/components/schemas/Problem"}
RATE_LIMIT_HEADERS = ("RateLimit", "RateLimit-Policy")

# Headers of responses.
HEADERS: dict[str, Schema] = {
    "ETag": {
        "description": "The version of this response, for you. Send it as `If-None-Match` to get an empty"
        " 304 while"
        " nothing has changed.",
        "schema": {"type": "string"},
        "example": '"3f1c0a9b7d2e4f6a8b1c3d5e"',
    },
    "Link": {
        "description": 'With `rel="next"`, the address of the next records. Absent at the end.',
        "schema": {"type": "string"},
        "example": '</api/v1/me/games/records/?after=7h2kq9m4xwzb>; rel="next"',
    },
    "Otto-Seq": {
        "description": "The current `seq` of the game. Send it as `seq` with your action.",
        "schema": {"type": "integer", "minimum": 0},
        "example": 17,
    },
    "RateLimit": {
        "description": "The limit of the current minute, the requests left in it, and the seconds until the"
        " next minute. Then the same of the short window, the second in `RateLimit-Policy`, as `burst-limit`,"
        " `burst-remaining` and `burst-reset`. A request must be within both limits.",
        "schema": {"type": "string"},
        "example": "limit=600, remaining=597, reset=42, burst-limit=60, burst-remaining=59, burst-reset=2",
    },
    "RateLimit-Policy": {
        "description": "Every limit: the number of requests allowed, and the length of the window in seconds"
        " (`w`).",
        "schema": {"type": "string"},
        "example": "600;w=60, 60;w=5",
    },
    "Retry-After": {
        "description": "The seconds to wait before you repeat the request.",
        "schema": {"type": "integer", "minimum": 0},
        "example": 5,
    },
    "WWW-Authenticate": {
        "description": "The authentication scheme: a bearer token.",
        "schema": {"type": "string"},
        "example": 'Bearer realm="otto"',
    },
}

# Parameters of requests.
PARAMETERS: dict[str, Schema] = {
    "Cursor": {
        "name": "cursor",
        "in": "query",
        "description": "The page to return, from `next` or `previous` of another page. Omit it for the"
        " first page.",
        "schema": {"type": "string"},
    },
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "A unique key of your choice for this request. If you repeat the request with the"
        " same key,"
        " it is not carried out again and you get the first response. The same key with another body gets"
        " 409."
        f" At most {MAX_IDEMPOTENCY_KEY_LENGTH} printable ASCII characters.",
        "schema": {"type": "string", "maxLength": MAX_IDEMPOTENCY_KEY_LENGTH},
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "description": "The `ETag` of an earlier response. If nothing has changed since, you get an empty"
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
            "The request cannot be read, or its fields, query parameters or headers are missing or wrong."
            " `errors` has the messages for each of them.",
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
            "No token or session was sent, or the token is unknown, expired or revoked.",
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
            "You may not do this, or your token lacks the scope in `scope`.",
            title="Forbidden",
            status=403,
            detail="This needs a token with the scope play.",
            code="missing-scope",
            scope="play",
        ),
    ),
    404: (
        "NotFound",
        build_refusal(
            "It does not exist, or you may not see it.",
            title="Not Found",
            status=404,
            detail="There is no such game.",
            code="not-found",
        ),
    ),
    406: (
        "NotAcceptable",
        build_refusal(
            "The response is not available in any format that your `Accept` header allows.",
            title="Not Acceptable",
            status=406,
            detail="This address has none of the formats in your Accept header.",
            code="not-acceptable",
        ),
    ),
    409: (
        "Conflict",
        build_refusal(
            "Valid, but conflicts with the current state: for example, somebody was faster, or the same"
            " `Idempotency-Key` came with another body. `code` says which.",
            title="Conflict",
            status=409,
            detail="Somebody else was faster. Read the current state, then try again.",
            code="conflict",
        ),
    ),
    413: (
        "ContentTooLarge",
        build_refusal(
            "The body is larger than 1,000,000 bytes.",
            title="Request Entity Too Large",
            status=413,
            detail="The request is too large. Send less at a time.",
            code="too-large",
        ),
    ),
    415: (
        "UnsupportedMediaType",
        build_refusal(
            "The body is not JSON. Send `Content-Type: application/json`.",
            title="Unsupported Media Type",
            status=415,
            detail="Send the body as JSON, with `Content-Type: application/json`.",
            code="unsupported-media-type",
        ),
    ),
    422: (
        "Unprocessable",
        build_refusal(
            "Well formed, but the values are not allowed.",
            title="Unprocessable Entity",
            status=422,
            detail="This value is not allowed.",
            code="invalid-value",
            field="name",
            errors={"name": ["This value is not allowed."]},
        ),
    ),
    429: (
        "TooManyRequests",
        build_refusal(
            "Too many requests, or a limit of this operation is reached. Wait for the seconds in"
            " `Retry-After`.",
            (*RATE_LIMIT_HEADERS, "Retry-After"),
            title="Too Many Requests",
            status=429,
            detail="Too many requests. Try again in 5 seconds.",
            code="throttled",
            retry_after=5,
        ),
    ),
    503: (
        "Unavailable",
        build_refusal(
            "The database does not respond. Wait for the seconds in `Retry-After`, then repeat the request"
            " with the same `Idempotency-Key`.",
            ("Retry-After",),
            title="Service Unavailable",
            status=503,
            detail="The database does not respond right now. Try again in a few seconds.",
            code="unavailable",
            retry_after=5,
        ),
    ),
}
# The codes of refusals that are no operation's own.
SHARED_CODES = {
    400: ["invalid", "malformed"],
    401: [
        "not-authenticated",
        "bad-token",
        "unknown-token",
        "token-expired",
        "token-revoked",
        "account-closed",
    ],
    403: ["missing-scope", "not-for-apps", "session-only", "csrf", "forbidden"],
    404: ["not-found"],
    406: ["not-acceptable"],
    409: ["conflict", "idempotency-key-reused"],
    413: ["too-large"],
    415: ["unsupported-media-type"],
    422: ["invalid-value"],
    429: ["throttled", "too-many-keys"],
    503: ["unavailable"],
}
for status, (_name, response) in REFUSALS.items():
    response["x-codes"] = SHARED_CODES[status]

NOT_MODIFIED: Schema = {
    "description": "Nothing has changed since the response with the `ETag` that you sent. The body is empty.",
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
