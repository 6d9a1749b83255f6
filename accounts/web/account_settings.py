"""Account settings: profile, tokens, apps, data export and deletion."""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import Player
from accounts.services import oauth_apps, players, tokens
from accounts.services.export import export_player_data
from common.rate_limits import EXPORT_COST, HASHING_COST, charge_request
from common.service_errors import NotFound, ServiceError

from .account_settings_forms import AppForm, DeleteForm, ProfileForm, TokenForm
from .request_utils import current_player

allow_get_and_post = require_http_methods(["GET", "HEAD", "POST"])


@allow_get_and_post
@login_required
@never_cache
def edit_profile(request: HttpRequest) -> HttpResponse:
    """Edit language and time zone."""
    return edit_preferences(request, ProfileForm, "profile", "accounts/profile.html")


def edit_preferences(
    request: HttpRequest,
    form_class: type[forms.ModelForm[Player]],
    url_name: str,
    template: str,
    **extra_context: object,
) -> HttpResponse:
    """Show or save a form about the player."""
    player = current_player(request)
    form = form_class(request.POST or None, instance=player)
    if request.method == "POST" and form.is_valid():
        players.change_profile(player=player, now=timezone.now(), **form.cleaned_data)
        messages.success(request, _("Saved."))
        return redirect(url_name)
    return render(request, template, {"form": form, **extra_context})


@allow_get_and_post
@login_required
@never_cache
def manage_tokens(request: HttpRequest) -> HttpResponse:
    """List tokens; on POST create one, whose plain text is only in this response."""
    player, now, plain_token = current_player(request), timezone.now(), ""
    form = TokenForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            _token, plain_token = tokens.create_token(player=player, now=now, **form.cleaned_data)
            form = TokenForm()
        except ServiceError as error:
            form.add_error(None, error.detail)
    context = {
        "form": form,
        "plain_token": plain_token,
        "tokens": tokens.list_active_tokens(player=player, now=now),
    }
    return render(request, "accounts/tokens.html", context)


@require_POST
@login_required
def revoke_token(request: HttpRequest, token_id: int) -> HttpResponse:
    """Revoke one token."""
    try:
        tokens.revoke_token(player=current_player(request), token_id=token_id, now=timezone.now())
        messages.success(request, _("Token revoked."))
    except NotFound as error:
        messages.error(request, error.detail)
    return redirect("tokens")


@require_POST
@login_required
def revoke_all_tokens(request: HttpRequest) -> HttpResponse:
    """Revoke all tokens."""
    tokens.revoke_all_tokens(player=current_player(request), now=timezone.now())
    messages.success(request, _("All tokens revoked."))
    return redirect("tokens")


@allow_get_and_post
@login_required
@never_cache
def manage_apps(request: HttpRequest) -> HttpResponse:
    """List apps; on POST register one, whose secret is only in this response."""
    player, now = current_player(request), timezone.now()
    form = AppForm(request.POST or None)
    new_app: Any = None
    plain_secret = ""
    if request.method == "POST" and form.is_valid():
        charge_request(request, cost=HASHING_COST)
        try:
            new_app, plain_secret = oauth_apps.register_app(player=player, now=now, **form.cleaned_data)
            form = AppForm()
        except ServiceError as error:
            form.add_error(None, error.detail)
    context = {
        "form": form,
        "new_app": new_app,
        "plain_secret": plain_secret,
        "apps": oauth_apps.list_own_apps(player=player),
        "authorized_apps": oauth_apps.list_authorized_apps(player=player, now=now),
    }
    return render(request, "accounts/apps.html", context)


@require_POST
@login_required
def delete_app(request: HttpRequest, app_id: int) -> HttpResponse:
    """Delete an app of the player's own."""
    try:
        oauth_apps.delete_app(player=current_player(request), app_id=app_id)
        messages.success(request, _("App deleted."))
    except NotFound as error:
        messages.error(request, error.detail)
    return redirect("apps")


@require_POST
@login_required
def disallow_app(request: HttpRequest, app_id: int) -> HttpResponse:
    """Withdraw the permission of an app."""
    oauth_apps.revoke_app(player=current_player(request), app_id=app_id)
    messages.success(request, _("The app no longer has access."))
    return redirect("apps")


@require_safe
@login_required
@never_cache
def export_data(request: HttpRequest) -> HttpResponse:
    """Return all data about the player as JSON."""
    charge_request(request, cost=EXPORT_COST)
    return JsonResponse(
        export_player_data(player=current_player(request), now=timezone.now()),
        json_dumps_params={"indent": 1, "ensure_ascii": False},
        headers={"Content-Disposition": 'attachment; filename="otto-online.json"'},
    )


@allow_get_and_post
@login_required
@never_cache
@reauthentication_required
def delete_account(request: HttpRequest) -> HttpResponse:
    """Delete the account after a fresh login and a typed confirmation."""
    form = DeleteForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            players.delete_account(player=current_player(request), now=timezone.now(), **form.cleaned_data)
        except ServiceError as error:
            form.add_error("confirmation", error.detail)
        else:
            logout(request)
            messages.success(request, _("Your account is deleted. Thank you for playing."))
            return redirect("home")
    return render(request, "accounts/delete.html", {"form": form})


urlpatterns = [
    path("profile/", edit_profile, name="profile"),
    path("tokens/", manage_tokens, name="tokens"),
    path("tokens/revoke-all/", revoke_all_tokens, name="revoke-all-tokens"),
    path("tokens/<int:token_id>/revoke/", revoke_token, name="revoke-token"),
    path("apps/", manage_apps, name="apps"),
    path("apps/<int:app_id>/delete/", delete_app, name="delete-app"),
    path("apps/<int:app_id>/disallow/", disallow_app, name="disallow-app"),
    path("export/", export_data, name="export"),
    path("delete/", delete_account, name="delete-account"),
]
