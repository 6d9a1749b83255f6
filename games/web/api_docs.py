"""The API documentation for people: a guide, and one page for each operation of the OpenAPI document."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import escape, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as lazy
from django.views.decorators.http import require_safe

from common.api import openapi
from games.api.game_records import MAX_RECORDS
from notifications.channels.webhook import webhook_http
from notifications.notice_kinds import list_called_kinds

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
            }
            for status, response in responses.items()
        ],
    }


def list_body_fields(body: dict[str, Any], document: dict[str, Any]) -> list[dict[str, Any]]:
    """List the fields of a request body."""
    schema = body.get("content", {}).get("application/json", {}).get("schema", {})
    resolved_schema = resolve_schema(schema, document)
    return [
        build_value_context(name, resolve_schema(field, document) | field, field.get("description", ""))
        | {"required": name in resolved_schema.get("required", ())}
        for name, field in resolved_schema.get("properties", {}).items()
        if not field.get("readOnly")
    ]


def build_value_context(name: str, schema: dict[str, Any], description: str) -> dict[str, Any]:
    """Return what the templates show of a parameter or field: type, meaning, limits and default."""
    items = schema.get("items", {})
    default = schema.get("default")
    return {
        "name": name,
        "kind": describe_type(schema) or "object",
        "choices": [value for value in schema.get("enum", items.get("enum", ())) if value is not None],
        "text": render_text(description),
        "minimum": schema.get("minimum"),
        "maximum": schema.get("maximum"),
        "max_length": schema.get("maxLength"),
        "default": "" if default in (None, "") else json.dumps(default).strip('"'),
    }


def render_text(text: str) -> SafeString:
    """Return a description of the document as HTML: paragraphs, with `code` between backticks."""
    paragraphs = [
        re.sub("`([^`]+)`", r"<code>\1</code>", escape(" ".join(paragraph.split())))
        for paragraph in text.split("\n\n")
    ]
    return format_html_join("", "<p>{}</p>", ((mark_safe(paragraph),) for paragraph in paragraphs))


def resolve_reference(part: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """Return a part of the document, or the shared part that it refers to."""
    if "$ref" not in part:
        return part
    _root, section, name = part["$ref"].removeprefix("#/").split("/")
    shared_part: dict[str, Any] = document["components"][section][name]
    return shared_part


def resolve_schema(schema: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """Return a schema, or the component that it refers to."""
    for part in [schema, *schema.get("allOf", []), *schema.get("oneOf", [])]:
        if "$ref" in part:
            referenced_schema: dict[str, Any] = document["components"]["schemas"][
                part["$ref"].rpartition("/")[2]
            ]
            return referenced_schema
    return schema


def describe_type(schema: dict[str, Any]) -> str:
    """Return the JSON type of a value."""
    type_name = schema.get("type", "")
    return ", ".join(type_name) if isinstance(type_name, list) else type_name


def first_example(part: dict[str, Any]) -> str:
    """Return the first example of a request or response, as JSON text."""
    for media in part.get("content", {}).values():
        for media_example in media.get("examples", {}).values():
            value = media_example["value"]
            return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
    return ""
