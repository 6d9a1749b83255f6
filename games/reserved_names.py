"""Names that no player and no app may have: those of the site, its staff, and those without a name."""

from __future__ import annotations

from functools import cache

from django.conf import settings
from django.utils.translation import gettext, gettext_noop, override

from games.models.players import FORMER
from games.names import SEPARATORS, normalize_name, skeletons_of
from games.words import BOT_NAMES

SITE_NAME = "OTTO online"
GUEST_NAME = gettext_noop("Guest %(number)s")
# Beside the names that the site gives to others, the words for those who work there and for nobody in
# particular. Each counts in every language of the site.
RESERVED_WORDS = (
    *(
        gettext_noop("admin"),
        gettext_noop("administrator"),
        gettext_noop("operator"),
        gettext_noop("moderator"),
    ),
    *(gettext_noop("organiser"), gettext_noop("staff"), gettext_noop("support"), gettext_noop("system")),
    *(gettext_noop("security"), gettext_noop("help"), gettext_noop("the site")),
    *(gettext_noop("bot"), gettext_noop("guest"), gettext_noop("nobody"), gettext_noop("somebody")),
    *(gettext_noop("everybody"), gettext_noop("anonymous"), gettext_noop("you")),
)
# Of the machine, in no language.
RESERVED_ACCOUNTS = ("root", "postmaster", "webmaster", "hostmaster", "abuse", "noreply", "null", "undefined")


def is_reserved(name: str) -> bool:
    """Whether a name looks like one of these, however it is spaced, and with whatever number behind it."""
    bare = without_number(normalize_name(name))
    return any(
        compact(look) in reserved or strip_number(look) in reserved
        for form in (name, bare)
        for look, reserved in zip(skeletons_of(form), reserved_skeletons(), strict=True)
    )


def without_number(name: str) -> str:
    """A name without the digits that it ends with, and what stands before them."""
    bare = name.rstrip("".join(filter(str.isdigit, name)))
    return bare if bare == name else bare.rstrip("".join(one for one in bare if not one.isalnum()))


@cache
def reserved_skeletons() -> tuple[frozenset[str], frozenset[str]]:
    """What all reserved names look like, as they are written and in small letters."""
    names = {SITE_NAME, SITE_NAME.split()[0], *RESERVED_ACCOUNTS, *(f"{policy} bot" for policy in BOT_NAMES)}
    for language, _name in settings.LANGUAGES:
        with override(language):
            names.update(gettext(text) for text in (*BOT_NAMES.values(), *RESERVED_WORDS))
            names.update((str(FORMER), gettext(GUEST_NAME) % {"number": ""}))
    # In capitals another letter looks like i: all of the ways to write a word are looked at.
    looks = [skeletons_of(form) for name in names for form in (name, name.title(), name.upper())]
    return frozenset(compact(written) for written, _small in looks), frozenset(
        compact(small) for _written, small in looks
    )


def compact(look: str) -> str:
    """A skeleton without what separates its words."""
    return SEPARATORS.sub("", look)


@cache
def digit_skeletons() -> str:
    """What the ten digits look like."""
    return "".join(skeletons_of(digit)[0] for digit in "0123456789")


def strip_number(look: str) -> str:
    """A skeleton without a last word that could be read as a number."""
    head, _separator, last = SEPARATORS.sub(" ", look).rpartition(" ")
    return compact(head if last and not last.strip(digit_skeletons()) else look)
