"""Names and titles without links: mail programs turn what looks like an address into one to click on."""

from __future__ import annotations

import re
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

LOOKS_LIKE_A_LINK = _("This looks like a web or mail address. Leave it out, or put a space after each dot.")
# Dots of other scripts that browsers take for a dot in a host name.
_DOTS = str.maketrans({"\u3002": ".", "\uff0e": ".", "\uff61": ".", "\u2024": "."})
_SLASHES = str.maketrans({"\u2044": "/", "\u2215": "/", "\u29f8": "/"})
# Each begins with a letter that is found at once, and looks behind it: the text is in lower case by then.
_SCHEME = re.compile(
    r":(?:(?<=mailto:)|(?<=\btel:)|(?<=\bsms:)|(?<=\bdata:)|(?<=callto:)|(?<=skype:)|(?<=xmpp:)|(?<=magnet:)"
    r"|(?<=javascript:))\S"
)
_WWW = re.compile(r"www\d{0,3}\.")
_HOST = re.compile(r"\.(?<=[^\s.]\.)[^\W\d_]{2}")  # anything, also ❤, a dot, and the beginning of a domain
_FOUR_NUMBERS = re.compile(r"\.(?<=\d\.)\d{1,3}\.\d{1,3}\.\d")
_MAIL = re.compile(r"@(?<=[^\s@]@)[^\s@]")


def has_link(text: str) -> bool:
    """Whether a mail program might make a link of some of a text."""
    visible = "".join(c for c in text if unicodedata.category(c) != "Cf")
    plain = unicodedata.normalize("NFKC", visible.translate(_DOTS)).translate(_DOTS).translate(_SLASHES)
    # Marks that no letter took up would stand between the letters and the dot.
    low = "".join(c for c in plain if unicodedata.category(c)[0] != "M").casefold()
    return "://" in low or any(one.search(low) for one in (_SCHEME, _WWW, _HOST, _FOUR_NUMBERS, _MAIL))


def check_no_link(text: str) -> None:
    """Raise ValidationError if a name or a title looks like an address."""
    if has_link(text):
        raise ValidationError(LOOKS_LIKE_A_LINK, code="link")
