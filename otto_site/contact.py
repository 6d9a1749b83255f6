"""Where to tell of a hole, for people and programs that look for it (RFC 9116)."""

from __future__ import annotations

from datetime import timedelta
from email.utils import parseaddr

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

LASTS = timedelta(days=90)  # for how long what it says may be believed


@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """The operator's address, which the settings name."""
    until = (timezone.now() + LASTS).replace(hour=0, minute=0, second=0, microsecond=0)
    lines = [
        f"Contact: mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}",
        f"Expires: {until:%Y-%m-%dT%H:%M:%SZ}",
        f"Preferred-Languages: {', '.join(code for code, _name in settings.LANGUAGES)}",
        f"Canonical: {settings.SITE_URL}/.well-known/security.txt",
    ]
    return HttpResponse("".join(f"{line}\n" for line in lines), content_type="text/plain; charset=utf-8")
