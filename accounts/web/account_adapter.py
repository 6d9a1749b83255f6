"""Our allauth adapter: sign-up, login, address confirmation and the mails of all three."""

from __future__ import annotations

from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.utils import get_next_redirect_url
from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from django.contrib import messages
from django.contrib.sites.shortcuts import get_current_site
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.email_addresses import canonical_address
from accounts.mail_refusals import build_refusal_link
from accounts.models import Player
from accounts.selectors.addresses import is_claim_on_others_address
from accounts.selectors.contacts import can_receive_account_mail
from accounts.services import addresses, contact_limits, guests, names
from accounts.time_zones import time_zone_or_default
from common import send_now
from common.service_errors import LimitReached, ServiceError

from .address_confirmation import remember_sign_up
from .guests import guest_of
from .locale import active_language

NAME_TAKEN_TEXT = _("This name is taken. Choose another one.")
ERROR_TEXTS = {
    "account_inactive": _("This account is closed."),
    "duplicate_email": _("Your account already uses this address."),
    "email_password_mismatch": _(
        "Email address and password do not match. Try again, or let us mail you a code."
    ),
    "email_taken": _("Another account already uses this address."),
    "enter_current_password": _("This is not your current password. Try again."),
    "incorrect_code": _("This code is wrong. Check it, or ask for a new one."),
    "incorrect_password": _("This password is wrong. Try again."),
    "invalid_password_reset": _("This link has expired or is incomplete."),
    "rate_limited": _("Too many tries. Wait a few minutes, then try again."),
    "same_as_current": _("This is the same as your current one. Enter another one."),
    "too_many_login_attempts": _("Too many tries. Wait a few minutes, then try again."),
    "username_taken": NAME_TAKEN_TEXT,
}
MAX_SIGN_UP_ATTEMPTS = 3  # retries when somebody else signs up with the same address at the same time
# Mails that go to an address somebody typed in, which may not be their own.
UNKNOWN_ACCOUNT_TEMPLATE = "account/email/unknown_account"
UNSOLICITED_TEMPLATES = (
    "account/email/email_confirmation",
    "account/email/account_already_exists",
    UNKNOWN_ACCOUNT_TEMPLATE,
)


