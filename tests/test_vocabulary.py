"""The code keeps to its vocabulary: no retired name, and a docstring on everything public where rules live.

docs/glossary.md has the words, docs/retired_words.txt the ones given up.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE_FOLDERS = ("bench", "docker", "games", "otto_site", "tournaments")
DOCUMENTED = (
    "games/clock.py",
    "games/engine",
    "games/loss_forecast.py",
    "games/selectors",
    "games/services",
    "tournaments/pairing",
    "tournaments/selectors",
    "tournaments/services",
)
# (path, kind, name): why a framework or the public protocol has the last word here.
URL_KEYWORD, JSON_KEY = "a keyword of URLs, renamed with them", "a key of the API, renamed with it"
EXCEPTIONS: dict[tuple[str, str, str], str] = {
    ("games/web/game_page.py", "variable", "deed"): URL_KEYWORD,
    ("games/web/notification_settings.py", "variable", "deed"): URL_KEYWORD,
    ("tournaments/services/decision_undo.py", "variable", "why"): JSON_KEY,
    ("tournaments/services/decisions.py", "variable", "why"): JSON_KEY,
    ("tournaments/services/leagues.py", "variable", "why"): JSON_KEY,
    ("tournaments/services/removals.py", "variable", "why"): JSON_KEY,
    ("tournaments/services/replacements.py", "variable", "why"): JSON_KEY,
    ("tournaments/services/tournaments.py", "variable", "why"): JSON_KEY,
    ("tournaments/web/league_actions.py", "variable", "deed"): URL_KEYWORD,
    ("tournaments/web/organiser_views.py", "variable", "deed"): URL_KEYWORD,
    ("tournaments/web/player_actions.py", "variable", "deed"): URL_KEYWORD,
}

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
        if kind == "field" and name in RETIRED["later"]:
            continue
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


def test_no_helper_of_the_tests_has_a_coined_name() -> None:
    """Test functions are sentences and may say what they like; modules and helpers may not."""
    alarms = [
        alarm
        for path in list_modules("tests")
        for kind, name, alarm in find_retired_names(path)
        if kind == "module" or (kind == "function" and not name.startswith("test_"))
        if split_name(name) & RETIRED["part"].keys()
    ]
    assert not alarms, "\n".join(["coined words; see docs/glossary.md:", *alarms])


def test_every_exception_is_needed() -> None:
    for (file, kind, name), reason in EXCEPTIONS.items():
        assert reason
        names = [definition[:2] for definition in iter_names(ast.parse((ROOT / file).read_text()))]
        assert (kind, name) in names, f"{file} has no {kind} {name} any more"


def test_every_word_for_later_is_still_a_field() -> None:
    trees = [ast.parse(path.read_text()) for path in list_modules(*SOURCE_FOLDERS)]
    fields = {name for tree in trees for kind, name, _line in iter_names(tree) if kind == "field"}
    assert RETIRED["later"].keys() <= fields, "enforce it: move it from [later] to [field]"


@pytest.mark.parametrize("place", DOCUMENTED)
def test_everything_public_has_a_docstring(place: str) -> None:
    alarms = [alarm for path in list_modules(place) for alarm in find_missing_docstrings(path)]
    assert not alarms, "\n".join(["without a docstring:", *alarms])
