"""allauth's forms where we ask or answer something else: an address counts once it is confirmed."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.fields import SetPasswordField
from allauth.account.forms import (
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

from games.models import Player
from games.selectors.addresses import confirmed_account, has_account
from games.services import addresses


class SignUp(SignupForm):
    """allauth's form, with a name instead of a username."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["username"]
        field.label = _("Name, as others will see it")
        field.widget.attrs |= {"placeholder": "", "autocomplete": "nickname"}

    def validate_unique_email(self, value: str) -> str:
        """An address that was only claimed can be signed up with: whoever claimed it may be a stranger."""
        self.account_already_exists = has_account(value)
        email: str = get_adapter().validate_unique_email(value)
        return email

    def try_save(self, request: HttpRequest) -> Any:
        """An address that has an account is answered as a new one is, and after as long."""
        if self.account_already_exists:
            Player().set_password(self.cleaned_data["password1"])  # hashing is what takes long
            get_adapter().unstash_verified_email(request)  # making an account begins a session by this
        return super().try_save(request)

    @transaction.atomic
    def save(self, request: HttpRequest) -> Player:
        """The account and its claim on the address, at once: one without the other has nothing to confirm."""
        player: Player = super().save(request)
        # allauth notes no address that somebody else has claimed before.
        EmailAddress.objects.get_or_create(user=player, email=player.email, defaults={"primary": True})
        return player


class RequestCode(RequestLoginCodeForm):
    """A code goes to confirmed addresses; all others are answered as unknown ones are."""

    def clean_email(self) -> str:
        email: str = super().clean_email()
        self._user = confirmed_account(email)
        return email


class RequestReset(ResetPasswordForm):
    """A link for a new password goes to confirmed addresses; all others are answered as unknown ones are."""

    def clean_email(self) -> str:
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


class ChoosePassword(forms.Form):
    """The password of whoever confirms an address elsewhere than where it was signed up with."""

    password1 = SetPasswordField(label=_("New password"))

    def __init__(self, *args: Any, player: Player, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": ""} | kwargs)
        field = self.fields["password1"]
        assert isinstance(field, SetPasswordField)
        field.user = player
        field.widget.attrs["placeholder"] = ""