class AccountMailAdapter(DefaultAccountAdapter):
    """Sends allauth's mails at once, within limits and only to addresses that accept them."""

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send one mail now, unless the address refuses mail or is over its limit. Raises NotSent."""
        if not can_receive_account_mail(email):
            return  # the page looks the same, so nobody learns who refuses mail
        mail_context = {
            "request": self.request,
            "email": email,
            "current_site": get_current_site(self.request),
        }
        if template_prefix.startswith(UNSOLICITED_TEMPLATES):
            try:
                is_unknown_account = template_prefix.startswith(UNKNOWN_ACCOUNT_TEMPLATE)
                contact_limits.count_account_mail(
                    email=email, account_unknown=is_unknown_account, now=timezone.now()
                )
            except LimitReached:
                return  # the page looks the same, so nobody learns which addresses have an account
            mail_context["refusal_url"] = build_refusal_link(email)
        send_now.send_mail_now(self.render_mail(template_prefix, email, mail_context | context))


class AccountAdapter(AccountMailAdapter):
    """Overrides of allauth's adapter."""

    error_messages = {**DefaultAccountAdapter.error_messages, **ERROR_TEXTS}

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the name as stored. Raises ValidationError."""
        return names.check_new_name(username)

    def clean_email(self, email: str) -> str:
        """Return the canonical address, as stored and rate limited. Raises ValidationError."""
        return canonical_address(email)

    def new_user(self, request: HttpRequest) -> Player:
        """Return an unsaved player with the language and time zone of the request."""
        zone = time_zone_or_default(request.POST.get("time_zone", ""))
        return Player(joined_at=timezone.now(), language=active_language(), time_zone=zone)

    def save_user(self, request: HttpRequest, user: Player, form: Any, commit: bool = True) -> Player:
        """Create the account and attach the games of this browser's guest.

        Raises ImmediateHttpResponse, back to the form, if the name is taken.
        """
        player = self.try_save_user(request, user, form, commit)
        if player is None:
            messages.error(request, str(NAME_TAKEN_TEXT))
            raise ImmediateHttpResponse(redirect(request.get_full_path()))
        if guest := guest_of(request):
            guests.claim_guest(guest=guest, player=player, now=timezone.now())
        return player

    def try_save_user(self, request: HttpRequest, user: Player, form: Any, commit: bool) -> Player | None:
        """Create the account, also if others claim its address; return None if the name is taken."""
        email: str = form.cleaned_data["email"]
        player: Player = super().save_user(request, user, form, commit=False)
        for _attempt in range(MAX_SIGN_UP_ATTEMPTS):
            try:
                with transaction.atomic():
                    addresses.claim_address(player=player, email=email, now=timezone.now())
                    return player
            except IntegrityError:  # a concurrent sign-up took the name or the address
                if Player.objects.filter(name__iexact=user.name).exists():
                    break
        return None

    def respond_email_verification_sent(self, request: HttpRequest, user: Any) -> Any:
        """Remember that this browser signed up, so that confirming here keeps the password."""
        if user is not None:
            remember_sign_up(request, user)
        return super().respond_email_verification_sent(request, user)

    def confirm_email(self, request: HttpRequest, email_address: Any) -> bool:
        """Confirm an address through allauth's own flows; the mailed link has its own view."""
        try:
            addresses.confirm_address(
                address=email_address, keep_access=request.user == email_address.user, now=timezone.now()
            )
        except ServiceError:
            return False
        email_address.refresh_from_db()
        return True

    def login(self, request: HttpRequest, user: Player) -> None:
        """Log in (allauth calls this for confirmed accounts only) and take over the guest's games."""
        guest, now = guest_of(request), timezone.now()
        super().login(request, user)
        if guest:
            guests.claim_guest(guest=guest, player=user, now=now)
        guests.merge_claimed_guests(player=user, now=now)

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        """Return the mailed link with `next`, since it may be opened in another browser."""
        url: str = super().get_email_confirmation_url(request, emailconfirmation)
        next_url = get_next_redirect_url(request)
        return f"{url}?{urlencode({'next': next_url})}" if next_url else url

    # ------------------------------------------------------------------------------- when mail cannot be sent

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send one mail now. Raises ImmediateHttpResponse, back to the form, if it cannot be sent."""
        try:
            super().send_mail(template_prefix, email, context)
        except send_now.MailNotSent as error:
            raise ImmediateHttpResponse(self.redirect_to_form(email, str(error))) from error

    def redirect_to_form(self, email: str, reason: str) -> HttpResponse:
        """Redirect to the form, which can be sent again at once; the same for every address."""
        # Otherwise allauth assumes that a link was just sent and sends none for three minutes.
        ratelimit.clear(self.request, action="confirm_email", key=email.lower())
        messages.error(self.request, reason)
        next_url = get_next_redirect_url(self.request)
        form_path = self.request.path
        return redirect(f"{form_path}?{urlencode({'next': next_url})}" if next_url else form_path)

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: bool) -> None:
        """Send the confirmation link, or tell the owner that an account exists. Raises ImmediateHttpResponse.

        An account that claims somebody else's confirmed address is never sent a link.
        """
        address = emailconfirmation.email_address
        try:
            if is_claim_on_others_address(address):
                self.send_account_already_exists_mail(address.email)
            else:
                super().send_confirmation_mail(request, emailconfirmation, signup)
        except ImmediateHttpResponse:
            if signup:
                # The unused account would block its name for the next attempt.
                addresses.remove_unconfirmed_account(player=address.user, now=timezone.now())
            raise

    def send_notification_mail(self, *args: Any, **kwargs: Any) -> None:
        """Send a notification; a mail failure does not undo the change it reports."""
        with suppress(send_now.MailNotSent):
            AccountMailAdapter(self.request).send_notification_mail(*args, **kwargs)
