"""Every text of the site that a person reads, in its three languages, with the place it comes from.

Messages are read from the catalogues; pages with a version for each language, the API reference and the help
of commands from their files; the labels of the admin from its registered pages.
"""

from __future__ import annotations

import ast
import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.contrib import admin
from django.contrib.admin.utils import help_text_for_field, label_for_field

from tests.catalogues import LANGUAGES, Entry, read_catalogue
from tests.source_tree import ROOT, iter_modules

# Pages with a separate version for each language: the rules of the game, and their summary.
OWN_PAGES = ("templates/games/rules", "templates/games/summary")
_REFERENCE = re.compile(r"^#: (.*)$", re.MULTILINE)
_CODE = re.compile(r"<(code|pre|kbd|style|script)\b.*?</\1>|`[^`]*`", re.DOTALL)
_TEMPLATE = re.compile(r"\{%\s*comment\b.*?endcomment\s*%\}|\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w*\}|%[sd]|%%")
_LINK = re.compile(r"https?://\S+|\S+@\S+\.\w+")
_BLOCK_TAG = re.compile(
    r"</?(?:p|li|h\d|td|th|tr|dt|dd|div|br|ul|ol|table|section|figure|figcaption|title)\b[^>]*>"
)


@dataclass(frozen=True)
class Text:
    """A text for people. `message` is the English message that it translates, or the text itself."""

    language: str
    words: str
    place: str
    message: str


@dataclass(frozen=True)
class Message:
    """A message of the catalogues with its translations: (English, Italian, Dutch), singular and plural."""

    english: tuple[str, ...]
    translations: dict[str, tuple[str, ...]]
    places: tuple[str, ...]


def strip_code(text: str) -> str:
    """Return a text without code, tags, addresses and placeholders, with `…` for each value."""
    text = _TAG.sub("", _CODE.sub("…", text))
    return html.unescape(_PLACEHOLDER.sub("…", _LINK.sub("…", text)))


@cache
def read_places(language: str) -> dict[tuple[str, str, str], tuple[str, ...]]:
    """Return the files that contain each message of a catalogue."""
    blocks = (ROOT / f"locale/{language}/LC_MESSAGES/django.po").read_text().split("\n\n")[1:]
    references = [tuple(" ".join(_REFERENCE.findall(block)).split()) for block in blocks]
    keys = [entry.key for entry in read_catalogue(language)]
    assert len(keys) == len(references)
    return dict(zip(keys, references, strict=True))


@cache
def list_messages() -> list[Message]:
    """List the messages of all catalogues, with their translations."""
    entries: dict[str, dict[tuple[str, str, str], Entry]] = {
        language: {entry.key: entry for entry in read_catalogue(language)} for language in LANGUAGES
    }
    places = read_places(LANGUAGES[0])
    return [
        Message(
            tuple(filter(None, key[1:])),
            {language: tuple(entries[language][key].translations) for language in LANGUAGES},
            places[key],
        )
        for key in entries[LANGUAGES[0]]
        if all(key in entries[language] for language in LANGUAGES)
    ]


def iter_catalogue_texts() -> Iterator[Text]:
    """Yield every form of every message, in every language."""
    for message in list_messages():
        for words in message.english:
            yield Text("en", words, message.places[0], message.english[0])
        for language, translations in message.translations.items():
            for words in translations:
                yield Text(language, words, message.places[0], message.english[0])


def iter_own_pages() -> Iterator[Text]:
    """Yield the paragraphs of pages with a separate version for each language."""
    for folder in OWN_PAGES:
        for language in ("en", *LANGUAGES):
            path = ROOT / folder / f"{language}.html"
            page = _TEMPLATE.sub("…", path.read_text())
            for paragraph in _BLOCK_TAG.split(page):
                if words := " ".join(paragraph.split()):
                    yield Text(language, words, path.relative_to(ROOT).as_posix(), words)


def iter_api_texts() -> Iterator[Text]:
    """Yield the descriptions and summaries of the API reference."""

    def walk(node: object, key: str = "") -> Iterator[str]:
        if isinstance(node, dict):
            for name, value in node.items():
                yield from walk(value, name if key != "properties" else "")
        elif isinstance(node, list):
            for value in node:
                yield from walk(value, "")
        elif isinstance(node, str) and key in ("description", "summary", "title"):
            yield node

    place = "common/api/openapi.json"
    for words in dict.fromkeys(walk(json.loads((ROOT / place).read_text()))):
        yield Text("en", words, place, words)


def iter_command_texts() -> Iterator[Text]:
    """Yield the help and the output of commands for operators."""
    for path in iter_modules():
        if path.parts[-2] == "commands":
            for words in iter_command_strings(path):
                yield Text("en", words, path.relative_to(ROOT).as_posix(), words)


def iter_command_strings(path: Path) -> Iterator[str]:
    """Yield the sentences of one command."""
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Assign(targets=[ast.Name(id="help")], value=value):
                yield from iter_strings(value)
            case ast.Call(func=func, args=arguments, keywords=keywords):
                yield from (
                    words
                    for keyword in keywords
                    if keyword.arg == "help"
                    for words in iter_strings(keyword.value)
                )
                if getattr(func, "attr", getattr(func, "id", "")) in ("write", "CommandError"):
                    yield from (words for argument in arguments for words in iter_strings(argument))


ADMIN_KEYWORDS = {"description", "label", "help_text", "empty_value"}


def is_admin_module(path: Path) -> bool:
    return "admin" in path.relative_to(ROOT).as_posix()


def iter_admin_strings(path: Path) -> Iterator[str]:
    """Yield labels, actions, questions and messages of one module of the admin."""
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Call(func=func, args=arguments, keywords=keywords):
                for keyword in keywords:
                    if keyword.arg in ADMIN_KEYWORDS:
                        yield from iter_strings(keyword.value)
                if getattr(func, "attr", getattr(func, "id", "")) in ("run_action", "message_user"):
                    yield from (words for argument in arguments for words in iter_strings(argument))


def iter_admin_texts() -> Iterator[Text]:
    """Yield the texts of the admin: its own strings, and names and help of the models and fields shown."""
    for path in filter(is_admin_module, iter_modules()):
        for words in iter_admin_strings(path):
            yield Text("en", words, path.relative_to(ROOT).as_posix(), words)
    for model, page in admin.site._registry.items():
        place = f"{model.__module__.replace('.', '/')}.py"
        labels = [model._meta.verbose_name, model._meta.verbose_name_plural]
        for name in dict.fromkeys([*page.list_display, *getattr(page, "display_fields", ())]):
            labels += [label_for_field(name, model, page), help_text_for_field(name, model)]
        yield from (Text("en", str(label), place, str(label)) for label in labels if label)


def iter_strings(node: ast.expr) -> Iterator[str]:
    """Yield the literal text of an expression, with `…` for each value."""
    match node:
        case ast.Constant(value=str(words)):
            yield words
        case ast.JoinedStr(values=values):
            yield "".join(str(value.value) if isinstance(value, ast.Constant) else "…" for value in values)
        case ast.BinOp(left=left):
            yield from iter_strings(left)
        case ast.Call(func=func, args=arguments):
            parts = [*arguments, func.value] if isinstance(func, ast.Attribute) else arguments
            for part in parts:
                yield from iter_strings(part)


@cache
def list_texts() -> list[Text]:
    """List all texts for people."""
    texts = [*iter_catalogue_texts(), *iter_own_pages(), *iter_api_texts(), *iter_command_texts()]
    return list(dict.fromkeys([*texts, *iter_admin_texts()]))
