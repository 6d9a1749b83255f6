"""The root URL configuration."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from oauth2_provider import views as oauth

from common.api import openapi

from . import api_policy, changelog, error_pages, health, security_txt, status_page
from .oauth import authorize, show_server_metadata

# Only these views of the toolkit: apps are registered on our own pages, for the code grant only.
oauth_urls = [
    path("authorize/", authorize, name="authorize"),
    path("token/", oauth.TokenView.as_view(), name="token"),
    path("revoke/", oauth.RevokeTokenView.as_view(), name="revoke-token"),
]

# The most requested URLs first: they are matched in this order.
urlpatterns = [
    path("api/v1/", include("games.api.urls")),
    path("", include("games.web.urls")),
    path("api/v1/schema/", openapi.SchemaView.as_view(), name="schema"),
    path("api/v1/", include("accounts.api.urls")),
    path("api/v1/", include("notifications.api.urls")),
    path("", include("accounts.web.urls")),
    path("", include("notifications.web.urls")),
    path("api/v1/", include("tournaments.api.urls")),
    path("", include("tournaments.web.urls")),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
    path(".well-known/security.txt", security_txt.show_security_txt, name="security"),
    path(".well-known/oauth-authorization-server", show_server_metadata, name="oauth-metadata"),
    path("api/errors/", error_pages.show_error_codes, name="errors"),
    path("api/policy/", api_policy.show_api_policy, name="api-policy"),
    path("changelog/", changelog.show_changelog, name="changelog"),
    path("changelog.atom", changelog.show_changelog_feed, name="changelog-feed"),
    path("status/", status_page.show_status, name="status"),
    path("", include("otto_site.web_app")),
    path("accounts/", include("allauth.urls")),
    path("oauth/", include((oauth_urls, "oauth2_provider"))),
    path("admin/", admin.site.urls),
]
# Webhooks of mail providers; without a secret anybody could send them.
if "WEBHOOK_SECRET" in settings.ANYMAIL:
    urlpatterns.append(path("anymail/", include("anymail.urls")))

handler400 = error_pages.show_bad_request
handler403 = error_pages.show_forbidden
handler404 = error_pages.show_not_found
handler500 = error_pages.show_server_error
