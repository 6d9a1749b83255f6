"""Where a player allows an app: the toolkit's page, whose ways out lead to the app's own address."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from oauth2_provider.http import OAuth2ResponseRedirect
from oauth2_provider.views import AuthorizationView

ask = AuthorizationView.as_view()


def authorize(request: HttpRequest) -> HttpResponse:
    """Ask the player, or lead on to the app where there is nothing to ask."""
    answer: HttpResponse = ask(request)
    signed_in_just_now = request.headers.get("Sec-Fetch-Site") == "same-origin"
    if request.method == "GET" and signed_in_just_now and isinstance(answer, OAuth2ResponseRedirect):
        # They are still on the way from that form, which may lead to no other site: browsers would stop a
        # redirect, but not a page that leads on.
        onwards = render(request, "oauth2_provider/onwards.html", {"address": answer.url})
        onwards["Refresh"] = f"0; url={answer.url}"
        return onwards
    # Browsers hold a form to its policy through every redirect, and where the app leads next is its business.
    answer.policy = {"form-action": "'self' https: http:"}  # type: ignore[attr-defined]
    return answer
