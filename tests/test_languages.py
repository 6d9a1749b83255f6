"""The catalogues of the site's languages are complete, compiled and up to date with the code.

`make messages` updates them. That needs the gettext tools; these tests do not.
"""

from __future__ import annotations

import ast
import gettext
import re
import struct
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest
from django.conf import locale, settings
from django.utils import dates, translation
from django.utils.formats import date_format
from django.utils.translation.template import templatize

from common import date_names
from common.management.commands.makemessages import GETTEXT_ALIASES
from tests.catalogues import LANGUAGES, Key, get_folder, read_catalogue
from tests.source_tree import ROOT, iter_modules

# Translators, with the argument indices of context, message and plural.
MARKS = {
    "gettext": (None, 0, None),
    "gettext_lazy": (None, 0, None),
    "gettext_noop": (None, 0, None),
    "_": (None, 0, None),
    "ngettext": (None, 0, 1),
    "ngettext_lazy": (None, 0, 1),
    "pgettext": (0, 1, None),
    "pgettext_lazy": (0, 1, None),
    "npgettext": (0, 1, 2),
    "npgettext_lazy": (0, 1, 2),
}
_STRING = r"""u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_CALL = re.compile(rf"\b({'|'.join(MARKS)})\(((?:{_STRING}[,\s]*)+)", re.DOTALL)
_PLACEHOLDER = re.compile(r"\{\w+\}|%\(\w+\)[sd]|%[sd]|</?[a-zA-Z][^>]*>")


@cache
def map_marked_strings() -> dict[Key, str]:
    """Map every string that is marked for translation to one of its files."""
    places_by_key: dict[Key, str] = {}
    for path in iter_modules():
        places_by_key |= dict.fromkeys(iter_code_messages(path), str(path.relative_to(ROOT)))
    for path in (ROOT / "templates").rglob("*"):
        if path.suffix in (".html", ".txt"):
            places_by_key |= dict.fromkeys(iter_template_messages(path), str(path.relative_to(ROOT)))
    return places_by_key


def read_message_key(name: str, arguments: list[str | None]) -> Key | None:
    """Return the message that a call marks; None if its argument is no literal."""
    texts = ["" if place is None else arguments[place] for place in MARKS[name]] if arguments else []
    if not texts or not all(isinstance(text, str) for text in texts) or not texts[1]:
        return None
    return texts[0] or "", texts[1], texts[2] or ""


def iter_code_messages(path: Path) -> Iterator[Key]:
    """Yield the messages that a module marks, also through renamed translators."""
    tree = ast.parse(path.read_text())
    names = {name: name for name in MARKS} | dict(iter_renamed_translators(tree))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if called in names:
            texts = [part.value if isinstance(part, ast.Constant) else None for part in node.args]
            if message_key := read_message_key(names[called], texts):
                yield message_key


def iter_renamed_translators(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield alias and name of translators that a module renames, except for `_`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation":
            for alias in node.names:
                if alias.name in MARKS and alias.asname and alias.asname != "_":
                    yield alias.asname, alias.name


def iter_template_messages(path: Path) -> Iterator[Key]:
    """Yield the messages that a template marks, from Django's conversion to calls."""
    for name, arguments in _CALL.findall(templatize(path.read_text(), origin=str(path))):
        message_key = read_message_key(
            name, [ast.literal_eval(text) for text in re.findall(_STRING, arguments, re.DOTALL)]
        )
        if message_key:
            yield message_key


# ------------------------------------------------------------------------------------------------------ tests


def test_the_site_speaks_the_languages_that_it_has_catalogues_for() -> None:
    assert {code for code, _ in settings.LANGUAGES} == {"en", *LANGUAGES}
    assert {path.name for path in (ROOT / "locale").iterdir()} == set(LANGUAGES)


def test_the_strings_that_are_looked_for_are_found() -> None:
    """A broken search would find no errors."""
    places_by_key = map_marked_strings()
    for message, plural in [
        ("There is no such game.", ""),  # a call
        ("a former player", ""),  # lazy; and a constant in a template
        ("Time travel", ""),  # only marked, not translated in place
        ("{n} point", "{n} points"),  # a plural, by the translator of an object
        ("Is %(email)s your address, %(name)s?", ""),  # a block
        ("%(n)s card", "%(n)s cards"),  # a block with a plural
        ("Skip to the content", ""),  # a tag
    ]:
        assert ("", message, plural) in places_by_key


