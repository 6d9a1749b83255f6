"""The types of the Python client: the code generated for each form of schema."""

from __future__ import annotations

import importlib
import sys
import tomllib
import typing
from pathlib import Path
from typing import Any, Literal

import pytest

from common.api import client_types
from common.api.client_types import PACKAGE_FOLDER, generate_client_types
from tests.source_tree import ROOT


def build_document(components: dict[str, Any], **answers: str) -> dict[str, Any]:
    """Build a document in which GET of a resource returns a component, and POST of games takes another."""

    def refer(name: str) -> dict[str, Any]:
        return {"content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}}

    paths: dict[str, Any] = {
        f"/api/v1/{resource}/": {"get": {"responses": {"200": refer(name), "404": refer("Problem")}}}
        for resource, name in answers.items()
    }
    paths["/api/v1/games/"]["post"] = {"requestBody": refer("Request"), "responses": {"204": {}}}
    return {"paths": paths, "components": {"schemas": components}}


def describe_object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [*properties]}


COMPONENTS: dict[str, Any] = {
    "Tile": describe_object(kind={"enum": ["A", "B"], "type": "string"}),
    "Problem": describe_object(code={"type": "string"}),
    "Game": {
        "type": "object",
        "description": "A game.",
        "properties": {
            "id": {"type": "string", "description": "names it\n\n* `a` - A"},
            "from": {"type": ["string", "null"]},
            "tiles": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Tile"}},
            "last": {"oneOf": [{"$ref": "#/components/schemas/Tile"}, {"type": "null"}]},
            "first": {"allOf": [{"$ref": "#/components/schemas/Tile"}], "description": "the first"},
            "events": {"type": "array", "items": {"type": "object", "additionalProperties": {}}},
            "verbs": {"type": "array", "items": {"type": "string", "enum": [f"verb-{n}" for n in range(20)]}},
            "before": {"oneOf": [{"$ref": "#/components/schemas/Game"}, {"type": "null"}]},
            "size": {"type": ["number", "null"], "description": "of " + "many " * 40 + "words"},
        },
        "required": ["id", "from", "tiles", "last", "events", "verbs"],
    },
    "Cup": describe_object(best={"$ref": "#/components/schemas/Game"}, round={"type": "integer"}),
    "Request": {
        "type": "object",
        "properties": {"name": {"type": "string"}, "id": {"type": "integer", "readOnly": True}},
        "additionalProperties": False,
    },
}


@pytest.fixture
def generated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The generated package, imported."""
    document = build_document(COMPONENTS, games="Game", tournaments="Cup")
    for path, content in generate_client_types(document).items():
        (tmp_path / "generated_types").mkdir(exist_ok=True)
        (tmp_path / "generated_types" / path.name).write_bytes(content)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("generated_types")
    for name in [name for name in sys.modules if name.partition(".")[0] == "generated_types"]:
        del sys.modules[name]


def test_types_are_those_of_the_document(generated: Any) -> None:
    hints = typing.get_type_hints(generated.Game, include_extras=True)
    assert hints["id"] is str
    assert hints["from"] == str | None
    assert hints["tiles"] == dict[str, generated.Tile]
    assert hints["last"] == typing.Optional[generated.Tile]  # noqa: UP045
    assert hints["first"] == typing.NotRequired[generated.Tile]
    assert hints["events"] == list[dict[str, Any]]
    assert typing.get_args(*typing.get_args(hints["verbs"])) == tuple(f"verb-{n}" for n in range(20))
    assert hints["before"] == typing.NotRequired[typing.Optional[generated.Game]]  # noqa: UP045
    assert hints["size"] == typing.NotRequired[float | None]
    assert generated.Game.__doc__ == "A game."
    assert typing.get_type_hints(generated.Tile)["kind"] == Literal["A", "B"]
    assert typing.get_type_hints(generated.Cup)["best"] is generated.Game
    assert generated.Cup.__module__ == "generated_types.tournaments"


def test_requests_have_no_keys_that_cannot_be_sent_and_problems_are_no_types(generated: Any) -> None:
    assert list(typing.get_type_hints(generated.Request)) == ["name"]
    assert not hasattr(generated, "Problem")


def test_no_line_is_too_long_and_every_module_says_that_it_is_generated() -> None:
    document = build_document(COMPONENTS, games="Game", tournaments="Cup")
    for source in generate_client_types(document).values():
        assert max(map(len, source.decode().splitlines())) <= 110
        assert b"Generated from the OpenAPI document by `make schema`: do not edit." in source


def test_a_module_that_grows_too_long_has_a_second_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_types, "MAX_MODULE_LINES", 20)
    files = generate_client_types(build_document(COMPONENTS, games="Game", tournaments="Cup"))
    assert PACKAGE_FOLDER / "games_2.py" in files
    second_part = files[PACKAGE_FOLDER / "games_2.py"].decode()
    assert "from .games import Tile\n" in second_part
    assert "class Tile" not in second_part


def test_the_client_is_installed_with_its_types() -> None:
    folder = ROOT / "clients" / "python"
    settings = tomllib.loads((folder / "pyproject.toml").read_text())
    packages = {".".join(file.parent.relative_to(folder).parts) for file in folder.rglob("__init__.py")}
    assert packages == set(settings["tool"]["setuptools"]["packages"])


def test_a_resource_without_a_group_is_refused() -> None:
    with pytest.raises(ValueError, match="/api/v1/cards/"):
        generate_client_types(build_document(COMPONENTS, games="Game", cards="Cup"))
