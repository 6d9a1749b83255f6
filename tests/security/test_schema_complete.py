"""The OpenAPI document is complete: all parts are described, references resolve, examples validate."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema
import pytest

from accounts.scopes import APP_SCOPES
from common.api import openapi
from common.api.shared_parts import find_references
from games.engine import narration
from games.engine.event_types import GameEventData
from notifications.feed_entry_types import load_feed_entry_types
from notifications.notice_kinds import list_called_kinds, load_notice_kinds

METHODS = ("get", "post", "put", "patch", "delete")
# Kinds of mails and webhook calls that no feed contains.
NOT_IN_FEEDS = {"reminder", "digest", "mailed-invitation", "reply", "test"}


@cache
def generate_document() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(openapi.generate_files()[openapi.JSON_FILE])
    return document


def list_operations() -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (method, path, operation)
        for path, operations in generate_document()["paths"].items()
        for method, operation in operations.items()
    ]


def resolve(part: dict[str, Any]) -> dict[str, Any]:
    """Return a part of the document with its reference resolved."""
    while "$ref" in part:
        target: Any = generate_document()
        for key in part["$ref"].removeprefix("#/").split("/"):
            target = target[key]
        part = target
    return part


def find_properties(schema: Any, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every property of a schema and of its parts, with its path."""
    if isinstance(schema, dict):
        for key, member in schema.get("properties", {}).items():
            yield f"{name}.{key}", member
        for key, part in schema.items():
            yield from find_properties(part, f"{name}/{key}")
    elif isinstance(schema, list):
        for number, part in enumerate(schema):
            yield from find_properties(part, f"{name}/{number}")


def is_sentence(text: str) -> bool:
    """True if a text begins and ends like a sentence."""
    return bool(text) and not text[0].islower() and text.rstrip()[-1] in ".)…"


def test_every_property_is_described_in_sentences() -> None:
    schemas = dict(generate_document()["components"]["schemas"])
    inline = {
        f"{operation['operationId']} {status} {media_type}": media["schema"]
        for _method, _path, operation in list_operations()
        for status, response in operation["responses"].items()
        for media_type, media in resolve(response).get("content", {}).items()
    }
    properties = [row for name, part in (schemas | inline).items() for row in find_properties(part, name)]
    assert len(properties) > 1000
    assert [name for name, member in properties if not is_sentence(member.get("description", ""))] == []


def test_every_component_is_described() -> None:
    schemas = generate_document()["components"]["schemas"]
    assert [
        name for name, part in schemas.items() if "oneOf" not in part and not is_sentence(part["description"])
    ] == []


def test_every_operation_has_a_summary_and_a_description() -> None:
    operations = list_operations()
    summaries = [operation["summary"] for *_, operation in operations]
    assert [text for text in summaries if not 5 < len(text) <= 60 or text.endswith(".")] == []
    assert [
        operation["operationId"]
        for *_, operation in operations
        if not is_sentence(operation.get("description", ""))
    ] == []
    assert [
        operation["operationId"]
        for *_, operation in operations
        for status, response in operation["responses"].items()
        if len(resolve(response)["description"]) < 2
    ] == []


def test_every_parameter_and_header_is_described() -> None:
    bare = []
    for _method, _path, operation in list_operations():
        for parameter in map(resolve, operation.get("parameters", [])):
            if not is_sentence(parameter.get("description", "")):
                bare.append((operation["operationId"], parameter["name"]))
        for response in map(resolve, operation["responses"].values()):
            for name, header in response.get("headers", {}).items():
                if not is_sentence(resolve(header).get("description", "")):
                    bare.append((operation["operationId"], name))
    assert bare == []


def test_every_tag_is_described_and_used() -> None:
    tags = {tag["name"]: tag["description"] for tag in generate_document()["tags"]}
    assert all(map(is_sentence, tags.values()))
    assert {tag for *_, operation in list_operations() for tag in operation["tags"]} == set(tags)


def test_every_reference_resolves_and_every_component_is_used() -> None:
    document = generate_document()
    references = set(find_references(document))
    components = {
        f"#/components/{section}/{name}"
        for section, parts in document["components"].items()
        for name in parts
        if section != "securitySchemes"
    }
    assert references == components


def test_every_operation_says_how_requests_are_authenticated() -> None:
    schemes = generate_document()["components"]["securitySchemes"]
    scopes = schemes["oauth"]["flows"]["authorizationCode"]["scopes"]
    assert set(schemes) == {"token", "oauth", "session"}
    assert set(scopes) == set(APP_SCOPES)
    for *_, operation in list_operations():
        assert operation["security"], operation["operationId"]
        for option in operation["security"]:
            for name, needed_scopes in option.items():
                assert name in schemes
                assert set(needed_scopes) <= set(scopes)


def test_it_names_the_server_and_whom_to_ask() -> None:
    document = generate_document()
    assert document["servers"][0]["url"] == "/"
    assert document["info"]["contact"]
    assert "Authorization: Bearer" in document["info"]["description"]


def list_examples() -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """List every example of the document with its schema."""
    document = generate_document()
    bodies = {
        f"{operation['operationId']} {part}": body
        for _method, _path, operation in list_operations()
        for part, body in [("request", operation.get("requestBody", {})), *operation["responses"].items()]
    }
    bodies |= {"webhook": document["webhooks"]["notice"]["post"]["requestBody"]}
    for name, body in bodies.items():
        content = resolve(body).get("content", {})
        for media_type, media in content.items():
            examples = [example["value"] for example in media.get("examples", {}).values()]
            for value in [*examples, *([media["example"]] if "example" in media else [])]:
                yield name, value, media["schema"]
                if media_type == "text/event-stream":  # its data is JSON, as in a line of the other form
                    line = {"id": None} | value | {"data": json.loads(value["data"])}
                    yield f"{name} line", line, content["application/x-ndjson"]["schema"]
    for name, header in document["components"]["headers"].items():
        yield name, header["example"], header["schema"]


