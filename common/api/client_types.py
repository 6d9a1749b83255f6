"""Writes the types of the Python client from the OpenAPI document: a TypedDict for each component.

They are a package, `otto_client.types`, which exports all of them. A component is in the module of the first
group of resources that has it; later groups import it from there. A module that grows too long has a second
part.
"""

from __future__ import annotations

import json
import keyword
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

Schema = Mapping[str, Any]

PACKAGE_FOLDER = Path("clients", "python", "otto_client", "types")
# The groups, and the first parts of the paths that belong to each.
RESOURCES = {
    "games": ("games", "events", "editions", "bots"),
    "accounts": ("me", "players", "ratings"),
    "tournaments": ("tournaments", "proposals"),
    "leagues": ("leagues",),
}
LINE_LENGTH = 110
MAX_MODULE_LINES = 430  # without head and imports
COMPONENT_PREFIX = "#/components/schemas/"
TYPE_NAMES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
TYPING_NAMES = ("Any", "Literal", "NotRequired", "TypeAlias", "TypedDict")
GENERATED_NOTE = "Generated from the OpenAPI document by `make schema`: do not edit."


def generate_client_types(document: Schema) -> dict[Path, bytes]:
    """Generate the modules, by path from the project's root. Raises ValueError for an unknown resource."""
    schemas: Mapping[str, Schema] = document["components"]["schemas"]
    sources: dict[str, dict[str, str]] = {}  # module: component: source
    module_of: dict[str, str] = {}
    for group, roots in group_components(document).items():
        for part, names in enumerate(split_components(schemas, roots, module_of.keys()), 1):
            module = group if part == 1 else f"{group}_{part}"
            sources[module] = names
            module_of |= dict.fromkeys(names, module)
    modules = {
        module: write_module(module, [classes[name] for name in sorted(classes)], schemas, module_of)
        for module, classes in sources.items()
    }
    modules["__init__"] = write_package(module_of)
    return {PACKAGE_FOLDER / f"{module}.py": source.encode() for module, source in modules.items()}


def group_components(document: Schema) -> dict[str, set[str]]:
    """Return the components that operations name: of responses by group, then of requests by group.

    Raises ValueError for a path that belongs to no group.
    """
    answered: dict[str, set[str]] = {group: set() for group in RESOURCES}
    requested: dict[str, set[str]] = {f"{group}_requests": set() for group in RESOURCES}
    for path, operations in document["paths"].items():
        resource = path.removeprefix("/api/v1/").split("/")[0]
        group = next((name for name, resources in RESOURCES.items() if resource in resources), None)
        if group is None:
            raise ValueError(f"{path} belongs to no group of the client's types")
        for operation in operations.values():
            answered[group] |= {
                name
                for status, response in operation["responses"].items()
                if status.startswith("2")
                for name in find_references(response)
            }
            requested[f"{group}_requests"] |= {*find_references(operation.get("requestBody", {}))}
    return answered | requested


def find_references(part: Any) -> Iterator[str]:
    """Yield the names of the schemas that a part of the document refers to."""
    if isinstance(part, Mapping):
        if str(part.get("$ref", "")).startswith(COMPONENT_PREFIX):
            yield part["$ref"].removeprefix(COMPONENT_PREFIX)
        part = list(part.values())
    if isinstance(part, list):
        for item in part:
            yield from find_references(item)


def split_components(
    schemas: Mapping[str, Schema], roots: Iterable[str], known_names: Iterable[str]
) -> list[dict[str, str]]:
    """Write the components of a group that no earlier group has, with all that they refer to.

    Parts have at most `MAX_MODULE_LINES` lines; each refers to itself and to earlier parts only.
    """
    visited_names = set(known_names)
    ordered_names: list[str] = []  # what a component refers to comes before it

    def add_with_references(name: str) -> None:
        if name not in visited_names:
            visited_names.add(name)
            for reference in sorted(find_references(schemas[name])):
                add_with_references(reference)
            ordered_names.append(name)

    for root in sorted(roots):
        add_with_references(root)
    parts: list[dict[str, str]] = []
    line_count = 0
    for name in ordered_names:
        source = write_class(name, schemas[name])
        line_count += source.count("\n") + 3
        if not parts or line_count > MAX_MODULE_LINES:
            parts.append({})
            line_count = source.count("\n") + 3
        parts[-1][name] = source
    return parts


def write_package(module_of: Mapping[str, str]) -> str:
    """Write the module that exports all types."""
    lines = [
        '"""Types of requests and responses of the API, as plain dicts: a new key breaks nothing.',
        "",
        f'{GENERATED_NOTE}\n"""',
        "",
        *(f"from .{module} import *  # noqa: F403" for module in sorted(set(module_of.values()))),
    ]
    return "\n".join(lines) + "\n"


def write_module(
    module: str, classes: Iterable[str], schemas: Mapping[str, Schema], module_of: Mapping[str, str]
) -> str:
    """Write the source of one module."""
    body = "\n\n\n".join(classes)
    used_names = {
        reference
        for name, owner in module_of.items()
        if owner == module
        for reference in find_references(schemas[name])
        if module_of[reference] != module
    }
    words = set(re.findall(r"\w+", body))
    typing_names = [name for name in TYPING_NAMES if name in words]
    lines = [
        f'"""Types of the API: {module.replace("_", " ")}.',
        "",
        f'{GENERATED_NOTE}\n"""',
        "",
        "from __future__ import annotations",
        "",
        f"from typing import {', '.join(typing_names)}",
        "",
        *([*write_imports(used_names, module_of), ""] if used_names else []),
        "",
        body,
    ]
    return "\n".join(lines) + "\n"


