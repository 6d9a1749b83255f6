"""Events of real games fit the types of the OpenAPI document, and every documented type occurs."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from common.api import openapi
from games.engine import game, record

GOLDEN_RECORDS = sorted(Path(__file__).parents[1].joinpath("engine", "golden").glob("*.json"))
# Events that no golden record contains: a side that resigns ends most games early.
RARE_EVENTS = {"resigned"}


def test_every_event_of_the_golden_records_fits_its_type(monkeypatch: pytest.MonkeyPatch) -> None:
    document = openapi.read_document()
    components = document["components"]
    validator = jsonschema.Draft202012Validator(
        {"$ref": "#/components/schemas/GameEvent", "components": components}
    )
    seen_events: Counter[str] = Counter()
    seen_shapes = set()

    def check_events(events: Any) -> None:
        for event in events:
            seen_events[event["event"]] += 1
            shape = (event["event"], *sorted((key, type(value).__name__) for key, value in event.items()))
            if shape not in seen_shapes:
                seen_shapes.add(shape)
                validator.validate(event)

    def apply_action(state: Any, seat: int, action: str) -> Any:
        new_state, events = game.apply_action(state, seat, action)
        check_events(events)
        return new_state, events

    monkeypatch.setattr(record, "apply_action", apply_action)
    record_validator = jsonschema.Draft202012Validator(
        {"$ref": "#/components/schemas/Record", "components": components}
    )
    assert GOLDEN_RECORDS
    for file in GOLDEN_RECORDS:
        data = json.loads(file.read_bytes())
        record_validator.validate(data)
        record.verify_record(data)
    mapping = components["schemas"]["GameEvent"]["discriminator"]["mapping"]
    assert set(mapping) - set(seen_events) <= RARE_EVENTS
