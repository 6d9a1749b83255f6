"""Commitments that a page shows before anybody sends a seed; a row is written when a game is made with one.

The seed of an offer is a MAC over it, under the site's secret key. So nobody else can make an offer whose
commitment fits: the commitment itself says that it is ours, for this viewer. Rows would let anybody fill a
table by loading the first page.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from games.engine import fairness

OFFER_LIFETIME = timedelta(days=3)
MAX_CLOCK_SKEW = timedelta(minutes=1)  # of two web servers
MAX_TOKEN_LENGTH = 200
_SALT = "games.offers"


class BadOffer(ValueError):
    """A token that was not offered to this viewer, or too long ago."""


@dataclass(frozen=True)
class Offer:
    """A commitment for one viewer; `token` is what a form sends back."""

    token: str
    commitment: str


def make_offer(*, viewer_id: int | None, now: datetime) -> Offer:
    """Commit to a seed for a game that this viewer may make; None is anybody who is not signed in."""
    offer = f"{int(now.timestamp())}.{secrets.token_urlsafe(24)}"
    commitment = fairness.commitment(_seed_of(offer, viewer_id, settings.SECRET_KEY))
    return Offer(f"{offer}.{commitment}", commitment)


def open_offer(*, token: str, viewer_id: int | None, now: datetime) -> bytes:
    """The seed that was committed to. Raises BadOffer."""
    offer, _dot, commitment = token.rpartition(".")
    issued = offer.partition(".")[0]
    if len(token) > MAX_TOKEN_LENGTH or not (issued.isdecimal() and issued.isascii() and len(issued) < 12):
        raise BadOffer
    age = now.timestamp() - int(issued)
    if not -MAX_CLOCK_SKEW.total_seconds() <= age <= OFFER_LIFETIME.total_seconds():
        raise BadOffer
    for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        seed = _seed_of(offer, viewer_id, key)
        if constant_time_compare(fairness.commitment(seed), commitment):
            return seed
    raise BadOffer


def commitment_in(token: str) -> str:
    """The commitment that an offer shows; whether it is one of ours, `open_offer` says."""
    return token.rpartition(".")[2]


def _seed_of(offer: str, viewer_id: int | None, key: str) -> bytes:
    return salted_hmac(_SALT, f"{viewer_id or 0}|{offer}", secret=key, algorithm="sha256").digest()
