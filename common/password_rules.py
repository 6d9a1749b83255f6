"""Django's rules of passwords, translated here since Django says u to Dutch readers.

Nothing calls this: `make messages` finds the sentences, and our catalogue comes before Django's.
"""

from __future__ import annotations

from django.utils.translation import gettext_noop, ngettext

RULES = (
    gettext_noop("Your password can’t be too similar to your other personal information."),
    gettext_noop("Your password can’t be a commonly used password."),
    gettext_noop("Your password can’t be entirely numeric."),
)


def describe_least_length(min_length: int) -> str:
    """Return the rule of the length."""
    return ngettext(
        "Your password must contain at least %(min_length)d character.",
        "Your password must contain at least %(min_length)d characters.",
        min_length,
    ) % {"min_length": min_length}
