"""Checks of the settings: with PRODUCTION set, unsafe or missing settings end the start with one line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

MIN_SECRET_KEY_LENGTH = 50  # characters, as Django's own check


def find_faults(settings: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with the settings for production."""
    host = urlsplit(settings["SITE_URL"]).hostname or ""
    key = settings["SECRET_KEY"]
    checks = {
        "DEBUG is on": settings["DEBUG"],
        "TRIAL is on": settings["TRIAL"],
        "SECRET_KEY is not set": not settings["SECRET_KEY_IS_SET"],
        f"SECRET_KEY has fewer than {MIN_SECRET_KEY_LENGTH} characters or fewer than 5 different ones": (
            settings["SECRET_KEY_IS_SET"] and (len(key) < MIN_SECRET_KEY_LENGTH or len(set(key)) < 5)
        ),
        "SECRET_KEY is still the example value": key.startswith("change-me"),
        "DATABASE_URL does not name a PostgreSQL database": (
            "sqlite" in settings["DATABASES"]["default"]["ENGINE"]
        ),
        "REDIS_URL is not set": not settings["REDIS_URL"],
        "SITE_URL does not start with https://": not settings["SITE_URL"].startswith("https://"),
        "ALLOWED_HOSTS allows every host": "*" in settings["ALLOWED_HOSTS"],
        f"ALLOWED_HOSTS lacks {host}, the host of SITE_URL": (
            "*" not in settings["ALLOWED_HOSTS"] and host not in settings["ALLOWED_HOSTS"]
        ),
        "neither EMAIL_HOST nor EMAIL_BACKEND is set, so no mail would be sent": (
            not settings["EMAIL_HOST"]
            and settings["EMAIL_BACKEND"].partition(".")[0] in settings["PROJECT_APPS"]
        ),
        "DEFAULT_FROM_EMAIL is not set": settings["DEFAULT_FROM_EMAIL"].endswith("@localhost>"),
    }
    return [fault for fault, is_present in checks.items() if is_present]


def check_settings(settings: Mapping[str, Any]) -> None:
    """Raise SystemExit, with one line, if the settings are unsafe for production."""
    if faults := find_faults(settings):
        raise SystemExit(f"OTTO online does not start in production: {'; '.join(faults)}.")
