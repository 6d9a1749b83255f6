"""Canonical form of email addresses, used wherever addresses are stored, compared or counted.

The local part is ASCII without quotes: other forms have several spellings, and few mail servers accept them.
The domain is converted to IDNA 2008, so that full-width letters or dots of other scripts do not make a second
address for one mailbox.
"""

from __future__ import annotations

import idna
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext_lazy as _

MAX_LOCAL_PART_LENGTH = 64  # RFC 5321
MAX_ADDRESS_LENGTH = 254
MAX_TEXT_LENGTH = 320  # of the input: the IDNA form is never shorter
NOT_AN_ADDRESS = _("We cannot send mail to this address. Check it for typos.")


def canonical_address(email: str) -> str:
    """The address in lower case, its domain in IDNA form. Raises ValidationError."""
    local, _at, domain = email.rpartition("@")
    too_long = len(email) > MAX_TEXT_LENGTH or len(local) > MAX_LOCAL_PART_LENGTH
    if too_long or not local.isascii() or '"' in local:
        raise ValidationError(NOT_AN_ADDRESS, code="invalid")
    try:
        address = f"{local.lower()}@{ascii_domain(domain)}"
        validate_email(address)
    except (idna.IDNAError, ValidationError):
        raise ValidationError(NOT_AN_ADDRESS, code="invalid") from None
    if len(address) > MAX_ADDRESS_LENGTH or address.endswith("]"):  # an IP address instead of a domain
        raise ValidationError(NOT_AN_ADDRESS, code="invalid")
    return address


def ascii_domain(domain: str) -> str:
    """A domain in its ASCII (IDNA) form. Raises idna.IDNAError."""
    if domain.isascii():
        return domain.lower()
    return idna.encode(domain, uts46=True, std3_rules=True).decode("ascii")


def comparable_address(text: str) -> str:
    """The canonical address; an invalid one is returned as it is, and equals no address."""
    try:
        return canonical_address(text.strip())
    except ValidationError:
        # Lower-case ASCII only: the Kelvin sign would become a k, and match another address.
        return text.strip().lower() if text.isascii() else text.strip()
