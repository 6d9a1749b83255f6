"""Names that no player and no app may have: those of the site, its staff, and those without a name."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from django.conf import settings
from django.utils.translation import gettext, gettext_noop, override

from games.models.players import FORMER
from games.names import normalize_name, skeletons_of
from games.words import BOT_NAMES

SITE_NAME = "OTTO online"
GUEST_NAME = gettext_noop("Guest %(number)s")
# Beside the names that the site gives to others, the words for those who work there and for nobody in
# particular. Each counts in every language of the site; those for who works there also in a row.
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
# Anybody's by themselves; beside the site's name or a word for staff they sound like the site.
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
# Of the machine, in no language.
RESERVED_ACCOUNTS = ("root", "postmaster", "webmaster", "hostmaster", "abuse", "noreply", "null", "undefined")


# Signs that are read as a letter.
SIGNS_FOR_LETTERS = str.maketrans(
    {"@": "a", "$": "s", "€": "e", "○": "o", "◯": "o", "●": "o", "⭕": "o", "⚽": "o"}
)
# Digits that are read as a letter inside a word; a one is read as either of two.
DIGITS_FOR_LETTERS = tuple(
    str.maketrans({"0": "o", "1": one, "3": "e", "4": "a", "5": "s", "7": "t", "8": "b"}) for one in "il"
)


@dataclass(frozen=True)
class ReservedLooks:
    """What reserved names look like: by themselves, and the words of which others are made."""

    names: frozenset[str]
    full_site: frozenset[str]
    site: frozenset[str]
    staff: frozenset[str]
    official: frozenset[str]
    articles: frozenset[str]

    def hold(self, look: str) -> bool:
        """Whether a name that looks like this is reserved, or made of nothing but words of the site."""
        words = words_of(look)
        return (
            any(
                text in self.names or self.is_made_of_words(text)
                for text in (compact(look), strip_number(look))
            )
            or self.tell_site(words)
            or self.tell_staff(words)
        )

    def is_made_of_words(self, text: str) -> bool:
        """Whether it can be cut into words for staff, with or without others of the site's own."""
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

    def tell_site(self, words: Sequence[str]) -> bool:
        """Whether the whole name of the site stands among the words, as two in a row or as one."""
        return any(one in self.full_site for one in (*words, *map("".join, pairwise(words))))

    def tell_staff(self, words: Sequence[str]) -> bool:
        """Whether all words but for articles are the site's own, and one of them is for staff."""
        rest = "".join(word for word in words if word not in self.articles)
        return any("staff" in kinds for kinds in self.kinds_of_words(rest))


def is_reserved(name: str) -> bool:
    """Whether a name looks like one of these, however it is spaced or adorned, and with whatever number."""
    forms = {name, without_number(normalize_name(name)), without_ornaments(name)}
    forms |= {form for one in forms for form in with_letters_for_digits(one)}
    return any(
        reserved.hold(look)
        for form in forms
        for look, reserved in zip(skeletons_of(form), reserved_looks(), strict=True)
    )


def with_letters_for_digits(name: str) -> set[str]:
    """The ways in which somebody reads a name whose digits stand for letters; none if it is a number."""
    if name.isascii() and not any(one.isalpha() for one in name):
        return set()
    return {name.translate(digits) for digits in DIGITS_FOR_LETTERS}


def is_reserved_title(title: str) -> bool:
    """The same for what may hold any sign: also with accents, or with signs that are read as letters."""
    plain = unicodedata.normalize("NFD", without_ornaments(title.translate(SIGNS_FOR_LETTERS)))
    return is_reserved(title) or is_reserved("".join(one for one in plain if not is_mark(one)))


def without_ornaments(name: str) -> str:
    """A name whose stars, brackets and the like are spaces; NFKC would make letters of some (™)."""
    return normalize_name("".join(one if is_of_word(one) else " " for one in name))


def is_of_word(character: str) -> bool:
    """Whether it is a letter, a digit or a mark on one."""
    return character.isalnum() or is_mark(character)


def is_mark(character: str) -> bool:
    """Whether it stands on another character, or joins two."""
    return unicodedata.category(character) in ("Mn", "Mc", "Me", "Cf")


def without_number(name: str) -> str:
    """A name without the digits that it ends with, and what stands before them."""
    bare = name.rstrip("".join(filter(str.isdigit, name)))
    return bare if bare == name else bare.rstrip("".join(one for one in bare if not one.isalnum()))


@cache
def reserved_looks() -> tuple[ReservedLooks, ReservedLooks]:
    """What all reserved names look like, as they are written and in small letters."""
    names = {SITE_NAME, SITE_NAME.split()[0], *RESERVED_ACCOUNTS, *(f"{policy} bot" for policy in BOT_NAMES)}
    staff: set[str] = set()
    for language, _name in settings.LANGUAGES:
        with override(language):
            names.update(gettext(text) for text in (*BOT_NAMES.values(), *RESERVED_WORDS))
            names.update((str(FORMER), gettext(GUEST_NAME) % {"number": ""}))
            staff.update(gettext(text) for text in STAFF_WORDS)
    site = {SITE_NAME.split()[0]}
    kinds = [looks_of(some) for some in (names, {SITE_NAME}, site, staff, OFFICIAL_WORDS, ARTICLES)]
    return ReservedLooks(*(written for written, _small in kinds)), ReservedLooks(
        *(small for _written, small in kinds)
    )


def looks_of(names: Iterable[str]) -> tuple[frozenset[str], frozenset[str]]:
    """What names look like without their spaces, as they are written and in small letters."""
    # In capitals another letter looks like i: all of the ways to write a word are looked at.
    looks = [skeletons_of(form) for name in names for form in (name, name.title(), name.upper())]
    return frozenset(compact(written) for written, _small in looks), frozenset(
        compact(small) for _written, small in looks
    )


def compact(look: str) -> str:
    """A skeleton without what separates its words, and without ornaments."""
    return "".join(one for one in look if is_of_word(one))


@cache
def digit_skeletons() -> str:
    """What the ten digits look like."""
    return "".join(skeletons_of(digit)[0] for digit in "0123456789")


def words_of(look: str) -> list[str]:
    """The words of a skeleton."""
    return "".join(one if is_of_word(one) else " " for one in look).split()


def strip_number(look: str) -> str:
    """A skeleton without a last word that could be read as a number."""
    words = words_of(look)
    return "".join(words[:-1] if words and not words[-1].strip(digit_skeletons()) else words)
