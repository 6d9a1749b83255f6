"""Every response formats instants in one way, and uses null for absent values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from .route_table import ROUTES, find_line
from .route_walker import Walker, fill_address
from .world import World

pytestmark = pytest.mark.django_db

INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z")
LOOKS_LIKE_INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}")
# User text may be empty, and can be sent back unchanged.
OWN_TEXTS = {"text", "description", "name", "public_note", "reason", "client_seed", "notes"}


def iter_values(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every scalar of a response with its key."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield from iter_values(member, key)
    elif isinstance(value, list):
        for item in value:
            yield from iter_values(item, name)
    else:
        yield name, value


def iter_answers(world: World, name: str) -> Iterator[tuple[str, Any]]:
    """Yield every JSON response of the API to GET requests."""
    client = Walker(world, name).client
    for route, address, names in ROUTES:
        if not route.startswith("api/v1/") or find_line(route, "GET") is None:
            continue
        answer = client.get(fill_address(address, names, world))
        if answer.status_code == 200 and answer["Content-Type"] == "application/json":
            yield route, json.loads(answer.content)


@pytest.mark.parametrize("name", ["ada", "bob"])
def test_instants_are_written_in_utc_to_the_second(name: str, world: World) -> None:
    wrong, found_count = [], 0
    for route, data in iter_answers(world, name):
        for member, value in iter_values(data):
            if isinstance(value, str) and LOOKS_LIKE_INSTANT.match(value):
                found_count += 1
                if not INSTANT.fullmatch(value):
                    wrong.append((route, member, value))
    assert not wrong, "\n".join(map(str, wrong))
    assert found_count > 50


@pytest.mark.parametrize("name", ["ada", "bob"])
def test_what_is_absent_is_null_and_no_empty_text(name: str, world: World) -> None:
    empty = {
        (route, member)
        for route, data in iter_answers(world, name)
        if route != "api/v1/me/export/"  # raw rows
        for member, value in iter_values(data)
        if value == "" and member not in OWN_TEXTS
    }
    assert not empty, "\n".join(map(str, sorted(empty)))
