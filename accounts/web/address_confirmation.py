"""The page behind the link that confirms an email address. GET changes nothing.

In the browser that signed up, one button confirms the address and logs in. In another browser the account is
handed to the owner of the mailbox without the name and password chosen before. An account that already has a
confirmed address changes it only where it is signed in.
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

from accounts.models import Player
from accounts.selectors.addresses import has_confirmed_address
from accounts.services import addresses
from common.service_errors import Conflict, Invalid, ServiceError

from .auth_forms import ConfirmAddressForm

SIGNED_UP_SESSION_KEY = "signed_up"  # session key: the account that this browser signed up
ERROR_STATES = {
    "used": ("used", 410),
    "taken": ("taken", 409),
    "not-found": ("old", 404),
}  # service error code -> page state and HTTP status


def remember_sign_up(request: HttpRequest, player: Player) -> None:
    """Store in the session that this browser signed up an account or entered its password."""
    request.session[SIGNED_UP_SESSION_KEY] = {"player": player.pk, "proof": player.get_session_auth_hash()}


def find_account_signed_up_here(request: HttpRequest) -> Player | None:
    """Return the account that this browser signed up, unless its password has changed since."""
    session_entry = request.session.get(SIGNED_UP_SESSION_KEY)
    if not session_entry:
        return None
    player = Player.objects.filter(pk=session_entry["player"]).first()
    if player and constant_time_compare(session_entry["proof"], player.get_session_auth_hash()):
        return player
    return None


def find_address_of_link(request: HttpRequest, key: str) -> EmailAddress | None:
    """Return the address that a link confirms, or None if the link is too old or invalid.

    If this browser signed up another unconfirmed account with the same address, that account's claim is
    returned: the link proves the mailbox, and the mail may have been sent for somebody faster.
    """
    max_age_seconds = app_settings.EMAIL_CONFIRMATION_EXPIRE_DAYS * 24 * 3600
    try:
        address_pk = signing.loads(key, max_age=max_age_seconds, salt=app_settings.SALT)
    except signing.BadSignature:
        return None
    address = EmailAddress.objects.select_related("user").filter(pk=address_pk).first()
    signed_up_player = find_account_signed_up_here(request)
    if (
        address
        and not address.verified
        and signed_up_player
        and signed_up_player.pk != address.user_id
        and not has_confirmed_address(signed_up_player)
    ):
        own_address = (
            EmailAddress.objects.select_related("user")
            .filter(user=signed_up_player, email=address.email)
            .first()
        )
        return own_address or address
    return address


@sensitive_post_parameters("password1")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_address(request: HttpRequest, key: str) -> HttpResponse:
    """Show what the link does here; on POST confirm the address, or withdraw the claim on it."""
    address = find_address_of_link(request, key)
    if address is None:
        return render_link_page(request, key, None, status=404 if request.method == "POST" else 200)
    player = address.user
    if address.verified and request.user == player:  # the button was pressed twice
        return redirect(next_url_of(request))
    is_address_change = has_confirmed_address(player)
    if is_address_change and not address.verified:
        # Another request may have confirmed this very address between the two reads: read it again.
        address = find_address_of_link(request, key)
        if address is None:
            return render_link_page(request, key, None, status=404 if request.method == "POST" else 200)
    is_same_browser = request.user == player or (
        not is_address_change and find_account_signed_up_here(request) == player
    )
    form_data = request.POST if {"name", "password1"} & set(request.POST) else None
    form = ConfirmAddressForm(form_data, player=player, with_password="without" not in request.POST)
    context = {"is_address_change": is_address_change, "is_same_browser": is_same_browser, "form": form}
    if request.method != "POST" or address.verified:
        return render_link_page(
            request, key, address, **context, status=410 if request.method == "POST" else 200
        )
    if "withdraw" in request.POST:
        return withdraw_address_claim(request, key, address)
    if is_address_change and not is_same_browser:
        return render_link_page(request, key, address, **context, status=403)
    if is_same_browser:
        return confirm_and_sign_in(
            request, key, address, is_address_change=is_address_change, is_same_browser=True
        )
    if form.is_bound and not form.is_valid():
        return render_link_page(request, key, address, **context, status=422)
    cleaned_data = form.cleaned_data if form.is_bound else {}
    choices = {
        "password": cleaned_data.get("password1", ""),
        "name": cleaned_data.get("name", ""),
        "time_zone": request.POST.get("time_zone", ""),
    }
    try:
        return confirm_and_sign_in(
            request, key, address, is_address_change=is_address_change, is_same_browser=False, **choices
        )
    except Invalid as error:  # the name was taken concurrently
        form.add_error("name", str(error))
        return render_link_page(request, key, address, **context, status=422)


def render_link_page(
    request: HttpRequest, key: str, address: EmailAddress | None, *, status: int, **context: Any
) -> HttpResponse:
    """Render the link's page in the state that follows from the address: old, used, open or taken."""
    state = "old" if address is None else "used" if address.verified else "open"
    if address and state == "open" and not address.can_set_verified():
        state = "taken"
    return render_state(request, key, address, state, status, context)


def render_service_error(
    request: HttpRequest, key: str, address: EmailAddress, error: ServiceError
) -> HttpResponse:
    """Render the state that a service error means."""
    state, status = ERROR_STATES[error.code]
    return render_state(request, key, address, state, status, {})


def render_state(
    request: HttpRequest,
    key: str,
    address: EmailAddress | None,
    state: str,
    status: int,
    context: dict[str, Any],
) -> HttpResponse:
    """Render the page in a given state."""
    context |= {"state": state, "address": address, "next_url": get_next_redirect_url(request), "key": key}
    return render(request, "account/email_confirm.html", context, status=status)


def confirm_and_sign_in(
    request: HttpRequest,
    key: str,
    address: EmailAddress,
    *,
    is_address_change: bool,
    is_same_browser: bool,
    **choices: str,
) -> HttpResponse:
    """Confirm the address and log in. Raises Invalid if the chosen name is taken."""
    previous_address = (
        EmailAddress.objects.filter(user=address.user, verified=True).first() if is_address_change else None
    )
    try:
        player = addresses.confirm_address(
            address=address, keep_access=is_same_browser, now=timezone.now(), **choices
        )
    except Invalid:
        raise
    except ServiceError as error:
        return render_service_error(request, key, address, error)
    address.refresh_from_db()
    get_adapter(request).add_message(
        request, messages.SUCCESS, "account/messages/email_confirmed.txt", {"email": address.email}
    )
    if is_address_change:
        emit_email_changed(request, previous_address, address)  # notifies the previous address
    if request.user == player:
        return redirect(next_url_of(request))
    if request.user.is_authenticated:
        get_adapter(request).logout(request)
    if not is_same_browser:
        record_authentication(request, player, method="code", email=address.email)
    response: HttpResponse = perform_login(
        request, player, redirect_url=get_next_redirect_url(request), email=address.email
    )
    return response


def withdraw_address_claim(request: HttpRequest, key: str, address: EmailAddress) -> HttpResponse:
    """Remove the claim of an account on somebody else's address."""
    try:
        addresses.withdraw_address_claim(address=address, now=timezone.now())
    except Conflict as error:
        return render_service_error(request, key, address, error)
    messages.success(request, _("Thank you for telling us. We no longer use the address."))
    return redirect("home")


def next_url_of(request: HttpRequest) -> str:
    """Return where the person was going when the mail was sent."""
    return get_next_redirect_url(request) or resolve_url(settings.LOGIN_REDIRECT_URL)
