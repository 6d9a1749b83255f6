"""Signed mail addresses to which people reply and servers report.

Handlers of inbound mail declare which addresses there are besides those for reports. Such an address is
signed once more as a whole: the mail server can reject a forged one without a database query for the player,
whom the token's own signature needs.
"""

from __future__ import annotations

from django.conf import settings

from common.signed_tokens import compute_signatures, is_valid_signature
from notifications.inbound.handlers import load_handlers

BOUNCE_PURPOSE, ADDRESS_PURPOSE = "games.bounce", "games.address"
SEAL_LENGTH = 10
NO_DELIVERY_ID = 0  # in the address for reports about any mail
MAX_LOCAL_PART_LENGTH = 64  # RFC 5321


def load_address_prefixes() -> dict[str, str]:
    """The prefixes of the local parts of all addresses, by purpose."""
    return {BOUNCE_PURPOSE: "bounce"} | {handler.purpose: handler.prefix for handler in load_handlers()}


def build_address(purpose: str, token: str) -> str:
    """The mail address of a token; empty where inbound mail is not configured."""
    if not settings.REPLY_DOMAIN:
        return ""
    local = f"{load_address_prefixes()[purpose]}-{token}"
    if purpose != BOUNCE_PURPOSE:
        local = f"{local}-{compute_signatures(ADDRESS_PURPOSE, local, SEAL_LENGTH)[0]}"
    return f"{local}@{settings.REPLY_DOMAIN}"


def read_address(address: str) -> tuple[str, str] | None:
    """Purpose and token of one of our addresses, None if it is invalid."""
    local, _, domain = address.strip().lower().rpartition("@")
    if not settings.REPLY_DOMAIN or domain != settings.REPLY_DOMAIN.lower() or not local.isascii():
        return None
    if len(local) > MAX_LOCAL_PART_LENGTH:
        return None
    prefix, _, token = local.partition("-")
    purpose = next((purpose for purpose, name in load_address_prefixes().items() if name == prefix), None)
    if purpose is None:
        return None
    if purpose == BOUNCE_PURPOSE:
        return (purpose, token) if read_bounce(token) is not None else None
    body, _, seal = local.rpartition("-")
    if not is_valid_signature(ADDRESS_PURPOSE, body, seal, SEAL_LENGTH):
        return None
    return purpose, token.rpartition("-")[0]


def build_reports_address() -> str:
    """The address for delivery reports of a mail provider, which name the mail inside.

    It is signed like all addresses, so that nobody can guess it.
    """
    return build_address(BOUNCE_PURPOSE, make_bounce_token(NO_DELIVERY_ID))


def make_bounce_token(delivery_id: int) -> str:
    """The token of the envelope sender of a delivery, to which bounces return."""
    return f"{delivery_id}-{compute_signatures(BOUNCE_PURPOSE, str(delivery_id))[0]}"


def read_bounce(token: str) -> int | None:
    """The id of the delivery that bounced, None if the token is invalid."""
    delivery_id, _, signature = token.partition("-")
    if not delivery_id.isdecimal() or len(delivery_id) > 18 or not token.isascii():
        return None
    return int(delivery_id) if is_valid_signature(BOUNCE_PURPOSE, delivery_id, signature) else None
