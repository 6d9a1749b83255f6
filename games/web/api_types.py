"""Types of the OpenAPI document as pages show them: fields with type, meaning and limits."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from django.urls import reverse
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

Schema = Mapping[str, Any]
COMPONENT_PREFIX = "#/components/schemas/"


def build_type_context(name: str, document: Schema) -> dict[str, Any]:
    """Return what the page of a component shows: its fields, or the types of which it is one."""
    schema = document["components"]["schemas"][name]
    values_by_variant: dict[str, list[str]] = {}
    for value, reference in schema.get("discriminator", {}).get("mapping", {}).items():
        values_by_variant.setdefault(reference, []).append(value)
    variants = [
        {"type": describe_type(part), "values": values_by_variant.get(part.get("$ref", ""), [])}
        for part in schema.get("oneOf", ())
    ]
    return {
        "name": name,
        "text": render_text(schema.get("description", "")),
        "fields": list_fields(schema),
        "variants": variants,
        "discriminator": schema.get("discriminator", {}).get("propertyName", ""),
    }


def build_response_context(response: Schema, document: Schema) -> dict[str, Any]:
    """Return what the page of an operation shows of the body of a response, one level deep."""
    for media_type, media in response.get("content", {}).items():
        schema = media.get("schema", {})
        shown_schema = find_component(schema.get("items", schema), document)
        return {"media_type": media_type, "type": describe_type(schema), "fields": list_fields(shown_schema)}
    return {}


def list_fields(schema: Schema) -> list[dict[str, Any]]:
    """List the fields of an object."""
    required = schema.get("required", ())
    return [
        build_value_context(name, field) | {"required": name in required}
        for name, field in schema.get("properties", {}).items()
    ]


def find_component(schema: Schema, document: Schema) -> Schema:
    """Return a schema, or the component that it refers to."""
    for part in [schema, *schema.get("allOf", []), *schema.get("oneOf", [])]:
        if "$ref" in part:
            component: Schema = document["components"]["schemas"][part["$ref"].removeprefix(COMPONENT_PREFIX)]
            return component
    return schema


def build_value_context(name: str, schema: Schema, description: str = "") -> dict[str, Any]:
    """Return what the templates show of a parameter or field: type, meaning, limits and default."""
    items = schema.get("items", {})
    limits = [schema, *schema.get("oneOf", ()), *schema.get("anyOf", ())]
    default = schema.get("default")
    return {
        "name": name,
        "type": describe_type(schema),
        "choices": [value for value in schema.get("enum", items.get("enum", ())) if value is not None],
        "text": render_text(description or schema.get("description", "")),
        "minimum": find_limit(limits, "minimum"),
        "maximum": find_limit(limits, "maximum"),
        "max_length": schema.get("maxLength"),
        "pattern": schema.get("pattern", ""),
        "default": "" if default in (None, "") else json.dumps(default).strip('"'),
    }


def find_limit(schemas: Iterable[Schema], name: str) -> Any:
    """Return the first limit of that name in some schemas, or None."""
    return next((schema[name] for schema in schemas if name in schema), None)


def describe_type(schema: Schema) -> SafeString:
    """Return the type of a value as HTML; components are links to their pages."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(COMPONENT_PREFIX)
        return format_html('<a href="{}">{}</a>', reverse("api-type", args=[name]), name)
    for combination in ("allOf", "oneOf", "anyOf"):
        if combination in schema:
            return join_types(schema[combination])
    json_types = schema.get("type", "object")
    if isinstance(json_types, list):
        return join_types([{**schema, "type": json_type} for json_type in json_types])
    if json_types == "array":
        return format_html("array of {}", describe_type(schema.get("items", {})))
    if json_types == "object" and schema.get("additionalProperties"):
        return format_html("object of {}", describe_type(schema["additionalProperties"]))
    if json_types == "string" and len(schema.get("enum", ())) == 1:
        return format_html("“{}”", schema["enum"][0])
    if json_types == "string" and "format" in schema:
        return format_html("{} ({})", json_types, schema["format"])
    return format_html("{}", json_types)


def join_types(schemas: Iterable[Schema]) -> SafeString:
    """Return some types as HTML, each once."""
    types = dict.fromkeys(describe_type(schema) for schema in schemas)
    return format_html_join(" or ", "{}", ((text,) for text in types))


def render_text(text: str) -> SafeString:
    """Return a description of the document as HTML: paragraphs, with `code` between backticks."""
    paragraphs = [
        re.sub("`([^`]+)`", r"<code>\1</code>", escape(" ".join(paragraph.split())))
        for paragraph in text.split("\n\n")
        if paragraph.strip()
    ]
    return format_html_join("", "<p>{}</p>", ((mark_safe(paragraph),) for paragraph in paragraphs))
