"""The rules of docs/style.md as checks: each yields its findings with the file to correct."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.utils import dates
from django.utils.translation import gettext, override

from tests.site_texts import Message, Text, strip_code
from tests.source_tree import ROOT

MAX_BUTTON_LENGTH = 28


@dataclass(frozen=True)
class Finding:
    """A text that breaks a rule of docs/style.md."""

    rule: str
    language: str
    place: str
    words: str
    reason: str

    def __str__(self) -> str:
        return (
            f"{self.place} [{self.language}] {self.rule}: {self.reason}: {' '.join(self.words.split())[:200]}"
        )


TextCheck = Callable[[Iterable[Text]], Iterator[Finding]]


def find_in_text(text: Text, rule: str, reason: str) -> Finding:
    return Finding(rule, text.language, text.place, text.words, reason)


# ------------------------------------------------------------------------------------------- retired phrases


@cache
def read_retired_phrases() -> dict[str, dict[re.Pattern[str], str]]:
    """Read the phrases of docs/retired_phrases.txt by language, each with its replacement."""
    phrases: dict[str, dict[re.Pattern[str], str]] = {}
    language = ""
    for line in (ROOT / "docs/retired_phrases.txt").read_text().splitlines():
        if line.startswith("["):
            language = line.strip("[]")
            phrases[language] = {}
        elif line and not line.startswith("#"):
            phrase, instead = line.rsplit(" -> ", 1)
            is_pattern = len(phrase) > 2 and phrase[0] == phrase[-1] == "/"
            pattern = phrase[1:-1] if is_pattern else rf"\b{re.escape(phrase)}\b"
            phrases[language][re.compile(pattern, re.IGNORECASE)] = instead
    return phrases


def find_retired_phrases(texts: Iterable[Text]) -> Iterator[Finding]:
    for text in texts:
        words = " ".join(strip_code(text.words).replace("'", "’").split())
        for pattern, instead in read_retired_phrases()[text.language].items():
            if hit := pattern.search(words):
                yield find_in_text(text, "retired phrase", f"“{hit[0].strip()}” -> {instead}")


# ----------------------------------------------------------------------------------------- words for players


@dataclass(frozen=True)
class Term:
    """A word for players, and the forms of its translations."""

    name: str
    english: re.Pattern[str]
    forms: dict[str, re.Pattern[str]]
    own_forms: dict[str, re.Pattern[str]] = field(default_factory=dict)
    other_meanings: re.Pattern[str] | None = None
    exceptions: tuple[str, ...] = ()
    other_english: re.Pattern[str] | None = None

    def is_in(self, english: str) -> bool:
        """True if an English message names this thing."""
        return bool(self.english.search(self.strip_other_meanings(english)))

    def strip_other_meanings(self, english: str) -> str:
        """Return an English text without the phrases in which the word means another thing."""
        return self.other_meanings.sub("…", english) if self.other_meanings else english


def compile_forms(forms: Iterable[str]) -> re.Pattern[str]:
    """Compile a pattern for these words, in which * stands for any letters."""
    patterns = [
        r"\s+".join(re.escape(part).replace(r"\*", r"\w*") for part in form.split()) for form in forms
    ]
    return re.compile(rf"(?<!\w)(?:{'|'.join(patterns)})(?!\w)", re.IGNORECASE)


@cache
def read_player_words() -> list[Term]:
    """Read the table of docs/player_words.toml."""
    table: dict[str, Any] = tomllib.loads((ROOT / "docs/player_words.toml").read_text())
    return [
        Term(
            name,
            compile_forms(row["en"]),
            {language: compile_forms(row[language]) for language in ("it", "nl")},
            {language: compile_forms(forms) for language, forms in row.get("own", {}).items()},
            compile_forms(row["not"]) if "not" in row else None,
            tuple(beginning for beginning, _reason in row.get("except", [])),
            compile_forms(row["en_not"]) if "en_not" in row else None,
        )
        for name, row in table.items()
    ]


def find_other_words(messages: Iterable[Message]) -> Iterator[Finding]:
    """Yield translations that use another word for a thing, or the word of another thing."""
    for message in messages:
        english = strip_code(" ".join(message.english))
        for term in read_player_words():
            if message.english[0].startswith(term.exceptions or ("\0",)):
                continue
            is_named = term.is_in(english)
            for language, translations in message.translations.items():
                words = [strip_code(translation).replace("'", "’") for translation in translations]
                if is_named and not all(term.forms[language].search(part) for part in words):
                    reason = f"“{term.name}” without its word; English: {english[:90]}"
                elif (
                    not term.english.search(english)
                    and (own := term.own_forms.get(language))
                    and (hit := own.search(" ".join(words)))
                ):
                    reason = f"“{hit[0]}” is “{term.name}”; English: {english[:90]}"
                else:
                    continue
                yield Finding(
                    "words for players", language, message.places[0], " / ".join(translations), reason
                )


def find_other_english(texts: Iterable[Text]) -> Iterator[Finding]:
    """Yield English texts that use another word for a thing."""
    for text in texts:
        if text.language != "en":
            continue
        words = " ".join(strip_code(text.words).replace("'", "’").split())
        for term in read_player_words():
            if not term.other_english or text.message.startswith(term.exceptions or ("\0",)):
                continue
            if hit := term.other_english.search(term.strip_other_meanings(words)):
                yield find_in_text(text, "words for players", f"“{hit[0]}” is “{term.name}”")


# ------------------------------------------------------------------------------------------------ typography


def find_straight_quotes(texts: Iterable[Text]) -> Iterator[Finding]:
    for text in texts:
        if text.place.endswith(".json") or "management/commands" in text.place:
            continue  # JSON and terminal output may have straight quotes
        if hit := re.search(r"\S*['\"]\S*", strip_code(text.words)):
            yield find_in_text(text, "quotes", f"straight in {hit[0]}")


QUOTES = {"en": "“”‘’", "it": "«»’“”", "nl": "“”‘’"}


def find_foreign_quotes(texts: Iterable[Text]) -> Iterator[Finding]:
    """Yield texts with quotation marks of another language."""
    for text in texts:
        foreign_quotes = set("“”‘„«»‹›") - set(QUOTES[text.language])
        if text.language == "it":
            foreign_quotes |= set("“”")
        if hits := foreign_quotes & set(text.words):
            yield find_in_text(text, "quotes", f"{''.join(sorted(hits))} are another language’s")


def find_spacing(texts: Iterable[Text]) -> Iterator[Finding]:
    for text in texts:
        is_table = "management/commands" in text.place  # the output of commands has columns
        words = re.sub(r"\n\s*", "\n", text.words)
        if not is_table and (hit := re.search(r"\S*  +\S*|\.\.\.|\w+ [,;!?](?=\s|$)", words)):
            yield find_in_text(text, "spacing", f"“{hit[0]}”")


def get_end(words: str) -> str:
    """Return the punctuation at the end of a text, if any."""
    last = strip_code(words).rstrip(' \n)”»’"').removesuffix("…") or " "
    return last[-1] if last[-1] in ".!?:;," else ""


def find_other_ends(messages: Iterable[Message]) -> Iterator[Finding]:
    """Yield translations that end with other punctuation than their message."""
    for message in messages:
        expected = get_end(message.english[-1])
        for language, translations in message.translations.items():
            for words in translations:
                if (end := get_end(words)) != expected:
                    reason = f"ends with “{end}”, the English with “{expected}”: {message.english[-1][-60:]}"
                    yield Finding("ends", language, message.places[0], words, reason)


# ------------------------------------------------------------------------------------------ forms of address

FORMAL = {
    "it": re.compile(r"(?<=[\w,;…] )(?:Lei|Suo|Sua|Suoi|Sue|Voi|Vostr[oaie])\b"),
    "nl": re.compile(r"\b(?:[Uu]|[Uu]w|[Uu]we|[Uu]zelf)\b"),
}
NEEDLESS = re.compile(r"\b(?:simply|obviously|of course)\b|\bplease\b", re.IGNORECASE)


def find_formal_address(texts: Iterable[Text]) -> Iterator[Finding]:
    for text in texts:
        if (pattern := FORMAL.get(text.language)) and (hit := pattern.search(strip_code(text.words))):
            yield find_in_text(text, "address", f"“{hit[0]}” is formal")


def find_needless_words(texts: Iterable[Text]) -> Iterator[Finding]:
    """Yield English texts with superfluous words."""
    for text in texts:
        words = strip_code(text.words)
        if text.language == "en" and (hit := NEEDLESS.search(words)) and words != "Please check":
            yield find_in_text(text, "needless word", f"“{hit[0]}”")


def find_exclamations(texts: Iterable[Text]) -> Iterator[Finding]:
    """Yield texts with an exclamation mark, except for an 8 that was made and what somebody says."""
    for text in texts:
        words = re.sub(r"“[^”]*”|«[^»]*»", "…", strip_code(text.words))
        if "!" in words and not re.search(r"\bAn 8\b", text.message, re.IGNORECASE):
            yield find_in_text(text, "exclamation", "only a win is worth one")


@cache
def list_calendar_names() -> re.Pattern[str]:
    """Return a pattern for Italian and Dutch months and days with a capital within a sentence."""
    names = set()
    for language in ("it", "nl"):
        with override(language):
            tables = (dates.MONTHS, dates.WEEKDAYS)
            names |= {str(name).capitalize() for table in tables for name in table.values()}
            names |= {gettext(day).capitalize() for day in ("Monday", "Sunday")}
    return re.compile(rf"(?<=[\w,;…] )(?:{'|'.join(sorted(names))})\b")


def find_capital_dates(texts: Iterable[Text]) -> Iterator[Finding]:
    for text in texts:
        if text.language != "en" and (hit := list_calendar_names().search(strip_code(text.words))):
            yield find_in_text(text, "capitals", f"“{hit[0]}” in lower case")


# Italian articles change before 8 and 11 (l’8, dall’11), so that none may precede an inserted day or ordinal.
BARE_DATE = re.compile(
    r"\b(?:il|al|dal|del|nel|sul|fino a|entro) "
    r"(?:[%{]\(?(?:at|when|day|since|start|end|date|on|until)\b|%\(\w+\)[sd]º)",
    re.IGNORECASE,
)


def find_bare_dates(texts: Iterable[Text]) -> Iterator[Finding]:
    """Yield texts with an Italian article before an inserted date or ordinal."""
    for text in texts:
        if text.language == "it" and (hit := BARE_DATE.search(text.words)):
            yield find_in_text(text, "dates", f"“{hit[0]}” is wrong on the 8th and the 11th")


# --------------------------------------------------------------------------------------------------- numbers

# The figure 8, cells and actions, the first of a series, and codes of protocols are names, not numbers.
NUMBER_NAMES = re.compile(
    r"\b8s?\b(?! (?:points|days|hours|minutes|games|turns))|\b[a-e][1-5]\b|\b(?:B|QL)[ -][a-e][1-5].*?\d+\b"
    r"|\b(?:[Ss]eason|[Rr]ound|[Dd]ivision|from) 1\b"
    r"|\b(?:HTTP|RFC|OAuth|SHA|HMAC-SHA|UTF|ISO|API v|TLS|version) ?-?\d[\d.]*\b|\bSHA256(?:SUMS)?\b|[²³]+"
    r"|\b(?:get|any|a|an|empty|with|is|answers) [1-5](?:\d\d|xx)\b"
)


@cache
def read_number_exceptions() -> dict[str, str]:
    """Read the beginnings of messages that may contain a number, each with the reason."""
    table = tomllib.loads((ROOT / "docs/numbers_in_texts.toml").read_text())
    return {beginning: reason for reason, beginnings in table.items() for beginning in beginnings}


NUMBERS = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|megabyte)s?\b"
    r"|\d+(?:[.,]\d+)*",
    re.IGNORECASE,
)


# “Second” is a number before a noun of a series only; else it is a time.
ORDINALS = re.compile(
    r"\b(?:twice|thrice|thirds?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?|dozens?|half|halves"
    r"|quarters?|double|triple|2nd|3rd|\d+th|(?:the|an?|every|each|your|their|its) second"
    r"|second (?:time|one|turn|round|place|half|match|timeout))\b",
    re.IGNORECASE,
)


def find_ordinals(words: str) -> list[str]:
    """Return the ordinals, fractions and multiples of a text."""
    return [number.lower() for number in ORDINALS.findall(NUMBER_NAMES.sub("", strip_code(words)))]


def find_numbers(words: str) -> list[str]:
    """Return the numbers of a text, in digits or words, except for those in names."""
    return [number.lower() for number in NUMBERS.findall(NUMBER_NAMES.sub("", strip_code(words)))]


def find_typed_numbers(messages: Iterable[Message]) -> Iterator[Finding]:
    """Yield messages with a literal number that should come from a setting or constant."""
    for message in messages:
        if message.english[0].startswith(tuple(read_number_exceptions()) or ("\0",)):
            continue
        words = " ".join(message.english)
        for number in [*find_numbers(words), *find_ordinals(words)][:1]:
            yield Finding(
                "numbers", "en", message.places[0], message.english[0], f"{number} is typed by hand"
            )
