"""Declarations of apps under an agreed module name are found, joined, and checked for their type."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from common import extensions


def declare(monkeypatch: pytest.MonkeyPatch, **values: Any) -> None:
    modules = tuple(SimpleNamespace(__name__=f"{app}.colours", **value) for app, value in values.items())
    monkeypatch.setattr(extensions, "import_app_modules", lambda module_name: modules)


def test_single_declarations_and_tuples_are_joined_lowest_app_first(monkeypatch: pytest.MonkeyPatch) -> None:
    declare(monkeypatch, low={"COLOURS": "red"}, high={"COLOURS": ("green", "blue")})
    assert extensions.collect_declarations("colours", "COLOURS", str) == ["red", "green", "blue"]


@pytest.mark.parametrize("wrong", [{}, {"COLOURS": 7}, {"COLOURS": ("red", 7)}, {"COLOURS": ["red"]}])
def test_a_declaration_of_another_type_ends_the_start(
    monkeypatch: pytest.MonkeyPatch, wrong: dict[str, Any]
) -> None:
    declare(monkeypatch, app=wrong)
    with pytest.raises(ImproperlyConfigured, match=r"app\.colours\.COLOURS is to hold str"):
        extensions.collect_declarations("colours", "COLOURS", str)


def test_apps_without_the_module_declare_nothing() -> None:
    assert extensions.import_app_modules("no_such_module") == ()
    assert [module.__name__ for module in extensions.import_app_modules("errors")][-1] == "tournaments.errors"
