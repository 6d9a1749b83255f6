"""allauth's forms where we ask or answer something else: an address counts once it is confirmed."""

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

from games.email_addresses import canonical_address, comparable_address
from games.models import Player
from games.names import MAX_NAME_LENGTH, normalize_name
from games.selectors.addresses import confirmed_account
from games.services import addresses, names


class SignUp(SignupForm):
    """allauth's form, with a name instead of a username."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["username"]
        field.label = _("Name, as others will see it")
        field.widget.attrs |= {"placeholder": "", "autocomplete": "nickname"}

    def validate_unique_email(self, value: str) -> str:
        """Every address can be signed up with: nobody learns which ones have an account.

        An account made with another's address is one that nobody ever confirms: no link to it is mailed, and
        it is removed as all are that are not confirmed in time.
        """
        self.account_already_exists = False
        return value

    @transaction.atomic
    def save(self, request: HttpRequest) -> Player:
        """The account and its claim on the address, at once: one without the other has nothing to confirm."""
        adapter = get_adapter()
        player: Player = adapter.save_user(request, adapter.new_user(request), self)
        EmailAddress.objects.create(user=player, email=self.cleaned_data["email"], primary=True)
        return player


class SignIn(LoginForm):
    """allauth's form; an address has as many tries as it has, however it is written."""

    def clean_login(self) -> str:
        return comparable_address(super().clean_login())


class RequestCode(RequestLoginCodeForm):
    """A code goes to confirmed addresses; all others are answered as unknown ones are."""

    def clean_email(self) -> str:
        # Before it is counted: all ways to write an address are one address.
        self.cleaned_data["email"] = canonical_address(self.cleaned_data["email"])
        email: str = super().clean_email()
        self._user = confirmed_account(email)
        return email


class RequestReset(ResetPasswordForm):
    """A link for a new password goes to confirmed addresses; all others are answered as unknown ones are."""

    def clean_email(self) -> str:
        self.cleaned_data["email"] = canonical_address(self.cleaned_data["email"])
        email: str = super().clean_email()
        player = confirmed_account(email)
        self.users = [player] if player else []
        return email


class ResetPassword(ResetPasswordKeyForm):
    """A new password ends what was begun with the old one."""

    def save(self) -> None:
        with transaction.atomic():
            super().save()
            addresses.end_access_after_reset(player=self.user, now=timezone.now())


class ConfirmElsewhere(forms.Form):
    """What whoever confirms an address elsewhere than where it was signed up with chooses for themselves.

    Others have not seen the name yet: a stranger may have picked it.
    """

    name = forms.CharField(
        label=_("Name, as others will see it"),
        required=False,
        max_length=MAX_NAME_LENGTH,
        widget=forms.TextInput({"autocomplete": "nickname"}),
        help_text=_("It was chosen when the account was made. You can change it here."),
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
        """Another name than the one that was chosen, empty if it stays."""
        name: str = self.cleaned_data["name"]
        if not name or normalize_name(name) == self.player.name:
            return ""
        return names.check_new_name(name)
