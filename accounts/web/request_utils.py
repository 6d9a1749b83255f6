"""Helpers that read a request: the viewer, and numbers in fields."""

from __future__ import annotations

from django.http import HttpRequest

from accounts.models import Player


def viewer_of(request: HttpRequest) -> Player | None:
    """Return the signed-in player, or None."""
    return request.user if request.user.is_authenticated else None


def current_player(request: HttpRequest) -> Player:
    """Return the signed-in player; for views that nobody else reaches."""
    assert isinstance(request.user, Player)
    return request.user


def parse_int(text: str) -> int | None:
    """Return the integer in a form field, or None for anything else."""
    return int(text) if text.isdecimal() and len(text) < 10 else None
