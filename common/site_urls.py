"""URLs of this site for mails, feeds and programs."""

from __future__ import annotations

from django.conf import settings


def build_absolute_url(path: str) -> str:
    """The absolute URL of a path on this site."""
    return f"{settings.SITE_URL}{path}"
