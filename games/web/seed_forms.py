"""Client seeds and seed offers of forms that create or join a game."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest

from accounts.web.request_utils import viewer_of
from games.seed_offers import SeedOffer, make_offer


def read_client_seed(request: HttpRequest) -> str:
    """Return the client seed that was posted, or an empty string."""
    return request.POST.get("client_seed", "")


def make_viewer_offer(request: HttpRequest, now: datetime) -> SeedOffer:
    """Make a new offer (a sealed server seed) for a viewer who may create a game from this page."""
    viewer = viewer_of(request)
    return make_offer(viewer_id=viewer.pk if viewer else None, now=now)
