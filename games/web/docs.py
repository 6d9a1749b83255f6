"""The API for people: a guide, and the OpenAPI document as a page for each operation, without a script."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as lazy
from django.views.decorators.http import require_safe

from games.api import openapi
from games.mail import calls
from games.services import notices

from .notices import label

# The parts of the API in words, by the first word of their addresses.
ROOMS = {
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
def api(request: HttpRequest) -> HttpResponse:
    """How it works, from a token to a webhook, and a list of every operation."""
    facts = {
        "operations": operations().values(),
        "webhook_kinds": [{"kind": kind, "label": label(kind)} for kind in notices.kinds_of_calls()],
        "site": settings.SITE_URL,
        "rate": settings.API_RATE,
        "call_seconds": int(calls.WHOLE),
        "rate_anonymous": settings.API_RATE_ANONYMOUS,
    }
    return render(request, "games/api.html", facts)


@require_safe
def operation(request: HttpRequest, name: str) -> HttpResponse:
    """One operation: what it takes, what it answers, and an example of each."""
    if name not in operations():
        raise Http404
    return render(request, "games/api_operation.html", {"operation": operations()[name]})


@cache
def operations() -> dict[str, dict[str, Any]]:
    """The operations of the document, made ready for a template; they change only with a release."""
    document = openapi.read_document()
    return {
        told["operationId"]: {
            "id": told["operationId"],
            "about": told["tags"][0],
            "room": ROOMS.get(told["tags"][0], ""),
            "method": method.upper(),
            "path": path,
            "text": told.get("description", ""),
            "parameters": [
                parameter | {"kind": kind(parameter["schema"])} for parameter in told.get("parameters", [])
            ],
            "fields": fields(told.get("requestBody", {}), document),
            "public": {} in told.get("security", []),
            "scope": told.get("x-scope", ""),
            "for_apps": any("oauth" in way for way in told.get("security", [])),
            "request": example(told.get("requestBody", {})),
            "answers": [
                {"status": status, "text": answer.get("description", ""), "example": example(answer)}
                for status, answer in told["responses"].items()
            ],
        }
        for path, methods in document["paths"].items()
        for method, told in methods.items()
    }


def fields(body: dict[str, Any], document: dict[str, Any]) -> list[dict[str, Any]]:
    """What the body of a request may hold."""
    shape = body.get("content", {}).get("application/json", {}).get("schema", {})
    whole = referred(shape, document)
    return [
        {
            "name": name,
            "kind": kind(referred(field, document)),
            "required": name in whole.get("required", ()),
            "description": field.get("description", ""),
        }
        for name, field in whole.get("properties", {}).items()
    ]


def referred(shape: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """A shape, or the one of the document that it points to."""
    for part in [shape, *shape.get("allOf", []), *shape.get("oneOf", [])]:
        if "$ref" in part:
            found: dict[str, Any] = document["components"]["schemas"][part["$ref"].rpartition("/")[2]]
            return found
    return shape


def kind(shape: dict[str, Any]) -> str:
    """What a value can be, in the words of JSON."""
    if "enum" in shape:
        return ", ".join(map(str, shape["enum"]))
    said = shape.get("type", "")
    return ", ".join(said) if isinstance(said, list) else said


def example(part: dict[str, Any]) -> str:
    """The first example of a request or an answer, as it would be typed."""
    for media in part.get("content", {}).values():
        for shown in media.get("examples", {}).values():
            value = shown["value"]
            return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
    return ""
