"""Process-wide caches: each is listed in docs/architecture.md with its bound, and has one."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

from games.picture_png import DRAWING_MODULES

from .source_tree import ROOT, iter_modules

ROW = re.compile(r"^\| `(\S+\.py) (\w+)` \| ([^|]+) \| [^|]+ \|$", re.MULTILINE)
CACHING_NAMES = {"cache", "lru_cache"}
# Module-level containers that functions change.
MUTABLE_CACHES = {("common/rate_limits.py", "counts"), ("games/picture_sprites.py", "SPRITE_CACHE")}


def read_listed_caches() -> dict[tuple[str, str], str]:
    """Read the table of docs/architecture.md: module and name, with the bound."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    return {(module, name): bound for module, name, bound in ROW.findall(text)}


def find_caching_call(node: ast.expr) -> str | None:
    """Return the source of the `cache` or `lru_cache` in an expression."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id in CACHING_NAMES:
            return ast.unparse(node)
        if isinstance(part, ast.Attribute) and ast.unparse(part).removeprefix("functools.") in CACHING_NAMES:
            return ast.unparse(node)
    return None


def find_caches(path: Path) -> dict[str, str]:
    """Map the names of a module's caches to their decorator or value, without caches inside functions."""
    caches = {}
    tree = ast.parse(path.read_text(encoding="utf-8"))
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    for node in [*tree.body, *(member for class_node in classes for member in class_node.body)]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for decorator in node.decorator_list:
                if source := find_caching_call(decorator):
                    caches[node.name] = source
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            target, source = node.targets[0], find_caching_call(node.value.func)
            if isinstance(target, ast.Name) and source:
                caches[target.id] = source
    return caches


def list_caches_of_source() -> dict[tuple[str, str], str]:
    """List the caches of all modules."""
    found_caches = {}
    for path in iter_modules():
        for name, source in find_caches(path).items():
            found_caches[path.relative_to(ROOT).as_posix(), name] = source
    return found_caches


def test_every_cache_is_listed_with_its_bound() -> None:
    assert set(list_caches_of_source()) | MUTABLE_CACHES == set(read_listed_caches())


def test_the_listed_bound_is_that_of_the_code() -> None:
    listed = read_listed_caches()
    sources = list_caches_of_source()
    bounds = {
        (module, name): read_bound(module, match[1])
        for (module, name), source in sources.items()
        if (match := re.search(r"lru_cache\((?:maxsize=)?(\w+)\)", source))
    }
    assert bounds.keys() == {key for key, source in sources.items() if "lru_cache" in source}
    assert {key: int(listed[key].replace(",", "")) for key in bounds} == bounds


def read_bound(module: str, bound: str) -> int:
    """Return a bound that stands in the code as a number or as a constant of the module."""
    if bound[0].isdigit():
        return int(bound)
    constant = getattr(import_module(module.removesuffix(".py").replace("/", ".")), bound)
    assert isinstance(constant, int)
    return constant


def test_a_cache_that_is_not_listed_is_noticed(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text("from functools import cache\n@cache\ndef load_things(): ...\nfast = cache(len)\n")
    assert find_caches(module) == {"load_things": "cache", "fast": "cache"}


@pytest.mark.parametrize("name", DRAWING_MODULES)
def test_a_picture_tag_depends_on_modules_that_exist(name: str) -> None:
    assert (ROOT / "games" / f"{name}.py").is_file()


def test_every_module_that_draws_boards_is_part_of_the_tag() -> None:
    drawing = {path.stem for path in (ROOT / "games").glob("picture_*.py")} - {"picture_cache"}
    assert drawing == set(DRAWING_MODULES)
