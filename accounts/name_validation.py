"""Validation of player names by Unicode's identifier rules, and detection of names that look alike.

RFC 8264 (PRECIS) defines the characters of a word, UTS #39 which scripts may be mixed and which letters look
alike.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from functools import cache, lru_cache

import precis_i18n
from confusable_homoglyphs.utils import load  # type: ignore[import-untyped]
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

MAX_NAME_LENGTH = 30
MAX_SKELETON_LENGTH = 200
APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'"})
SEPARATORS = re.compile("[ ._'-]")
# Scripts in modern use: UAX #31, table 5.
RECOMMENDED_SCRIPTS = frozenset(
    {
        *("ARABIC", "ARMENIAN", "BENGALI", "BOPOMOFO", "CYRILLIC", "DEVANAGARI", "ETHIOPIC", "GEORGIAN"),
        *("GREEK", "GUJARATI", "GURMUKHI", "HAN", "HANGUL", "HEBREW", "HIRAGANA", "KANNADA"),
        *("KATAKANA", "KHMER", "LAO", "LATIN", "MALAYALAM", "MYANMAR", "ORIYA", "SINHALA"),
        *("TAMIL", "TELUGU", "THAANA", "THAI", "TIBETAN"),
    }
)
SHARED_SCRIPTS = frozenset({"COMMON", "INHERITED"})
# UTS #39, "highly restrictive": the only scripts that may be mixed in one name.
MIXED_SCRIPTS = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
)
# Phonetic letters, many of which look like small Latin letters; no language is written in them.
PHONETIC_LETTER = re.compile("[\u1d00-\u1dbf\ua720-\ua721\uab30-\uab6f]")
# Characters without a visible glyph that count as letters or marks.
INVISIBLE_CHARACTER = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# Three or more marks on one letter, after composition, by category: they overlap neighbouring lines.
TOO_MANY_MARKS = re.compile("(Mn){3}")
SECOND_DOT = re.compile("(?<=[ij])\u0307")
WRONG_CHARACTERS = _("Use letters and digits, with single spaces, dots, hyphens or underscores between them.")


def normalize_name(name: str) -> str:
    """The name as it is stored: NFKC, plain apostrophes, single spaces inside."""
    return " ".join(unicodedata.normalize("NFKC", name.translate(APOSTROPHES)).split())


def check_name(name: str) -> None:
    """Raise ValidationError unless the name is readable and unambiguous."""
    if INVISIBLE_CHARACTER.search(name) or PHONETIC_LETTER.search(name) or not is_well_formed(name):
        raise ValidationError(WRONG_CHARACTERS)
    if not has_one_script(name):
        raise ValidationError(_("Use the letters of one alphabet."))


def is_well_formed(name: str) -> bool:
    """True if the name is normalized and each word is a valid PRECIS identifier."""
    words = SEPARATORS.split(name)
    return name == normalize_name(name) and all(is_valid_word(word) for word in words)


def is_valid_word(word: str) -> bool:
    """True if a word is one or more letters and digits, with at most two marks on each."""
    categories = [unicodedata.category(character) for character in word]
    if not categories or categories[0][0] == "M":
        return False
    if any(category[0] not in "LM" and category not in ("Nd", "Nl") for category in categories):
        return False
    if TOO_MANY_MARKS.search("".join(categories)):
        return False
    try:
        precis_i18n.get_profile("UsernameCasePreserved").enforce(word)
    except UnicodeEncodeError:
        return False
    return True


def has_one_script(name: str) -> bool:
    """True if all letters are of one script, or of scripts written together, and all digits of one system."""
    scripts = {script_of(character) for character in name} - SHARED_SCRIPTS
    if not scripts <= RECOMMENDED_SCRIPTS:
        return False
    # Digits of one system are consecutive, so a digit minus its value is the system's zero.
    zeros = {ord(character) - unicodedata.decimal(character) for character in name if character.isdecimal()}
    return len(zeros) <= 1 and (len(scripts) <= 1 or any(scripts <= mixed for mixed in MIXED_SCRIPTS))


def check_title(title: str) -> None:
    """Raise ValidationError if the title of an app or a tournament has invisible or reordering characters.

    Emoji and their joiners are allowed.
    """
    previous_category = ""
    for character in unicodedata.normalize("NFC", title):
        joins_emoji = character in "\u200d\ufe0f" and previous_category in ("So", "Sk", "joined")
        category = "joined" if joins_emoji else unicodedata.category(character)
        if category in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") or (
            not joins_emoji and INVISIBLE_CHARACTER.match(character)
        ):
            raise ValidationError(_("This name contains an invisible character. Remove it."))
        previous_category = category
    if not any(unicodedata.category(character)[0] in "LNS" for character in title):
        raise ValidationError(_("Use at least one letter or digit."))


# ------------------------------------------------------------------------------------------------ look-alikes


@cache
def load_script_ranges() -> tuple[list[int], list[tuple[int, str]]]:
    """The starts of all script ranges, and the end and script of each. Cached."""
    data = load("categories.json")
    ranges = sorted(
        (start, end, data["iso_15924_aliases"][alias]) for start, end, alias, _ in data["code_points_ranges"]
    )
    return [start for start, _end, _script in ranges], [(end, script) for _start, end, script in ranges]


def script_of(character: str) -> str:
    """The script of a character; COMMON if it belongs to many."""
    starts, ranges = load_script_ranges()
    end, script = ranges[bisect_right(starts, ord(character)) - 1]
    return script if ord(character) <= end else "UNKNOWN"


@cache
def load_prototypes() -> dict[int, str]:
    """For each character with look-alikes, the one that represents all of them. Cached.

    Of each set in the confusables data it is the character with the most look-alikes.
    """
    data = {
        key.replace("\u200e", ""): [candidate["c"].replace("\u200e", "") for candidate in lookalikes]
        for key, lookalikes in load("confusables.json").items()
    }
    prototype_of = {}
    for character, lookalikes in data.items():
        if len(character) == 1:
            prototype = max(
                (character, *lookalikes),
                key=lambda candidate: (
                    len(candidate) > 1,
                    len(data.get(candidate, ())),
                    candidate.isascii(),
                    candidate,
                ),
            )
            if prototype != character:
                prototype_of[ord(character)] = prototype
    return prototype_of


@lru_cache(1000)
def skeleton_of(name: str) -> str:
    """The UTS #39 skeleton of a name, without case: equal for names that look alike."""
    skeletons = [name]
    while True:
        visible = INVISIBLE_CHARACTER.sub("", unicodedata.normalize("NFD", skeletons[-1]))
        mapped = unicodedata.normalize("NFD", visible.translate(load_prototypes()))
        # An i looks the same with a second dot above.
        skeleton = SECOND_DOT.sub("", unicodedata.normalize("NFD", mapped.casefold()))
        if skeleton in skeletons:  # a fixed point; or, for a few letters, a cycle of two
            return min(skeletons[skeletons.index(skeleton) :])[:MAX_SKELETON_LENGTH]
        skeletons.append(skeleton)


def fold_case(name: str) -> str:
    """The name with case folded and compatibility forms normalized."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def skeletons_of(name: str) -> tuple[str, str]:
    """The skeletons of a name as it is written, and in lower case.

    A capital I looks like a small l, but a small i does not: two names are twins if either skeleton matches.
    """
    return skeleton_of(normalize_name(name)), skeleton_of(fold_case(normalize_name(name)))
