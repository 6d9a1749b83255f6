"""How an operation is described in the OpenAPI document, with a real example from examples.json."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from . import shapes
from .idempotent import once_per_key

F = TypeVar("F", bound=Callable[..., Any])
WRITES = ("post", "put", "patch")
EXAMPLES: dict[str, dict[str, Any]] = {}
PROBLEMS = {
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


def learn(file: Path) -> None:
    """Take in the examples of a file; whoever describes operations by them does it before."""
    EXAMPLES.update(json.loads(file.read_text()))


learn(Path(__file__).with_name("examples.json"))
header_key = OpenApiParameter(
    "Idempotency-Key",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="A text of your own, at most 100 characters: a request that comes twice is done once.",
)


def described(
    operation: str,
    *,
    body: type[serializers.Serializer] | None = None,
    answer: type[serializers.Serializer] | dict[str, Any] | None = None,
    many: bool = False,
    status: int = 200,
    query: type[serializers.Serializer] | None = None,
    headers: Sequence[OpenApiParameter] = (),
    media: str = "application/json",
    paged: bool = False,
    scope: str = "play",
    public: bool = False,
    apps: bool = True,
    in_person: bool = False,
    keyed: bool = False,
) -> Callable[[F], F]:
    """Describe a method of a door; a public one also answers somebody without an account.

    A `keyed` one honours an Idempotency-Key: done once, its answer is kept and given again.
    Without `apps` other people's apps are refused; with `in_person` every token is.
    """
    example = EXAMPLES.get(operation, {})
    examples = [
        OpenApiExample(
            f"{operation} {part}",
            # Of a list the document's maker wants one line, and puts it into a list itself.
            value=example[part][0] if part == "response" and many and not paged else example[part],
            request_only=part == "request",
            response_only=part == "response",
            media_type=media if part == "response" else "application/json",
        )
        for part in ("request", "response")
        if part in example
    ]
    shape: Any = OpenApiTypes.BINARY if media == "image/png" else OpenApiTypes.STR
    if media == "application/json":
        shape = answer or OpenApiTypes.OBJECT
        if isinstance(answer, type):
            shape = paged_shape(answer) if paged else answer(many=many)
    if status == 204:
        responses: dict[Any, Any] = {204: None}
    else:
        responses = {(status, media): OpenApiResponse(shape)}
    for code, words in PROBLEMS.items():
        responses[code, "application/problem+json"] = OpenApiResponse(shapes.Problem, words)
    ways: list[dict[str, list[str]]] = [{"session": []}]
    if not in_person:
        ways = [{"token": []}, *([{"oauth": [scope]}] if apps else []), *ways]
    describe = extend_schema(
        operation_id=operation.replace(".", "_"),
        request=body,
        responses=responses,
        parameters=[*([query] if query else []), *headers, *([header_key] if keyed else [])],
        examples=examples,
        auth=[*ways, *([{}] if public else [])],  # type: ignore[list-item]
        extensions={} if in_person else {"x-scope": scope},
    )

    def decorate(method: F) -> F:
        handler: Any = method if body or method.__name__ not in WRITES else shapes.without_body(method)
        decorated: Any = describe(once_per_key(handler) if keyed else handler)
        return decorated

    return decorate


def paged_shape(answer: type[serializers.Serializer]) -> Any:
    """A page of a list."""
    return type(
        f"{answer.__name__}Page",
        (serializers.Serializer,),
        {
            "next": serializers.URLField(allow_null=True),
            "previous": serializers.URLField(allow_null=True),
            "results": answer(many=True),
        },
    )


def whole_query(shape: type[serializers.Serializer], request: Request) -> dict[str, Any]:
    """The words of a query, checked. Raises ValidationError."""
    asked = shape(data=request.query_params.dict())  # a plain dict: an empty word is a wrong word
    asked.is_valid(raise_exception=True)
    return dict(asked.validated_data)
