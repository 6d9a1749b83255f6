"""Writes the table of operations of the Python client: method, path, whether an Idempotency-Key is taken.

So no URL stands in the code of a client.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PYTHON_TABLE = Path("clients", "python", "otto_client", "operation_table.py")
METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True)
class ApiOperation:
    """An operation of the document; its path is relative to `api_path`."""

    id: str
    method: str
    path: str
    definition: Mapping[str, Any]
    path_parameters: tuple[str, ...]

    @property
    def takes_key(self) -> bool:
        """True if it takes an Idempotency-Key."""
        return any(
            parameter.get("in") == "header" and parameter.get("name") == "Idempotency-Key"
            for parameter in self.definition.get("parameters", ())
        )


def compute_api_path(document: Mapping[str, Any]) -> str:
    """Return the path that all operations begin with, such as /api/v1/."""
    return f"/api/v{document['info']['version'].split('.')[0]}/"


def resolve_parameter(document: Mapping[str, Any], parameter: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a parameter, from the components where the document refers to them."""
    reference = parameter.get("$ref", "")
    if not reference:
        return parameter
    resolved: Mapping[str, Any] = document["components"]["parameters"][reference.rsplit("/", 1)[1]]
    return resolved


def iter_operations(document: Mapping[str, Any]) -> Iterator[ApiOperation]:
    """Yield the operations of the document in its order."""
    prefix = compute_api_path(document)
    for path, item in document["paths"].items():
        shared = item.get("parameters", [])
        for method in METHODS:
            if method not in item:
                continue
            parameters = [
                resolve_parameter(document, parameter)
                for parameter in [*shared, *item[method].get("parameters", [])]
            ]
            relative_path = path.removeprefix(prefix)
            yield ApiOperation(
                id=item[method]["operationId"],
                method=method.upper(),
                path=relative_path,
                definition={**item[method], "parameters": parameters},
                path_parameters=tuple(part.split("}")[0] for part in relative_path.split("{")[1:]),
            )


def generate_python_table(document: Mapping[str, Any]) -> dict[Path, bytes]:
    """Generate the table of the Python client, by path from the project's root."""
    rows = [
        f'    "{operation.id}": ("{operation.method}", "{operation.path}", {operation.takes_key}),'
        for operation in sorted(iter_operations(document), key=lambda operation: operation.id)
    ]
    lines = [
        '"""The operations of the API: method, path, and whether an Idempotency-Key is taken.',
        "",
        'Generated from the OpenAPI document by `make schema`: do not edit.\n"""',
        "",
        f'API_VERSION = "{document["info"]["version"]}"',
        f'API_PATH = "{compute_api_path(document)}"',
        "",
        "OPERATIONS: dict[str, tuple[str, str, bool]] = {",
        *rows,
        "}",
    ]
    return {PYTHON_TABLE: ("\n".join(lines) + "\n").encode()}
