"""Detection of links in names and titles: mail programs make clickable whatever looks like an address."""

from __future__ import annotations

import re
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

LOOKS_LIKE_A_LINK = _("This looks like a web or email address. Leave it out, or put a space after each dot.")
# Dots of other scripts that browsers accept in a host name.
_DOTS = str.maketrans({"\u3002": ".", "\uff0e": ".", "\uff61": ".", "\u2024": "."})
_SLASHES = str.maketrans({"\u2044": "/", "\u2215": "/", "\u29f8": "/"})
# Each begins with a rare literal and uses look-behind, for speed; the text is case-folded by then.
_SCHEME = re.compile(
    r":(?:(?<=mailto:)|(?<=\btel:)|(?<=\bsms:)|(?<=\bdata:)|(?<=callto:)|(?<=skype:)|(?<=xmpp:)|(?<=magnet:)"
    r"|(?<=javascript:))\S"
)
_WWW = re.compile(r"www\d{0,3}\.")
_HOST = re.compile(r"\.(?<=[^\s.]\.)[^\W\d_]{2}")  # any character (also ❤), a dot, and the start of a domain
_FOUR_NUMBERS = re.compile(r"\.(?<=\d\.)\d{1,3}\.\d{1,3}\.\d")
_MAIL = re.compile(r"@(?<=[^\s@]@)[^\s@]")


def has_link(text: str) -> bool:
    """True if a mail program might turn part of a text into a link."""
    visible = "".join(character for character in text if unicodedata.category(character) != "Cf")
    plain = unicodedata.normalize("NFKC", visible.translate(_DOTS)).translate(_DOTS).translate(_SLASHES)
    # Remove combining marks that would separate a letter from the dot.
    folded = "".join(character for character in plain if unicodedata.category(character)[0] != "M").casefold()
    return "://" in folded or any(
        pattern.search(folded) for pattern in (_SCHEME, _WWW, _HOST, _FOUR_NUMBERS, _MAIL)
    )


def check_no_link(text: str) -> None:
    """Raise ValidationError if a name or a title looks like an address."""
    if has_link(text):
        raise ValidationError(LOOKS_LIKE_A_LINK, code="link")
