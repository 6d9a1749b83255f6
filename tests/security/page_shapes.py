"""Responses without the values that change from request to request, for comparison."""

from __future__ import annotations

import re
from typing import Any

from django.http import HttpResponse

from .world import EMAIL

UNKNOWN = "nobody-behind-the-dike@example.net"
CLAIMED, WAITING = "claimed-by-a-stranger@example.net", "waits-on-an-account@example.net"
MOVING = ("X-Request-ID", "Content-Length", "Expires")
LOOSE = re.compile(
    rf"{EMAIL}|{UNKNOWN}|{CLAIMED}|{WAITING}|csrfmiddlewaretoken. value=.\w+"
)  # values that always differ


def summarise_response(answer: HttpResponse) -> tuple[Any, ...]:
    """Return everything of a response that an attacker could compare."""
    body_text = LOOSE.sub("…", answer.content.decode())
    headers = {name: value for name, value in answer.items() if name not in MOVING}
    cookies = {name: (morsel["httponly"], morsel["max-age"]) for name, morsel in answer.cookies.items()}
    return answer.status_code, headers, cookies, body_text
