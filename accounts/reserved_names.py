"""Reserved names that no player and no app may have: of the site, its staff, its guests and its apps."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from django.conf import settings
from django.utils.translation import gettext, gettext_noop, override

from accounts.account_extensions import load_account_extensions
from accounts.models.players import FORMER_PLAYER_NAME
from accounts.name_validation import normalize_name, skeletons_of

SITE_NAME = "OTTO online"
GUEST_NAME = gettext_noop("Guest %(number)s")
# Words for staff and for nobody in particular, reserved in every language of the site. Words for staff are
# also reserved in combination.
STAFF_WORDS = (
    *(
        gettext_noop("admin"),
        gettext_noop("administrator"),
        gettext_noop("operator"),
        gettext_noop("moderator"),
    ),
    *(
        gettext_noop("admins"),
        gettext_noop("administrators"),
        gettext_noop("operators"),
        gettext_noop("moderators"),
    ),
    *(gettext_noop("organisers"), gettext_noop("bots")),
    *(gettext_noop("organiser"), gettext_noop("staff"), gettext_noop("support"), gettext_noop("system")),
    *(gettext_noop("security"), gettext_noop("help"), gettext_noop("the site"), gettext_noop("bot")),
)
RESERVED_WORDS = (
    *STAFF_WORDS,
    *(gettext_noop("guest"), gettext_noop("nobody"), gettext_noop("somebody")),
    *(gettext_noop("everybody"), gettext_noop("anonymous"), gettext_noop("you")),
)
# Allowed alone; combined with the site's name or a word for staff they sound official.
OFFICIAL_WORDS = (
    *("account", "accounts", "app", "apps", "desk", "info", "login", "mail", "mod", "mods", "of", "official"),
    *("officieel", "officiele", "officiële", "online", "service", "site", "team", "the", "ufficiale"),
)
# Beside a word for staff, as words of their own, they change nothing; within a word, many names begin so.
ARTICLES = (
    *("a", "and", "for", "from"),
    *("il", "lo", "la", "l", "i", "gli", "le", "un", "uno", "una", "di", "del", "dello", "della", "dell"),
    *("de", "het", "een", "en", "van", "voor"),
)
# Technical accounts, not translated.
RESERVED_ACCOUNTS = ("root", "postmaster", "webmaster", "hostmaster", "abuse", "noreply", "null", "undefined")


# Signs that are read as letters.
SIGNS_FOR_LETTERS = str.maketrans(
    {"@": "a", "$": "s", "€": "e", "○": "o", "◯": "o", "●": "o", "⭕": "o", "⚽": "o"}
)
# Digits that are read as a letter inside a word; a one is read as either of two.
LETTERS_FOR_DIGITS = tuple(
    str.maketrans({"0": "o", "1": letter, "3": "e", "4": "a", "5": "s", "7": "t", "8": "b"})
    for letter in "il"
)


@dataclass(frozen=True)
class ReservedSkeletons:
    """Skeletons of reserved names, and of the words that may not be combined."""

    names: frozenset[str]
    full_site: frozenset[str]
    site: frozenset[str]
    staff: frozenset[str]
    official: frozenset[str]
    articles: frozenset[str]

    def matches(self, look: str) -> bool:
        """True if a name that looks like this is reserved, or made of nothing but words of the site."""
        words = words_of(look)
        return (
            any(
                text in self.names or self.is_made_of_words(text)
                for text in (strip_separators(look), strip_last_number(look))
            )
            or self.names_site(words)
            or self.names_staff(words)
        )

    def is_made_of_words(self, text: str) -> bool:
        """True if it splits into words for staff, alone or with words of the site."""
        return any("staff" in kinds or kinds == {"site", "official"} for kinds in self.kinds_of_words(text))

    def kinds_of_words(self, text: str) -> set[frozenset[str]]:
        """Of what kinds the words are, for each way in which all of a text can be cut into words."""
        kinds = {"site": self.site, "staff": self.staff, "official": self.official}
        reached: dict[int, set[frozenset[str]]] = {0: {frozenset()}}
        for start in range(len(text)):
            for before in reached.get(start, ()):
                for kind, words in kinds.items():
                    for word in words:
                        if text.startswith(word, start):
                            reached.setdefault(start + len(word), set()).add(before | {kind})
        return reached.get(len(text), set()) if text else set()

    def names_site(self, words: Sequence[str]) -> bool:
        """True if the whole name of the site stands among the words, as two in a row or as one."""
        return any(text in self.full_site for text in (*words, *map("".join, pairwise(words))))

    def names_staff(self, words: Sequence[str]) -> bool:
        """True if all words but for articles are the site's own, and one of them is for staff."""
        rest = "".join(word for word in words if word not in self.articles)
        return any("staff" in kinds for kinds in self.kinds_of_words(rest))


