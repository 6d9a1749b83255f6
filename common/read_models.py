"""Read models: one dataclass for each thing shown, from which its JSON follows.

Pages and mails read the fields, and `read_model_serializers` documents them: the help text of a field is in
`Annotated` or in its metadata, which may also have a `key`, the JSON key where that is a Python keyword. A
class `TurnData` is the component `Turn` of the OpenAPI document.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any, NewType

from .instants import format_instant

Url = NewType("Url", str)


def build_json(value: Any) -> Any:
    """Return the JSON form of a read model, or of a list of them."""
    if isinstance(value, datetime):
        return format_instant(value)
    if isinstance(value, list | tuple):
        return [build_json(item) for item in value]
    if not is_dataclass(value):
        return value
    return {
        field.metadata.get("key", field.name): build_json(getattr(value, field.name))
        for field in fields(value)
    }


def encode_read_model(encode_other: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Make a `default` for `json.dumps` that encodes read models, and leaves other values to a function."""

    def encode(value: Any) -> Any:
        if is_dataclass(value) and not isinstance(value, type):
            return {
                field.metadata.get("key", field.name): getattr(value, field.name) for field in fields(value)
            }
        return encode_other(value)

    return encode
