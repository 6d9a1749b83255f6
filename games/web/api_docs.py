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

# Titles of the API's tags; a tag is the first segment of the path.
TAG_TITLES = {
    "editions": lazy("Editions"),
    "events": lazy("What happened to you"),
    "games": lazy("Games"),
    "leagues": lazy("Leagues"),
    "me": lazy("Yourself"),
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


@cache
def load_operations() -> dict[str, dict[str, Any]]:
    """Return the operations of the OpenAPI document by id, prepared for templates. Cached for ever."""
    document = openapi.read_document()
    return {
        operation["operationId"]: {
            "id": operation["operationId"],
            "tag": operation["tags"][0],
            "tag_title": TAG_TITLES.get(operation["tags"][0], ""),
            "method": method.upper(),
            "path": path,
            "text": operation.get("description", ""),
            "parameters": [
                parameter | {"kind": describe_type(parameter["schema"])}
                for parameter in operation.get("parameters", [])
            ],
            "fields": list_body_fields(operation.get("requestBody", {}), document),
            "public": {} in operation.get("security", []),
            "scope": operation.get("x-scope", ""),
            "for_apps": any("oauth" in security_option for security_option in operation.get("security", [])),
            "request": first_example(operation.get("requestBody", {})),
            "responses": [
                {
                    "status": status,
                    "text": response.get("description", ""),
                    "example": first_example(response),
                }
                for status, response in operation["responses"].items()
            ],
        }
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


def list_body_fields(body: dict[str, Any], document: dict[str, Any]) -> list[dict[str, Any]]:
    """List the fields of a request body."""
    schema = body.get("content", {}).get("application/json", {}).get("schema", {})
    resolved_schema = resolve_reference(schema, document)
    return [
        {
            "name": name,
            "kind": describe_type(resolve_reference(field, document)),
            "required": name in resolved_schema.get("required", ()),
            "description": field.get("description", ""),
        }
        for name, field in resolved_schema.get("properties", {}).items()
    ]


def resolve_reference(schema: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """Return a schema, or the component that it refers to."""
    for part in [schema, *schema.get("allOf", []), *schema.get("oneOf", [])]:
        if "$ref" in part:
            referenced_schema: dict[str, Any] = document["components"]["schemas"][
                part["$ref"].rpartition("/")[2]
            ]
            return referenced_schema
    return schema


def describe_type(schema: dict[str, Any]) -> str:
    """Return the JSON type of a value, or its allowed values."""
    if "enum" in schema:
        return ", ".join(map(str, schema["enum"]))
    type_name = schema.get("type", "")
    return ", ".join(type_name) if isinstance(type_name, list) else type_name


def first_example(part: dict[str, Any]) -> str:
    """Return the first example of a request or response, as JSON text."""
    for media in part.get("content", {}).values():
        for media_example in media.get("examples", {}).values():
            value = media_example["value"]
            return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
    return ""
