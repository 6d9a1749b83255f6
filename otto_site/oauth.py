"""The OAuth authorization page: django-oauth-toolkit's view, adapted to our Content-Security-Policy."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from oauth2_provider.http import OAuth2ResponseRedirect
from oauth2_provider.views import AuthorizationView

authorization_view = AuthorizationView.as_view()


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
