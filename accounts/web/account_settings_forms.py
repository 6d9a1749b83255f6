"""The forms of the account settings."""

from __future__ import annotations

import zoneinfo
from functools import cache
from typing import Any

from django import forms
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from accounts.models import Player
from accounts.models.limits import MAX_TOKEN_NAME_LENGTH
from accounts.name_validation import MAX_NAME_LENGTH
from accounts.scopes import SCOPE_DESCRIPTIONS

SHORT_TOKEN_DAYS = (30, 90)  # offered besides a year and no end


@cache
def time_zone_choices() -> list[tuple[str, str]]:
    """Return all time zones as choices."""
    return [(name, name.replace("_", " ")) for name in sorted(zoneinfo.available_timezones())]


class LongSelect(forms.Select):
    """A select with hundreds of options, rendered at once: Django renders a template for each option."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        """Return the select element."""
        options = format_html_join(
            "\n",
            '<option value="{}"{}>{}</option>',
            ((key, SafeString(" selected" if key == value else ""), label) for key, label in self.choices),
        )
        return format_html(
            "<select{}>\n{}\n</select>",
            flatatt(self.build_attrs(self.attrs, {"name": name, **(attrs or {})})),
            options,
        )


class ProfileForm(forms.ModelForm):
    """Language and time zone."""

    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=time_zone_choices,
        widget=LongSelect,
        help_text=_(
            "In games with a break at night or at the weekend, a new time zone counts from your next turn."
        ),
    )

    class Meta:
        model = Player
        fields = ["language", "time_zone"]
        labels = {"language": _("Language")}


class TokenForm(forms.Form):
    """Name, scopes and lifetime of a new token."""

    name = forms.CharField(
        label=_("Name"),
        max_length=MAX_TOKEN_NAME_LENGTH,
        help_text=_("What you use it for."),
    )
    scopes = forms.MultipleChoiceField(
        label=_("Scopes"),
        choices=list(SCOPE_DESCRIPTIONS.items()),
        initial=["read"],
        widget=forms.CheckboxSelectMultiple,
    )
    expires_in_days = forms.TypedChoiceField(
        label=_("Expires after"),
        choices=[
            *(
                (str(days), ngettext_lazy("%(n)s day", "%(n)s days", days) % {"n": days})
                for days in SHORT_TOKEN_DAYS
            ),
            ("365", _("a year")),
            ("", _("never, until I revoke it")),
        ],
        coerce=int,
        empty_value=None,
        required=False,
        initial=str(SHORT_TOKEN_DAYS[-1]),
    )


class AppForm(forms.Form):
    """Name, redirect URIs and type of a new OAuth app."""

    name = forms.CharField(
        label=_("Name"), max_length=80, help_text=_("Players see it when your app asks for access.")
    )
    addresses = forms.CharField(
        label=_("Redirect URIs"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("One per line. https, or http on localhost."),
    )
    secret = forms.BooleanField(
        label=_("Runs on a server and can keep a secret"), required=False, initial=False
    )

    def clean_addresses(self) -> list[str]:
        """Return the redirect URIs as a list."""
        return self.cleaned_data["addresses"].split()


class DeleteForm(forms.Form):
    """The typed confirmation for deleting an account."""

    confirmation = forms.CharField(
        label=_("Type your name to confirm"),
        max_length=MAX_NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
