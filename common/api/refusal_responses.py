"""The refusals of one operation in the OpenAPI document: the codes that it can give, with their meaning."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus

from common.extensions import collect_declarations
from common.problems import AppErrors

from .shared_parts import REFUSALS, Schema, build_refusal

# Codes that any operation with this status can give, and those of an Idempotency-Key.
GENERAL_CODES = {
    403: ("forbidden",),
    404: ("not-found",),
    409: ("conflict",),
    422: ("invalid-value",),
    429: ("throttled",),
}
KEY_CODES = {409: ("idempotency-key-reused",), 429: ("too-many-keys",)}
DESCRIPTIONS = {
    403: "You may not do this.",
    404: "It does not exist, or you may not see it.",
    409: "Valid, but conflicts with the current state.",
    422: "Well formed, but the values are not allowed.",
    429: "Too many requests, or a limit of this operation is reached. Wait for the seconds in `Retry-After`.",
}
# Further members of problems in examples, by code.
EXAMPLE_MEMBERS: dict[str, Schema] = {
    "illegal": {"detail": "b3 is taken", "rule": "cell-taken", "instead": ["B-b4-0", "B-b4-90"]},
    "invalid-value": {
        "detail": "This value is not allowed.",
        "field": "name",
        "errors": {"name": ["This value is not allowed."]},
    },
    "too-many-mails": {"retry_after": 3600},
    "too-many-games": {"limit": 50},
    "too-many-tournaments": {"limit": 10},
    "rank-changes": {
        "places": [{"entrant": 12, "name": "ada", "before": 2, "after": 1}],
        "reopens": False,
    },
}


def find_meanings() -> dict[str, str]:
    """Return the meaning of every code that an app declares."""
    declared = collect_declarations("errors", "ERRORS", AppErrors)
    return {code: str(meaning) for errors in declared for code, meaning in errors.codes.items()}


def build_own_refusal(status: int, own_codes: Sequence[str], general_codes: Sequence[str]) -> Schema:
    """Build the response of a refusal whose own codes are described; the first one is the example.

    Its extension `x-codes` lists all codes that the operation can give with this status.
    """
    meanings = find_meanings()
    described_codes = [f"`{code}`: {meanings[code]}" for code in own_codes if code in meanings]
    shared = REFUSALS[status][1]
    example = {
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": meanings.get(own_codes[0], DESCRIPTIONS[status]),
        "code": own_codes[0],
        **EXAMPLE_MEMBERS.get(own_codes[0], {}),
    }
    response = build_refusal(
        "\n\n".join([DESCRIPTIONS[status], *described_codes]), tuple(shared["headers"]), **example
    )
    return response | {"x-codes": list(dict.fromkeys([*own_codes, *general_codes]))}
