"""security.txt: where to report a vulnerability (RFC 9116)."""

from __future__ import annotations

from datetime import timedelta
from email.utils import parseaddr

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

EXPIRES_AFTER = timedelta(days=90)  # validity of the file


@require_safe
def show_security_txt(request: HttpRequest) -> HttpResponse:
    """Return security.txt with the operator's address from the settings."""
    expires_at = (timezone.now() + EXPIRES_AFTER).replace(hour=0, minute=0, second=0, microsecond=0)
    lines = [
        f"Contact: mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}",
        f"Expires: {expires_at:%Y-%m-%dT%H:%M:%SZ}",
        f"Preferred-Languages: {', '.join(code for code, _name in settings.LANGUAGES)}",
        f"Canonical: {settings.SITE_URL}/.well-known/security.txt",
    ]
    return HttpResponse("".join(f"{line}\n" for line in lines), content_type="text/plain; charset=utf-8")
