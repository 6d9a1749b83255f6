"""What problem documents say of a refusal: the field at fault, one status per code, plain sentences."""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import Any

import pytest
from django.test import Client
from rest_framework import exceptions as drf

from otto_site.errors import errors_by_field, first_message
from tests.factories.cast import Api
from tests.helpers.api_schema import map_error_codes
from tests.helpers.tokens import ask_api, check_problem, create_token
from tests.source_tree import ROOT, SOURCE_ROOMS


def list_calls_of_invalid() -> list[tuple[str, ast.Call]]:
    """List the calls that build an Invalid in services and in the API, with their place."""
    calls = []
    for app in SOURCE_ROOMS:
        for file in (ROOT / app).rglob("*.py"):
            if not {"services", "api"} & set(file.relative_to(ROOT).parts):
                continue
            for node in ast.walk(ast.parse(file.read_text())):
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Name)
                    and node.func.id == "Invalid"
                ):
                    calls.append((f"{file.relative_to(ROOT)}:{node.lineno}", node))
    return calls


def test_every_invalid_value_names_its_field() -> None:
    calls = list_calls_of_invalid()
    assert len(calls) > 40
    keywords = [(place, {keyword.arg for keyword in call.keywords}) for place, call in calls]
    assert [place for place, names in keywords if not names & {"field", "code"}] == []


def test_a_code_has_one_status() -> None:
    statuses = defaultdict(set)
    for codes_by_status in map_error_codes().values():
        for status, codes in codes_by_status.items():
            for code in codes:
                statuses[code].add(status)
    assert {code: values for code, values in statuses.items() if len(values) > 1} == {}


@pytest.mark.parametrize(
    ("detail", "errors", "first"),
    [
        (["No."], {"request": ["No."]}, "No."),
        ({"non_field_errors": ["No."]}, {"request": ["No."]}, "No."),
        ({"name": ["No."]}, {"name": ["No."]}, "name: No."),
        ({"name": "No."}, {"name": ["No."]}, "name: No."),
        ({"scopes": {1: ["No."]}}, {"scopes.1": ["No."]}, "scopes.1: No."),
        ({"rows": [{}, {"n": ["No."]}]}, {"rows.1.n": ["No."]}, "rows.1.n: No."),
        ({"row": {"non_field_errors": ["No.", "Nor."]}}, {"row": ["No.", "Nor."]}, "row: No."),
    ],
)
def test_messages_are_lists_by_the_path_of_their_field(
    detail: Any, errors: dict[str, list[str]], first: str
) -> None:
    error = drf.ValidationError(detail)
    assert errors_by_field(error.detail) == errors
    assert first_message(errors_by_field(error.detail)) == first


@pytest.mark.django_db
def test_a_value_that_a_service_refuses_has_its_field() -> None:
    answer = Api("ada").post("games/", {"clock": "custom"})
    problem = check_problem(answer, 422, "invalid-value")
    assert problem["field"] == "allowance_seconds"
    assert problem["errors"] == {"allowance_seconds": [problem["detail"]]}


@pytest.mark.django_db
def test_an_item_of_a_list_has_its_place() -> None:
    answer = ask_api(create_token()[1], "me/tokens/", "POST", {"name": "x", "scopes": ["read", ["play"]]})
    assert [*check_problem(answer, 400, "invalid")["errors"]] == ["scopes.1"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "path", "body", "content_type", "detail"),
    [
        (
            "PUT",
            "players/ada/",
            "{}",
            "application/json",
            "This address does not support this method. `Allow` lists those that it supports.",
        ),
        ("GET", "nothing/here/", "", "", "There is nothing at this address."),
        ("POST", "games/", '{"mode"', "application/json", "The body is not valid JSON: line 1, column 8."),
        ("POST", "games/", "NaN", "application/json", "The body is not valid JSON."),
        ("POST", "games/", "[]", "application/json", "Send a JSON object with these fields."),
        (
            "POST",
            "games/",
            "a=b",
            "text/plain",
            "Send the body as JSON, with `Content-Type: application/json`.",
        ),
    ],
)
def test_refusals_of_the_framework_are_plain_sentences(
    method: str, path: str, body: str, content_type: str, detail: str
) -> None:
    headers = {"Authorization": f"Bearer {create_token()[1]}"}
    answer = Client().generic(method, f"/api/v1/{path}", body, content_type=content_type, headers=headers)
    assert answer.json()["detail"] == detail


@pytest.mark.django_db
def test_too_many_requests_say_it_in_a_sentence(client: Client, settings: Any) -> None:
    settings.API_RATE_ANONYMOUS = 1
    client.get("/api/v1/games/")
    problem = check_problem(client.get("/api/v1/games/"), 429, "throttled")
    unit = "second" if problem["retry_after"] == 1 else "seconds"
    assert problem["detail"] == f"Too many requests. Try again in {problem['retry_after']} {unit}."
