"""Writes what the TypeScript client has from the OpenAPI document: types, methods, table of operations.

The client itself (`clients/typescript/src/client.js`) is written by hand and knows no operation: a new one is
there as soon as it is in the document.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from .client_operations import ApiOperation, compute_api_path, iter_operations

Schema = Mapping[str, Any]

SOURCE_FOLDER = Path("clients", "typescript", "src")
COMPONENT_PREFIX = "#/components/schemas/"
GENERATED_NOTE = "// Generated from the OpenAPI document by `make schema`: do not edit."
PLAIN_TYPES = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def generate_typescript(document: Schema) -> dict[Path, bytes]:
    """Generate the three files, by path from the project's root."""
    operations = list(iter_operations(document))
    files = {
        "types.d.ts": write_types(document["components"]["schemas"]),
        "operations.d.ts": write_methods(document, operations),
        "operations.js": write_table(document, operations),
    }
    return {SOURCE_FOLDER / name: source.encode() for name, source in files.items()}


# ---------------------------------------------------------------------- types


def write_types(schemas: Mapping[str, Schema]) -> str:
    """Write an interface, or a type where the component is no plain object, for each component."""
    parts = [GENERATED_NOTE]
    for name in sorted(schemas):
        schema = schemas[name]
        comment = write_comment(schema.get("description", ""), "")
        if is_plain_object(schema):
            parts.append(f"{comment}export interface {name} {write_members(schema, '')}")
        else:
            parts.append(f"{comment}export type {name} = {write_type(schema)};")
    return "\n\n".join(parts) + "\n"


def is_plain_object(schema: Schema) -> bool:
    """Return whether a schema is an object with named properties and nothing else."""
    return "properties" in schema and not {"oneOf", "anyOf", "allOf"} & set(schema)


def write_members(schema: Schema, indent: str) -> str:
    """Write the members of an object, in braces; a request has none that only the server sets."""
    is_request = schema.get("additionalProperties") is False
    required_keys = set(schema.get("required", ()))
    lines = ["{"]
    for key, member in schema["properties"].items():
        if is_request and member.get("readOnly"):
            continue
        comment = write_comment(describe_member(member), f"{indent}  ")
        mark = "" if key in required_keys else "?"
        name = key if re.fullmatch(r"[A-Za-z_$][\w$]*", key) else json.dumps(key)
        lines.append(f"{comment}{indent}  {name}{mark}: {write_type(member, f'{indent}  ')};")
    return "\n".join([*lines, f"{indent}}}"])


def describe_member(schema: Schema) -> str:
    """Return what the document says of a property, without its list of choices."""
    lines = str(schema.get("description", "")).splitlines()
    return " ".join(line for line in lines if not line.startswith("* "))


def write_comment(text: str, indent: str) -> str:
    """Write a comment of one line with its line break, or nothing."""
    words = " ".join(text.split()).replace("*/", "* /")
    return f"{indent}/** {words} */\n" if words else ""


def write_type(schema: Schema, indent: str = "") -> str:
    """Write the type of a schema."""
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(COMPONENT_PREFIX)
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return join_types((json.dumps(value) for value in schema["enum"]), " | ")
    for combination, sign in (("allOf", " & "), ("oneOf", " | "), ("anyOf", " | ")):
        if combination in schema:
            return join_types((write_type(part, indent) for part in schema[combination]), sign)
    json_types = schema.get("type", [])
    json_types = [json_types] if isinstance(json_types, str) else json_types
    return join_types((write_plain_type(name, schema, indent) for name in json_types), " | ") or "unknown"


def write_plain_type(name: str, schema: Schema, indent: str) -> str:
    """Write the type of a schema for one of its JSON types."""
    if name == "array":
        return f"Array<{write_type(schema.get('items') or {}, indent)}>"
    if name == "object":
        if is_plain_object(schema):
            return write_members(schema, indent)
        return f"{{ [key: string]: {write_type(schema.get('additionalProperties') or {}, indent)} }}"
    return PLAIN_TYPES[name]


