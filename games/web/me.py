"""A player's own pages: profile, tokens, apps, everything we know, and leaving."""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import reauthentication_required
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

from games.api.rates import EXPORT_COST, HASHING_COST, charge_request
from games.models import Player
from games.services import apps, players, tokens
from games.services.errors import NotFound, Refusal
from games.services.export import everything

from .me_forms import AppForm, DeleteForm, ProfileForm, TokenForm

show_or_act = require_http_methods(["GET", "HEAD", "POST"])


def me(request: HttpRequest) -> Player:
    """The player whose pages these are; login_required has seen to it that there is one."""
    assert isinstance(request.user, Player)
    return request.user


@show_or_act
@login_required
@never_cache
def profile(request: HttpRequest) -> HttpResponse:
    form = ProfileForm(request.POST or None, instance=me(request))
    if request.method == "POST" and form.is_valid():
        players.change_profile(player=me(request), now=timezone.now(), **form.cleaned_data)
        messages.success(request, _("Saved."))
        return redirect("profile")
    return render(request, "games/account/profile.html", {"form": form})


@show_or_act
@login_required
@never_cache
def token_list(request: HttpRequest) -> HttpResponse:
    """Makes a token, too: it is in this one answer and nowhere else."""
    player, now, plain = me(request), timezone.now(), ""
    form = TokenForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            _row, plain = tokens.create(player=player, now=now, **form.cleaned_data)
            form = TokenForm()
        except Refusal as refusal:
            form.add_error(None, refusal.detail)
    context = {"form": form, "plain": plain, "tokens": tokens.working(player=player, now=now)}
    return render(request, "games/account/tokens.html", context)


@require_POST
@login_required
def revoke_token(request: HttpRequest, token_id: int) -> HttpResponse:
    try:
        tokens.revoke(player=me(request), token_id=token_id, now=timezone.now())
        messages.success(request, _("The token is revoked."))
    except NotFound as refusal:
        messages.error(request, refusal.detail)
    return redirect("tokens")


@require_POST
@login_required
def revoke_all_tokens(request: HttpRequest) -> HttpResponse:
    tokens.revoke_all(player=me(request), now=timezone.now())
    messages.success(request, _("All your tokens are revoked."))
    return redirect("tokens")


@show_or_act
@login_required
@never_cache
def app_list(request: HttpRequest) -> HttpResponse:
    """Registers an app, too: its secret is in this one answer and nowhere else."""
    player, now = me(request), timezone.now()
    form = AppForm(request.POST or None)
    made: Any = None
    plain = ""
    if request.method == "POST" and form.is_valid():
        charge_request(request, cost=HASHING_COST)
        try:
            made, plain = apps.register(player=player, now=now, **form.cleaned_data)
            form = AppForm()
        except Refusal as refusal:
            form.add_error(None, refusal.detail)
    context = {
        "form": form,
        "made": made,
        "plain": plain,
        "apps": apps.own(player=player),
        "allowed": apps.allowed(player=player, now=now),
    }
    return render(request, "games/account/apps.html", context)


@require_POST
@login_required
def delete_app(request: HttpRequest, app_id: int) -> HttpResponse:
    try:
        apps.delete(player=me(request), app_id=app_id)
        messages.success(request, _("The app is deleted."))
    except NotFound as refusal:
        messages.error(request, refusal.detail)
    return redirect("apps")


@require_POST
@login_required
def disallow_app(request: HttpRequest, app_id: int) -> HttpResponse:
    apps.disallow(player=me(request), app_id=app_id)
    messages.success(request, _("The app can do nothing for you any more."))
    return redirect("apps")


@require_safe
@login_required
@never_cache
def export(request: HttpRequest) -> HttpResponse:
    charge_request(request, cost=EXPORT_COST)
    return JsonResponse(
        everything(player=me(request), now=timezone.now()),
        json_dumps_params={"indent": 1, "ensure_ascii": False},
        headers={"Content-Disposition": 'attachment; filename="otto-online.json"'},
    )


@show_or_act
@login_required
@never_cache
@reauthentication_required
def delete(request: HttpRequest) -> HttpResponse:
    form = DeleteForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            players.delete(player=me(request), now=timezone.now(), **form.cleaned_data)
        except Refusal as refusal:
            form.add_error("confirmation", refusal.detail)
        else:
            logout(request)
            messages.success(request, _("Your account is deleted. Thank you for playing."))
            return redirect("home")
    return render(request, "games/account/delete.html", {"form": form})


urlpatterns = [
    path("profile/", profile, name="profile"),
    path("tokens/", token_list, name="tokens"),
    path("tokens/revoke-all/", revoke_all_tokens, name="revoke-all-tokens"),
    path("tokens/<int:token_id>/revoke/", revoke_token, name="revoke-token"),
    path("apps/", app_list, name="apps"),
    path("apps/<int:app_id>/delete/", delete_app, name="delete-app"),
    path("apps/<int:app_id>/disallow/", disallow_app, name="disallow-app"),
    path("export/", export, name="export"),
    path("delete/", delete, name="delete-account"),
]
