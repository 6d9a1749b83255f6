"""What browsers may do with our answers: run, load and send only what is our own, frame nothing, keep nothing
that is personal.

There is no inline script and no inline style on any page, so neither is allowed. A view that needs more names
it, with its reason: `answer.policy = {"form-action": "'self' https:"}`.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",  # the code that a second factor begins with is a picture in the page itself
    "connect-src": "'self'",
    "font-src": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
}
# Pictures and feeds are documents too if somebody opens them: they may neither run nor load anything.
DRAWN = "default-src 'none'; frame-ancestors 'none'; sandbox"
DATA = "default-src 'none'; frame-ancestors 'none'"
# Of what a browser can do, pages only write to the clipboard, when asked to copy something.
UNUSED = (
    "accelerometer", "autoplay", "browsing-topics", "camera", "display-capture", "encrypted-media",
    "fullscreen", "geolocation", "gyroscope", "hid", "idle-detection", "local-fonts", "magnetometer",
    "microphone", "midi", "payment", "picture-in-picture", "publickey-credentials-create",
    "publickey-credentials-get", "screen-wake-lock", "serial", "usb", "xr-spatial-tracking",
)  # fmt: skip
FEATURES = ", ".join(["clipboard-write=(self)", *(f"{name}=()" for name in UNUSED)])


# Parts of an address that open what is somebody's own, whether they are signed in or not.
SECRET_PARTS = frozenset({"token", "key", "uidb36"})


def is_personal(request: HttpRequest, answer: HttpResponse) -> bool:
    """Whether an answer may show a hand, an address or an account: somebody is known, or was told a secret.

    Who asks is not looked up: a session or a token that turns out to be nobody's costs a cache, not a secret.
    """
    if settings.SESSION_COOKIE_NAME in request.COOKIES or settings.SESSION_COOKIE_NAME in answer.cookies:
        return True
    if "Authorization" in request.headers or request.method not in ("GET", "HEAD"):
        return True
    match = request.resolver_match
    return match is not None and not SECRET_PARTS.isdisjoint(match.kwargs)


class Headers:
    """A middleware, outermost: static files and errors get their headers, too. What a view has set stays."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        if "Cache-Control" not in answer.headers and is_personal(request, answer):
            answer.headers["Cache-Control"] = "private, no-store"
        kind = answer.headers.get("Content-Type", "").partition(";")[0]
        if settings.DEBUG and answer.status_code in (404, 500):
            return answer  # Django's own pages for developers, with all their styles and scripts inline
        if kind == "text/html":
            policy = POLICY | getattr(answer, "policy", {})
            told = "; ".join(f"{name} {sources}" for name, sources in policy.items())
            answer.headers.setdefault("Content-Security-Policy", told)
            answer.headers.setdefault("Permissions-Policy", FEATURES)
        elif kind.endswith("xml"):
            answer.headers.setdefault("Content-Security-Policy", DRAWN)
        elif kind not in ("text/css", "text/javascript", "application/javascript"):
            answer.headers.setdefault("Content-Security-Policy", DATA)
        return answer
