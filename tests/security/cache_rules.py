"""Rules for cached responses, shared by tests of single pages and by walks over all pages."""

from __future__ import annotations

import re

from django.http import HttpResponse

# Responses with a cache rule of their own: equal for everybody who may see them, or at a secret address.
PICTURES_AND_FEEDS = {
    "games/<slug:code>/board.svg": "private, max-age=0",
    "tournaments/<slug:code>/calendar.ics": None,
    "api/v1/schema/": None,
    ".well-known/oauth-authorization-server": None,
    "changelog.atom": None,
}


def read_cache_directives(answer: HttpResponse) -> set[str]:
    return set(re.split(r",\s*", answer.get("Cache-Control", "").lower())) - {""}


def is_never_stored(answer: HttpResponse) -> bool:
    """True if a response is not stored, or is private and revalidated on each use."""
    cache_directives = read_cache_directives(answer)
    return "no-store" in cache_directives or (
        {"private", "no-cache"} <= cache_directives and "ETag" in answer
    )


def is_cache_rule_kept(route: str, method: str, answer: HttpResponse) -> bool:
    """True if the caching headers of a response to a signed-in viewer keep to the rules."""
    if method == "GET" and route in PICTURES_AND_FEEDS and answer.status_code == 200:
        expected = PICTURES_AND_FEEDS[route]
        return not expected or read_cache_directives(answer) == set(expected.split(", "))
    return is_never_stored(answer)
