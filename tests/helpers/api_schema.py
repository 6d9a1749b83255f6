"""Requests that schemathesis makes from the OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from common.api.openapi import read_document
from otto_site.wsgi import application

# Tournaments and leagues have separate tests: tests/tournaments/test_api_schema.py.
OTHER_SCENES = r"/api/v1/(tournaments|leagues|ratings|proposals)/|/players/\{name\}/ratings/"
whole = schemathesis.openapi.from_wsgi("/api/v1/schema/", application)


def keep_connection_open() -> None:
    """Keep requests from closing the connection; the test client connects these signals again."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)


@pytest.fixture(autouse=True)
def one_connection() -> Iterator[None]:
    """Keep the connection with the test's transaction open during requests."""
    keep_connection_open()
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@cache
def map_error_codes() -> dict[str, dict[str, list[str]]]:
    """Map the error codes of the document by operation and status."""
    document = read_document()
    shared = document["components"]["responses"]
    return {
        operation["operationId"]: {
            status: shared[response["$ref"].rpartition("/")[2]]["x-codes"]
            if "$ref" in response
            else response["x-codes"]
            for status, response in operation["responses"].items()
            if status >= "400"
        }
        for methods in document["paths"].values()
        for operation in methods.values()
    }


def check_error_code(case: Any, response: Any) -> None:
    """Check that a refusal has one of the codes that the document lists for its operation."""
    if response.status_code >= 400 and response.json()["code"] != "method-not-allowed":
        operation_id = case.operation.definition.raw["operationId"]
        codes = map_error_codes()[operation_id][str(response.status_code)]
        assert response.json()["code"] in codes, (operation_id, response.json())
