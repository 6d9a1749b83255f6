"""Security headers: Content-Security-Policy, Permissions-Policy and Cache-Control.

No page has inline scripts or styles, so neither is allowed. A view that needs more sets the exception with a
reason: `response.policy = {"form-action": "'self' https:"}`.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

DEFAULT_CSP = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",  # the QR code of two-factor setup is a data: URL
    "connect-src": "'self'",
    "worker-src": "'self'",
    "manifest-src": "'self'",
    "font-src": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
}
# SVG and feeds opened as documents may neither run nor load anything.
XML_CSP = "default-src 'none'; frame-ancestors 'none'; sandbox"
DATA_CSP = "default-src 'none'; frame-ancestors 'none'"
# Browser features: pages only write to the clipboard, on a click.
DISABLED_FEATURES = (
    "accelerometer", "autoplay", "browsing-topics", "camera", "display-capture", "encrypted-media",
    "fullscreen", "geolocation", "gyroscope", "hid", "idle-detection", "local-fonts", "magnetometer",
    "microphone", "midi", "payment", "picture-in-picture", "publickey-credentials-create",
    "publickey-credentials-get", "screen-wake-lock", "serial", "usb", "xr-spatial-tracking",
)  # fmt: skip
PERMISSIONS_POLICY = ", ".join(["clipboard-write=(self)", *(f"{name}=()" for name in DISABLED_FEATURES)])


# URL kwargs that are credentials.
SECRET_URL_KWARGS = frozenset({"token", "key", "uidb36"})


def is_personal(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether a response may show a hand, an address or an account.

    True for any session, token or secret URL. The session is not looked up: treating an anonymous one as
    personal only costs caching.
    """
    if settings.SESSION_COOKIE_NAME in request.COOKIES or settings.SESSION_COOKIE_NAME in response.cookies:
        return True
    if "Authorization" in request.headers or request.method not in ("GET", "HEAD"):
        return True
    match = request.resolver_match
    return match is not None and not SECRET_URL_KWARGS.isdisjoint(match.kwargs)


class SecurityHeadersMiddleware:
    """Outermost middleware, so that static files and errors get headers too. Headers set by a view stay."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if "Cache-Control" not in response.headers and is_personal(request, response):
            response.headers["Cache-Control"] = "private, no-store"
        content_type = response.headers.get("Content-Type", "").partition(";")[0]
        if settings.DEBUG and response.status_code in (404, 500):
            return response  # Django's debug pages have inline styles and scripts
        if content_type == "text/html":
            policy = DEFAULT_CSP | getattr(response, "policy", {})
            csp = "; ".join(f"{name} {sources}" for name, sources in policy.items())
            response.headers.setdefault("Content-Security-Policy", csp)
            response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        elif content_type.endswith("xml"):
            response.headers.setdefault("Content-Security-Policy", XML_CSP)
        elif content_type not in ("text/css", "text/javascript", "application/javascript"):
            response.headers.setdefault("Content-Security-Policy", DATA_CSP)
        return response
