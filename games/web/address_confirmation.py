"""The link that confirms an address. To look changes nothing; where it is opened decides what it may do.

In the browser that signed up, one button confirms and lets in. Elsewhere it is not known whether the same
person signed up: whoever has the mailbox gets the account without anything that was chosen before. An account
that has an address already changes it only where it is signed in.
"""

from __future__ import annotations

from typing import Any

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import record_authentication
from allauth.account.internal.flows.manage_email import emit_email_changed
from allauth.account.models import EmailAddress
from allauth.account.utils import get_next_redirect_url, perform_login
from django.conf import settings
from django.contrib import messages
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from games.models import Player
from games.selectors.addresses import is_confirmed
from games.services import addresses
from games.services.errors import Conflict, Invalid, Refusal

from .account_forms import ConfirmElsewhere

SIGNED_UP = "signed_up"  # in the session: which account was signed up here
REFUSALS = {
    "used": ("used", 410),
    "taken": ("taken", 409),
    "not-found": ("old", 404),
}  # what is shown for each


def remember_sign_up(request: HttpRequest, player: Player) -> None:
    """Note that an account was signed up in this browser, or its password typed in."""
    request.session[SIGNED_UP] = {"player": player.pk, "proof": player.get_session_auth_hash()}


def signed_up_here(request: HttpRequest) -> Player | None:
    """The account that was signed up in this browser, as long as its password has not changed since."""
    noted = request.session.get(SIGNED_UP)
    if not noted:
        return None
    player = Player.objects.filter(pk=noted["player"]).first()
    if player and constant_time_compare(noted["proof"], player.get_session_auth_hash()):
        return player
    return None


def read_link(request: HttpRequest, key: str) -> EmailAddress | None:
    """The claim that a link confirms, None if it is too old or not ours.

    A link shows who has the mailbox. If this browser signed up with that address as well, it is for that
    account: the mail may have been sent for somebody who was faster.
    """
    lasts = app_settings.EMAIL_CONFIRMATION_EXPIRE_DAYS * 24 * 3600
    try:
        number = signing.loads(key, max_age=lasts, salt=app_settings.SALT)
    except signing.BadSignature:
        return None
    address = EmailAddress.objects.select_related("user").filter(pk=number).first()
    here = signed_up_here(request)
    if address and not address.verified and here and here.pk != address.user_id and not is_confirmed(here):
        own = EmailAddress.objects.select_related("user").filter(user=here, email=address.email).first()
        return own or address
    return address


@sensitive_post_parameters("password1")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, key: str) -> HttpResponse:
    """The page behind the link."""
    address = read_link(request, key)
    if address is None:
        return show(request, key, None, status=404 if request.method == "POST" else 200)
    player = address.user
    if address.verified and request.user == player:  # a second press of the button
        return redirect(onwards(request))
    changes = is_confirmed(player)
    if changes and not address.verified:
        # Another request may have confirmed this very address between the two reads: read it again.
        address = read_link(request, key)
        if address is None:
            return show(request, key, None, status=404 if request.method == "POST" else 200)
    here = request.user == player or (not changes and signed_up_here(request) == player)
    chosen = request.POST if {"name", "password1"} & set(request.POST) else None
    form = ConfirmElsewhere(chosen, player=player, with_password="without" not in request.POST)
    facts = {"changes": changes, "here": here, "form": form}
    if request.method != "POST" or address.verified:
        return show(request, key, address, **facts, status=410 if request.method == "POST" else 200)
    if "withdraw" in request.POST:
        return withdraw(request, key, address)
    if changes and not here:
        return show(request, key, address, **facts, status=403)
    if here:
        return act(request, key, address, changes=changes, here=True)
    if form.is_bound and not form.is_valid():
        return show(request, key, address, **facts, status=422)
    wanted = form.cleaned_data if form.is_bound else {}
    choice = {
        "password": wanted.get("password1", ""),
        "name": wanted.get("name", ""),
        "time_zone": request.POST.get("time_zone", ""),
    }
    try:
        return act(request, key, address, changes=changes, here=False, **choice)
    except Invalid as refusal:  # somebody took the name in this very moment
        form.add_error("name", str(refusal))
        return show(request, key, address, **facts, status=422)


def show(
    request: HttpRequest, key: str, address: EmailAddress | None, *, status: int, **facts: Any
) -> HttpResponse:
    """What the link is about, and what can be done with it here."""
    state = "old" if address is None else "used" if address.verified else "open"
    if address and state == "open" and not address.can_set_verified():
        state = "taken"
    return render_state(request, key, address, state, status, facts)


def show_refusal(request: HttpRequest, key: str, address: EmailAddress, refusal: Refusal) -> HttpResponse:
    """Why the link could not be used after all."""
    state, status = REFUSALS[refusal.code]
    return render_state(request, key, address, state, status, {})


def render_state(
    request: HttpRequest,
    key: str,
    address: EmailAddress | None,
    state: str,
    status: int,
    facts: dict[str, Any],
) -> HttpResponse:
    facts |= {"state": state, "address": address, "onwards": get_next_redirect_url(request), "key": key}
    return render(request, "account/email_confirm.html", facts, status=status)


def act(
    request: HttpRequest, key: str, address: EmailAddress, *, changes: bool, here: bool, **choice: str
) -> HttpResponse:
    """Confirm; whoever was not signed in is. Raises Invalid if the name that they chose is taken."""
    former = EmailAddress.objects.filter(user=address.user, verified=True).first() if changes else None
    try:
        player = addresses.confirm_address(address=address, keep_access=here, now=timezone.now(), **choice)
    except Invalid:
        raise
    except Refusal as refusal:
        return show_refusal(request, key, address, refusal)
    address.refresh_from_db()
    get_adapter(request).add_message(
        request, messages.SUCCESS, "account/messages/email_confirmed.txt", {"email": address.email}
    )
    if changes:
        emit_email_changed(request, former, address)  # tells the address that was theirs until now
    if request.user == player:
        return redirect(onwards(request))
    if request.user.is_authenticated:
        get_adapter(request).logout(request)
    if not here:
        record_authentication(request, player, method="code", email=address.email)
    answer: HttpResponse = perform_login(
        request, player, redirect_url=get_next_redirect_url(request), email=address.email
    )
    return answer


def withdraw(request: HttpRequest, key: str, address: EmailAddress) -> HttpResponse:
    """It was not them who gave the address."""
    try:
        addresses.withdraw_claim(address=address, now=timezone.now())
    except Conflict as refusal:
        return show_refusal(request, key, address, refusal)
    messages.success(request, _("Thank you for telling us. The address is not used any more."))
    return redirect("home")


def onwards(request: HttpRequest) -> str:
    """Where the person was going when the mail was sent."""
    return get_next_redirect_url(request) or resolve_url(settings.LOGIN_REDIRECT_URL)