def test_no_translator_hides_behind_another_name() -> None:
    """The tools for catalogues know only a few names and ignore strings in calls of others."""
    hidden = [
        f"{path.relative_to(ROOT)}: {alias} is {name}"
        for path in iter_modules()
        for alias, name in iter_renamed_translators(ast.parse(path.read_text()))
        if alias not in GETTEXT_ALIASES
    ]
    assert hidden == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_every_marked_string_and_no_other(language: str) -> None:
    places_by_key, catalogue_keys = map_marked_strings(), {entry.key for entry in read_catalogue(language)}
    assert {key: place for key, place in places_by_key.items() if key not in catalogue_keys} == {}, (
        "run `make messages`"
    )
    assert catalogue_keys - set(places_by_key) == set(), "run `make messages`"
    assert "\n#~" not in (get_folder(language) / "django.po").read_text()


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_translated_and_nothing_is_a_guess(language: str) -> None:
    entries = read_catalogue(language)
    assert [entry.key for entry in entries if "fuzzy" in entry.flags] == []
    assert [entry.key for entry in entries if not all(entry.translations)] == []
    assert [entry.key for entry in entries if len(entry.translations) != (2 if entry.key[2] else 1)] == []


def count_placeholders(text: str) -> Counter[str]:
    """Count the placeholders and tags of a text."""
    return Counter(_PLACEHOLDER.findall(text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_has_the_placeholders_and_tags_of_its_message(language: str) -> None:
    for entry in read_catalogue(language):
        _, message, plural = entry.key
        # The singular may omit or contain the number.
        assert count_placeholders(entry.translations[0]) in (
            count_placeholders(message),
            count_placeholders(plural or message),
        ), entry.key
        assert count_placeholders(entry.translations[-1]) == count_placeholders(plural or message), entry.key
        for translated_text in entry.translations:
            assert re.sub(r"\S.*\S|\S", "", translated_text, flags=re.DOTALL) == re.sub(
                r"\S.*\S|\S", "", message, flags=re.DOTALL
            ), entry.key


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_catalogue_says_the_same(language: str) -> None:
    path = get_folder(language) / "django.mo"
    with path.open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for entry in read_catalogue(language):
        context, message, plural = entry.key
        for n, translated_text in enumerate(entry.translations, 1):
            if plural:
                compiled_text = compiled.ngettext(message, plural, n)
            elif context:
                compiled_text = compiled.pgettext(context, message)
            else:
                compiled_text = compiled.gettext(message)
            assert compiled_text == translated_text, "run `make messages`"
    _, _, messages = struct.unpack("<3I", path.read_bytes()[:12])
    assert messages == len(read_catalogue(language)) + 1, "the head, and these; run `make messages`"


@pytest.mark.parametrize(
    ("language", "expected_text"),
    [
        ("en", "May 4, 2026, 15:05 UTC"),
        ("it", "4 maggio 2026, 15:05 UTC"),
        ("nl", "4 mei 2026 15:05 UTC"),
    ],
)
def test_dates_are_written_in_every_language(language: str, expected_text: str) -> None:
    with translation.override(language):
        assert date_format(datetime(2026, 5, 4, 15, 5, tzinfo=UTC), "DATETIME_FORMAT") == expected_text


def test_no_word_of_ours_changes_the_name_of_a_month_or_a_day() -> None:
    """Our catalogue overrides Django's: a message `May` would change the name of the month, and vice versa.

    Only one module marks these names, because Django's Italian has capitals.
    """
    names = [dates.MONTHS, dates.MONTHS_3, dates.WEEKDAYS, dates.WEEKDAYS_ABBR]
    with translation.override("en"):
        taken_names = {str(name) for table in names for name in table.values()}
    own_names = {*date_names.MONTHS, *date_names.WEEKDAYS}
    assert own_names <= taken_names
    messages = {message for context, message, _ in map_marked_strings() if not context}
    assert taken_names & messages == own_names


@pytest.mark.parametrize("language", LANGUAGES)
def test_months_and_days_are_written_in_lower_case(language: str) -> None:
    own_names = {entry.key[1]: entry.translations[0] for entry in read_catalogue(language)}
    djangos = gettext.translation("django", Path(locale.__file__).parent, [language])
    for name in (*date_names.MONTHS, *date_names.WEEKDAYS):
        assert own_names[name] == djangos.gettext(name).lower()
