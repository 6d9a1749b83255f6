"""The API for people: the OpenAPI document as one readable page, without a script."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator


@require_safe
def api(request: HttpRequest) -> HttpResponse:
    """Every operation with what it takes, what it answers, and an example."""
    return render(request, "games/api.html", {"operations": operations()})


@cache
def operations() -> list[dict[str, Any]]:
    """The operations of the document, made ready for a template; they change only with a release."""
    document = SchemaGenerator().get_schema(request=None, public=True)
    found = []
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            found.append(
                {
                    "id": operation["operationId"],
                    "method": method.upper(),
                    "path": path,
                    "text": operation.get("description", ""),
                    "parameters": operation.get("parameters", []),
                    "public": {} in operation.get("security", []),
                    "scope": next(
                        (s["oauth"][0] for s in operation.get("security", []) if s.get("oauth")), ""
                    ),
                    "request": example(operation.get("requestBody", {})),
                    "answers": [
                        {"status": status, "text": answer.get("description", ""), "example": example(answer)}
                        for status, answer in operation["responses"].items()
                    ],
                }
            )
    return found


def example(part: dict[str, Any]) -> str:
    """The first example of a request or an answer, as it would be typed."""
    for media in part.get("content", {}).values():
        for shown in media.get("examples", {}).values():
            value = shown["value"]
            return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
    return ""
