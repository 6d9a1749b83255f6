"""Every property that the API of tournaments, leagues, ratings and proposals takes or gives is described."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from common.api import openapi

SUBJECTS = re.compile(r"/api/v1/(tournaments|leagues|proposals|ratings|players/\{name\}/ratings)/")


def find_references(node: Any) -> Iterator[str]:
    """The names of the components that a part of the document refers to."""
    if isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"].rpartition("/")[2]
        node = list(node.values())
    if isinstance(node, list):
        for item in node:
            yield from find_references(item)


def list_components(document: dict[str, Any]) -> dict[str, Any]:
    """The components of these operations, and those that they have in turn."""
    schemas = document["components"]["schemas"]
    queue = [
        name
        for path, operations in document["paths"].items()
        if SUBJECTS.match(path)
        for name in find_references(operations)
    ]
    components: dict[str, Any] = {}
    while queue:
        name = queue.pop()
        if name not in components:
            components[name] = schemas[name]
            queue += find_references(schemas[name])
    return components


def test_every_property_is_described() -> None:
    components = list_components(json.loads(openapi.generate_files()[openapi.JSON_FILE]))
    assert len(components) > 70
    assert [
        f"{name}.{key}"
        for name, component in components.items()
        for key, member in component.get("properties", {}).items()
        if member.get("description", "* `").startswith("* `")  # a list of values says not what they mean
    ] == []
