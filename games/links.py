"""Sign and read what acts for somebody from a mailbox: a salt for each purpose, nothing stored.

A turn's link and its reply address are bound to game, seat, turn and player: of the player only the signature
knows, so that a seat that changes hands leaves its old mails worthless.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass

from django.conf import settings
from django.core import signing
from django.utils.crypto import constant_time_compare, salted_hmac

INVITATION, UNSUBSCRIBE, MUTE = "games.invitation", "games.unsubscribe", "games.mute"
REFUSAL = "games.refusal"
TURN, REPLY, RESIGN, BOUNCE = "games.turn", "games.reply", "games.resign", "games.bounce"
PREFIXES = {REPLY: "play", RESIGN: "resign", BOUNCE: "bounce"}  # how the local part of an address begins
NO_DELIVERY = 0  # in the address for reports about any of our mails
DIGITS = 16  # of a signature: 80 bits; an address has room for 64 characters, in lower case
LONGEST_LOCAL_PART = 64  # RFC 5321
# An address of a turn is signed once more as a whole: whoever takes in mail can tell an invented one without
# asking the database who sits there, which the signature of the turn needs.
ADDRESS, SEALED, SEAL_DIGITS = "games.address", (REPLY, RESIGN), 10


def invitation_token(invitation_id: int) -> str:
    """The token in an invitation's link."""
    return signing.Signer(salt=INVITATION).sign(str(invitation_id))


def read_invitation(token: str) -> int | None:
    """The invitation that a token belongs to, None if it was not made here."""
    try:
        return int(signing.Signer(salt=INVITATION).unsign(token))
    except (signing.BadSignature, ValueError):
        return None


# ----------------------------------------------------------------------------------------------------- turns


@dataclass(frozen=True)
class Place:
    """What a turn's token says of itself; `holds` says whether it is true."""

    code: str
    seat: int
    turn: int
    signature: str


def turn_token(*, purpose: str, code: str, seat: int, turn: int, player_id: int) -> str:
    """The token of one turn of one seat, for a link (TURN), a reply (REPLY) or a confirmation (RESIGN)."""
    said = f"{code}-{seat}-{turn}"
    return f"{said}-{signatures(purpose, f'{said}-{player_id}')[0]}"


def read_turn(token: str) -> Place | None:
    """What a token claims, None if it cannot be one of ours."""
    parts = token.lower().split("-")
    if len(parts) != 4 or not (parts[0].isalnum() and parts[1].isdecimal() and parts[2].isdecimal()):
        return None
    if len(token) > 60 or not token.isascii():
        return None
    return Place(parts[0], int(parts[1]), int(parts[2]), parts[3])


def holds(place: Place, *, purpose: str, player_id: int) -> bool:
    """Whether a token was made here, for this purpose and for this player."""
    said = f"{place.code}-{place.seat}-{place.turn}-{player_id}"
    return any(constant_time_compare(place.signature, known) for known in signatures(purpose, said))


def signatures(salt: str, text: str) -> list[str]:
    """The signature of a text, and those that older secret keys would have made."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = (salted_hmac(salt, text, secret=key, algorithm="sha256").digest() for key in keys)
    return [base64.b32encode(digest).decode().lower()[:DIGITS] for digest in digests]


# ------------------------------------------------------------------------------------------------- addresses


def address(purpose: str, token: str) -> str:
    """The mail address of a token; empty where replies cannot come in."""
    if not settings.REPLY_DOMAIN:
        return ""
    local = f"{PREFIXES[purpose]}-{token}"
    if purpose in SEALED:
        local = f"{local}-{seals(local)[0]}"
    return f"{local}@{settings.REPLY_DOMAIN}"


def seals(local: str) -> list[str]:
    """What an address of a turn ends with, and what it would end with by older secret keys."""
    return [known[:SEAL_DIGITS] for known in signatures(ADDRESS, local)]


def read_address(address: str) -> tuple[str, str] | None:
    """Purpose and token of one of our addresses, None if it was not made here."""
    local, _, domain = address.strip().lower().rpartition("@")
    if not settings.REPLY_DOMAIN or domain != settings.REPLY_DOMAIN.lower() or not local.isascii():
        return None
    if len(local) > LONGEST_LOCAL_PART:
        return None
    prefix, _, token = local.partition("-")
    purpose = next((purpose for purpose, name in PREFIXES.items() if name == prefix), None)
    if purpose is None:
        return None
    if purpose in SEALED:
        body, _, seal = local.rpartition("-")
        if not any(constant_time_compare(seal, known) for known in seals(body)):
            return None
        token = token.rpartition("-")[0]
    elif read_bounce(token) is None:
        return None
    return purpose, token


def reports_address() -> str:
    """Where a mail provider may send its reports about mails of ours, each of which it names inside.

    Signed as all addresses are: nobody else knows it.
    """
    return address(BOUNCE, bounce_token(NO_DELIVERY))


def bounce_token(delivery_id: int) -> str:
    """Where a mail comes back to that could not be delivered."""
    return f"{delivery_id}-{signatures(BOUNCE, str(delivery_id))[0]}"


def read_bounce(token: str) -> int | None:
    """The delivery that came back, None if the token was not made here."""
    number, _, signature = token.partition("-")
    if not number.isdecimal() or len(number) > 18 or not token.isascii():
        return None
    known = signatures(BOUNCE, number)
    return int(number) if any(constant_time_compare(signature, one) for one in known) else None


# ---------------------------------------------------------------------------------------------- no more mail


def unsubscribe_token(key: str) -> str:
    """The token that ends all mails to the player with this key."""
    return signing.Signer(salt=UNSUBSCRIBE).sign(key)


def read_unsubscribe(token: str) -> str | None:
    """The key of the player who wants no more mails, None if the token was not made here."""
    try:
        return signing.Signer(salt=UNSUBSCRIBE).unsign(token)
    except (signing.BadSignature, ValueError):  # ValueError: half a character, that no bytes can say
        return None


def refusal_token(digest: str) -> str:
    """The token by which the owner of an address without an account refuses all mail; it holds no address."""
    return signing.Signer(salt=REFUSAL).sign(digest)


def read_refusal(token: str) -> str | None:
    """The digest of the address that wants no mail, None if the token was not made here."""
    try:
        return signing.Signer(salt=REFUSAL).unsign(token)
    except (signing.BadSignature, ValueError):
        return None


def mute_token(key: str, code: str) -> str:
    """The token that ends a player's mails about one game."""
    return signing.Signer(salt=MUTE).sign(f"{key}.{code}")


def read_mute(token: str) -> tuple[str, str] | None:
    """Player's key and game, None if the token was not made here."""
    try:
        key, _, code = signing.Signer(salt=MUTE).unsign(token).partition(".")
    except (signing.BadSignature, ValueError):
        return None
    return key, code


def page(path: str) -> str:
    """A page of ours as the world reaches it."""
    return f"{settings.SITE_URL}{path}"
