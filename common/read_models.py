"""Read models: one typed value for each thing shown, from which its JSON and its documentation follow.

Most are dataclasses: pages and mails read the fields, `build_json` builds the JSON. Where the JSON is built
at once, because speed counts, the read model is a TypedDict of it. `read_model_serializers` documents both:
the help text of a field is in `Annotated` or in its metadata, which may also have `choices`, and a `key`, the
JSON key where that is a Python keyword, or `inline`: the members of that mapping are members of the read
model itself, and `inline` has their types. Read models that a key tells apart are a union, marked with
`OneOf`. A class `TurnData` is the component `Turn` of the OpenAPI
document.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime, time
from functools import cache
from typing import Any, NamedTuple, NewType

from .instants import format_instant


@dataclass(frozen=True)
class OneOf:
    """Marks a union of read models in `Annotated`: the component's name, and the key that tells them apart.

    Each of them has that key with a `Literal` of its own values.
    """

    name: str
    key: str


EmailAddress = NewType("EmailAddress", str)
Url = NewType("Url", str)
PLAIN_TYPES = frozenset({bool, float, int, str, type(None)})  # most values of a read model: asked first


class JsonField(NamedTuple):
    """A field of a read model; an inline one has members that the JSON object has itself."""

    name: str
    key: str
    is_inline: bool


@cache  # one entry for each read model
def list_json_fields(read_model: Any) -> list[JsonField]:
    """List the fields of a read model."""
    return [
        JsonField(field.name, field.metadata.get("key", field.name), "inline" in field.metadata)
        for field in fields(read_model)
    ]


def read_members(value: Any) -> dict[str, Any]:
    """Return the members of a read model by their JSON keys."""
    members: dict[str, Any] = {}
    for name, key, is_inline in list_json_fields(value.__class__):
        if is_inline:
            members |= getattr(value, name)
        else:
            members[key] = getattr(value, name)
    return members


def build_json(value: Any) -> Any:
    """Return the JSON form of a read model, or of a list or mapping of them."""
    if type(value) in PLAIN_TYPES:
        return value
    if isinstance(value, datetime):
        return format_instant(value)
    if isinstance(value, time):
        return value.strftime("%H:%M")
    if isinstance(value, list | tuple):
        return [build_json(item) for item in value]
    if is_dataclass(value):
        value = read_members(value)
    if isinstance(value, dict):
        return {key: build_json(member) for key, member in value.items()}
    return value
