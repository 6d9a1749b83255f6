"""The OpenAPI document, its operations, and responses checked against it."""

from __future__ import annotations

from functools import cache
from typing import Any

import jsonschema
from drf_spectacular.generators import SchemaGenerator


@cache
def generate_schema() -> dict[str, Any]:
    return SchemaGenerator().get_schema(request=None, public=True)


def list_operations() -> list[tuple[str, dict[str, Any]]]:
    methods = [method for path in generate_schema()["paths"].values() for method in path.values()]
    return [(operation["operationId"], operation) for operation in methods]


def check_schema(value: Any, shape: dict[str, Any], schema: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator({**shape, "components": schema["components"]}).validate(value)
