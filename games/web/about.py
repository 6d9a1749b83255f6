"""The page about the game: who made it, to whom it belongs, and what this service is."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

# The own sites of the authors and publishers, shown as text: this service is none of theirs.
CREDITED_SITES = {
    "arcastudio": "www.8gameover.com",
    "bannan": "bannangames.com",
    "pergioco": "www.pergioco.net",
}


@require_safe
def show_about(request: HttpRequest) -> HttpResponse:
    """Show who made OTTO and what this service is."""
    return render(request, "games/about.html", {"sites": CREDITED_SITES})
