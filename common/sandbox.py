"""A sandbox: a public site to try programs on, which is emptied every night."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def sandbox_context(request: HttpRequest) -> dict[str, bool]:
    """Context processor: whether pages say that this is a sandbox."""
    return {"is_sandbox": settings.SANDBOX}
