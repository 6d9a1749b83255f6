"""The names that pages use: template variables, CSS classes, data attributes, JavaScript identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.source_tree import ROOT

TEMPLATE_SUFFIXES = (".html", ".txt", ".svg", ".xml")

TEMPLATE_COMMENT = re.compile(r"\{#.*?#\}|\{%\s*comment\b.*?%\}.*?\{%\s*endcomment\s*%\}", re.DOTALL)
TEMPLATE_CODE = re.compile(r"\{\{(?P<output>.*?)\}\}|\{%\s*(?P<tag>\w+)(?P<arguments>.*?)%\}", re.DOTALL)
QUOTED_TEXT = re.compile(r"\"[^\"]*\"|'[^']*'")
TEMPLATE_PATH = re.compile(r"(?<![\w.|])[A-Za-z_]\w*(?:\.\w+)*")
TAG_KEYWORDS = frozenset(
    {
        "and",
        "as",
        "asvar",
        "by",
        "context",
        "count",
        "if",
        "in",
        "is",
        "noop",
        "not",
        "only",
        "or",
        "reversed",
    }
    | {"trimmed", "with", "True", "False", "None"}
)
TAGS_WITHOUT_VARIABLES = frozenset({"load", "endblock"})

CLASS_ATTRIBUTE = re.compile(r"class=\"((?:\{%.*?%\}|\{\{.*?\}\}|[^\"])*)\"", re.DOTALL)
DATA_ATTRIBUTE = re.compile(r"\bdata-([a-z][a-z-]*)")
CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
CSS_CLASS = re.compile(r"\.([A-Za-z][\w-]*)")

REGULAR_EXPRESSION = r"/(?![/*])(?:\\.|[^/\\\n])+/[a-z]*"
SCRIPT_TEXT = re.compile(
    r"(?P<template>`(?:\\.|[^`\\])*`)"
    r"|//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    rf"|(?<=[(,=:?!&|] ){REGULAR_EXPRESSION}|(?<=\(){REGULAR_EXPRESSION}",
    re.DOTALL,
)
SCRIPT_NAME = re.compile(r"(?:(?<![\w$.])|(?<=\.\.\.))[A-Za-z_$][\w$]*")  # not a property
SCRIPT_FUNCTION = re.compile(
    r"\bfunction\b\s*\*?\s*(?P<declared>[A-Za-z_$][\w$]*)"
    r"|\b(?:const|let)\s+(?P<assigned>[A-Za-z_$][\w$]*)\s*=\s*(?:async\s*)?(?:\([^()]*\)|[A-Za-z_$][\w$]*)\s*=>"
)
DATASET_NAME = re.compile(r"\bdataset\.([A-Za-z]\w*)")

# They name an event but not the thing that it happened to. They are fine as a part of a name: `known_groups`.
BARE_PARTICIPLES = frozenset(
    {
        "accepted",
        "added",
        "agreed",
        "allowed",
        "answered",
        "asked",
        "barred",
        "began",
        "begun",
        "called",
        "changed",
    }
    | {
        "chosen",
        "closed",
        "confirmed",
        "copied",
        "counted",
        "dealt",
        "decided",
        "done",
        "drawn",
        "dropped",
        "ended",
    }
    | {
        "entered",
        "fetched",
        "finished",
        "folded",
        "forgot",
        "found",
        "given",
        "gone",
        "grouped",
        "handed",
        "heard",
    }
    | {
        "held",
        "invited",
        "joined",
        "kept",
        "known",
        "laid",
        "laid_down",
        "listed",
        "lost",
        "made",
        "mailed",
        "moved",
    }
    | {
        "named",
        "offered",
        "organises",
        "paired",
        "picked",
        "planned",
        "played",
        "playing",
        "plotted",
        "promised",
    }
    | {
        "promoted",
        "proposed",
        "refreshed",
        "removed",
        "resigning",
        "said",
        "sat",
        "sealed",
        "seated",
        "seen",
        "sent",
    }
    | {
        "settled",
        "showing",
        "shown",
        "shuffled",
        "sits",
        "started",
        "stays",
        "stolen",
        "stopped",
        "taken",
        "timed",
    }
    | {"told", "typed", "undecided", "undone", "unseen", "unsent", "waiting", "waits", "wanted", "watched"}
    | {"watching", "withdrawn", "won", "written"}
)

Name = tuple[str, int]  # name, line


def list_templates() -> list[Path]:
    """Return all templates of pages and mails."""
    return [path for path in sorted((ROOT / "templates").rglob("*")) if path.suffix in TEMPLATE_SUFFIXES]


def line_of(text: str, position: int) -> int:
    """Return the number of the line in which a position is."""
    return text.count("\n", 0, position) + 1


def blank_out(pattern: re.Pattern[str], text: str) -> str:
    """Return a text with every match replaced by blanks, so that lines and positions stay."""
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def iter_template_names(text: str) -> Iterator[Name]:
    """Yield every part of every variable that a template reads or binds, and the names of its blocks."""
    text = blank_out(TEMPLATE_COMMENT, text)
    for code in TEMPLATE_CODE.finditer(text):
        tag, line = code["tag"], line_of(text, code.start())
        if tag in TAGS_WITHOUT_VARIABLES:
            continue
        arguments = blank_out(QUOTED_TEXT, code["output"] if tag is None else code["arguments"])
        arguments = re.sub(r"\|\w+", " ", arguments)
        for path in TEMPLATE_PATH.findall(arguments):
            yield from (
                (name, line) for name in path.split(".") if name not in TAG_KEYWORDS and not name.isdigit()
            )


def iter_template_classes(text: str) -> Iterator[Name]:
    """Yield the CSS classes that a template writes, those in conditions included."""
    for attribute in CLASS_ATTRIBUTE.finditer(text):
        line = line_of(text, attribute.start())
        classes = re.sub(r"\{%.*?%\}|\{\{.*?\}\}", " ", attribute[1], flags=re.DOTALL)
        yield from ((name, line) for name in classes.split())


def iter_data_attributes(text: str) -> Iterator[Name]:
    """Yield the data attributes of a template, style sheet or script, without their prefix."""
    for attribute in DATA_ATTRIBUTE.finditer(text):
        yield attribute[1], line_of(text, attribute.start())


def iter_style_classes(text: str) -> Iterator[Name]:
    """Yield the classes that a style sheet selects."""
    text = blank_out(CSS_COMMENT, text)
    for rule in CSS_CLASS.finditer(text):
        yield rule[1], line_of(text, rule.start())


def blank_script_texts(text: str) -> str:
    """Return a script without comments and texts; the code in `${…}` stays."""

    def blank_text(match: re.Match[str]) -> str:
        blanked, depth = "", 0
        for position, character in enumerate(match.group()):
            depth += bool(match["template"]) and match.group().startswith("${", position)
            is_code = depth > 0 and character not in "${}"
            blanked += character if is_code or character == "\n" else " "
            depth -= depth > 0 and character == "}"
        return blanked

    return SCRIPT_TEXT.sub(blank_text, text)


def iter_script_names(text: str) -> Iterator[Name]:
    """Yield every identifier of a script that is no property, and the data attributes it reads."""
    code = blank_script_texts(text)
    for name in SCRIPT_NAME.finditer(code):
        if not code.startswith(":", name.end()):  # the key of an object
            yield name[0], line_of(code, name.start())
    for name in DATASET_NAME.finditer(code):
        yield name[1], line_of(code, name.start())


def iter_script_functions(text: str) -> Iterator[Name]:
    """Yield the names of the functions of a script."""
    code = blank_script_texts(text)
    for function in SCRIPT_FUNCTION.finditer(code):
        yield function["declared"] or function["assigned"], line_of(code, function.start())
