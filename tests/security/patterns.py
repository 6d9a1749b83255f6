"""Every regular expression of the project, how it is used, and texts that are hard for it."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path
from re import _constants as code  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("games", "tournaments", "otto_site")
WAYS = ("match", "search", "fullmatch", "sub", "subn", "findall", "finditer", "split")
REPEATS = (code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT)
CLASSES = {
    code.CATEGORY_DIGIT: "1",
    code.CATEGORY_SPACE: " ",
    code.CATEGORY_WORD: "a",
    code.CATEGORY_NOT_SPACE: "x",
    code.CATEGORY_NOT_WORD: "-",
    code.CATEGORY_NOT_DIGIT: "x",
}
COMMON = ("a", "1", " ", "-", "a-", "1-", "a.", "a@", "\n", "<", "_-", "aA1-")


@dataclass
class Found:
    """A regular expression, where it stands, and the ways in which it is used there."""

    pattern: re.Pattern[Any]
    where: str
    ways: set[str] = field(default_factory=set)

    def run(self, text: str) -> None:
        """Use it as it is used; the dearest way if there are several."""
        given: Any = text.encode("latin-1", "replace") if isinstance(self.pattern.pattern, bytes) else text
        if self.ways <= {"fullmatch"} and self.ways:
            self.pattern.fullmatch(given)
        elif self.ways <= {"match", "fullmatch"} and self.ways:
            self.pattern.match(given)
        else:
            self.pattern.findall(given)


def sources() -> Iterator[Path]:
    """Every module that is run on the site."""
    for room in ROOMS:
        yield from (path for path in (ROOT / room).rglob("*.py") if "migrations" not in path.parts)


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def module_of(path: Path) -> Any:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return importlib.import_module(name.removesuffix(".__init__"))


def every_pattern() -> list[Found]:
    """By a name of a module, inside a validator, or written where it is used."""
    found: dict[tuple[Any, int], Found] = {}

    def note(pattern: re.Pattern[Any], where: str, ways: set[str]) -> None:
        one = found.setdefault((pattern.pattern, pattern.flags), Found(pattern, where))
        one.ways |= ways

    for path in sources():
        tree = parsed(path)
        used = uses(tree)
        for name, value in vars(module_of(path)).items():
            kept = getattr(value, "regex", value)
            if isinstance(kept, re.Pattern) and (name in used or kept is not value):
                note(kept, f"{path.relative_to(ROOT)}: {name}", used.get(name, {"search"}))
        for way, pattern, line in written_in_place(tree):
            note(re.compile(pattern), f"{path.relative_to(ROOT)}:{line}", {way})
    return list(found.values())


def uses(tree: ast.AST) -> dict[str, set[str]]:
    """`NAME.match` and the like, by name."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in WAYS:
            found.setdefault(node.value.id, set()).add(node.attr)
    return found


def written_in_place(tree: ast.AST) -> Iterator[tuple[str, Any, int]]:
    """`re.sub("…", …)`. Raises AssertionError for one that is put together from something else."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id == "re" and node.func.attr in WAYS:
                [first, *_rest] = node.args
                assert isinstance(first, ast.Constant), f"line {node.lineno}: nobody can look at it"
                yield node.func.attr, first.value, node.lineno


# ---------------------------------------------------------------------------------------------- hostile texts


def sample(items: Sequence[Any]) -> str:
    """The shortest text that a part of a pattern takes, more or less."""
    said = ""
    for kind, value in items:
        if kind is code.LITERAL:
            said += chr(value)
        elif kind in (code.ANY, code.NOT_LITERAL):
            said += "x"
        elif kind is code.IN:
            said += letter(value)
        elif kind in REPEATS:
            said += sample(value[2]) * max(value[0], 0)
        elif kind is code.SUBPATTERN:
            said += sample(value[3])
        elif kind is code.BRANCH:
            said += sample(value[1][0])
    return said


def letter(choices: Sequence[Any]) -> str:
    """One letter of a class; of what is not in it, an x."""
    kind, value = choices[0]
    if kind is code.LITERAL:
        return chr(value)
    if kind is code.RANGE:
        return chr(value[0])
    return CLASSES.get(value, "x") if kind is code.CATEGORY else "x"


def pieces(items: Sequence[Any]) -> Iterator[str]:
    """What can be repeated to make a pattern work hard: each part that repeats, and its letters."""
    for kind, value in items:
        if kind in REPEATS:
            yield sample(value[2])
            yield from pieces(value[2])
        elif kind is code.SUBPATTERN:
            yield from pieces(value[3])
        elif kind is code.BRANCH:
            for branch in value[1]:
                yield sample(branch)
                yield from pieces(branch)
        elif kind in (code.ASSERT, code.ASSERT_NOT):
            yield from pieces(value[1])
        elif kind is code.IN:
            yield letter(value)
        elif kind is code.LITERAL:
            yield chr(value)


def hard_for(pattern: re.Pattern[Any], size: int) -> Iterator[tuple[str, str]]:
    """Texts of that size, each with what it is made of; they end in what makes a match fail."""
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tree = list(parser.parse(text, pattern.flags & ~re.UNICODE))
    own = [piece for piece in dict.fromkeys(pieces(tree)) if piece]
    pumps = dict.fromkeys([*own, *(one + two for one, two in product(own[:7], repeat=2)), *COMMON])
    start = sample(tree)[:20]
    for pump in pumps:
        body = (pump * (size // len(pump) + 1))[:size]
        yield pump, f"{body}\0"
        if start:
            yield f"{start}…{pump}", f"{start}{body}\0"
