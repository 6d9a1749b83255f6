"""Every regular expression of the project, its uses, and hostile texts for it."""

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

from tests.source_tree import ROOT, iter_modules

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
class FoundPattern:
    """A regular expression, its location, and the methods that are called on it there."""

    pattern: re.Pattern[Any]
    place: str
    methods: set[str] = field(default_factory=set)

    def run(self, text: str) -> None:
        """Run the pattern as the project does; of several methods, the most expensive."""
        subject: Any = text.encode("latin-1", "replace") if isinstance(self.pattern.pattern, bytes) else text
        if self.methods <= {"fullmatch"} and self.methods:
            self.pattern.fullmatch(subject)
        elif self.methods <= {"match", "fullmatch"} and self.methods:
            self.pattern.match(subject)
        else:
            self.pattern.findall(subject)


@cache
def parse_module(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def import_module_of(path: Path) -> Any:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return importlib.import_module(name.removesuffix(".__init__"))


def list_patterns() -> list[FoundPattern]:
    """List patterns that are module constants, belong to validators, or are written inline."""
    patterns: dict[tuple[Any, int], FoundPattern] = {}

    def note_pattern(pattern: re.Pattern[Any], where: str, methods: set[str]) -> None:
        entry = patterns.setdefault((pattern.pattern, pattern.flags), FoundPattern(pattern, where))
        entry.methods |= methods

    for path in iter_modules():
        tree = parse_module(path)
        used = map_uses(tree)
        for name, value in vars(import_module_of(path)).items():
            pattern_value = getattr(value, "regex", value)
            if isinstance(pattern_value, re.Pattern) and (name in used or pattern_value is not value):
                note_pattern(pattern_value, f"{path.relative_to(ROOT)}: {name}", used.get(name, {"search"}))
        for method, pattern, line in iter_inline_patterns(tree):
            note_pattern(re.compile(pattern), f"{path.relative_to(ROOT)}:{line}", {method})
    return list(patterns.values())


def map_uses(tree: ast.AST) -> dict[str, set[str]]:
    """Map each name to the pattern methods called on it, as in `NAME.match`."""
    methods_by_name: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in WAYS:
            methods_by_name.setdefault(node.value.id, set()).add(node.attr)
    return methods_by_name


def iter_inline_patterns(tree: ast.AST) -> Iterator[tuple[str, Any, int]]:
    """Yield inline patterns, as in `re.sub("…", …)`. Raises AssertionError if a pattern is no literal."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id == "re" and node.func.attr in WAYS:
                [first, *_rest] = node.args
                assert isinstance(first, ast.Constant), f"line {node.lineno}: nobody can look at it"
                yield node.func.attr, first.value, node.lineno


# ---------------------------------------------------------------------------------------------- hostile texts


def build_sample(items: Sequence[Any]) -> str:
    """Build roughly the shortest text that matches a part of a pattern."""
    text = ""
    for kind, value in items:
        if kind is code.LITERAL:
            text += chr(value)
        elif kind in (code.ANY, code.NOT_LITERAL):
            text += "x"
        elif kind is code.IN:
            text += pick_letter(value)
        elif kind in REPEATS:
            text += build_sample(value[2]) * max(value[0], 0)
        elif kind is code.SUBPATTERN:
            text += build_sample(value[3])
        elif kind is code.BRANCH:
            text += build_sample(value[1][0])
    return text


def pick_letter(choices: Sequence[Any]) -> str:
    """Return one character of a class; for a negated class, an x."""
    kind, value = choices[0]
    if kind is code.LITERAL:
        return chr(value)
    if kind is code.RANGE:
        return chr(value[0])
    return CLASSES.get(value, "x") if kind is code.CATEGORY else "x"


def iter_pieces(items: Sequence[Any]) -> Iterator[str]:
    """Yield texts whose repetition makes a pattern slow: each repeated part, and its characters."""
    for kind, value in items:
        if kind in REPEATS:
            yield build_sample(value[2])
            yield from iter_pieces(value[2])
        elif kind is code.SUBPATTERN:
            yield from iter_pieces(value[3])
        elif kind is code.BRANCH:
            for branch in value[1]:
                yield build_sample(branch)
                yield from iter_pieces(branch)
        elif kind in (code.ASSERT, code.ASSERT_NOT):
            yield from iter_pieces(value[1])
        elif kind is code.IN:
            yield pick_letter(value)
        elif kind is code.LITERAL:
            yield chr(value)


def iter_hard_texts(pattern: re.Pattern[Any], size: int) -> Iterator[tuple[str, str]]:
    """Yield texts of this size and their repeated piece; each ends in a way that makes the match fail."""
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tree = list(parser.parse(text, pattern.flags & ~re.UNICODE))
    own = [piece for piece in dict.fromkeys(iter_pieces(tree)) if piece]
    pumps = dict.fromkeys([*own, *(first + two for first, two in product(own[:7], repeat=2)), *COMMON])
    start = build_sample(tree)[:20]
    for pump in pumps:
        body = (pump * (size // len(pump) + 1))[:size]
        yield pump, f"{body}\0"
        if start:
            yield f"{start}…{pump}", f"{start}{body}\0"