def write_imports(names: Iterable[str], module_of: Mapping[str, str]) -> list[str]:
    """Write the imports of components from their modules, as ruff formats them."""
    lines = []
    for module in sorted({module_of[name] for name in names}):
        imported_names = sorted(name for name in names if module_of[name] == module)
        line = f"from .{module} import {', '.join(imported_names)}"
        if len(line) <= LINE_LENGTH:
            lines.append(line)
        else:
            lines += [f"from .{module} import (", *(f"    {name}," for name in imported_names), ")"]
    return lines


def write_class(name: str, schema: Schema) -> str:
    """Write the TypedDict of a component.

    A key that is a keyword of Python is in a base of its own, a long list of choices in a type of its own. A
    component that is one of several others is an alias.
    """
    if "oneOf" in schema:
        return write_alias(name, schema)
    required_keys = set(schema.get("required", ()))
    is_request = schema.get("additionalProperties") is False
    properties = {
        key: value
        for key, value in schema.get("properties", {}).items()
        if not (is_request and value.get("readOnly"))
    }
    types = {
        key: write_type(value) if key in required_keys else f"NotRequired[{write_type(value)}]"
        for key, value in properties.items()
    }
    choices: list[str] = []
    for key, type_text in types.items():
        literal = re.search(r"Literal\[[^]]*\]", type_text)
        if literal and len(f"    {key}: {type_text}") > LINE_LENGTH:
            alias = f"{name}{''.join(word.capitalize() for word in key.split('_'))}"
            values = literal.group().removeprefix("Literal[").removesuffix("]").split(", ")
            choices += [f"{alias} = Literal[", *(f"    {value}," for value in values), "]"]
            types[key] = type_text.replace(literal.group(), alias)
    forbidden_keys = [key for key in types if keyword.iskeyword(key)]
    base = f"_{name}Keywords" if forbidden_keys else "TypedDict"
    if forbidden_keys:
        members = ", ".join(f'"{key}": {types[key]}' for key in forbidden_keys)
        choices += [f'{base} = TypedDict("{base}", {{{members}}})']
    lines = [*choices, "", ""] if choices else []
    lines += [f"class {name}({base}):", *write_docstring(schema.get("description", f"{name}."))]
    field_keys = [key for key in types if key not in forbidden_keys]
    if field_keys:
        lines.append("")
    for key in field_keys:
        lines += write_field(key, types[key], describe_property(properties[key]))
    return "\n".join(lines)


def write_alias(name: str, schema: Schema) -> str:
    """Write the type of a component that is one of several others, as a text: they may stand below it."""
    names = list(dict.fromkeys(write_type(part) for part in schema["oneOf"]))
    if len(line := f'{name}: TypeAlias = "{" | ".join(names)}"') <= LINE_LENGTH:
        return line
    lines = textwrap.wrap(" | ".join(names), LINE_LENGTH - 8)
    texts = [f'    "{line}{" " if line != lines[-1] else ""}"' for line in lines]
    return "\n".join([f"{name}: TypeAlias = (", *texts, ")"])


def write_docstring(description: str) -> list[str]:
    """Write a docstring of one line, or of several if it is too long."""
    text = " ".join(description.split())
    line = f'    """{text}"""'
    if len(line) <= LINE_LENGTH:
        return [line]
    first_line, *other_lines = textwrap.wrap(text, LINE_LENGTH - 7)
    return [f'    """{first_line}', *(f"    {line}" for line in other_lines), '    """']


def write_field(key: str, type_text: str, comment: str) -> list[str]:
    """Write a field with its comment: behind it if there is room, else above."""
    line = f"    {key}: {type_text}"
    if comment and len(f"{line}  # {comment}") <= LINE_LENGTH:
        return [f"{line}  # {comment}"]
    return [*(f"    # {text}" for text in textwrap.wrap(comment, LINE_LENGTH - 6)), line]


def describe_property(schema: Schema) -> str:
    """Return what the document says of a property, on one line, without its list of choices."""
    lines = str(schema.get("description", "")).splitlines()
    return " ".join(" ".join(line for line in lines if not line.startswith("* ")).split())


def write_type(schema: Schema) -> str:
    """Write the Python type of a schema."""
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(COMPONENT_PREFIX)
    for combination in ("allOf", "oneOf", "anyOf"):
        if combination in schema:
            return " | ".join(dict.fromkeys(write_type(part) for part in schema[combination]))
    json_types = schema.get("type", [])
    json_types = [json_types] if isinstance(json_types, str) else json_types
    if json_types == ["null"]:
        return "None"
    optional = " | None" if "null" in json_types else ""
    if "enum" in schema:
        values = ", ".join(json.dumps(value) for value in schema["enum"] if value is not None)
        return f"Literal[{values}]{optional}"
    names = [write_plain_type(name, schema) for name in json_types if name != "null"]
    return " | ".join(names) + optional if names else "Any"


def write_plain_type(name: str, schema: Schema) -> str:
    """Write the Python type of a schema that has one JSON type."""
    if name == "array":
        return f"list[{write_type(schema.get('items', {}))}]"
    if name == "object":
        return f"dict[str, {write_type(schema.get('additionalProperties') or {})}]"
    return TYPE_NAMES[name]
