"""The OpenAPI document is served as a file that matches the code; requests for it generate nothing."""

from __future__ import annotations

import gzip
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import yaml
from django.core.management import CommandError, call_command
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from common import rate_limits
from common.api import openapi
from common.api.client_types import PACKAGE_FOLDER

PATH = "/api/v1/schema/"


@pytest.fixture
def forbid_generator(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raise AssertionError if a request generates the document."""

    def raise_assertion(self: Any, *args: Any, **kwargs: Any) -> None:
        raise AssertionError("generated while somebody waits")

    monkeypatch.setattr(SchemaGenerator, "get_schema", raise_assertion)


def get_document(**headers: str) -> Any:
    return Client().get(PATH, headers=headers)


def test_the_files_are_as_the_code_says() -> None:
    files = openapi.generate_files()
    stale = [
        path.name for path, content in files.items() if not path.is_file() or path.read_bytes() != content
    ]
    assert not stale + openapi.list_leftover_files(files), (
        "the API has changed; write the document and the client's types anew with: make schema"
    )


def test_the_command_says_what_is_stale_and_writes_it_anew(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr(openapi, "JSON_FILE", tmp_path / "openapi.json")
    monkeypatch.setattr(openapi, "YAML_FILE", tmp_path / "openapi.yaml")
    monkeypatch.setattr(openapi, "PROJECT_FOLDER", tmp_path)
    with pytest.raises(CommandError, match=r"openapi.json, openapi.yaml.*make schema"):
        call_command("openapi", "--check")
    assert not list(tmp_path.iterdir())
    call_command("openapi")
    call_command("openapi", "--check")
    (tmp_path / "openapi.yaml").write_text("openapi: 3.0.0")
    with pytest.raises(CommandError, match=r": openapi.yaml\."):
        call_command("openapi", "--check")
    call_command("openapi")
    (leftover := tmp_path / PACKAGE_FOLDER / "games_9.py").write_text("")
    (tmp_path / PACKAGE_FOLDER / "games.py").write_text("")
    with pytest.raises(CommandError, match=r": games.py, games_9.py\."):
        call_command("openapi", "--check")
    call_command("openapi")
    assert not leftover.exists()
    call_command("openapi", "--check")


@pytest.mark.usefixtures("forbid_generator")
@pytest.mark.parametrize(
    ("accept", "kind", "read"),
    [
        ("*/*", "application/vnd.oai.openapi", yaml.safe_load),
        ("application/yaml", "application/yaml", yaml.safe_load),
        ("application/json", "application/json", json.loads),
        ("application/vnd.oai.openapi+json", "application/vnd.oai.openapi+json", json.loads),
    ],
)
def test_it_is_served_in_the_form_that_is_asked_for(accept: str, kind: str, read: Any) -> None:
    answer = get_document(Accept=accept)
    assert (answer.status_code, answer["Content-Type"].partition(";")[0]) == (200, kind)
    document = read(answer.content)
    assert document["openapi"].startswith("3.1.")
    assert document == openapi.read_document()
    assert "public" in answer["Cache-Control"]
    assert {"accept", "accept-encoding"} <= {name.strip().lower() for name in answer["Vary"].split(",")}
    second_response = get_document(Accept=accept, If_None_Match=answer["ETag"])
    assert (second_response.status_code, second_response.content, second_response["ETag"]) == (
        304,
        b"",
        answer["ETag"],
    )


@pytest.mark.usefixtures("forbid_generator")
def test_it_is_compressed_ahead_under_a_tag_of_its_own() -> None:
    plain, small = get_document(), get_document(Accept_Encoding="br, gzip")
    assert small["Content-Encoding"] == "gzip"
    assert gzip.decompress(small.content) == plain.content
    assert len(small.content) * 8 < len(plain.content)
    assert small["ETag"] != plain["ETag"]


@pytest.mark.usefixtures("forbid_generator")
def test_it_is_the_same_for_everybody() -> None:
    first = get_document()
    other_responses = [
        get_document(Accept_Language="it"),
        get_document(Host="127.0.0.1"),
        Client().get(f"{PATH}?lang=nl&version=2"),
    ]
    assert {answer.content for answer in other_responses} == {first.content}


def test_what_it_cannot_be_is_refused_as_a_problem() -> None:
    answer = get_document(Accept="text/html")
    assert (answer.status_code, answer["Content-Type"]) == (406, "application/problem+json")


def test_asking_for_it_is_counted(settings: Any) -> None:
    settings.API_RATE_ANONYMOUS = 3
    rate_limits.reset_counts()
    answers = [get_document() for _ in range(8)]  # more requests than two minutes allow
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert refused.json()["code"] == "throttled"
    assert 1 <= int(refused["Retry-After"]) <= 60


def test_many_at_once_all_get_it() -> None:
    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda _: get_document(), range(48)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1


@pytest.mark.usefixtures("forbid_generator")
@pytest.mark.django_db
def test_the_pages_about_the_api_read_the_file_too(client: Client) -> None:
    from games.web import api_docs

    api_docs.load_operations.cache_clear()
    assert client.get("/api/").status_code == 200
    assert client.get("/api/operations/events/").status_code == 200
