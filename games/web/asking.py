"""What every page reads of a request: who looks, and what stands in a field."""

from __future__ import annotations

from django.http import HttpRequest

from games.models import Player


def viewer_of(request: HttpRequest) -> Player | None:
    return request.user if request.user.is_authenticated else None


def whole(text: str) -> int | None:
    """The number that a form's field holds; None for anything that cannot be one of ours."""
    return int(text) if text.isdecimal() and len(text) < 10 else None


def client_seed_in(request: HttpRequest) -> str:
    """The player's own part of the randomness as they sent it; empty if they sent none."""
    return request.POST.get("client_seed", "")
