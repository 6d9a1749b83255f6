"""Read models: one dataclass determines both the serializer and the JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from rest_framework import serializers

from common.read_model_serializers import build_serializer
from common.read_models import build_json


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Part:
    """A part."""

    number: int


@dataclass(frozen=True)
class Machine:
    """A machine, made of parts."""

    name: Annotated[str, "as people read it"]
    built_at: datetime | None
    colour: Colour = Colour.RED
    parts: Annotated[list[Part], "from the top"] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    best: Part | None = None


def test_a_serializer_has_the_fields_of_the_dataclass() -> None:
    serializer = build_serializer(Machine)
    fields: dict[str, Any] = serializer().fields
    assert (serializer.__name__, serializer.__doc__) == ("MachineSerializer", "A machine, made of parts.")
    assert list(fields) == ["name", "built_at", "colour", "parts", "words", "best"]
    assert (type(fields["name"]), fields["name"].help_text) == (serializers.CharField, "as people read it")
    assert (type(fields["built_at"]), fields["built_at"].allow_null) == (serializers.DateTimeField, True)
    assert list(fields["colour"].choices) == ["red", "blue"]
    assert isinstance(fields["parts"], serializers.ListSerializer)
    assert fields["parts"].help_text == "from the top"
    assert isinstance(fields["words"].child, serializers.CharField)
    assert (type(fields["best"]), fields["best"].allow_null) == (build_serializer(Part), True)


def test_a_serializer_is_built_once() -> None:
    """Two classes of one name would be two components of the OpenAPI document."""
    assert build_serializer(Part) is build_serializer(Part)


def test_json_has_the_same_members() -> None:
    machine = Machine("one", datetime(2026, 1, 2, tzinfo=UTC), parts=[Part(1)], best=Part(2))
    assert build_json({"machine": machine})["machine"] == {
        "name": "one",
        "built_at": "2026-01-02T00:00:00Z",
        "colour": "red",
        "parts": [{"number": 1}],
        "words": [],
        "best": {"number": 2},
    }


@dataclass(frozen=True)
class Tool:
    """A tool with settings that a table declares."""

    name: Annotated[str, "as people read it"]
    settings: dict[str, Any] = field(
        metadata={"inline": {"name": str, "speed": Annotated[float | None, "rpm"]}}
    )
    kind: Literal["drill", "saw"] = "saw"
    result: dict[str, Any] | None = None


def test_inline_members_are_members_of_the_read_model_itself() -> None:
    tool = Tool("one", {"speed": 1.5, "since": datetime(2026, 1, 2, tzinfo=UTC)}, result={"parts": [Part(1)]})
    assert build_json(tool) == {
        "name": "one",
        "speed": 1.5,
        "since": "2026-01-02T00:00:00Z",
        "kind": "saw",
        "result": {"parts": [{"number": 1}]},
    }


def test_inline_members_are_documented_behind_the_own_fields() -> None:
    fields: dict[str, Any] = build_serializer(Tool)().fields
    assert list(fields) == ["name", "kind", "result", "speed"]
    assert fields["name"].help_text == "as people read it"
    assert (type(fields["speed"]), fields["speed"].allow_null) == (serializers.FloatField, True)
    assert fields["speed"].help_text == "rpm"
    assert list(fields["kind"].choices) == ["drill", "saw"]
    assert (type(fields["result"]), fields["result"].allow_null) == (serializers.DictField, True)
