"""Display settings of one browser: theme, contrast, coordinates and sound, in a cookie.

A cookie, because they suit a screen and not a person, and because guests and visitors have them too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

DISPLAY_COOKIE_NAME = "display"
DISPLAY_COOKIE_AGE_SECONDS = 365 * 24 * 3600
THEMES = (
    ("system", gettext_lazy("Same as device")),
    ("light", gettext_lazy("Light")),
    ("dark", gettext_lazy("Dark")),
)


@dataclass(frozen=True)
class DisplaySettings:
    """The display settings of one browser: look and sound of pages."""

    theme: str = "system"
    high_contrast: bool = False
    coordinates: bool = True
    sound: bool = False

    @property
    def needs_style_sheet(self) -> bool:
        """True if static/display.css changes anything."""
        return self.theme != "system" or self.high_contrast

    def format_cookie(self) -> str:
        """The settings that are not the default, as words with dots between them."""
        words = {
            self.theme: self.theme != "system",
            "contrast": self.high_contrast,
            "plain": not self.coordinates,
            "sound": self.sound,
        }
        return ".".join(word for word, is_set in words.items() if is_set)


def parse_display_cookie(cookie: str) -> DisplaySettings:
    """The settings in a cookie; unknown words are ignored."""
    words = cookie.split(".")
    return DisplaySettings(
        theme=next((theme for theme in ("light", "dark") if theme in words), "system"),
        high_contrast="contrast" in words,
        coordinates="plain" not in words,
        sound="sound" in words,
    )


def display_context(request: HttpRequest) -> dict[str, Any]:
    """Return `display`, for the base template."""
    return {"display": parse_display_cookie(request.COOKIES.get(DISPLAY_COOKIE_NAME, ""))}


class DisplayForm(forms.Form):
    """The display settings."""

    theme = forms.ChoiceField(label=gettext_lazy("Colours"), choices=THEMES, widget=forms.RadioSelect)
    high_contrast = forms.BooleanField(label=gettext_lazy("High contrast"), required=False)
    coordinates = forms.BooleanField(label=gettext_lazy("Coordinates on the board"), required=False)
    sound = forms.BooleanField(
        label=gettext_lazy("Play a sound when it is my turn"),
        required=False,
        help_text=gettext_lazy("Only while a page is open."),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def edit_display(request: HttpRequest) -> HttpResponse:
    """Show or save the display settings of this browser."""
    stored = parse_display_cookie(request.COOKIES.get(DISPLAY_COOKIE_NAME, ""))
    initial = {name: getattr(stored, name) for name in DisplayForm.base_fields}
    form = DisplayForm(request.POST if request.method == "POST" else None, initial=initial)
    if request.method != "POST" or not form.is_valid():
        status = 422 if form.is_bound else 200
        return render(request, "accounts/display.html", {"form": form}, status=status)
    messages.success(request, _("Saved."))
    response = redirect("display")
    response.set_cookie(
        DISPLAY_COOKIE_NAME,
        DisplaySettings(**form.cleaned_data).format_cookie(),
        max_age=DISPLAY_COOKIE_AGE_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response
