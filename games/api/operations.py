"""Declares API operations for the OpenAPI document, with examples from examples.json."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from . import serializers as game_serializers
from .idempotency import run_once_per_key

F = TypeVar("F", bound=Callable[..., Any])
WRITE_METHODS = ("post", "put", "patch")
EXAMPLES: dict[str, dict[str, Any]] = {}
PROBLEM_DESCRIPTIONS = {
    400: "The request cannot be read, or a field is wrong.",
    401: "The token is missing, unknown, expired or revoked.",
    403: "Not yours to do, or the token lacks a scope.",
    404: "There is no such thing, or you may not see it.",
    409: "Right in itself, but not as things stand.",
    413: "Too large.",
    415: "The body must be JSON.",
    422: "Well formed, but refused; for an action, `rule` names the rule.",
    429: "Too many requests; Retry-After says how long to wait.",
    503: "The database does not answer; Retry-After says how long to wait.",
}


def load_examples(file: Path) -> None:
    """Load examples from a file; must run before the operations that use them are declared."""
    EXAMPLES.update(json.loads(file.read_text()))


load_examples(Path(__file__).with_name("examples.json"))
IDEMPOTENCY_KEY_HEADER = OpenApiParameter(
    "Idempotency-Key",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="A text of your own, at most 100 characters: a request that comes twice is done once.",
)


def operation(
    name: str,
    *,
    request_body: type[serializers.Serializer] | None = None,
    response: type[serializers.Serializer] | dict[str, Any] | None = None,
    many: bool = False,
    status: int = 200,
    query: type[serializers.Serializer] | None = None,
    headers: Sequence[OpenApiParameter] = (),
    media_type: str = "application/json",
    paginated: bool = False,
    scope: str = "play",
    public: bool = False,
    allow_apps: bool = True,
    session_only: bool = False,
    idempotent: bool = False,
) -> Callable[[F], F]:
    """Declare a view method as an API operation: schema, authentication and idempotency.

    `public`: also for anonymous requests. `allow_apps=False`: not for OAuth apps. `session_only`: for no
    token. `idempotent`: honours an Idempotency-Key, by storing the response and returning it again.
    """
    example = EXAMPLES.get(name, {})
    examples = [
        OpenApiExample(
            f"{name} {part}",
            # For a list, drf-spectacular expects one item and wraps it in a list.
            value=example[part][0] if part == "response" and many and not paginated else example[part],
            request_only=part == "request",
            response_only=part == "response",
            media_type=media_type if part == "response" else "application/json",
        )
        for part in ("request", "response")
        if part in example
    ]
    response_schema: Any = OpenApiTypes.BINARY if media_type == "image/png" else OpenApiTypes.STR
    if media_type == "application/json":
        response_schema = response or OpenApiTypes.OBJECT
        if isinstance(response, type):
            response_schema = build_page_serializer(response) if paginated else response(many=many)
    if status == 204:
        responses: dict[Any, Any] = {204: None}
    else:
        responses = {(status, media_type): OpenApiResponse(response_schema)}
    for code, description in PROBLEM_DESCRIPTIONS.items():
        responses[code, "application/problem+json"] = OpenApiResponse(
            game_serializers.ProblemSerializer, description
        )
    auth_options: list[dict[str, list[str]]] = [{"session": []}]
    if not session_only:
        auth_options = [{"token": []}, *([{"oauth": [scope]}] if allow_apps else []), *auth_options]
    describe = extend_schema(
        operation_id=name.replace(".", "_"),
        request=request_body,
        responses=responses,
        parameters=[*([query] if query else []), *headers, *([IDEMPOTENCY_KEY_HEADER] if idempotent else [])],
        examples=examples,
        auth=[*auth_options, *([{}] if public else [])],  # type: ignore[list-item]
        extensions={} if session_only else {"x-scope": scope},
    )

    def decorate(method: F) -> F:
        handler: Any = (
            method
            if request_body or method.__name__ not in WRITE_METHODS
            else game_serializers.reject_body(method)
        )
        decorated: Any = describe(run_once_per_key(handler) if idempotent else handler)
        return decorated

    return decorate


def build_page_serializer(serializer_class: type[serializers.Serializer]) -> Any:
    """Build the serializer of one page of a list."""
    return type(
        f"{serializer_class.__name__.removesuffix('Serializer')}Page",
        (serializers.Serializer,),
        {
            "next": serializers.URLField(allow_null=True),
            "previous": serializers.URLField(allow_null=True),
            "results": serializer_class(many=True),
        },
    )


def validate_query(serializer_class: type[serializers.Serializer], request: Request) -> dict[str, Any]:
    """Validate the query parameters. Raises ValidationError."""
    # A plain dict: DRF treats empty values of a QueryDict as missing.
    serializer = serializer_class(data=request.query_params.dict())
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)
