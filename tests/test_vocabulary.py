"""The code keeps to its vocabulary: no retired name, and a docstring on everything public where rules live.

docs/glossary.md has the words, docs/retired_words.txt the ones given up.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.source_tree import ROOT, SOURCE_ROOMS

SOURCE_FOLDERS = ("bench", "clients", "docker", "tests", *SOURCE_ROOMS)
DOCUMENTED = (
    "common",
    "games/clock.py",
    "games/engine",
    "games/loss_forecast.py",
    "tournaments/leagues/selectors",
    "tournaments/leagues/services",
    "tournaments/pairing",
    "tournaments/ratings",
    *(f"{room}/{part}" for room in SOURCE_ROOMS for part in ("selectors", "services")),
)
# (path, kind, name): why a framework or the public protocol has the last word here.
JSON_KEY = "a key of the API, which stays"
EXCEPTIONS: dict[tuple[str, str, str], str] = {
    ("clients/python/otto_client/errors.py", "field", "instead"): JSON_KEY,
    ("clients/python/otto_client/views.py", "class", "You"): "the type of a key of the API, which stays",
    ("clients/python/otto_client/views.py", "field", "gone"): JSON_KEY,
    ("games/api/games.py", "field", "mine"): JSON_KEY,
    ("games/api/serializers.py", "field", "gone"): JSON_KEY,
    ("tournaments/leagues/api/views.py", "field", "mine"): JSON_KEY,
    ("tournaments/api/tournaments.py", "field", "mine"): JSON_KEY,
}

MAX_TEMPLATE_LINE_LENGTH = 120

Function = ast.FunctionDef | ast.AsyncFunctionDef
Name = tuple[str, str, int]  # kind, name, line


def list_modules(*places: str) -> list[Path]:
    """Return the Python files under these places, without migrations."""
    paths = [path for place in places for path in [ROOT / place, *sorted((ROOT / place).rglob("*.py"))]]
    return [path for path in paths if path.suffix == ".py" and "migrations" not in path.parts]


def read_retired_words() -> dict[str, dict[str, str]]:
    """Return the retired words of each kind, each with what to write instead."""
    words: dict[str, dict[str, str]] = {}
    kind = ""
    for line in (ROOT / "docs/retired_words.txt").read_text().splitlines():
        if line.startswith("["):
            kind = line.strip("[]")
            words[kind] = {}
        elif line and not line.startswith("#"):
            word, instead = line.split(" -> ")
            assert word not in words[kind], f"{word} stands twice under [{kind}]"
            words[kind][word] = instead
    return words


RETIRED = read_retired_words()


def is_property(function: Function) -> bool:
    """Whether a method is read like a field."""
    return any("property" in ast.unparse(decorator) for decorator in function.decorator_list)


def iter_names(node: ast.AST, in_class: bool = False) -> Iterator[Name]:
    """Yield every name that is defined below a node: functions, classes, fields, variables, parameters."""
    for child in ast.iter_child_nodes(node):
        inside_class = in_class
        if isinstance(child, Function):
            yield ("field" if is_property(child) else "function"), child.name, child.lineno
            inside_class = False
        elif isinstance(child, ast.ClassDef):
            yield "class", child.name, child.lineno
            inside_class = True
        elif isinstance(child, ast.arg):
            yield "variable", child.arg, child.lineno
        elif isinstance(child, ast.ExceptHandler) and child.name:
            yield "variable", child.name, child.lineno
        elif isinstance(child, ast.Attribute) and isinstance(child.ctx, ast.Store):
            yield "field", child.attr, child.lineno
        elif isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            kind = "constant" if child.id.isupper() else "field" if in_class else "variable"
            yield kind, child.id, child.lineno
        yield from iter_names(child, inside_class)


def split_name(name: str) -> set[str]:
    """Return the words of a name, in lower case: `DeedForm` and `deed_form` are a deed and a form."""
    return set(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_"))


def find_retired_names(path: Path) -> Iterator[tuple[str, str, str]]:
    """Yield kind, name and alarm of every name that is retired, or has a retired part."""
    file = path.relative_to(ROOT).as_posix()
    module = path.parent.name if path.stem == "__init__" else path.stem
    for kind, name, line in [("module", module, 1), *iter_names(ast.parse(path.read_text()))]:
        words = [name.lstrip("_"), *sorted(split_name(name) & RETIRED["part"].keys())]
        instead = [text for word in words if (text := RETIRED[kind].get(word) or RETIRED["part"].get(word))]
        if instead and (file, kind, name) not in EXCEPTIONS:
            yield kind, name, f"{file}:{line}: {kind} {name} -> {instead[0]}"


def find_missing_docstrings(path: Path) -> Iterator[str]:
    """Yield an alarm for a module, public class, function or method without a docstring."""

    def find_below(node: ast.Module | ast.ClassDef) -> Iterator[ast.ClassDef | Function]:
        for child in node.body:
            if isinstance(child, ast.ClassDef | Function) and not child.name.startswith("_"):
                if child.name != "Meta" and not ast.get_docstring(child):
                    yield child
                if isinstance(child, ast.ClassDef):
                    yield from find_below(child)

    file, tree = path.relative_to(ROOT).as_posix(), ast.parse(path.read_text())
    if not ast.get_docstring(tree):
        yield f"{file}:1: module"
    yield from (f"{file}:{node.lineno}: {node.name}" for node in find_below(tree))


@pytest.mark.parametrize("folder", SOURCE_FOLDERS)
def test_no_name_is_retired(folder: str) -> None:
    alarms = [alarm for path in list_modules(folder) for _kind, _name, alarm in find_retired_names(path)]
    assert not alarms, "\n".join(["retired names; see docs/glossary.md:", *alarms])


def test_every_exception_is_needed() -> None:
    for (file, kind, name), reason in EXCEPTIONS.items():
        assert reason
        names = [definition[:2] for definition in iter_names(ast.parse((ROOT / file).read_text()))]
        assert (kind, name) in names, f"{file} has no {kind} {name} any more"


@pytest.mark.parametrize("place", DOCUMENTED)
def test_everything_public_has_a_docstring(place: str) -> None:
    alarms = [alarm for path in list_modules(place) for alarm in find_missing_docstrings(path)]
    assert not alarms, "\n".join(["without a docstring:", *alarms])


def test_no_template_line_is_too_long() -> None:
    alarms = [
        f"{path.relative_to(ROOT)}:{number}: {len(line)} characters"
        for path in sorted((ROOT / "templates").rglob("*"))
        if path.suffix in (".html", ".txt", ".svg", ".xml")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > MAX_TEMPLATE_LINE_LENGTH
    ]
    assert not alarms, "\n".join(["break these lines:", *alarms])
