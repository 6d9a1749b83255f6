"""The message catalogues of the site's languages, in source form."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.source_tree import ROOT

LANGUAGES = ["it", "nl"]
Key = tuple[str, str, str]  # context, message, plural
_FIELD = re.compile(
    r'^(msgctxt|msgid_plural|msgid|msgstr)(?:\[\d\])? ((?:"(?:[^"\\]|\\.)*"\n?)+)', re.MULTILINE
)


@dataclass
class Entry:
    """One message of a catalogue."""

    key: Key
    translations: list[str] = field(default_factory=list)
    flags: str = ""


def get_folder(language: str) -> Path:
    return ROOT / "locale" / language / "LC_MESSAGES"


@cache
def read_catalogue(language: str) -> list[Entry]:
    """Read the messages of a catalogue's source, without its header."""
    catalogue_entries = []
    for block in (get_folder(language) / "django.po").read_text().split("\n\n"):
        parts: dict[str, list[str]] = {}
        for name, lines in _FIELD.findall(block):
            string = "".join(ast.literal_eval(line) for line in lines.strip().splitlines())
            parts.setdefault(name, []).append(string)
        fields = {name: parts.get(name, [""])[0] for name in ("msgctxt", "msgid", "msgid_plural")}
        flags = " ".join(line for line in block.splitlines() if line.startswith("#,"))
        if fields["msgid"]:
            catalogue_entries.append(
                Entry((fields["msgctxt"], fields["msgid"], fields["msgid_plural"]), parts["msgstr"], flags)
            )
    return catalogue_entries
