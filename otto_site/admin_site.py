"""The admin site: login and password through allauth, and no models but those of the project."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.contrib.admin.apps import AdminConfig
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect


def redirect_to_password_page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
    """Redirect to the site's own password page, which is rate-limited."""
    return redirect("account_change_password")


class ProjectAdminConfig(AdminConfig):
    """Replaces Django's login and password pages, and unregisters the models of other apps."""

    def ready(self) -> None:
        """Change the site once all apps have registered their models.

        Operators sign in through allauth: Django's login form has neither rate limit nor second factor.
        """
        from allauth.account.decorators import secure_admin_login

        super().ready()
        admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
        admin.site.password_change = redirect_to_password_page  # type: ignore[method-assign, assignment]
        for model in list(admin.site._registry):
            if model._meta.app_label not in settings.PROJECT_APPS:
                admin.site.unregister(model)
