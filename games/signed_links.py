"""Signed tokens in links and mail addresses: one salt per purpose, nothing stored.

A turn's link and reply address are bound to game, seat, turn and player. The player is part of the signature
only, so that old mails become invalid when a seat changes hands.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass

from django.conf import settings
from django.core import signing
from django.utils.crypto import constant_time_compare, salted_hmac

INVITATION_PURPOSE, UNSUBSCRIBE_PURPOSE, MUTE_PURPOSE = "games.invitation", "games.unsubscribe", "games.mute"
MAIL_REFUSAL_PURPOSE = "games.refusal"
TURN_PURPOSE, REPLY_PURPOSE, RESIGN_PURPOSE, BOUNCE_PURPOSE = (
    "games.turn",
    "games.reply",
    "games.resign",
    "games.bounce",
)
# Of the local parts of addresses
ADDRESS_PREFIXES = {REPLY_PURPOSE: "play", RESIGN_PURPOSE: "resign", BOUNCE_PURPOSE: "bounce"}
NO_DELIVERY_ID = 0  # in the address for reports about any mail
SIGNATURE_LENGTH = 16  # base32 characters: 80 bits; a local part has room for 64 characters
MAX_LOCAL_PART_LENGTH = 64  # RFC 5321
# A turn's address is signed once more as a whole: the mail server can reject a forged one without a database
# query for the player, whom the turn's own signature needs.
ADDRESS_PURPOSE, SEALED_PURPOSES, SEAL_LENGTH = "games.address", (REPLY_PURPOSE, RESIGN_PURPOSE), 10


def make_invitation_token(invitation_id: int) -> str:
    """The token of an invitation's link."""
    return signing.Signer(salt=INVITATION_PURPOSE).sign(str(invitation_id))


def read_invitation(token: str) -> int | None:
    """The id of the invitation that a token belongs to, None if the token is invalid."""
    try:
        return int(signing.Signer(salt=INVITATION_PURPOSE).unsign(token))
    except (signing.BadSignature, ValueError):
        return None


# ----------------------------------------------------------------------------------------------------- turns


@dataclass(frozen=True)
class TurnToken:
    """The claims of a turn token; `is_valid_turn_token` verifies them."""

    game_code: str
    seat_no: int
    turn_seq: int
    signature: str


def make_turn_token(*, purpose: str, game_code: str, seat_no: int, turn_seq: int, player_id: int) -> str:
    """The token of one turn of one seat, for a link, a reply or a confirmation to resign."""
    payload = f"{game_code}-{seat_no}-{turn_seq}"
    return f"{payload}-{compute_signatures(purpose, f'{payload}-{player_id}')[0]}"


def read_turn(token: str) -> TurnToken | None:
    """The claims of a token, not yet verified; None if it is malformed."""
    parts = token.lower().split("-")
    if len(parts) != 4 or not (parts[0].isalnum() and parts[1].isdecimal() and parts[2].isdecimal()):
        return None
    if len(token) > 60 or not token.isascii():
        return None
    return TurnToken(parts[0], int(parts[1]), int(parts[2]), parts[3])


def is_valid_turn_token(turn_token: TurnToken, *, purpose: str, player_id: int) -> bool:
    """Whether a token was signed by this site for this purpose and this player."""
    payload = f"{turn_token.game_code}-{turn_token.seat_no}-{turn_token.turn_seq}-{player_id}"
    return any(
        constant_time_compare(turn_token.signature, valid_signature)
        for valid_signature in compute_signatures(purpose, payload)
    )


def compute_signatures(salt: str, text: str) -> list[str]:
    """The signatures of a text under the current and all fallback secret keys."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = (salted_hmac(salt, text, secret=key, algorithm="sha256").digest() for key in keys)
    return [base64.b32encode(digest).decode().lower()[:SIGNATURE_LENGTH] for digest in digests]


# ------------------------------------------------------------------------------------------------- addresses


def build_address(purpose: str, token: str) -> str:
    """The mail address of a token; empty where inbound mail is not configured."""
    if not settings.REPLY_DOMAIN:
        return ""
    local = f"{ADDRESS_PREFIXES[purpose]}-{token}"
    if purpose in SEALED_PURPOSES:
        local = f"{local}-{compute_seals(local)[0]}"
    return f"{local}@{settings.REPLY_DOMAIN}"


def compute_seals(local: str) -> list[str]:
    """The seals of a local part under the current and all fallback secret keys."""
    return [signature[:SEAL_LENGTH] for signature in compute_signatures(ADDRESS_PURPOSE, local)]


def read_address(address: str) -> tuple[str, str] | None:
    """Purpose and token of one of our addresses, None if it is invalid."""
    local, _, domain = address.strip().lower().rpartition("@")
    if not settings.REPLY_DOMAIN or domain != settings.REPLY_DOMAIN.lower() or not local.isascii():
        return None
    if len(local) > MAX_LOCAL_PART_LENGTH:
        return None
    prefix, _, token = local.partition("-")
    purpose = next((purpose for purpose, name in ADDRESS_PREFIXES.items() if name == prefix), None)
    if purpose is None:
        return None
    if purpose in SEALED_PURPOSES:
        body, _, seal = local.rpartition("-")
        if not any(constant_time_compare(seal, valid_seal) for valid_seal in compute_seals(body)):
            return None
        token = token.rpartition("-")[0]
    elif read_bounce(token) is None:
        return None
    return purpose, token


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
    valid_signatures = compute_signatures(BOUNCE_PURPOSE, delivery_id)
    return (
        int(delivery_id)
        if any(constant_time_compare(signature, valid_signature) for valid_signature in valid_signatures)
        else None
    )


# --------------------------------------------------------------------------------- unsubscribing and muting


def make_unsubscribe_token(mail_token: str) -> str:
    """The token that stops all mails to the player with this mail token."""
    return signing.Signer(salt=UNSUBSCRIBE_PURPOSE).sign(mail_token)


def read_unsubscribe(token: str) -> str | None:
    """The mail token of the player who unsubscribes, None if the token is invalid."""
    try:
        return signing.Signer(salt=UNSUBSCRIBE_PURPOSE).unsign(token)
    except (signing.BadSignature, ValueError):  # ValueError: a lone surrogate cannot be encoded
        return None


def make_refusal_token(digest: str) -> str:
    """The token by which the owner of an address without an account refuses all mail.

    It holds a digest, not the address.
    """
    return signing.Signer(salt=MAIL_REFUSAL_PURPOSE).sign(digest)


def read_refusal(token: str) -> str | None:
    """The digest of the address that refuses mail, None if the token is invalid."""
    try:
        return signing.Signer(salt=MAIL_REFUSAL_PURPOSE).unsign(token)
    except (signing.BadSignature, ValueError):
        return None


def make_mute_token(mail_token: str, game_code: str) -> str:
    """The token that stops a player's mails about one game."""
    return signing.Signer(salt=MUTE_PURPOSE).sign(f"{mail_token}.{game_code}")


def read_mute(token: str) -> tuple[str, str] | None:
    """The player's mail token and the game's code, None if the token is invalid."""
    try:
        mail_token, _, game_code = signing.Signer(salt=MUTE_PURPOSE).unsign(token).partition(".")
    except (signing.BadSignature, ValueError):
        return None
    return mail_token, game_code


def build_absolute_url(path: str) -> str:
    """The absolute URL of a path on this site."""
    return f"{settings.SITE_URL}{path}"
