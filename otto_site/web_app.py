"""The site as an app on a phone or desktop: manifest, service worker, and a page for lost connections."""

from __future__ import annotations

import json
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import path, reverse
from django.views.decorators.http import require_safe

THEME_COLOR = "#141414"  # of static/otto.svg
ICON_SIZES = (192, 512)
SERVICE_WORKER_FILE = Path(__file__).with_name("service_worker.js")


@require_safe
def show_manifest(request: HttpRequest) -> HttpResponse:
    """Show the web app manifest."""
    icons = [
        {
            "src": static(f"icons/{prefix}{size}.png"),
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": purpose,
        }
        for prefix, purpose in (("icon-", "any"), ("maskable-", "maskable"))
        for size in ICON_SIZES
    ]
    manifest = {
        "id": "/",
        "name": "OTTO online",
        "short_name": "OTTO",
        "start_url": reverse("games"),
        "scope": "/",
        "display": "standalone",
        "background_color": THEME_COLOR,
        "theme_color": THEME_COLOR,
        "icons": icons,
    }
    return JsonResponse(manifest, content_type="application/manifest+json")


@require_safe
def show_service_worker(request: HttpRequest) -> HttpResponse:
    """Show the service worker: at the root, because it works for the whole site."""
    site = {
        "offlinePage": reverse("offline"),
        "keptPage": reverse("games"),
        "leavingPaths": [reverse("account_logout"), reverse("delete-account")],
        "staticPath": settings.STATIC_URL,
        "icon": static("icons/icon-192.png"),
    }
    script = f"const SITE = {json.dumps(site)};\n{SERVICE_WORKER_FILE.read_text()}"
    return HttpResponse(script, content_type="text/javascript")


@require_safe
def show_offline_page(request: HttpRequest) -> HttpResponse:
    """Show the page that a browser keeps for when there is no net: the same for everybody."""
    return render(request, "offline.html", {"user": None})


urlpatterns = [
    path("manifest.webmanifest", show_manifest, name="manifest"),
    path("service-worker.js", show_service_worker, name="service-worker"),
    path("offline/", show_offline_page, name="offline"),
]
