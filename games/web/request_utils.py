"""Helpers that read a request: the viewer, numbers in fields, the client seed, an offer."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest

from games.models import Player
from games.seed_offers import SeedOffer, make_offer


def viewer_of(request: HttpRequest) -> Player | None:
    """Return the signed-in player, or None."""
    return request.user if request.user.is_authenticated else None


def parse_int(text: str) -> int | None:
    """Return the integer in a form field, or None for anything else."""
    return int(text) if text.isdecimal() and len(text) < 10 else None


def read_client_seed(request: HttpRequest) -> str:
    """Return the client seed that was posted, or an empty string."""
    return request.POST.get("client_seed", "")


def make_viewer_offer(request: HttpRequest, now: datetime) -> SeedOffer:
    """Make a new offer (a sealed server seed) for whoever may create a game from this page."""
    viewer = viewer_of(request)
    return make_offer(viewer_id=viewer.pk if viewer else None, now=now)
