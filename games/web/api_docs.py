"""The API documentation for people: a guide, and one page for each operation of the OpenAPI document."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as lazy
from django.views.decorators.http import require_safe

from common.api import openapi
from games.api.game_records import MAX_RECORDS
from notifications.channels.webhook import webhook_http
from notifications.notice_kinds import list_called_kinds

from .api_types import (
    build_response_context,
    build_type_context,
    build_value_context,
    find_component,
    list_fields,
    render_text,
)

# Titles of the API's tags; a tag is the first segment of the path.
TAG_TITLES = {
    "bots": lazy("Bots"),
    "editions": lazy("Editions"),
    "events": lazy("Events"),
    "games": lazy("Games"),
    "leagues": lazy("Leagues"),
    "me": lazy("Your account"),
    "players": lazy("Players"),
    "proposals": lazy("Proposals"),
    "ratings": lazy("Ratings"),
    "tournaments": lazy("Tournaments"),
}


@require_safe
def show_api_guide(request: HttpRequest) -> HttpResponse:
    """Show the guide, from token to webhook, and the list of operations."""
    context = {
        "operations": load_operations().values(),
        "webhook_kinds": [{"kind": kind.value, "label": kind.label} for kind in list_called_kinds()],
        "site": settings.SITE_URL,
        "rate": settings.API_RATE,
        "call_seconds": int(webhook_http.REQUEST_TIMEOUT_SECONDS),
        "rate_anonymous": settings.API_RATE_ANONYMOUS,
        "max_records": MAX_RECORDS,
    }
    return render(request, "games/api.html", context)


@require_safe
def show_operation(request: HttpRequest, name: str) -> HttpResponse:
    """Show one operation: parameters, fields, responses, examples."""
    if name not in load_operations():
        raise Http404
    return render(request, "games/api_operation.html", {"operation": load_operations()[name]})


@require_safe
def show_type(request: HttpRequest, name: str) -> HttpResponse:
    """Show a type of the document: its fields, or the types of which it is one."""
    if name not in load_types():
        raise Http404
    return render(request, "games/api_type.html", {"type": load_types()[name]})


@cache
def load_types() -> dict[str, dict[str, Any]]:
    """Return the components of the OpenAPI document by name, prepared for templates. Cached for ever."""
    document = openapi.read_document()
    return {name: build_type_context(name, document) for name in document["components"]["schemas"]}


@cache
def load_operations() -> dict[str, dict[str, Any]]:
    """Return the operations of the OpenAPI document by id, prepared for templates. Cached for ever."""
    document = openapi.read_document()
    return {
        operation["operationId"]: build_operation_context(document, path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


def build_operation_context(
    document: dict[str, Any], path: str, method: str, operation: dict[str, Any]
) -> dict[str, Any]:
    """Return what the templates show of an operation."""
    responses = {
        status: resolve_reference(response, document) for status, response in operation["responses"].items()
    }
    return {
        "id": operation["operationId"],
        "tag": operation["tags"][0],
        "tag_title": TAG_TITLES.get(operation["tags"][0], ""),
        "method": method.upper(),
        "path": path,
        "summary": operation["summary"],
        "text": render_text(operation["description"]),
        "parameters": [
            build_value_context(parameter["name"], parameter["schema"], parameter["description"])
            | {"in": parameter["in"]}
            for reference in operation.get("parameters", [])
            for parameter in [resolve_reference(reference, document)]
        ],
        "fields": list_body_fields(operation.get("requestBody", {}), document),
        "public": {} in operation.get("security", []),
        "scope": operation.get("x-scope", ""),
        "for_apps": any("oauth" in security_option for security_option in operation.get("security", [])),
        "request": first_example(operation.get("requestBody", {})),
        "responses": [
            {
                "status": status,
                "text": render_text(response["description"]),
                "headers": ", ".join(response.get("headers", {})),
                "example": first_example(response) if status < "300" else "",
                "body": build_response_context(response, document) if status < "300" else {},
            }
            for status, response in responses.items()
        ],
    }


def list_body_fields(body: dict[str, Any], document: dict[str, Any]) -> list[dict[str, Any]]:
    """List the fields of a request body."""
    schema = body.get("content", {}).get("application/json", {}).get("schema", {})
    body_schema = find_component(schema, document)
    properties = body_schema.get("properties", {})
    return [field for field in list_fields(body_schema) if not properties[field["name"]].get("readOnly")]


def resolve_reference(part: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """Return a part of the document, or the shared part that it refers to."""
    if "$ref" not in part:
        return part
    _root, section, name = part["$ref"].removeprefix("#/").split("/")
    shared_part: dict[str, Any] = document["components"][section][name]
    return shared_part


def first_example(part: dict[str, Any]) -> str:
    """Return the first example of a request or response, as JSON text."""
    for media in part.get("content", {}).values():
        for media_example in media.get("examples", {}).values():
            value = media_example["value"]
            return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
    return ""