def is_reserved(name: str) -> bool:
    """True if a name looks like a reserved one, regardless of spacing, ornaments and trailing numbers."""
    forms = {name, strip_trailing_digits(normalize_name(name)), replace_ornaments(name)}
    forms |= {reading for form in forms for reading in list_letter_readings(form)}
    return any(
        reserved.matches(skeleton)
        for form in forms
        for skeleton, reserved in zip(skeletons_of(form), load_reserved_skeletons(), strict=True)
    )


def list_letter_readings(name: str) -> set[str]:
    """The ways in which somebody reads a name whose digits stand for letters; none if it is a number."""
    if name.isascii() and not any(character.isalpha() for character in name):
        return set()
    return {name.translate(digits) for digits in LETTERS_FOR_DIGITS}


def is_reserved_title(title: str) -> bool:
    """True if a title looks like a reserved name, also with accents or signs used as letters."""
    plain = unicodedata.normalize("NFD", replace_ornaments(title.translate(SIGNS_FOR_LETTERS)))
    return is_reserved(title) or is_reserved(
        "".join(character for character in plain if not is_mark(character))
    )


def replace_ornaments(name: str) -> str:
    """The name with stars, brackets and the like as spaces, before NFKC turns some into letters (™)."""
    return normalize_name("".join(character if is_word_character(character) else " " for character in name))


def is_word_character(character: str) -> bool:
    """True if a character is a letter, a digit or a mark."""
    return character.isalnum() or is_mark(character)


def is_mark(character: str) -> bool:
    """True if a character combines with another, or joins two."""
    return unicodedata.category(character) in ("Mn", "Mc", "Me", "Cf")


def strip_trailing_digits(name: str) -> str:
    """The name without trailing digits and the separators before them."""
    bare = name.rstrip("".join(filter(str.isdigit, name)))
    return (
        bare
        if bare == name
        else bare.rstrip("".join(character for character in bare if not character.isalnum()))
    )


@cache
def load_reserved_skeletons() -> tuple[ReservedSkeletons, ReservedSkeletons]:
    """The skeletons of all reserved names, as written and in lower case. Cached."""
    names = {SITE_NAME, SITE_NAME.split()[0], *RESERVED_ACCOUNTS}
    staff: set[str] = set()
    for language, _name in settings.LANGUAGES:
        with override(language):
            names.update(gettext(text) for text in RESERVED_WORDS)
            names.update((str(FORMER_PLAYER_NAME), gettext(GUEST_NAME) % {"number": ""}))
            staff.update(gettext(text) for text in STAFF_WORDS)
            for extension in load_account_extensions():
                names.update(extension.list_reserved_names())
    site = {SITE_NAME.split()[0]}
    kinds = [
        build_compact_skeletons(words)
        for words in (names, {SITE_NAME}, site, staff, OFFICIAL_WORDS, ARTICLES)
    ]
    return ReservedSkeletons(*(written for written, _small in kinds)), ReservedSkeletons(
        *(small for _written, small in kinds)
    )


def build_compact_skeletons(names: Iterable[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The skeletons of names without spaces, as written and in lower case."""
    # The look-alikes of i differ in capitals, so all capitalizations are included.
    skeletons = [skeletons_of(form) for name in names for form in (name, name.title(), name.upper())]
    return frozenset(strip_separators(written) for written, _small in skeletons), frozenset(
        strip_separators(small) for _written, small in skeletons
    )


def strip_separators(skeleton: str) -> str:
    """A skeleton without separators and ornaments."""
    return "".join(character for character in skeleton if is_word_character(character))


@cache
def load_digit_skeletons() -> str:
    """The skeletons of the ten digits. Cached."""
    return "".join(skeletons_of(digit)[0] for digit in "0123456789")


def words_of(look: str) -> list[str]:
    """The words of a skeleton."""
    return "".join(character if is_word_character(character) else " " for character in look).split()


def strip_last_number(skeleton: str) -> str:
    """A skeleton without its last word, if that could be read as a number."""
    words = words_of(skeleton)
    return "".join(words[:-1] if words and not words[-1].strip(load_digit_skeletons()) else words)
