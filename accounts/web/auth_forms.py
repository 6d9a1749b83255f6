"""allauth's forms with our rules: an email address counts only once it is confirmed."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.fields import SetPasswordField
from allauth.account.forms import (
    LoginForm,
    RequestLoginCodeForm,
    ResetPasswordForm,
    ResetPasswordKeyForm,
    SignupForm,
)
from allauth.account.models import EmailAddress
from django import forms
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.email_addresses import canonical_address, comparable_address
from accounts.models import Player
from accounts.name_validation import MAX_NAME_LENGTH, normalize_name
from accounts.selectors.addresses import find_confirmed_account
from accounts.services import addresses, names


class PlayerSignupForm(SignupForm):
    """allauth's sign-up form, asking for a display name instead of a username."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["username"]
        field.label = _("Name that others see")
        field.widget.attrs |= {"placeholder": "", "autocomplete": "nickname"}

    def validate_unique_email(self, value: str) -> str:
        """Accept every address, so that nobody learns which addresses have an account.

        An account with somebody else's address is never confirmed: no link to it is mailed, and it is removed
        with the other unconfirmed accounts.
        """
        self.account_already_exists = False
        return value

    @transaction.atomic
    def save(self, request: HttpRequest) -> Player:
        """Create the account and its claim on the address in one transaction."""
        adapter = get_adapter()
        player: Player = adapter.save_user(request, adapter.new_user(request), self)
        EmailAddress.objects.create(user=player, email=self.cleaned_data["email"], primary=True)
        return player


class PlayerLoginForm(LoginForm):
    """allauth's login form; failed attempts are counted per mailbox, however the address is written."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "remember" in self.fields:
            self.fields["remember"].label = _("Stay signed in")

    def clean_login(self) -> str:
        """Return the address in its comparable form."""
        return comparable_address(super().clean_login())


class PlayerLoginCodeForm(RequestLoginCodeForm):
    """Sends a login code to confirmed addresses; other addresses get the same page as unknown ones."""

    def clean_email(self) -> str:
        """Return the canonical address and set the user only if that address is confirmed."""
        # Canonicalise before rate limiting, so that all spellings of an address share one limit.
        self.cleaned_data["email"] = canonical_address(self.cleaned_data["email"])
        email: str = super().clean_email()
        self._user = find_confirmed_account(email)
        return email


class PlayerResetPasswordForm(ResetPasswordForm):
    """Sends a password link to confirmed addresses; other addresses get the same page as unknown ones."""

    def clean_email(self) -> str:
        """Return the canonical address and set `users` only if that address is confirmed."""
        self.cleaned_data["email"] = canonical_address(self.cleaned_data["email"])
        email: str = super().clean_email()
        player = find_confirmed_account(email)
        self.users = [player] if player else []
        return email


class PlayerResetPasswordKeyForm(ResetPasswordKeyForm):
    """Sets a new password and ends all sessions and tokens of the old one."""

    def save(self) -> None:
        """Save the password and revoke earlier access in one transaction."""
        with transaction.atomic():
            super().save()
            addresses.revoke_access_after_password_reset(player=self.user, now=timezone.now())


class ConfirmAddressForm(forms.Form):
    """Name and password, chosen when an address is confirmed in another browser than it signed up in.

    The name may have been picked by a stranger, and nobody else has seen it yet.
    """

    name = forms.CharField(
        label=_("Name that others see"),
        required=False,
        max_length=MAX_NAME_LENGTH,
        widget=forms.TextInput({"autocomplete": "nickname"}),
        help_text=_("Chosen at sign-up. You can change it here."),
    )
    password1 = SetPasswordField(label=_("New password"))

    def __init__(self, *args: Any, player: Player, with_password: bool, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", "initial": {"name": player.name}} | kwargs)
        self.player = player
        field = self.fields["password1"]
        assert isinstance(field, SetPasswordField)
        field.user = player
        field.widget.attrs["placeholder"] = ""
        if self.is_bound and not with_password:
            del self.fields["password1"]

    def clean_name(self) -> str:
        """Return the new name, or an empty string if the name stays. Raises ValidationError."""
        name: str = self.cleaned_data["name"]
        if not name or normalize_name(name) == self.player.name:
            return ""
        return names.check_new_name(name)
