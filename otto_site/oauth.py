"""OAuth: django-oauth-toolkit's authorization page, adapted to our policy for content, and its metadata."""

from __future__ import annotations

import json

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe
from oauth2_provider.http import OAuth2ResponseRedirect
from oauth2_provider.views import AuthorizationView, OAuthServerMetadataView

authorization_view = AuthorizationView.as_view()
metadata_view = OAuthServerMetadataView.as_view()
METADATA_MAX_AGE_SECONDS = 3600  # it changes only with a release


def authorize(request: HttpRequest) -> HttpResponse:
    """Ask the player to allow an app, or redirect to the app if there is nothing to ask."""
    response: HttpResponse = authorization_view(request)
    signed_in_just_now = request.headers.get("Sec-Fetch-Site") == "same-origin"
    if request.method == "GET" and signed_in_just_now and isinstance(response, OAuth2ResponseRedirect):
        # This is the redirect after the login form, whose form-action allows our site only: browsers block
        # a redirect to the app there, but not a page that refreshes to it.
        redirect_page = render(request, "oauth2_provider/app_redirect.html", {"address": response.url})
        redirect_page["Refresh"] = f"0; url={response.url}"
        return redirect_page
    # form-action also applies to every redirect after the form, and the app may redirect anywhere.
    response.policy = {"form-action": "'self' https: http:"}  # type: ignore[attr-defined]
    return response


@require_safe
def show_server_metadata(request: HttpRequest) -> HttpResponse:
    """Return what an app must know to ask for access: endpoints, scopes, PKCE (RFC 8414)."""
    metadata = json.loads(metadata_view(request).content)
    metadata |= {
        "service_documentation": f"{settings.SITE_URL}{reverse('api')}#token",
        "ui_locales_supported": [code for code, _name in settings.LANGUAGES],
    }
    response = JsonResponse(metadata)
    response["Cache-Control"] = f"public, max-age={METADATA_MAX_AGE_SECONDS}"
    return response
