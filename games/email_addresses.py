"""The one way in which an email address is written here: whatever is compared or counted is written so.

The part before the @ has ASCII letters only, and no quotes: others can be written in several ways, and few
mail servers take them. A domain has the letters that DNS knows (IDNA 2008), so that full-width letters or a
dot of another script make no second address of one mailbox.
"""

from __future__ import annotations

import idna
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext_lazy as _

MAX_LOCAL_PART_LENGTH = 64  # RFC 5321
MAX_ADDRESS_LENGTH = 254
MAX_TEXT_LENGTH = 320  # of what is looked at: letters of other scripts need more of them in DNS, not fewer
NOT_AN_ADDRESS = _("This is not an email address that we can write to.")


def canonical_address(email: str) -> str:
    """The address in small letters, its domain as DNS knows it. Raises ValidationError."""
    local, _at, domain = email.rpartition("@")
    too_long = len(email) > MAX_TEXT_LENGTH or len(local) > MAX_LOCAL_PART_LENGTH
    if too_long or not local.isascii() or '"' in local:
        raise ValidationError(NOT_AN_ADDRESS, code="invalid")
    try:
        address = f"{local.lower()}@{ascii_domain(domain)}"
        validate_email(address)
    except (idna.IDNAError, ValidationError):
        raise ValidationError(NOT_AN_ADDRESS, code="invalid") from None
    if len(address) > MAX_ADDRESS_LENGTH or address.endswith("]"):  # a number instead of a domain
        raise ValidationError(NOT_AN_ADDRESS, code="invalid")
    return address


def ascii_domain(domain: str) -> str:
    """A domain in the letters of DNS. Raises idna.IDNAError."""
    if domain.isascii():
        return domain.lower()
    return idna.encode(domain, uts46=True, std3_rules=True).decode("ascii")


def comparable_address(text: str) -> str:
    """The canonical address; what is none stays as it is, and equals no address."""
    try:
        return canonical_address(text.strip())
    except ValidationError:
        # Small letters only of ASCII: the Kelvin sign would become a k, and so another's address.
        return text.strip().lower() if text.isascii() else text.strip()
