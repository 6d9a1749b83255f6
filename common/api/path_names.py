"""Names of path parameters in the OpenAPI document: what a body calls `id` is `id` in a path, too."""

from __future__ import annotations

import re
from typing import Any

PATH_PARAMETER = re.compile(r"\{(\w+)\}")
ID_NAME = "id"
OTHER_NAMES = {"name"}  # a player has no id but a name


def find_id_parameter(path: str) -> str | None:
    """Return the parameter that names the resource of a path: the first one; None if that is no id."""
    match = PATH_PARAMETER.search(path)
    return match[1] if match and match[1] not in OTHER_NAMES else None


def rename_path(path: str) -> str:
    """Return a path whose first parameter is called `id`."""
    name = find_id_parameter(path)
    return path.replace(f"{{{name}}}", f"{{{ID_NAME}}}", 1) if name else path


def rename_id_parameters(result: dict[str, Any], **_options: Any) -> dict[str, Any]:
    """Rename the first path parameter of every operation; a hook of drf-spectacular."""
    for path, operations in result["paths"].items():
        name = find_id_parameter(path)
        for operation in operations.values():
            for parameter in operation.get("parameters", ()):
                if parameter.get("in") == "path" and parameter["name"] == name:
                    parameter["name"] = ID_NAME
    return result | {"paths": {rename_path(path): operations for path, operations in result["paths"].items()}}
