"""Declares API operations for the OpenAPI document, with the examples of all apps."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from django.apps import apps
from django.conf import settings
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers

from common.api.locations import add_location
from common.api.pagination import PageQuerySerializer
from common.api.serializers import ProblemSerializer, build_page_serializer, reject_body
from common.api.strict_queries import refuse_unknown_parameters
from common.read_model_serializers import build_serializer, is_read_model

from .idempotency import run_once_per_key

F = TypeVar("F", bound=Callable[..., Any])
WRITE_METHODS = ("post", "put", "patch")
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

NOT_ACCEPTABLE = {406: "None of the formats that you accept can be given."}


def load_examples() -> dict[str, dict[str, Any]]:
    """The examples of all apps by name of the operation, from `<app>/api/*examples.json`."""
    folders = [Path(apps.get_app_config(app_name).path, "api") for app_name in settings.PROJECT_APPS]
    files = [file for folder in folders for file in sorted(folder.glob("*examples.json"))]
    return {name: example for file in files for name, example in json.loads(file.read_text()).items()}


EXAMPLES = load_examples()
IDEMPOTENCY_KEY_HEADER = OpenApiParameter(
    "Idempotency-Key",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="A text of your own, at most 100 characters: a request that comes twice is done once.",
)

LOCATION_HEADER = OpenApiParameter(
    "Location",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="Where to find what was made.",
    response=[201],
)


def operation(
    name: str,
    *,
    request_body: type[serializers.Serializer] | None = None,
    response: type | dict[str, Any] | None = None,
    many: bool = False,
    status: int = 200,
    query: type[serializers.Serializer] | None = None,
    headers: Sequence[OpenApiParameter] = (),
    media_type: str = "application/json",
    media_type_schemas: Mapping[str, Any] | None = None,
    paginated: bool = False,
    scope: str = "play",
    public: bool = False,
    allow_apps: bool = True,
    session_only: bool = False,
    idempotent: bool = False,
    holds_secret: bool = False,
    location: str = "",
) -> Callable[[F], F]:
    """Declare a view method as an API operation: schema, authentication and idempotency.

    `response` is the read model that it answers with, or a serializer; a dict is a schema itself.
    `public`: also for anonymous requests. `allow_apps=False`: not for OAuth apps. `session_only`: for no
    token. `media_type_schemas`: the forms of the response, of which the Accept header chooses one.
    `idempotent`: honours an Idempotency-Key, by storing the response and returning it again; it is stored
    encrypted if it `holds_secret`. `location`: where to find what was made, as in `games/{id}/`.
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
            serializer = build_serializer(response) if is_read_model(response) else response
            response_schema = build_page_serializer(serializer) if paginated else serializer(many=many)
    if status == 204:
        responses: dict[Any, Any] = {204: None}
    else:
        schemas = media_type_schemas or {media_type: response_schema}
        responses = {(status, name): OpenApiResponse(schema) for name, schema in schemas.items()}
    problems = PROBLEM_DESCRIPTIONS | (NOT_ACCEPTABLE if media_type_schemas else {})
    for code, description in sorted(problems.items()):
        responses[code, "application/problem+json"] = OpenApiResponse(ProblemSerializer, description)
    auth_options: list[dict[str, list[str]]] = [{"session": []}]
    if not session_only:
        auth_options = [{"token": []}, *([{"oauth": [scope]}] if allow_apps else []), *auth_options]
    queries: list[Any] = [*([query] if query else []), *([PageQuerySerializer] if paginated else [])]
    query_names = frozenset(name for serializer in queries for name in serializer._declared_fields)
    describe = extend_schema(
        operation_id=name.replace(".", "_"),
        request=request_body,
        responses=responses,
        parameters=[
            *queries,
            *headers,
            *([IDEMPOTENCY_KEY_HEADER] if idempotent else []),
            *([LOCATION_HEADER] if location else []),
        ],
        examples=examples,
        auth=[*auth_options, *([{}] if public else [])],  # type: ignore[list-item]
        extensions={} if session_only else {"x-scope": scope},
    )

    def decorate(method: F) -> F:
        handler: Any = method if request_body or method.__name__ not in WRITE_METHODS else reject_body(method)
        if idempotent:
            handler = run_once_per_key(handler, is_sealed=holds_secret)
        if location:
            handler = add_location(handler, location)
        decorated: Any = describe(refuse_unknown_parameters(handler, query_names))
        decorated.operation_id = name.replace(".", "_")  # by which it is deprecated
        return decorated

    return decorate
