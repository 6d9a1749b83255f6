"""Whether a field of a request may be null: the document and the service agree."""

from __future__ import annotations

import json
import re

import jsonschema
import pytest

from common.api.openapi import read_document

from .request_bodies import build_body
from .route_table import ROUTES
from .route_walker import Walker, fill_address, roll_back_afterwards
from .world import World

pytestmark = pytest.mark.django_db
PARAMETER = re.compile(r"\{\w+\}|<[^>]+>")


def list_body_fields() -> dict[tuple[str, str], dict[str, bool]]:
    """List the fields of all request bodies by method and path, and whether the document allows null."""
    document, fields = read_document(), {}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if "requestBody" not in operation:
                continue
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            component = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
            fields[method.upper(), PARAMETER.sub("*", path)] = {
                name: jsonschema.Draft202012Validator(
                    {**member, "components": document["components"]}
                ).is_valid(None)
                for name, member in component["properties"].items()
                if not member.get("readOnly")
            }
    return fields


def test_a_field_takes_null_exactly_where_the_document_says_so(world: World) -> None:
    client, body_fields, wrong = Walker(world, "ada").client, list_body_fields(), []
    for route, address, names in ROUTES:
        for method in ("POST", "PUT", "PATCH"):
            fields = body_fields.pop((method, "/" + PARAMETER.sub("*", route)), {})
            for is_nullable in {*fields.values()}:
                nulls = {name: None for name, allowed in fields.items() if allowed == is_nullable}
                body = json.dumps((build_body(world, method, route) or {}) | nulls)
                with roll_back_afterwards():
                    path = fill_address(address, names, world)
                    answer = client.generic(method, path, body, "application/json")
                    errors = answer.json().get("errors", {}) if answer.status_code in (400, 422) else {}
                if nulls.keys() & errors.keys() != (set() if is_nullable else nulls.keys()):
                    wrong.append((method, route, is_nullable, [*nulls], answer.content[:300]))
    assert not wrong, "\n".join(map(str, wrong))
    assert not body_fields
