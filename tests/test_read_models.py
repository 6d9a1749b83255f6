"""Read models: JSON and documentation follow from one dataclass or TypedDict."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, time, timedelta, timezone
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest
from rest_framework import serializers

from common.instants import Instant
from common.read_model_serializers import build_serializer, find_help_text
from common.read_models import Url, build_json


@dataclass(frozen=True)
class CycleData:
    """A cycle."""

    at: datetime
    seconds: int | None


@dataclass(frozen=True)
class RaceData:
    """A race."""

    name: str = field(metadata={"help_text": "as printed"})
    start: datetime | None = field(metadata={"key": "from"})
    page: Url
    cycles: list[CycleData]
    tags: list[str]
    best: CycleData | None = None


CYCLE = CycleData(datetime(2030, 1, 2, 3, 4, 5, 678, tzinfo=timezone(timedelta(hours=2))), None)


def test_json_has_instants_in_utc_nested_values_and_keys_that_python_forbids() -> None:
    cycle = {"at": "2030-01-02T01:04:05Z", "seconds": None}
    race = RaceData("one", None, Url("https://example.org"), [CYCLE], ["a"], CYCLE)
    assert build_json([race]) == [
        {
            "name": "one",
            "from": None,
            "page": "https://example.org",
            "cycles": [cycle],
            "tags": ["a"],
            "best": cycle,
        }
    ]


def test_the_serializer_has_the_fields_of_the_read_model_and_its_name() -> None:
    serializer = build_serializer(RaceData)
    fields = serializer().fields
    assert serializer.__name__ == "RaceSerializer"
    assert serializer.__doc__ == "A race."
    assert list(fields) == ["name", "from", "page", "cycles", "tags", "best"]
    assert fields["name"].help_text == "as printed"
    assert isinstance(fields["from"], serializers.DateTimeField)
    assert fields["from"].allow_null
    assert isinstance(fields["page"], serializers.URLField)
    assert isinstance(fields["cycles"], serializers.ListSerializer)
    assert type(fields["cycles"].child) is build_serializer(CycleData)
    assert isinstance(fields["tags"], serializers.ListField)
    assert fields["best"].allow_null
    assert not fields["name"].allow_null


def test_a_type_that_nobody_can_document_is_refused() -> None:
    @dataclass(frozen=True)
    class OddData:
        """Odd."""

        value: complex

    with pytest.raises(KeyError):
        build_serializer(OddData)


class RunData(TypedDict):
    """A run, as JSON already."""

    at: Annotated[Instant, "when it ended"]
    splits: Annotated[dict[str, CycleData], "by name"]
    extra: dict[str, Any]
    driver: NotRequired[Annotated[str | None, "if it is known"]]


class PenaltyData(TypedDict, total=False):
    """Seconds that are added."""

    seconds: int


class TimedRunData(RunData, PenaltyData):
    """A run with its time."""

    result: Literal["ok", "void"]
    colour: Annotated[str, "of the flag"]


@dataclass(frozen=True)
class HeatData:
    """A heat that holds runs as they are."""

    run: TimedRunData | None
    begins: time
    flag: Annotated[str, "shown"] = field(
        default="red", metadata={"choices": [("red", "Red"), ("blue", "Blue")]}
    )


def test_a_typed_dict_is_documented_by_the_types_of_its_keys() -> None:
    fields = build_serializer(TimedRunData)().fields
    assert set(fields) == {"at", "splits", "extra", "driver", "seconds", "result", "colour"}
    assert (type(fields["at"]), fields["at"].help_text) == (serializers.DateTimeField, "when it ended")
    assert type(fields["splits"].child) is build_serializer(CycleData)
    assert isinstance(fields["extra"], serializers.DictField)
    assert (fields["driver"].required, fields["driver"].allow_null) == (False, True)
    assert fields["driver"].help_text == "if it is known"
    assert not fields["seconds"].required
    assert fields["at"].required
    assert list(fields["result"].choices) == ["ok", "void"]


def test_a_dataclass_holds_typed_dicts_and_times_of_day() -> None:
    fields = build_serializer(HeatData)().fields
    assert type(fields["run"]) is build_serializer(TimedRunData)
    assert fields["flag"].choices == {"red": "Red", "blue": "Blue"}
    run: Any = {"result": "ok"}
    assert build_json(HeatData(run, time(22, 30), "red")) == {"run": run, "begins": "22:30", "flag": "red"}


def test_a_request_takes_its_texts_from_the_read_model() -> None:
    assert find_help_text(HeatData, "flag") == "shown"
    with pytest.raises(KeyError):
        find_help_text(HeatData, "begins")
