"""Both client libraries have every operation of the OpenAPI document, and none that is not in it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from clients.python.otto_client import API_VERSION, AsyncClient, Client, Unreachable
from clients.python.otto_client.errors import NotFound
from clients.python.otto_client.operation_table import OPERATIONS
from clients.python.otto_client.operations import BoundOperation, Operation, RecordsOperation, Resource
from common.api.client_operations import generate_python_table, iter_operations
from common.api.openapi import generate_files, read_document
from common.api.typescript import find_seed_rule, generate_typescript, split_operation_id, write_type

ROOT = Path(__file__).resolve().parent.parent.parent
ADDRESS = "http://otto.invalid"
OPERATION_IDS = {operation.id for operation in iter_operations(read_document())}


def list_resources(client: Client | AsyncClient) -> list[Resource[Any]]:
    return [value for value in vars(client).values() if isinstance(value, Resource)]


def list_bound_operations(client: Client | AsyncClient) -> list[BoundOperation[Any, Any]]:
    return [
        member
        for resource in list_resources(client)
        for member in vars(type(resource)).values()
        if isinstance(member, BoundOperation)
    ]


def test_the_python_client_has_a_method_for_every_operation() -> None:
    with Client(ADDRESS) as client:
        bound_ids = [bound.operation_id for bound in list_bound_operations(client)]
    assert OPERATION_IDS - set(bound_ids) == set(), (
        "add a line to the resource in clients/python/otto_client/"
    )
    assert set(bound_ids) - OPERATION_IDS == set()


def test_both_python_clients_have_the_same_resources() -> None:
    with Client(ADDRESS) as client:
        assert {type(resource) for resource in list_resources(client)} == {
            type(resource) for resource in list_resources(AsyncClient(ADDRESS))
        }


def test_every_method_says_what_it_does() -> None:
    with Client(ADDRESS) as client:
        assert [bound.operation_id for bound in list_bound_operations(client) if not bound.__doc__] == []


def test_the_typescript_client_declares_every_operation() -> None:
    declared = (ROOT / "clients/typescript/src/operations.d.ts").read_text()
    table = (ROOT / "clients/typescript/src/operations.js").read_text()
    for operation_id in OPERATION_IDS:
        assert f"    {split_operation_id(operation_id)[1]}(" in declared
        assert f'\n  {operation_id}: {{"method"' in table
    assert table.count('"method"') == len(OPERATION_IDS)


def test_methods_of_one_resource_have_different_names() -> None:
    names = [split_operation_id(operation_id) for operation_id in OPERATION_IDS]
    assert len(set(names)) == len(names)


def test_one_command_writes_what_both_clients_generate() -> None:
    files = {path.relative_to(ROOT).as_posix() for path in generate_files()}
    assert "clients/python/otto_client/operation_table.py" in files
    assert {
        f"clients/typescript/src/{name}" for name in ("types.d.ts", "operations.d.ts", "operations.js")
    } <= files


def test_the_generated_files_are_as_the_document_says() -> None:
    document = read_document()
    python_files, typescript_files = generate_python_table(document), generate_typescript(document)
    assert python_files
    assert typescript_files
    for path, content in (python_files | typescript_files).items():
        assert (ROOT / path).read_bytes() == content, f"{path}: make schema"


def test_they_say_which_version_of_the_api_they_speak() -> None:
    version = read_document()["info"]["version"]
    assert version == API_VERSION
    assert f'API_VERSION = "{version}"' in (ROOT / "clients/typescript/src/operations.js").read_text()


PLANTED = {
    "info": {"version": "1"},
    "components": {
        "schemas": {
            "Shelf": {
                "type": "object",
                "properties": {"a-b": {"type": ["string", "null"]}},
                "required": ["a-b"],
            },
            "ShelfPage": {
                "properties": {
                    "next": {"type": "string"},
                    "results": {"type": "array", "items": {"$ref": "#/components/schemas/Shelf"}},
                }
            },
            "NewShelf": {"properties": {"client_seed": {"type": "string"}}, "additionalProperties": False},
        },
        "parameters": {"Key": {"in": "header", "name": "Idempotency-Key"}},
    },
    "paths": {
        "/api/v1/shelves/{id}/": {
            "parameters": [{"in": "path", "name": "id"}],
            "get": {
                "operationId": "shelves_list",
                "responses": {
                    "200": {
                        "content": {
                            "application/json": {"schema": {"$ref": "#/components/schemas/ShelfPage"}}
                        }
                    }
                },
            },
            "post": {
                "operationId": "shelves_put_up",
                "parameters": [{"$ref": "#/components/parameters/Key"}],
                "requestBody": {
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/NewShelf"}}}
                },
                "responses": {"204": {}},
            },
        },
        "/api/v1/shelves/export/": {
            "get": {
                "operationId": "shelves_export",
                "responses": {
                    "200": {
                        "content": {
                            "application/x-ndjson": {"schema": {"$ref": "#/components/schemas/Shelf"}}
                        }
                    }
                },
            }
        },
    },
}


def test_a_new_operation_is_in_both_tables_without_a_line_by_hand() -> None:
    (table,) = generate_python_table(PLANTED).values()
    assert b'"shelves_put_up": ("POST", "shelves/{id}/", True),' in table
    methods = generate_typescript(PLANTED)[Path("clients/typescript/src/operations.d.ts")].decode()
    assert "list(id: string | number, query?: Record<string, never>, options?: CallOptions):" in methods
    assert "Listing<types.ShelfPage, types.Shelf>" in methods
    assert (
        "putUp(id: string | number, body?: types.NewShelf, options?: CallOptions): Promise<void>" in methods
    )
    assert (
        "export(query?: Record<string, never>, options?: CallOptions): AsyncIterable<types.Shelf>" in methods
    )
    types = generate_typescript(PLANTED)[Path("clients/typescript/src/types.d.ts")].decode()
    assert '"a-b": string | null;' in types
    put_up = next(operation for operation in iter_operations(PLANTED) if operation.id == "shelves_put_up")
    assert find_seed_rule(PLANTED, put_up) == "always"


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"enum": ["a", None]}, '"a" | null'),
        ({"const": 1}, "1"),
        ({"type": "array", "items": {"type": "integer"}}, "Array<number>"),
        ({"type": "object", "additionalProperties": {"type": "boolean"}}, "{ [key: string]: boolean }"),
        (
            {"allOf": [{"$ref": "#/components/schemas/A"}, {"type": ["string", "null"]}]},
            "A & (string | null)",
        ),
        ({}, "unknown"),
    ],
)
def test_a_schema_has_its_type(schema: dict[str, Any], text: str) -> None:
    assert write_type(schema) == text


def test_an_operation_of_one_line_sends_path_body_and_query() -> None:
    sent: list[tuple[str, str, Any]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append((request.method, str(request.url), json.loads(request.content or b"null")))
        return httpx.Response(200, json={"muted": True})

    with Client(ADDRESS, transport=httpx.MockTransport(answer)) as client:
        assert client.games.mute("a/b", muted=True) == {"muted": True}
        client.leagues.season("k3", 2, division=None)
    assert sent == [
        ("POST", f"{ADDRESS}/api/v1/games/a%2Fb/mute/", {"muted": True}),
        ("GET", f"{ADDRESS}/api/v1/leagues/k3/seasons/2/", None),
    ]


def test_an_operation_that_the_document_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="no operation games_fly"):
        Operation[..., None]("games_fly")


def test_records_are_read_one_by_one_by_both_clients() -> None:
    class Shelves(Resource[Any]):
        export = RecordsOperation[..., dict[str, str]]("events", "All of them.")

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.params.get("after") == "nowhere":
            return httpx.Response(404, json={"code": "not-found"})
        if request.url.params.get("after") == "b":
            return httpx.Response(200, text='{"game": "c"}\n')
        if request.url.params.get("after") == "broken":
            return httpx.Response(200, text='{"game": "a')
        headers = {"Link": '</api/v1/events/?after=b>; rel="next"'}
        return httpx.Response(200, text='{"game": "a"}\n{"game": "b"}\n', headers=headers)

    async def read_async() -> list[dict[str, str]]:
        async with AsyncClient(ADDRESS, transport=httpx.MockTransport(answer)) as otto:
            return [record async for record in Shelves(otto).export()]

    records = [{"game": "a"}, {"game": "b"}, {"game": "c"}]
    with Client(ADDRESS, transport=httpx.MockTransport(answer), sleep=lambda _seconds: None) as client:
        assert list(Shelves(client).export()) == records
        with pytest.raises(NotFound):
            list(Shelves(client).export(after="nowhere"))
        with pytest.raises(Unreachable):
            list(Shelves(client).export(after="broken"))
    assert asyncio.run(read_async()) == records


def test_the_table_is_what_requests_are_made_of() -> None:
    assert OPERATIONS["games_play"] == ("POST", OPERATIONS["games_play"][1], True)


def test_an_operation_that_will_go_warns() -> None:
    headers = {"Deprecation": "@1801440000", "Sunset": "Mon, 01 Nov 2027 00:00:00 GMT"}
    transport = httpx.MockTransport(lambda request: httpx.Response(200, headers=headers, json=[]))
    with (
        Client(ADDRESS, transport=transport) as client,
        pytest.warns(DeprecationWarning, match="01 Nov 2027"),
    ):
        client.me.turns()
