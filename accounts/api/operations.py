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
from rest_framework.pagination import CursorPagination

from common.api.locations import Location, add_location
from common.api.operation_schema import OperationDeclaration
from common.api.pagination import PageQuerySerializer
from common.api.serializers import build_page_serializer, reject_body
from common.api.strict_queries import refuse_unknown_parameters
from common.read_model_serializers import build_serializer, is_read_model

from .idempotency import run_once_per_key

F = TypeVar("F", bound=Callable[..., Any])
WRITE_METHODS = ("post", "put", "patch")
DENIALS = ("missing-scope",)  # of what every token may be refused


def load_examples() -> dict[str, dict[str, Any]]:
    """The examples of all apps by name of the operation, from `<app>/api/*examples.json`."""
    folders = [Path(apps.get_app_config(app_name).path, "api") for app_name in settings.PROJECT_APPS]
    files = [file for folder in folders for file in sorted(folder.glob("*examples.json"))]
    return {name: example for file in files for name, example in json.loads(file.read_text()).items()}


def load_resources() -> dict[str, dict[str, Any]]:
    """The resources of all apps by tag, from `<app>/api/resources.json`: texts, and values in addresses.

    Several apps may add values to the addresses of one resource.
    """
    resources: dict[str, dict[str, Any]] = {}
    for app_name in settings.PROJECT_APPS:
        file = Path(apps.get_app_config(app_name).path, "api", "resources.json")
        for tag, declared in json.loads(file.read_text()).items() if file.is_file() else ():
            resource = resources.setdefault(tag, {"path_parameters": {}})
            resource["path_parameters"] |= declared.pop("path_parameters", {})
            resource |= declared
    return resources


def load_refusals() -> dict[str, dict[int, list[str]]]:
    """The error codes of operations by status, from `<app>/api/refusals.json` of all apps."""
    refusals: dict[str, dict[int, list[str]]] = {}
    for app_name in settings.PROJECT_APPS:
        file = Path(apps.get_app_config(app_name).path, "api", "refusals.json")
        for name, codes in json.loads(file.read_text()).items() if file.is_file() else ():
            refusals[name] = {int(status): codes_of_status for status, codes_of_status in codes.items()}
    return refusals


EXAMPLES = load_examples()
REFUSALS = load_refusals()
RESOURCES = load_resources()


def operation(
    name: str,
    *,
    request_body: type[serializers.Serializer] | None = None,
    response: type | dict[str, Any] | None = None,
    many: bool = False,
    status: int = 200,
    query: type[serializers.Serializer] | None = None,
    headers: Sequence[OpenApiParameter] = (),
    response_headers: Sequence[str] = (),
    media_type: str = "application/json",
    media_type_schemas: Mapping[str, Any] | None = None,
    pagination: type[CursorPagination] | None = None,
    etag: bool = False,
    scope: str = "play",
    public: bool = False,
    allow_apps: bool = True,
    session_only: bool = False,
    holds_secret: bool = False,
    location: Location | None = None,
    keyed: bool = False,
) -> Callable[[F], F]:
    """Declare a view method as an API operation: schema, authentication and idempotency.

    `response` is the read model that it answers with, or a serializer; a dict is a schema itself.
    `public`: also for anonymous requests. `allow_apps=False`: not for OAuth apps. `session_only`: for no
    token. `media_type_schemas`: the forms of the response, of which the Accept header chooses one.
    Every POST honours an Idempotency-Key, by storing the response and returning it again; it is stored
    encrypted if it `holds_secret`. `keyed`: its service does so itself. `location`: where to find what was
    made. `pagination`: the answer comes in pages. `etag`: it has an ETag. `response_headers`:
    names of `common.api.shared_parts.HEADERS`. Error codes that do not follow from all this are in
    `<app>/api/refusals.json`.
    """
    example = EXAMPLES.get(name, {})
    examples = [
        OpenApiExample(
            f"{name} {part}",
            # For a list, drf-spectacular expects one item and wraps it in a list.
            value=example[part][0] if part == "response" and many and not pagination else example[part],
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
            response_schema = (
                build_page_serializer(serializer) if many and pagination else serializer(many=many)
            )
    if status == 204:
        responses: dict[Any, Any] = {204: None}
    else:
        schemas = media_type_schemas or {media_type: response_schema}
        responses = {(status, name): OpenApiResponse(schema) for name, schema in schemas.items()}
    auth_options: list[dict[str, list[str]]] = [{"session": []}]
    if not session_only:
        auth_options = [{"token": []}, *([{"oauth": [scope]}] if allow_apps else []), *auth_options]
    queries: list[Any] = [*([query] if query else []), *([PageQuerySerializer] if pagination else [])]
    query_names = frozenset(name for serializer in queries for name in serializer._declared_fields)
    describe = extend_schema(
        operation_id=name.replace(".", "_"),
        request=request_body,
        responses=responses,
        parameters=[*([query] if query else []), *headers],
        examples=examples,
        auth=[*auth_options, *([{}] if public else [])],  # type: ignore[list-item]
        extensions={} if session_only else {"x-scope": scope},
    )

    declaration = OperationDeclaration(
        refusals=REFUSALS.get(name, {}),
        denials=("session-only",) if session_only else DENIALS if allow_apps else (*DENIALS, "not-for-apps"),
        has_etag=etag,
        pagination=pagination,
        response_headers=tuple(response_headers),
        location=location,
        path_parameters=RESOURCES[name.partition(".")[0]]["path_parameters"],
    )

    def decorate(method: F) -> F:
        handler: Any = method if request_body or method.__name__ not in WRITE_METHODS else reject_body(method)
        if method.__name__ == "post" and not keyed:
            handler = run_once_per_key(handler, is_sealed=holds_secret)
        if location:
            handler = add_location(handler, location)
        decorated: Any = describe(refuse_unknown_parameters(handler, query_names))
        decorated.operation_id = name.replace(".", "_")  # by which it is deprecated
        decorated.declaration = declaration
        return decorated

    return decorate
