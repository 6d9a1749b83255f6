"""Feed entries checked against their types in the OpenAPI document."""

from __future__ import annotations

import copy

import jsonschema

from common.api import openapi
from common.read_models import build_json
from notifications.models import FeedEntry
from notifications.selectors.feed import build_feed_entry


def check_feed_types() -> set[str]:
    """Check that every stored entry fits its type and has no member that the type lacks; return the kinds."""
    components = copy.deepcopy(openapi.read_document()["components"])
    for name, schema in components["schemas"].items():
        if name.endswith("EntryDetails"):
            schema["additionalProperties"] = False
    validator = jsonschema.Draft202012Validator(
        {"$ref": "#/components/schemas/FeedEntry", "components": components}
    )
    kinds = set()
    for entry in FeedEntry.objects.all():
        kinds.add(entry.kind)
        validator.validate(build_json(build_feed_entry(entry)))
    return kinds