def join_types(types: Iterable[str], sign: str) -> str:
    """Join types to a union or intersection, each once."""
    distinct_types = list(dict.fromkeys(types))
    if len(distinct_types) > 1 and sign == " & ":
        distinct_types = [f"({text})" if " | " in text else text for text in distinct_types]
    return sign.join(distinct_types)


# ---------------------------------------------------------------------- operations


def split_operation_id(operation_id: str) -> tuple[str, str]:
    """Return resource and method: games_board_png is games.boardPng, events is events.list."""
    resource, _, rest = operation_id.partition("_")
    words = (rest or "list").split("_")
    return resource, words[0] + "".join(word.capitalize() for word in words[1:])


def find_answer(document: Schema, operation: ApiOperation) -> tuple[str, Schema]:
    """Return how the answer of an operation is read, and its schema.

    `page` is a page of a list, `events` a stream that is resumed, `lines` a long answer of JSON lines.
    """
    responses = operation.definition["responses"]
    success = next(response for status, response in responses.items() if status.startswith("2"))
    content: Mapping[str, Any] = success.get("content", {})
    if not content:
        return "none", {}
    media_types = {media_type.split(";")[0]: entry.get("schema", {}) for media_type, entry in content.items()}
    if "text/event-stream" in media_types:
        return "events", media_types.get("application/x-ndjson", media_types["text/event-stream"])
    if "application/json" in media_types:
        schema = media_types["application/json"]
        return ("json" if find_row(document, schema) is None else "page"), schema
    media_type, schema = next(iter(media_types.items()))
    if media_type == "application/x-ndjson":
        return "lines", schema
    return ("text" if media_type.startswith("text/") or "xml" in media_type else "bytes"), schema


def find_row(document: Schema, schema: Schema) -> Schema | None:
    """Return the schema of a row if a schema is that of a page of a list."""
    name = schema.get("$ref", "").removeprefix(COMPONENT_PREFIX)
    properties: Mapping[str, Schema] = document["components"]["schemas"].get(name, {}).get("properties", {})
    return properties["results"]["items"] if {"next", "results"} <= properties.keys() else None


def find_body(operation: ApiOperation) -> tuple[Schema | None, bool]:
    """Return the schema of an operation's body, and whether it must be sent."""
    body = operation.definition.get("requestBody")
    if not body:
        return None, False
    return body["content"]["application/json"]["schema"], bool(body.get("required"))


def find_seed_rule(document: Schema, operation: ApiOperation) -> str:
    """Return when the client sends a random client seed, given none: so no server chooses it."""
    schema = find_body(operation)[0] or {}
    name = schema.get("$ref", "").removeprefix(COMPONENT_PREFIX)
    properties = document["components"]["schemas"].get(name, schema).get("properties", {})
    if "client_seed" not in properties:
        return "never"
    return "with commitment" if "commitment" in properties else "always"


def write_result(document: Schema, operation: ApiOperation) -> str:
    """Write what a method returns."""
    kind, schema = find_answer(document, operation)
    if kind in ("events", "lines"):
        return f"AsyncIterable<{qualify_type(schema)}>"
    if (row := find_row(document, schema)) is not None:
        return f"Listing<{qualify_type(schema)}, {qualify_type(row)}>"
    plain = {"none": "void", "text": "string", "bytes": "ArrayBuffer"}
    return f"Promise<{plain.get(kind) or qualify_type(schema)}>"


def qualify_type(schema: Schema) -> str:
    """Write the type of a schema with components as members of the module of types."""
    names = set(find_component_names(schema))

    def qualify_type_name(match: re.Match[str]) -> str:
        return f"types.{match[0]}" if match[0] in names else match[0]

    return re.sub(r"(?<![\w.\"])\w+(?![\w\"])", qualify_type_name, write_type(schema, "    "))


