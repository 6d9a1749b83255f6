"""Accounts: what we ask of allauth, and a player's own pages."""

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

from games.email_addresses import canonical_address
from games.mail import prompt
from games.mail.letter import refusal_link
from games.models import Player
from games.selectors.addresses import is_claim_on_others_address
from games.selectors.contacts import takes_account_mail
from games.services import addresses, contacts, guests, names
from games.services.errors import LimitReached, Refusal
from games.time_zones import time_zone_or_default

from .address_confirmation import remember_sign_up
from .guests import guest_of
from .locale import spoken

TAKEN = _("This name is taken.")
SIGN_UP_TRIES = 3  # while others sign up with the same address at the same moment
# Mails that go to whatever address somebody typed in, which may be another's.
UNKNOWN_ACCOUNT = "account/email/unknown_account"
UNASKED = ("account/email/email_confirmation", "account/email/account_already_exists", UNKNOWN_ACCOUNT)


class Mailing(DefaultAccountAdapter):
    """allauth's mails, sent as all are for which somebody waits."""

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Raises prompt.NotSent."""
        if not takes_account_mail(email):
            return  # the page says the same: nobody learns who refused
        about = {"request": self.request, "email": email, "current_site": get_current_site(self.request)}
        if template_prefix.startswith(UNASKED):
            try:
                unknown = template_prefix.startswith(UNKNOWN_ACCOUNT)
                contacts.count_account_mail(email=email, unknown=unknown, now=timezone.now())
            except LimitReached:
                return  # again the same page: nobody learns which addresses have an account
            about["refuse"] = refusal_link(email)
        prompt.send(self.render_mail(template_prefix, email, about | context))


class Adapter(Mailing):
    """Our own answers to allauth's questions."""

    error_messages = {**DefaultAccountAdapter.error_messages, "username_taken": TAKEN}

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The name as it is stored. Raises ValidationError."""
        return names.check_new_name(username)

    def clean_email(self, email: str) -> str:
        """The address as it is stored, and counted. Raises ValidationError."""
        return canonical_address(email)

    def new_user(self, request: HttpRequest) -> Player:
        zone = time_zone_or_default(request.POST.get("time_zone", ""))
        return Player(joined_at=timezone.now(), language=spoken(), time_zone=zone)

    def save_user(self, request: HttpRequest, user: Player, form: Any, commit: bool = True) -> Player:
        player = self.try_save_user(request, user, form, commit)
        if player is None:
            messages.error(request, str(TAKEN))
            raise ImmediateHttpResponse(redirect(request.get_full_path()))
        if guest := guest_of(request):
            guests.keep(guest=guest, player=player, now=timezone.now())
        return player

    def try_save_user(self, request: HttpRequest, user: Player, form: Any, commit: bool) -> Player | None:
        """Make the account, whoever else has or claims its address; None if its name is taken."""
        email: str = form.cleaned_data["email"]
        player: Player = super().save_user(request, user, form, commit=False)
        for _attempt in range(SIGN_UP_TRIES):
            try:
                with transaction.atomic():
                    addresses.claim_address(player=player, email=email, now=timezone.now())
                    return player
            except IntegrityError:  # somebody took the name or the address between the check and now
                if Player.objects.filter(name__iexact=user.name).exists():
                    break
        return None

    def respond_email_verification_sent(self, request: HttpRequest, user: Any) -> Any:
        """Whoever signed up here, or knows the password, keeps it when confirming here."""
        if user is not None:
            remember_sign_up(request, user)
        return super().respond_email_verification_sent(request, user)

    def confirm_email(self, request: HttpRequest, email_address: Any) -> bool:
        """allauth's own ways to confirm follow our rule; the link in the mail is ours altogether."""
        try:
            addresses.confirm_address(
                address=email_address, keep_access=request.user == email_address.user, now=timezone.now()
            )
        except Refusal:
            return False
        email_address.refresh_from_db()
        return True

    def login(self, request: HttpRequest, user: Player) -> None:
        """Whoever was a guest in this browser takes their games along; only confirmed accounts come here."""
        guest, now = guest_of(request), timezone.now()
        super().login(request, user)
        if guest:
            guests.keep(guest=guest, player=user, now=now)
        guests.hand_over(player=user, now=now)

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        """The link remembers where the person was going: it may be opened in another browser."""
        url: str = super().get_email_confirmation_url(request, emailconfirmation)
        onwards = get_next_redirect_url(request)
        return f"{url}?{urlencode({'next': onwards})}" if onwards else url

    # --------------------------------------------------------------------------- while no mail can be sent

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Who needs the mail to go on is told if there is none. Raises ImmediateHttpResponse."""
        try:
            super().send_mail(template_prefix, email, context)
        except prompt.NotSent as trouble:
            raise ImmediateHttpResponse(self.ask_again(email, str(trouble))) from trouble

    def ask_again(self, email: str, why: str) -> HttpResponse:
        """Back to the form, which can be sent again at once: the same for every address, known or not."""
        # Else allauth would hold that a link has just gone to this address, and for three minutes send none.
        ratelimit.clear(self.request, action="confirm_email", key=email.lower())
        messages.error(self.request, why)
        onwards = get_next_redirect_url(self.request)
        here = self.request.path
        return redirect(f"{here}?{urlencode({'next': onwards})}" if onwards else here)

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: bool) -> None:
        """The link that confirms an address, or what else its owner is to know. Raises ImmediateHttpResponse.

        No link ever leads to an account that was signed up with an address of somebody who has one.
        """
        address = emailconfirmation.email_address
        try:
            if is_claim_on_others_address(address):
                self.send_account_already_exists_mail(address.email)
            else:
                super().send_confirmation_mail(request, emailconfirmation, signup)
        except ImmediateHttpResponse:
            if signup:
                # Nobody has ever used this account, and it would hold its name against whoever tries again.
                addresses.remove_unconfirmed(player=address.user, now=timezone.now())
            raise

    def send_notification_mail(self, *args: Any, **kwargs: Any) -> None:
        """What was done is done, also if no mail can tell of it."""
        with suppress(prompt.NotSent):
            Mailing(self.request).send_notification_mail(*args, **kwargs)
