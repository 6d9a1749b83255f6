"""Commitments that a page shows before a player sends a client seed; stored only when a game is created.

The seed of an offer is a MAC over the offer under the secret key, so nobody else can make an offer with a
matching commitment: the commitment authenticates the offer for its viewer. Stored rows would let anybody fill
a table by reloading the home page.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from games.engine import fairness

OFFER_LIFETIME = timedelta(days=3)
MAX_CLOCK_SKEW = timedelta(minutes=1)  # between two web servers
MAX_TOKEN_LENGTH = 200
_SALT = "games.offers"  # part of every token, not the path of a module


class InvalidOffer(ValueError):
    """A token that was not offered to this viewer, or has expired."""


@dataclass(frozen=True)
class SeedOffer:
    """A commitment for one viewer; the form sends `token` back."""

    token: str
    commitment: str


def make_offer(*, viewer_id: int | None, now: datetime) -> SeedOffer:
    """Commit to a seed for a game that this viewer may create; None is a visitor who is not signed in."""
    payload = f"{int(now.timestamp())}.{secrets.token_urlsafe(24)}"
    commitment = fairness.compute_commitment(_compute_seed(payload, viewer_id, settings.SECRET_KEY))
    return SeedOffer(f"{payload}.{commitment}", commitment)


def recover_offered_seed(*, token: str, viewer_id: int | None, now: datetime) -> bytes:
    """The seed that a token committed to. Raises InvalidOffer."""
    payload, _dot, commitment = token.rpartition(".")
    issued_at = payload.partition(".")[0]
    if len(token) > MAX_TOKEN_LENGTH or not (
        issued_at.isdecimal() and issued_at.isascii() and len(issued_at) < 12
    ):
        raise InvalidOffer
    age = now.timestamp() - int(issued_at)
    if not -MAX_CLOCK_SKEW.total_seconds() <= age <= OFFER_LIFETIME.total_seconds():
        raise InvalidOffer
    for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        seed = _compute_seed(payload, viewer_id, key)
        if constant_time_compare(fairness.compute_commitment(seed), commitment):
            return seed
    raise InvalidOffer


def commitment_of_token(token: str) -> str:
    """The commitment in a token, unverified; `recover_offered_seed` verifies it."""
    return token.rpartition(".")[2]


def _compute_seed(payload: str, viewer_id: int | None, key: str) -> bytes:
    """The seed of an offer: a MAC over viewer and offer."""
    return salted_hmac(_SALT, f"{viewer_id or 0}|{payload}", secret=key, algorithm="sha256").digest()