def test_every_example_fits_its_schema() -> None:
    document, count = generate_document(), 0
    for name, value, schema in list_examples():
        count += 1
        validator = jsonschema.Draft202012Validator(
            {**schema, "components": document["components"]},
            format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER,
        )
        messages = [error.message for error in validator.iter_errors(value)]
        assert not messages, (name, messages[0])
    assert count > 500


def test_streams_and_the_feed_have_examples_with_entries() -> None:
    names = {name: value for name, value, _schema in list_examples()}
    assert {"events_stream 200 line", "games_stream 200 line"} <= names.keys()
    assert names["events 200"]["results"]


def test_every_operation_with_a_json_body_has_examples() -> None:
    missing = []
    for _method, _path, operation in list_operations():
        for body in (operation.get("requestBody", {}), operation["responses"].get("200", {})):
            media = body.get("content", {}).get("application/json", {})
            if media and not media.get("examples"):
                missing.append(operation["operationId"])
    assert sorted(set(missing)) == NO_EXAMPLES


NO_EXAMPLES: list[str] = []


def test_pages_have_their_parameters_with_limits() -> None:
    paged = []
    for _method, _path, operation in list_operations():
        parameters = {
            parameter["name"]: parameter for parameter in map(resolve, operation.get("parameters", []))
        }
        schema = operation["responses"].get("200", {}).get("content", {}).get("application/json", {})
        if "cursor" in resolve(schema.get("schema", {})).get("properties", {}).get("next", {}):
            assert "cursor" in parameters
        if "cursor" in parameters:
            paged.append(operation["operationId"])
            size = parameters["page_size"]["schema"]
            assert 1 == size["minimum"] < size["default"] < size["maximum"]
    assert {"games_list", "tournaments_list", "leagues_list", "players_ratings", "proposals_list"} <= set(
        paged
    )


def test_headers_are_declared_where_they_are_sent() -> None:
    by_header: dict[str, set[str]] = {}
    for _method, _path, operation in list_operations():
        for status, response in operation["responses"].items():
            for name in resolve(response).get("headers", {}):
                by_header.setdefault(name, set()).add(f"{operation['operationId']} {status}")
    everywhere = {
        f"{operation['operationId']} {status}"
        for *_, operation in list_operations()
        for status in operation["responses"]
        if status != "503"
    }
    assert by_header["RateLimit"] == by_header["RateLimit-Policy"] == everywhere
    assert by_header["Otto-Seq"] == {"games_legal 200"}
    assert {"games_view 200", "games_view 304", "tournaments_view 200"} <= by_header["ETag"]
    assert all(name.endswith((" 429", " 503")) for name in by_header["Retry-After"])
    assert all(name.endswith(" 401") for name in by_header["WWW-Authenticate"])


@pytest.mark.parametrize("method", METHODS)
def test_refusals_follow_from_what_an_operation_takes(method: str) -> None:
    operations = [
        (path, operation) for other_method, path, operation in list_operations() if other_method == method
    ]
    assert operations
    for path, operation in operations:
        statuses = {int(status) for status in operation["responses"] if status >= "400"}
        assert {401, 403, 406, 429, 503} <= statuses, path
        assert ("{" in path) <= (404 in statuses), path
        assert ({413, 415} <= statuses) == (method in ("post", "put", "patch")), path
        assert ("requestBody" in operation) <= (400 in statuses), path


# ----------------------------------------------------------------------------------------------- typed events


def find_mapping(component: str) -> dict[str, str]:
    """Return the discriminator mapping of a component."""
    part = generate_document()["components"]["schemas"][component]
    mapping: dict[str, str] = part["discriminator"]["mapping"]
    assert {reference["$ref"] for reference in part["oneOf"]} == set(mapping.values())
    return mapping


def test_the_log_has_a_type_for_every_game_event() -> None:
    assert set(find_mapping("GameEvent")) == set(narration.NARRATORS)
    assert GameEventData


def test_the_feed_has_a_type_for_every_kind_of_entry() -> None:
    kinds = [kind for entry_type in load_feed_entry_types() for kind in entry_type.kinds]
    assert len(kinds) == len(set(kinds))
    assert set(kinds) == set(load_notice_kinds()) - NOT_IN_FEEDS
    assert set(find_mapping("FeedEntry")) == set(kinds)


def test_streams_have_a_type_for_every_line() -> None:
    assert set(find_mapping("GameStreamLine")) == {"game", "action", "message", "end"}
    assert set(find_mapping("FeedStreamLine")) == {"snapshot", "entry"}


def test_webhooks_are_called_with_these_kinds() -> None:
    schema = generate_document()["components"]["schemas"]["WebhookPayload"]
    assert schema["properties"]["kind"]["enum"] == [kind.value for kind in list_called_kinds()]


def test_a_record_names_its_format() -> None:
    schema = generate_document()["components"]["schemas"]["Record"]
    assert schema["properties"]["format"]["enum"] == ["otto-record/1"]
    assert {"format", "actions", "fairness", "result", "seats"} <= set(schema["required"])


def test_seq_is_required_wherever_it_is_always_there() -> None:
    schemas = generate_document()["components"]["schemas"]
    assert {
        name
        for name, part in schemas.items()
        if "seq" in part.get("properties", {}) and "seq" not in part["required"]
    } == {"PlayAction"}
