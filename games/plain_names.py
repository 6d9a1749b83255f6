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
_LINK = re.compile(
    r"://"  # any scheme
    r"|\b(?:mailto|tel|sms|javascript|data|callto|skype|xmpp|magnet)\s?:\S"
    r"|\bwww\d{0,3}\."
    r"|[^\W_]\.[^\W\d_]{2}"  # a host name: a letter or digit, a dot, and the beginning of a domain
    r"|\b\d{1,3}(?:\.\d{1,3}){3}\b"  # an address of four numbers
    r"|[^\s@]@[^\s@]",  # a mail address
    re.IGNORECASE,
)


def has_link(text: str) -> bool:
    """Whether a mail program might make a link of some of a text."""
    visible = "".join(c for c in text if unicodedata.category(c) != "Cf")
    plain = unicodedata.normalize("NFKC", visible.translate(_DOTS)).translate(_DOTS).translate(_SLASHES)
    return _LINK.search(plain) is not None


def check_no_link(text: str) -> None:
    """Raise ValidationError if a name or a title looks like an address."""
    if has_link(text):
        raise ValidationError(LOOKS_LIKE_A_LINK, code="link")
