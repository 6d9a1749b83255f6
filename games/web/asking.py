"""What every page reads of a request: who looks, and what stands in a field."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest

from games.models import Player
from games.offers import Offer, make_offer


def viewer_of(request: HttpRequest) -> Player | None:
    return request.user if request.user.is_authenticated else None


def whole(text: str) -> int | None:
    """The number that a form's field holds; None for anything that cannot be one of ours."""
    return int(text) if text.isdecimal() and len(text) < 10 else None


def client_seed_in(request: HttpRequest) -> str:
    """The player's own part of the randomness as they sent it; empty if they sent none."""
    return request.POST.get("client_seed", "")


def offer_for(request: HttpRequest, now: datetime) -> Offer:
    """A commitment that a page shows to whoever may make a game from it."""
    viewer = viewer_of(request)
    return make_offer(viewer_id=viewer.pk if viewer else None, now=now)
