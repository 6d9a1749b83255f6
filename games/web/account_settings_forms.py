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

from games import rule_text
from games.models import Player, Webhook
from games.models.limits import MAX_NAME_LENGTH, MAX_TOKEN_NAME_LENGTH, MAX_URL_LENGTH, PERCENTAGE
from games.scopes import SCOPE_DESCRIPTIONS
from games.services.players import NOTICE_FIELDS, check_quiet_hours


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
            "Where clocks rest at night or at the weekend, another zone counts from your next turn on."
        ),
    )

    class Meta:
        model = Player
        fields = ["language", "time_zone"]
        labels = {"language": _("Language")}


class HourField(forms.TimeField):
    """A time of day with the browser's time input."""

    widget = forms.TimeInput(attrs={"type": "time"}, format="%H:%M")


class NoticesForm(forms.ModelForm):
    """When and how the player is notified."""

    digest_hour = forms.TypedChoiceField(
        label=_("The daily mail comes at"),
        choices=[(hour, f"{hour:02}:00") for hour in range(24)],
        coerce=int,
    )
    remind_used = forms.IntegerField(
        label=_("First reminder"),
        required=False,
        **PERCENTAGE.number_bounds,
        help_text=_("When so many percent of a turn’s time are gone. Empty: none."),
    )
    remind_left = forms.IntegerField(
        label=_("Last reminder"),
        required=False,
        **PERCENTAGE.number_bounds,
        help_text=_("When so many percent of all your time are left. Empty: none."),
    )
    quiet_from = HourField(label=_("Quiet from"), required=False, help_text=_("Leave both empty for none."))
    quiet_until = HourField(
        label=_("Quiet until"), required=False, help_text=rule_text.lazy_longest_quiet_hours()
    )

    class Meta:
        model = Player
        fields = NOTICE_FIELDS
        labels = {
            "mails": _("Mails about your turns"),
            "tournament_mails": _("Which of them come by mail"),
            "any_sender": _("Moves that I send by mail count from any address"),
            "invitations_from_strangers": _("People I have not played with may invite me"),
        }
        help_texts = {
            "tournament_mails": _(
                "A new game is told in one mail: with whom, why, and the first turn. Without these mails the "
                "games tell of themselves."
            ),
            "any_sender": _(
                "Otherwise only from the address of your account. With this, whoever gets hold of a mail of "
                "ours could answer it for you."
            ),
            "invitations_from_strangers": _(
                "Otherwise only people with whom you have shared a game, a tournament or a league can ask "
                "you to play, or enter you as their partner."
            ),
        }
        widgets = {"mails": forms.RadioSelect, "tournament_mails": forms.RadioSelect}

    def clean(self) -> dict[str, Any]:
        """Check the quiet hours. Raises ValidationError."""
        cleaned_data = super().clean() or self.cleaned_data
        if "quiet_from" in cleaned_data and "quiet_until" in cleaned_data:
            check_quiet_hours(cleaned_data["quiet_from"], cleaned_data["quiet_until"])
        return cleaned_data


class WebhookForm(forms.ModelForm):
    """URL and preset of a new webhook."""

    url = forms.CharField(
        label=_("Address"),
        max_length=MAX_URL_LENGTH,
        widget=forms.URLInput(attrs={"placeholder": "https://", "autocomplete": "off"}),
    )

    class Meta:
        model = Webhook
        fields = ["url", "preset"]
        labels = {"preset": _("What it understands")}


class TokenForm(forms.Form):
    """Name, scopes and lifetime of a new token."""

    name = forms.CharField(
        label=_("Name"),
        max_length=MAX_TOKEN_NAME_LENGTH,
        help_text=_("What it is for, so that you know later."),
    )
    scopes = forms.MultipleChoiceField(
        label=_("It may"),
        choices=list(SCOPE_DESCRIPTIONS.items()),
        initial=["read"],
        widget=forms.CheckboxSelectMultiple,
    )
    expires_in_days = forms.TypedChoiceField(
        label=_("It lasts"),
        choices=[
            ("30", _("30 days")),
            ("90", _("90 days")),
            ("365", _("a year")),
            ("", _("until I revoke it")),
        ],
        coerce=int,
        empty_value=None,
        required=False,
        initial="90",
    )


class AppForm(forms.Form):
    """Name, redirect URIs and type of a new OAuth app."""

    name = forms.CharField(label=_("Name"), max_length=80, help_text=_("Players see it when they are asked."))
    addresses = forms.CharField(
        label=_("Addresses to return to"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("One a line. https, or http on localhost."),
    )
    secret = forms.BooleanField(
        label=_("It runs on a server and can keep a secret"), required=False, initial=False
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
