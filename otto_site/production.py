"""What a site that people play on must have: with PRODUCTION set, a start without it ends with one line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

SHORTEST_KEY = 50  # characters; what Django itself asks for


def faults(site: Mapping[str, Any]) -> list[str]:
    """What is wrong with settings for production, each in a few words."""
    host = urlsplit(site["SITE_URL"]).hostname or ""
    key = site["SECRET_KEY"]
    wrong = {
        "DEBUG is on": site["DEBUG"],
        "TRIAL is on": site["TRIAL"],
        "SECRET_KEY is not set": not site["SECRET_KEY_GIVEN"],
        f"SECRET_KEY is shorter than {SHORTEST_KEY} characters, or the same few over and over": (
            site["SECRET_KEY_GIVEN"] and (len(key) < SHORTEST_KEY or len(set(key)) < 5)
        ),
        "SECRET_KEY is still the one of the example": key.startswith("change-me"),
        "DATABASE_URL does not name a PostgreSQL": ("sqlite" in site["DATABASES"]["default"]["ENGINE"]),
        "REDIS_URL is not set": not site["REDIS_URL"],
        "SITE_URL is not https": not site["SITE_URL"].startswith("https://"),
        "ALLOWED_HOSTS lets every name in": "*" in site["ALLOWED_HOSTS"],
        f"ALLOWED_HOSTS lacks {host}, the host of SITE_URL": (
            "*" not in site["ALLOWED_HOSTS"] and host not in site["ALLOWED_HOSTS"]
        ),
        "neither EMAIL_HOST nor EMAIL_BACKEND is set: nobody would get a mail": (
            not site["EMAIL_HOST"] and site["EMAIL_BACKEND"].startswith("games.")
        ),
        "DEFAULT_FROM_EMAIL is not set": site["DEFAULT_FROM_EMAIL"].endswith("@localhost>"),
    }
    return [what for what, so in wrong.items() if so]


def check(site: Mapping[str, Any]) -> None:
    """Raise SystemExit, with one line, on settings that nobody should serve with."""
    if found := faults(site):
        raise SystemExit(f"OTTO online does not start in production: {'; '.join(found)}.")
