"""Names and types in the API: durations name their unit, instants are described as such, types are strict."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rest_framework import serializers

from common.api.openapi import read_document
from common.api.serializers import RequestBody
from otto_site import urls as urls  # imports every request body

OTHER_STRINGS = {
    "action": "of a decision: `undo-` may stand before it",
    "hold_reason": "new reasons may be added",
}
DURATION = re.compile(r"\b(seconds|minutes|hours|days|how long|time for|reserve|saved up)\b", re.IGNORECASE)
WITH_UNIT = re.compile(r"_(seconds|days)$")
OTHER_NUMBERS = {
    "digest_hour": "an hour of the day",
    "position": "1 or 2: the second player",
    "number": "1 or 2: the second player",
    "retry_after": "repeats the header Retry-After",
    "wait": "the usual word for a long poll, seconds as in RFC 7240",
}
CHOICES = re.compile(r"`[a-z -]+`(, (or )?| or )`[a-z -]+`")  # `turn` or `round`
INSTANT = re.compile(r"(_at|^at|^until|^since|^deadline)$")


def iter_named_schemas() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name and the schema of every property and query parameter, with its description."""
    document = read_document()
    for schema in document["components"]["schemas"].values():
        yield from schema.get("properties", {}).items()
    for path in document["paths"].values():
        for operation in path.values():
            for parameter in operation.get("parameters", []):
                if parameter.get("in") == "query":
                    yield parameter["name"], parameter["schema"] | {"description": parameter["description"]}


def is_of_type(schema: dict[str, Any], name: str) -> bool:
    types = schema.get("type", [])
    return name in ([types] if isinstance(types, str) else types)


def test_a_duration_says_its_unit() -> None:
    unclear = {
        name: schema["description"]
        for name, schema in iter_named_schemas()
        if is_of_type(schema, "integer")
        and DURATION.search(schema.get("description", ""))
        and not WITH_UNIT.search(name)
        and name not in OTHER_NUMBERS
    }
    assert unclear == {}


def test_an_instant_is_described_as_one() -> None:
    without_format = {
        name
        for name, schema in iter_named_schemas()
        if INSTANT.search(name) and is_of_type(schema, "string") and schema.get("format") != "date-time"
    }
    assert without_format == set()


def test_a_string_whose_values_are_listed_is_an_enum() -> None:
    open_sets = {
        f"{name}: {schema['description']}"
        for name, schema in iter_named_schemas()
        if is_of_type(schema, "string")
        and "enum" not in schema
        and CHOICES.search(schema.get("description", ""))
        and "such as" not in schema["description"]
        and name not in OTHER_STRINGS
    }
    assert open_sets == set()


def test_what_has_ended_is_over() -> None:
    statuses = [
        value for name, schema in iter_named_schemas() if name == "status" for value in schema.get("enum", [])
    ]
    assert "over" in statuses
    assert "finished" not in statuses


def iter_request_bodies(base: type[RequestBody] = RequestBody) -> Iterator[type[RequestBody]]:
    """Yield the class of every request body."""
    for body_class in base.__subclasses__():
        yield body_class
        yield from iter_request_bodies(body_class)


def test_a_request_takes_no_string_for_a_boolean_or_a_number() -> None:
    bodies = [body for body in iter_request_bodies() if body.__module__.split(".")[0] != "tests"]
    assert len(bodies) > 20
    lenient = [
        f"{body.__name__}.{name}"
        for body in bodies
        for name, field in body().fields.items()
        for part in (field, getattr(field, "child", None))
        if type(part) in (serializers.BooleanField, serializers.IntegerField) and not field.read_only
    ]
    assert lenient == []