def find_component_names(part: Any) -> list[str]:
    """Return the names of components that a schema refers to."""
    if isinstance(part, Mapping):
        own = [part["$ref"].removeprefix(COMPONENT_PREFIX)] if "$ref" in part else []
        return own + find_component_names(list(part.values()))
    return [name for item in part for name in find_component_names(item)] if isinstance(part, list) else []


def write_method(document: Schema, operation: ApiOperation) -> str:
    """Write the declaration of a method: values of the path, body or query, options."""
    arguments = [f"{name}: string | number" for name in operation.path_parameters]
    queries = [parameter for parameter in operation.definition["parameters"] if parameter["in"] == "query"]
    schema, is_required = find_body(operation)
    if schema is not None:
        arguments.append(f"body{'' if is_required else '?'}: {qualify_type(schema)}")
    elif operation.method in ("POST", "PUT", "PATCH"):
        arguments.append("body?: Record<string, never>")
    elif queries:
        marks = {True: "", False: "?"}
        members = "; ".join(
            f"{query['name']}{marks[bool(query.get('required'))]}: {qualify_type(query['schema'])}"
            for query in queries
        )
        mark = "" if any(query.get("required") for query in queries) else "?"
        arguments.append(f"query{mark}: {{ {members} }}")
    else:
        arguments.append("query?: Record<string, never>")
    is_stream = find_answer(document, operation)[0] == "events"
    arguments.append(f"options?: {'StreamOptions' if is_stream else 'CallOptions'}")
    text = operation.definition.get("summary") or operation.definition.get("description", "").split("\n\n")[0]
    name = split_operation_id(operation.id)[1]
    return (
        write_comment(text, "    ")
        + f"    {name}({', '.join(arguments)}): {write_result(document, operation)};"
    )


def write_methods(document: Schema, operations: Iterable[ApiOperation]) -> str:
    """Write the interface of all resources."""
    methods: dict[str, list[str]] = {}
    for operation in operations:
        resource = split_operation_id(operation.id)[0]
        methods.setdefault(resource, []).append(write_method(document, operation))
    lines = [
        GENERATED_NOTE,
        "",
        'import type * as types from "./types.d.ts";',
        'import type { CallOptions, Listing, StreamOptions } from "./client.d.ts";',
        "",
        f"export const API_VERSION: {json.dumps(document['info']['version'])};",
        "export const API_PATH: string;",
        "",
        "/** An operation: what is sent, when a client seed is part of it, and how the answer is read. */",
        "export interface Operation {",
        "  method: string;",
        "  path: string;",
        "  takesKey: boolean;",
        '  seed: "never" | "always" | "with commitment";',
        '  answer: "json" | "page" | "events" | "lines" | "text" | "bytes" | "none";',
        "}",
        "export const OPERATIONS: Record<string, Operation>;",
        "",
        "/** Every operation of the API, by resource. */",
        "export interface Resources {",
    ]
    for resource in sorted(methods):
        lines += [f"  {resource}: {{", *methods[resource], "  };"]
    return "\n".join([*lines, "}"]) + "\n"


def write_table(document: Schema, operations: Iterable[ApiOperation]) -> str:
    """Write the table from which the client makes its methods."""
    rows = []
    for operation in sorted(operations, key=lambda operation: operation.id):
        row = {
            "method": operation.method,
            "path": operation.path,
            "takesKey": operation.takes_key,
            "seed": find_seed_rule(document, operation),
            "answer": find_answer(document, operation)[0],
        }
        rows.append(f"  {operation.id}: {json.dumps(row)},")
    lines = [
        GENERATED_NOTE,
        "",
        f"export const API_VERSION = {json.dumps(document['info']['version'])};",
        f"export const API_PATH = {json.dumps(compute_api_path(document))};",
        "",
        "/** @type {Record<string, import('./operations.d.ts').Operation>} */",
        "export const OPERATIONS = {",
        *rows,
        "};",
    ]
    return "\n".join(lines) + "\n"
