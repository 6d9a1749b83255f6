"""What may stay behind in a cache: what tests of single pages and walks over all of them look for."""

from __future__ import annotations

import re

from django.http import HttpResponse

# What a browser may keep for a time of its own: the same for everybody who may see it, or a secret address.
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
    """Whether an answer is not kept, or asked for anew each time by whoever has it for themselves."""
    cache_directives = read_cache_directives(answer)
    return "no-store" in cache_directives or (
        {"private", "no-cache"} <= cache_directives and "ETag" in answer
    )


def is_cache_rule_kept(route: str, method: str, answer: HttpResponse) -> bool:
    """Whether an answer to somebody signed in stays with nobody for longer than it may."""
    if method == "GET" and route in PICTURES_AND_FEEDS and answer.status_code == 200:
        expected = PICTURES_AND_FEEDS[route]
        return not expected or read_cache_directives(answer) == set(expected.split(", "))
    return is_never_stored(answer)
