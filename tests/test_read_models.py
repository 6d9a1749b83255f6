"""Read models: JSON and documentation follow from one dataclass."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone

import pytest
from rest_framework import serializers

from common.read_model_serializers import build_serializer
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
