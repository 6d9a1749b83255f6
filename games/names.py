"""Which names players may have, by Unicode's rules for identifiers, and which of them look alike.

RFC 8264 (PRECIS) says which characters a word of a name may hold, UTS #39 which scripts go together and
which letters look alike.
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
# Scripts that people write today: UAX #31, table 5.
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
# Letters of phonetic writing, many of which are Latin letters drawn small: no language is written in them.
PHONETIC = re.compile("[\u1d00-\u1dbf\ua720-\ua721\uab30-\uab6f]")
# What takes no room on the page although it counts as a letter or a mark.
INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# Marks on one letter, told by their categories: more than two, once composed, reach into the lines around.
TOO_MANY_MARKS = re.compile("(Mn){3}")
SECOND_DOT = re.compile("(?<=[ij])\u0307")
WRONG_CHARACTERS = _(
    "A name is made of letters and digits, with single spaces, dots, hyphens or underscores between them."
)


def normalize_name(name: str) -> str:
    """The name as it is stored: composed, without compatibility forms, with single spaces inside."""
    return " ".join(unicodedata.normalize("NFKC", name.translate(APOSTROPHES)).split())


def check_name(name: str) -> None:
    """Raise ValidationError unless the name can be read, and read in one way."""
    if INVISIBLE.search(name) or PHONETIC.search(name) or not is_well_formed(name):
        raise ValidationError(WRONG_CHARACTERS)
    if not is_of_one_script(name):
        raise ValidationError(_("A name is written in the letters of one script."))


def is_well_formed(name: str) -> bool:
    """Whether each word is an identifier of PRECIS, and begins with a letter or a digit."""
    words = SEPARATORS.split(name)
    return name == normalize_name(name) and all(is_word(word) for word in words)


def is_word(word: str) -> bool:
    """Whether it is one or more letters and digits, with few marks on each."""
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


def is_of_one_script(name: str) -> bool:
    """Whether its letters are of one script, or of scripts that are written together, and so its digits."""
    scripts = {script_of(character) for character in name} - SHARED_SCRIPTS
    if not scripts <= RECOMMENDED_SCRIPTS:
        return False
    # The digits of one system follow each other, so that a digit less its value is the system's zero.
    zeros = {ord(one) - unicodedata.decimal(one) for one in name if one.isdecimal()}
    return len(zeros) <= 1 and (len(scripts) <= 1 or any(scripts <= mixed for mixed in MIXED_SCRIPTS))


def check_title(title: str) -> None:
    """Raise ValidationError for a name of a thing (an app, a tournament) that hides or turns its letters.

    Emoji are let through, with what joins them.
    """
    before = ""
    for character in unicodedata.normalize("NFC", title):
        joins_emoji = character in "\u200d\ufe0f" and before in ("So", "Sk", "joined")
        category = "joined" if joins_emoji else unicodedata.category(character)
        if category in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") or (
            not joins_emoji and INVISIBLE.match(character)
        ):
            raise ValidationError(_("There is an invisible character in this name."))
        before = category
    if not any(unicodedata.category(character)[0] in "LNS" for character in title):
        raise ValidationError(_("A name needs letters or digits."))


# ------------------------------------------------------------------------------------------------ look-alikes


@cache
def scripts() -> tuple[list[int], list[tuple[int, str]]]:
    """Where the ranges of scripts begin, and where each ends and what it is."""
    data = load("categories.json")
    ranges = sorted(
        (start, end, data["iso_15924_aliases"][alias]) for start, end, alias, _ in data["code_points_ranges"]
    )
    return [start for start, _end, _script in ranges], [(end, script) for _start, end, script in ranges]


def script_of(character: str) -> str:
    """The script of a character; COMMON if many have it."""
    starts, ranges = scripts()
    end, script = ranges[bisect_right(starts, ord(character)) - 1]
    return script if ord(character) <= end else "UNKNOWN"


@cache
def prototypes() -> dict[int, str]:
    """For each character that looks like another, what stands for all that look like it.

    The data tell which look alike, each with one that stands for all: the one that has most of them.
    """
    data = {
        key.replace("\u200e", ""): [one["c"].replace("\u200e", "") for one in alike]
        for key, alike in load("confusables.json").items()
    }
    found = {}
    for character, alike in data.items():
        if len(character) == 1:
            prototype = max(
                (character, *alike),
                key=lambda one: (len(one) > 1, len(data.get(one, ())), one.isascii(), one),
            )
            if prototype != character:
                found[ord(character)] = prototype
    return found


@lru_cache(1000)
def skeleton_of(name: str) -> str:
    """What a name looks like, whatever its capitals: equal for names that look alike (UTS #39, skeleton)."""
    looks = [name]
    while True:
        visible = INVISIBLE.sub("", unicodedata.normalize("NFD", looks[-1]))
        mapped = unicodedata.normalize("NFD", visible.translate(prototypes()))
        # An i has its dot, whether or not another one is written above it.
        look = SECOND_DOT.sub("", unicodedata.normalize("NFD", mapped.casefold()))
        if look in looks:  # the last one; or, for a few letters, one of two that stand for each other
            return min(looks[looks.index(look) :])[:MAX_SKELETON_LENGTH]
        looks.append(look)


def fold(name: str) -> str:
    """The name without a difference of capitals, nor of forms of the same letters."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def skeletons_of(name: str) -> tuple[str, str]:
    """What a name looks like as it is written, and in small letters.

    A capital I looks like a small l, but a small i does not: two names are twins if either is the same.
    """
    return skeleton_of(normalize_name(name)), skeleton_of(fold(normalize_name(name)))
