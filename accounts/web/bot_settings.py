"""The account page about bots: declare this account one, change its settings, see the bots that one runs."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import functional, timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts import permissions
from accounts.models import BotProfile
from accounts.models.limits import MAX_OWNER_CODE_LENGTH
from accounts.name_validation import MAX_NAME_LENGTH
from accounts.selectors.bots import build_bots_data, list_bots_of
from accounts.services import bot_accounts
from common.duration_format import format_duration
from common.service_errors import ServiceError

from .account_settings import allow_get_and_post
from .request_utils import current_player


def describe_owner_code() -> str:
    """Describe the origin of an owner code and its validity."""
    return _("The owner creates it on this page of their own account. It is valid for %(span)s.") % {
        "span": format_duration(bot_accounts.OWNER_CODE_LIFETIME)
    }


class BotDeclarationForm(forms.Form):
    """The owner code, and the typed confirmation."""

    owner_code = forms.CharField(
        label=lazy("Owner code"),
        max_length=MAX_OWNER_CODE_LENGTH,
        help_text=functional.lazy(describe_owner_code, str)(),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    confirmation = forms.CharField(
        label=lazy("Type the name of this account to confirm"),
        max_length=MAX_NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class BotSettingsForm(forms.ModelForm):
    """The settings of a bot."""

    class Meta:
        model = BotProfile
        fields = bot_accounts.BOT_SETTINGS


@allow_get_and_post
@login_required
@never_cache
def manage_bots(request: HttpRequest) -> HttpResponse:
    """Show whether this account is a bot, and the bots that it runs; on POST save the settings of a bot."""
    player, now = current_player(request), timezone.now()
    context: dict[str, Any] = {"refusal": None}
    if player.is_bot:
        profile = bot_accounts.get_bot_profile(player=player)
        form = BotSettingsForm(request.POST or None, instance=profile, label_suffix="")
        if request.method == "POST" and form.is_valid():
            bot_accounts.change_bot_settings(player=player, now=now, **form.cleaned_data)
            messages.success(request, _("Saved."))
            return redirect("bot-account")
        context |= {
            "form": form,
            "bot": build_bots_data([profile], now)[0],
            "can_withdraw": permissions.find_bot_withdrawal_refusal(player) is None,
        }
    else:
        context["bots"] = build_bots_data(list_bots_of(player), now)
    refusal = permissions.find_bot_declaration_refusal(player)
    if refusal is None:
        context["declaration_form"] = BotDeclarationForm(label_suffix="")
    elif not player.is_bot:
        context["refusal"] = refusal.format_text()
    return render(request, "accounts/bots.html", context)


@require_POST
@login_required
@never_cache
def declare_bot(request: HttpRequest) -> HttpResponse:
    """Declare this account a bot."""
    form = BotDeclarationForm(request.POST, label_suffix="")
    if form.is_valid():
        try:
            bot_accounts.declare_bot(player=current_player(request), now=timezone.now(), **form.cleaned_data)
        except ServiceError as error:
            form.add_error("confirmation" if error.code == "not-confirmed" else "owner_code", error.detail)
        else:
            messages.success(request, _("This account is now a bot."))
            return redirect("bot-account")
    return render(request, "accounts/bots.html", {"declaration_form": form}, status=422)


@require_POST
@login_required
def withdraw_bot_declaration(request: HttpRequest) -> HttpResponse:
    """Make this account a person's again."""
    try:
        bot_accounts.withdraw_bot_declaration(player=current_player(request), now=timezone.now())
        messages.success(request, _("This account is a person’s account again."))
    except ServiceError as error:
        messages.error(request, error.detail)
    return redirect("bot-account")


@require_POST
@login_required
@never_cache
def make_owner_code(request: HttpRequest) -> HttpResponse:
    """Show an owner code, which is only in this response."""
    player, now = current_player(request), timezone.now()
    try:
        owner_code, expires_at = bot_accounts.make_owner_code(owner=player, now=now)
    except ServiceError as error:
        messages.error(request, error.detail)
        return redirect("bot-account")
    context = {
        "owner_code": owner_code,
        "expires_at": expires_at,
        "bots": build_bots_data(list_bots_of(player), now),
    }
    return render(request, "accounts/bots.html", context)


urlpatterns = [
    path("bots/", manage_bots, name="bot-account"),
    path("bots/declare/", declare_bot, name="declare-bot"),
    path("bots/withdraw/", withdraw_bot_declaration, name="withdraw-bot"),
    path("bots/code/", make_owner_code, name="owner-code"),
]
