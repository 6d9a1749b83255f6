"""The forms of the notification settings."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from accounts.models.limits import PERCENTAGE
from accounts.quiet_hours import check_quiet_hours, lazy_longest_quiet_hours
from accounts.services.export import NOTICE_FIELDS
from notifications.models import Webhook
from notifications.models.deliveries import MAX_URL_LENGTH
from notifications.notice_kinds import list_chosen_kinds


class HourField(forms.TimeField):
    """A time of day with the browser's time input."""

    widget = forms.TimeInput(attrs={"type": "time"}, format="%H:%M")


class NoticesForm(forms.ModelForm):
    """The player's settings of notices: times and channels."""

    digest_hour = forms.TypedChoiceField(
        label=_("Time of the daily mail"),
        choices=[(hour, f"{hour:02}:00") for hour in range(24)],
        coerce=int,
    )
    remind_at_used_percent = forms.IntegerField(
        label=_("First reminder"),
        required=False,
        **PERCENTAGE.number_bounds,
        help_text=_("When this percentage of the turn has passed. Leave empty for none."),
    )
    remind_at_left_percent = forms.IntegerField(
        label=_("Last reminder"),
        required=False,
        **PERCENTAGE.number_bounds,
        help_text=_("When this percentage of your time is left. Leave empty for none."),
    )
    quiet_from = HourField(label=_("Quiet from"), required=False, help_text=_("Leave both empty for none."))
    quiet_until = HourField(label=_("Quiet until"), required=False, help_text=lazy_longest_quiet_hours())

    class Meta:
        model = Player
        fields = NOTICE_FIELDS
        labels = {
            "mail_frequency": _("Mails about your turns"),
            "tournament_mails": _("Mails about tournaments and leagues"),
            "allow_any_sender": _("Accept my moves from any address"),
            "invitations_from_strangers": _("Let people I have not played with invite me"),
        }
        help_texts = {
            "tournament_mails": _(
                "One mail announces a new game: your opponents, why you meet, and your first turn. Without "
                "these mails you still get your turn mails."
            ),
            "allow_any_sender": _(
                "Otherwise only from your account’s address. With this on, somebody who gets hold of one of "
                "our mails could play for you."
            ),
            "invitations_from_strangers": _(
                "Otherwise only people who have shared a game, a tournament or a league with you can invite "
                "you, or ask you to be their partner."
            ),
        }
        widgets = {"mail_frequency": forms.RadioSelect, "tournament_mails": forms.RadioSelect}

    def clean(self) -> dict[str, Any]:
        """Check the quiet hours. Raises ValidationError."""
        cleaned_data = super().clean() or self.cleaned_data
        if "quiet_from" in cleaned_data and "quiet_until" in cleaned_data:
            check_quiet_hours(cleaned_data["quiet_from"], cleaned_data["quiet_until"])
        return cleaned_data


IMMEDIATE_CHOICES = [
    ("yes", _("Within seconds, in quiet hours too")),
    ("no", _("When the mail goes out")),
]


class WebhookNoticesForm(forms.Form):
    """The notices that a webhook is called with, and the delay."""

    kinds = forms.MultipleChoiceField(
        label=_("Only these notifications"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Tick none to get all of them."),
    )
    immediate = forms.TypedChoiceField(
        label=_("When to call it"),
        choices=IMMEDIATE_CHOICES,
        coerce=lambda value: value == "yes",
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        kinds_field = self.fields["kinds"]
        assert isinstance(kinds_field, forms.MultipleChoiceField)
        kinds_field.choices = [(kind.value, capfirst(str(kind.label))) for kind in list_chosen_kinds()]

    def clean_kinds(self) -> list[str] | None:
        """The chosen kinds; None for all."""
        return self.cleaned_data["kinds"] or None

    @classmethod
    def for_webhook(cls, webhook: Webhook) -> WebhookNoticesForm:
        """The form with the choices of a webhook, for a page with several such forms."""
        initial = {"kinds": webhook.kinds or [], "immediate": "yes" if webhook.immediate else "no"}
        return cls(initial=initial, auto_id=f"id_{webhook.pk}_%s")


class WebhookForm(WebhookNoticesForm, forms.ModelForm):
    """URL, preset and notices of a new webhook."""

    field_order = ["url", "preset", "immediate", "kinds"]

    url = forms.CharField(
        label=_("Address"),
        max_length=MAX_URL_LENGTH,
        widget=forms.URLInput(attrs={"placeholder": "https://", "autocomplete": "off"}),
    )

    class Meta:
        model = Webhook
        fields = ["url", "preset"]
        labels = {"preset": _("Message format")}

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["immediate"] = forms.TypedChoiceField(
            label=_("When to call it"),
            required=False,
            choices=[
                ("", _("Default: programs within seconds, chats when the mail goes out")),
                *IMMEDIATE_CHOICES,
            ],
            coerce=lambda value: value == "yes",
            empty_value=None,
            widget=forms.RadioSelect,
        )
        self.order_fields(self.field_order)
