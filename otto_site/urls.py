"""Every address of the site, by app."""

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from oauth2_provider import views as oauth

from . import contact, error_pages, health
from .oauth import authorize

# Only the doors of the toolkit: apps are registered on our own pages, which offer no grant but the code.
oauth_urls = [
    path("authorize/", authorize, name="authorize"),
    path("token/", oauth.TokenView.as_view(), name="token"),
    path("revoke/", oauth.RevokeTokenView.as_view(), name="revoke-token"),
]

# Operators sign in as everybody does: Django's own form counts no failures and asks for no second factor.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

# What is asked for most comes first: addresses are tried in this order.
urlpatterns = [
    path("api/v1/", include("games.api.urls")),
    path("", include("games.web.urls")),
    path("api/v1/", include("tournaments.api.urls")),
    path("", include("tournaments.web.urls")),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
    path(".well-known/security.txt", contact.security, name="security"),
    path("api/errors/", error_pages.page, name="errors"),
    path("accounts/", include("allauth.urls")),
    path("oauth/", include((oauth_urls, "oauth2_provider"))),
    path("admin/", admin.site.urls),
]
# What providers of mail tell us; without a secret anybody could.
if "WEBHOOK_SECRET" in settings.ANYMAIL:
    urlpatterns.append(path("anymail/", include("anymail.urls")))

handler400 = error_pages.bad_request
handler403 = error_pages.forbidden
handler404 = error_pages.not_found
handler500 = error_pages.server_error
