"""An object's `id` in JSON is called `id` in the paths of the document, too."""

from __future__ import annotations

import pytest

from common.api.path_names import rename_path
from tests.helpers.api_examples import generate_schema


@pytest.mark.parametrize(
    ("path", "renamed"),
    [
        ("/api/v1/games/{code}/", "/api/v1/games/{id}/"),
        ("/api/v1/games/{code}/chat/{message_id}/report/", "/api/v1/games/{id}/chat/{message_id}/report/"),
        ("/api/v1/me/tokens/{token_id}/", "/api/v1/me/tokens/{id}/"),
        ("/api/v1/players/{name}/ratings/", "/api/v1/players/{name}/ratings/"),
        ("/api/v1/games/", "/api/v1/games/"),
    ],
)
def test_the_first_parameter_is_the_id(path: str, renamed: str) -> None:
    assert rename_path(path) == renamed


def test_every_path_of_the_document_declares_its_parameters() -> None:
    paths = generate_schema()["paths"]
    assert "/api/v1/games/{id}/actions/" in paths
    for path, operations in paths.items():
        assert "{code}" not in path
        for operation in operations.values():
            declared = {
                parameter["name"]
                for parameter in operation.get("parameters", ())
                if parameter.get("in") == "path"
            }
            assert all(f"{{{name}}}" in path for name in declared), path
            assert len(declared) == path.count("{"), path
